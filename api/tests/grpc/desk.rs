//! What payers and staff do, step by step: keys, tokens, slips, approval, cancellation, the journal.

use api::auth::Role;
use proto::registration::v1 as api_v1;
use proto::rules::v1 as engine;
use tonic::{Code, Response, Status};

use crate::facts::{entry, money, order, player, team, team_entry};
use crate::stand::{BARCELONA, ELLOBREGAT, ROJAS, Stand, problem, signed};

fn token<T>(response: &Response<T>) -> String {
    let token = response.metadata().get("order-token").unwrap();
    token.to_str().unwrap().to_owned()
}

fn refusal<T: std::fmt::Debug>(answer: Result<Response<T>, Status>) -> (Code, String) {
    let status = answer.unwrap_err();
    (status.code(), problem(&status).0)
}

async fn registered(stand: &Stand, name: &str) -> (api_v1::Order, String) {
    let message = order(BARCELONA, vec![entry("A", player(name))]);
    let response = stand
        .payers()
        .register(signed(message, "", name))
        .await
        .unwrap();
    let token = token(&response);
    (response.into_inner().order.unwrap(), token)
}

#[tokio::test]
async fn a_key_is_good_for_one_request() {
    let stand = Stand::new().await;
    let message = || order(BARCELONA, vec![entry("A", player("Once"))]);
    let first = stand
        .payers()
        .register(signed(message(), "", "key-1"))
        .await
        .unwrap();
    let rows = stand.journal_rows().await;
    let again = stand
        .payers()
        .register(signed(message(), "", "key-1"))
        .await
        .unwrap();
    assert_eq!(token(&first), token(&again));
    assert_eq!(first.into_inner(), again.into_inner());

    let other = order(BARCELONA, vec![entry("A", player("Other"))]);
    let answer = stand.payers().register(signed(other, "", "key-1")).await;
    assert_eq!(
        refusal(answer),
        (Code::Aborted, "idempotency-key-reused".to_owned())
    );
    let twice = stand
        .payers()
        .register(signed(message(), "", "key-2"))
        .await;
    assert_eq!(
        refusal(twice),
        (Code::Aborted, "already-entered".to_owned())
    );
    let long = "k".repeat(256);
    let answer = stand.payers().register(signed(message(), "", &long)).await;
    let status = answer.unwrap_err();
    assert_eq!(problem(&status).1, ["idempotency-key: not_a_key"]);
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn an_order_opens_for_its_own_token_and_for_staff() {
    let stand = Stand::new().await;
    let (mine, token) = registered(&stand, "Mine").await;
    let (theirs, _) = registered(&stand, "Theirs").await;
    let get = async |order: &str, bearer: &str| {
        let message = api_v1::GetOrderRequest {
            order: order.to_owned(),
        };
        stand.payers().get_order(signed(message, bearer, "")).await
    };
    assert_eq!(
        get(&mine.id, &token)
            .await
            .unwrap()
            .into_inner()
            .order
            .unwrap(),
        mine
    );
    let wrong = (Code::PermissionDenied, "wrong-token".to_owned());
    assert_eq!(refusal(get(&theirs.id, &token).await), wrong);
    let nobody = (Code::Unauthenticated, "unauthenticated".to_owned());
    assert_eq!(refusal(get(&mine.id, "").await), nobody);
    let unknown = (Code::NotFound, "unknown-order".to_owned());
    assert_eq!(refusal(get("ord_0000000000001", &token).await), unknown);
    assert_eq!(refusal(get("17", &token).await), unknown);
    let viewer = stand.key(&[Role::Viewer]).await;
    assert!(get(&mine.id, &viewer).await.is_ok());
    let pairing = stand.key(&[Role::Pairing]).await;
    assert_eq!(
        refusal(get(&mine.id, &pairing).await),
        (Code::PermissionDenied, "denied".to_owned())
    );

    let rows = stand.journal_rows().await;
    let message = api_v1::RequestByesRequest {
        order: mine.id,
        entry: theirs.entries[0].id.clone(),
        byes: vec![engine::ByeRequest {
            round: 1,
            points: engine::ByePoints::Half.into(),
        }],
    };
    let answer = stand
        .payers()
        .request_byes(signed(message, &token, "byes"))
        .await;
    assert_eq!(
        refusal(answer),
        (Code::NotFound, "unknown-entry".to_owned())
    );
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn an_unpaid_order_is_cancelled_by_its_payer() {
    let stand = Stand::new().await;
    let (order, token) = registered(&stand, "Leaver").await;
    let pay = api_v1::OpenPaymentRequest {
        order: order.id.clone(),
        ..Default::default()
    };
    let answer = stand
        .payers()
        .open_payment(signed(pay.clone(), &token, "pay"))
        .await;
    assert_eq!(problem(&answer.unwrap_err()).1, ["method: required"]);
    let pay = api_v1::OpenPaymentRequest {
        method: api_v1::PaymentKind::Session.into(),
        ..pay
    };
    let answer = stand
        .payers()
        .open_payment(signed(pay, &token, "pay"))
        .await;
    assert_eq!(
        refusal(answer).1,
        "method-not-offered",
        "no gateway is set up here"
    );
    let message = api_v1::CancelOrderRequest {
        order: order.id.clone(),
    };
    let ended = stand
        .payers()
        .cancel_order(signed(message.clone(), &token, "c"))
        .await;
    let ended = ended.unwrap().into_inner();
    assert_eq!(ended.refund_quote, None, "nothing was paid");
    let status = ended.order.unwrap().entries[0].status();
    assert_eq!(status, api_v1::Status::CancelledByPlayer);
    let again = stand
        .payers()
        .cancel_order(signed(message, &token, "d"))
        .await;
    assert_eq!(
        refusal(again),
        (Code::FailedPrecondition, "illegal-move".to_owned())
    );
}

/// A team's order with its slip, as the desk prices it.
async fn paid_by_slip(stand: &Stand) -> api_v1::Order {
    let quote = engine::QuoteRequest {
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
    assert_eq!(
        refusal(answer),
        (Code::PermissionDenied, "denied".to_owned())
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
            vec!["received: amount_mismatch".to_owned()]
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
    let mut message = order(BARCELONA, vec![entry("A", guest)]);
    message.entries[0].code = Some(code);
    let guest = stand
        .payers()
        .register(signed(message, "", "g"))
        .await
        .unwrap();
    let token = token(&guest);
    (guest.into_inner().order.unwrap(), token)
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
    assert_eq!(
        refusal(answer),
        (Code::Unauthenticated, "unauthenticated".to_owned())
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

#[tokio::test]
async fn tournaments_are_listed_by_pages() {
    let stand = Stand::new().await;
    let mut found = Vec::new();
    let mut token = String::new();
    loop {
        let message = api_v1::ListTournamentsRequest {
            page_size: 2,
            page_token: token,
        };
        let page = stand
            .payers()
            .list_tournaments(message)
            .await
            .unwrap()
            .into_inner();
        found.extend(page.tournaments);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let ids: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, [BARCELONA, ELLOBREGAT, ROJAS]);
    assert!(found[0].open);
    assert_eq!(found[0].capacity[0].seats, Some(40));
    assert_eq!(
        (found[2].currency.as_str(), found[2].slip_with_entry),
        ("PEN", true)
    );
    registered(&stand, "Seated").await;
    let message = api_v1::GetTournamentRequest {
        tournament: BARCELONA.to_owned(),
    };
    let one = stand
        .payers()
        .get_tournament(message)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(one.tournament.unwrap().capacity[0].taken, 1);
}
