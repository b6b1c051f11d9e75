//! What staff do, step by step: slips, refunds, approval, lists, the journal.

use api::auth::Role;
use proto::registration::v1 as api_v1;
use proto::rules::v1 as engine;
use tonic::Code;

use crate::facts::{entry, money, order, player, team, team_entry};
use crate::payers::{refused, registered, token};
use crate::stand::{BARCELONA, ROJAS, Row, Stand, problem, signed};

/// A team's order with its slip, as the desk prices it.
async fn paid_by_slip(stand: &Stand) -> api_v1::Order {
    let quote = engine::QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: std::collections::HashMap::new(),
        others: None,
        tournament: ROJAS.to_owned(),
        entries: vec![team_entry("primario", team("A", "School One"))],
        ..Default::default()
    };
    let price = stand
        .rules()
        .quote(quote)
        .await
        .unwrap()
        .into_inner()
        .quote
        .unwrap()
        .total;
    let mut message = order(ROJAS, vec![team_entry("primario", team("A", "School One"))]);
    message.slip = Some(api_v1::Slip {
        number: "0012345".to_owned(),
        date: "2019-02-09".to_owned(),
        amount: price,
    });
    let response = stand
        .payers()
        .register(signed(message, "", "slip"))
        .await
        .unwrap();
    response.into_inner().order.unwrap()
}

#[tokio::test]
async fn a_slip_is_confirmed_and_what_was_paid_goes_back_by_transfer() {
    let stand = Stand::new().await;
    let order = paid_by_slip(&stand).await;
    let price = order.total.clone();
    let payment = &order.payments[0];
    assert_eq!(payment.status(), api_v1::PaymentStatus::Processing);

    let treasurer = stand.key(&[Role::Treasurer]).await;
    let confirm = |amount| api_v1::ConfirmPaymentRequest {
        received_on: None,
        payment: payment.id.clone(),
        amount,
        reason: "on the account".to_owned(),
        ..Default::default()
    };
    let arbiter = stand.key(&[Role::Arbiter]).await;
    let answer = stand
        .desk()
        .confirm_payment(signed(confirm(price.clone()), &arbiter, "c0"))
        .await;
    refused(
        answer,
        (Code::PermissionDenied, "denied", &["authorization: denied"]),
    );
    let answer = stand
        .desk()
        .confirm_payment(signed(confirm(Some(money(1, "PEN"))), &treasurer, "c1"))
        .await;
    let status = answer.unwrap_err();
    assert_eq!(
        problem(&status),
        (
            "amount-mismatch".to_owned(),
            vec!["amount: amount_mismatch".to_owned()]
        )
    );
    let confirmed = stand
        .desk()
        .confirm_payment(signed(confirm(price.clone()), &treasurer, "c2"))
        .await;
    let confirmed = confirmed.unwrap().into_inner().order.unwrap();
    assert_eq!(confirmed.paid, price);
    assert_eq!(confirmed.entries[0].status(), api_v1::Status::Confirmed);
    let sent = given_back(&stand, &order.id, &treasurer).await;
    assert_eq!(
        (sent.status(), sent.reference.as_deref()),
        (api_v1::RefundStatus::Succeeded, Some("TR-1"))
    );
}

/// Ten soles of an order, owed and then transferred.
async fn given_back(stand: &Stand, order: &str, treasurer: &str) -> api_v1::Refund {
    let back = api_v1::RefundByStaffRequest {
        order: order.to_owned(),
        amount: Some(money(1_000, "PEN")),
        method: engine::RefundMethod::Transfer.into(),
        reason: "goodwill".to_owned(),
    };
    let made = stand
        .desk()
        .refund_by_staff(signed(back, treasurer, "r"))
        .await
        .unwrap()
        .into_inner();
    let refund = made.refund.unwrap();
    assert_eq!(refund.status(), api_v1::RefundStatus::Owed);
    let sent = api_v1::MarkRefundSentRequest {
        refund: refund.id,
        reference: "TR-1".to_owned(),
        reason: String::new(),
    };
    let sent = stand
        .desk()
        .mark_refund_sent(signed(sent, treasurer, "s"))
        .await
        .unwrap();
    sent.into_inner().refund.unwrap()
}

/// The order of a guest who would play for nothing, by a code that the organiser gave out; and its token.
async fn invited(stand: &Stand, admin: &str) -> (api_v1::Order, String) {
    let code = api_v1::IssueCodeRequest {
        tournament: BARCELONA.to_owned(),
        label: "guests".to_owned(),
        uses: 1,
        ..Default::default()
    };
    let code = stand
        .desk()
        .issue_code(signed(code, admin, "i"))
        .await
        .unwrap()
        .into_inner()
        .code;
    let guest = engine::Player {
        rating: Some(2_500),
        ..player("Guest")
    };
    let mut message = order(BARCELONA, vec![entry("A", guest.clone())]);
    message.entries[0].code = Some(code.clone());
    let question = |code: &str| engine::QuoteRequest {
        tournament: BARCELONA.to_owned(),
        entries: vec![entry("A", guest.clone())],
        codes: [(0, code.to_owned())].into(),
        ..Default::default()
    };
    let quote = stand.rules().quote(question(&code)).await.unwrap();
    let quote = quote.into_inner().quote.unwrap();
    assert_eq!(quote.total, Some(money(0, "EUR")));
    let row: Row<'_> = (
        Code::InvalidArgument,
        "invalid-fields",
        &["codes[0]: unknown_code"],
    );
    refused(stand.rules().quote(question("WRONG")).await, row);
    let guest = stand
        .payers()
        .register(signed(message, "", "g"))
        .await
        .unwrap();
    let token = token(&guest);
    (guest.into_inner().order.unwrap(), token)
}

#[tokio::test]
async fn what_ends_an_entry_or_gives_money_back_needs_a_reason() {
    let stand = Stand::new().await;
    let admin = stand.key(&[Role::Admin]).await;
    let paid = paid_by_slip(&stand).await;
    let (entry, payment) = (&paid.entries[0].id, &paid.payments[0].id);
    let rows = stand.journal_rows().await;
    let mut desk = stand.desk();
    for (reason, rule) in [
        ("", "reason: required"),
        (" \u{200b}", "reason: required"),
        (&"x".repeat(301), "reason: too_long"),
    ] {
        let row: Row<'_> = (Code::InvalidArgument, "invalid-fields", &[rule]);
        let reject = api_v1::RejectEntryRequest {
            entry: entry.clone(),
            reason: reason.to_owned(),
        };
        refused(desk.reject_entry(signed(reject, &admin, "1")).await, row);
        let cancel = api_v1::CancelByOrganiserRequest {
            entry: entry.clone(),
            reason: reason.to_owned(),
        };
        let answer = desk.cancel_by_organiser(signed(cancel, &admin, "2"));
        refused(answer.await, row);
        let refund = api_v1::RefundByStaffRequest {
            order: paid.id.clone(),
            amount: Some(money(1_000, "PEN")),
            reason: reason.to_owned(),
            ..Default::default()
        };
        let answer = desk.refund_by_staff(signed(refund, &admin, "3"));
        refused(answer.await, row);
        let refuse = api_v1::RefusePaymentRequest {
            payment: payment.clone(),
            reason: reason.to_owned(),
        };
        refused(desk.refuse_payment(signed(refuse, &admin, "4")).await, row);
        let back = api_v1::ReturnPaymentRequest {
            payment: payment.clone(),
            reason: reason.to_owned(),
        };
        refused(desk.return_payment(signed(back, &admin, "5")).await, row);
    }
    assert_eq!(stand.journal_rows().await, rows);
    // The rest may go without, and names what is too long of it and nothing else.
    let sent = api_v1::MarkRefundSentRequest {
        refund: "ref_0000000000001".to_owned(),
        reference: "x".repeat(301),
        reason: String::new(),
    };
    let answer = desk.mark_refund_sent(signed(sent, &admin, "6"));
    let row: Row<'_> = (
        Code::NotFound,
        "unknown-refund",
        &["refund: unknown_refund"],
    );
    refused(answer.await, row);
    let code = api_v1::IssueCodeRequest {
        tournament: BARCELONA.to_owned(),
        label: "x".repeat(301),
        ..Default::default()
    };
    let row: Row<'_> = (
        Code::InvalidArgument,
        "invalid-fields",
        &["label: too_long"],
    );
    refused(desk.issue_code(signed(code, &admin, "7")).await, row);
}

#[tokio::test]
async fn staff_decide_about_entries_and_the_journal_says_who() {
    let stand = Stand::new().await;
    let admin = stand.key(&[Role::Admin]).await;
    let (guest, payer) = invited(&stand, &admin).await;
    let reject = api_v1::RejectEntryRequest {
        entry: guest.entries[0].id.clone(),
        reason: "not this year".to_owned(),
    };
    let answer = stand
        .desk()
        .reject_entry(signed(reject.clone(), &payer, "x"))
        .await;
    refused(
        answer,
        (
            Code::Unauthenticated,
            "unauthenticated",
            &["authorization: unauthenticated"],
        ),
    );
    let rejected = stand
        .desk()
        .reject_entry(signed(reject, &admin, "x"))
        .await
        .unwrap();
    let status = rejected.into_inner().order.unwrap().entries[0].status();
    assert_eq!(status, api_v1::Status::Rejected);

    let journal = api_v1::GetJournalRequest {
        tournament: BARCELONA.to_owned(),
        ..Default::default()
    };
    let rows = stand
        .desk()
        .get_journal(signed(journal, &admin, ""))
        .await
        .unwrap()
        .into_inner()
        .rows;
    assert!(
        rows.iter()
            .enumerate()
            .all(|(place, row)| row.number == i64::try_from(place).unwrap() + 1)
    );
    let last = rows
        .iter()
        .rev()
        .find(|row| row.reason == "not this year")
        .unwrap();
    let Some(api_v1::actor::Actor::Staff(who)) = last.actor.clone().unwrap().actor else {
        panic!("no staff")
    };
    assert!(who.starts_with("key_"), "{who}");
}

#[tokio::test]
async fn staff_list_orders_by_their_status_and_see_whose_code_it_was() {
    let stand = Stand::new().await;
    let admin = stand.key(&[Role::Admin]).await;
    registered(&stand, "Plain").await;
    let (guest, _) = invited(&stand, &admin).await;
    let list = api_v1::ListOrdersRequest {
        tournament: BARCELONA.to_owned(),
        statuses: vec![guest.entries[0].status],
        ..Default::default()
    };
    let orders = stand
        .desk()
        .list_orders(signed(list, &admin, ""))
        .await
        .unwrap()
        .into_inner()
        .orders;
    let ids: Vec<&str> = orders.iter().map(|order| order.id.as_str()).collect();
    assert_eq!(ids, [guest.id.as_str()]);
    let seen = orders[0].entries[0].entrant.clone().unwrap();
    let Some(engine::entrant::Who::Entrant(guest)) = seen.who else {
        panic!("no player")
    };
    let by = guest
        .grades
        .iter()
        .find_map(|g| match g.grade.clone()?.grade? {
            engine::grade::Grade::Checked(checked) => Some(checked.by),
            _ => None,
        });
    assert_eq!(
        by.as_deref(),
        Some("code:guests"),
        "staff see whose code it was"
    );
}
