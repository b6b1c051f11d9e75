//! Money that goes back at staff's word: what was set aside, and what a dispute leaves nothing of.

use api::auth::Role;
use domain::{Money, UtcTime};
use proto::registration::v1 as api_v1;
use registration::{Observed, Seen, SeenDispute, SeenState};
use sandbox::Sandbox;
use tonic::Code;

use crate::facts::money;
use crate::payers::{refused, registered};
use crate::stand::{Row, Stand, signed};

const ACCOUNT: &str = "stripe:main";

/// A player's order, its one payment, and what the gateway calls that.
pub async fn asked(stand: &Stand, name: &str) -> (String, String, String) {
    let (order, token) = registered(stand, name).await;
    let pay = api_v1::OpenPaymentRequest {
        order: order.id.clone(),
        method: api_v1::PaymentKind::Intent.into(),
        ..Default::default()
    };
    let opened = stand.payers().open_payment(signed(pay, &token, "")).await;
    let payment = opened.unwrap().into_inner().payment.unwrap().id;
    let view = stand.app.desk.order(order.id.parse().unwrap()).await;
    let reference = view.unwrap().payments[0].reference.clone().unwrap();
    (order.id, payment, reference)
}

/// The gateway tells that so much was paid.
pub async fn paid(stand: &Stand, reference: &str, cents: i64) {
    let charged_at: UtcTime = stand.app.desk.clock().wall();
    let seen = Seen {
        reference: reference.to_owned(),
        intent: None,
        payment: None,
        order: None,
        key: None,
        state: SeenState::Succeeded {
            received: Money::new(cents, "EUR".parse().unwrap()),
            charged_at,
        },
    };
    let observed = stand.app.desk.observe_payment(ACCOUNT, seen).await;
    assert_eq!(observed.unwrap(), Observed::Known);
}

fn back(payment: &str, reason: &str) -> api_v1::ReturnPaymentRequest {
    api_v1::ReturnPaymentRequest {
        payment: payment.to_owned(),
        reason: reason.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_that_was_set_aside_goes_back_to_its_card() {
    let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
    let stand = Stand::with_cards(&sandbox).await;
    let treasurer = stand.key(&[Role::Treasurer]).await;
    let (order, payment, reference) = asked(&stand, "Short").await;
    let mut desk = stand.desk();
    let bare = desk.return_payment(signed(back(&payment, "too early"), &treasurer, ""));
    refused(bare.await, no_key());
    let answer = desk.return_payment(signed(back(&payment, "too early"), &treasurer, "1"));
    refused(answer.await, not_so());
    paid(&stand, &reference, 6_499).await;

    let rows = stand.journal_rows().await;
    for (key, row) in [
        (
            String::new(),
            (
                Code::Unauthenticated,
                "unauthenticated",
                &["authorization: unauthenticated"],
            ),
        ),
        (
            stand.key(&[Role::Arbiter]).await,
            (Code::PermissionDenied, "denied", &["authorization: denied"]),
        ),
    ] {
        let answer = desk.return_payment(signed(back(&payment, "not the sum"), &key, "2"));
        let (code, slug, fields) = row;
        refused(answer.await, (code, slug, fields));
    }
    for unknown in ["pay_0000000000001", "7", ""] {
        let answer = desk.return_payment(signed(back(unknown, "not the sum"), &treasurer, "3"));
        let row: Row<'_> = (
            Code::NotFound,
            "unknown-payment",
            &["payment: unknown_payment"],
        );
        refused(answer.await, row);
    }
    assert_eq!(stand.journal_rows().await, rows);

    let give = || signed(back(&payment, "not the sum"), &treasurer, "4");
    let given = desk.return_payment(give()).await.unwrap().into_inner();
    let shown = given.order.unwrap();
    assert_eq!(shown.id, order);
    assert_eq!(shown.entries[0].status(), api_v1::Status::Held);
    assert_eq!(shown.refunds[0].amount, Some(money(6_499, "EUR")));
    let again = desk.return_payment(give()).await.unwrap().into_inner();
    assert_eq!(
        again.order.unwrap().refunds.len(),
        1,
        "a repeat is the same"
    );
    let answer = desk.return_payment(signed(back(&payment, "twice"), &treasurer, "5"));
    refused(answer.await, not_so());
    sandbox.stop().await;
}

/// Money goes out under a key only.
fn no_key() -> Row<'static> {
    (
        Code::InvalidArgument,
        "idempotency-key-missing",
        &["idempotency-key: idempotency_key_missing"],
    )
}

/// Not in the state that it is in.
fn not_so() -> Row<'static> {
    (
        Code::FailedPrecondition,
        "illegal-move",
        &["payment: illegal_move"],
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disputed_payment_leaves_nothing_to_refund() {
    let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
    let stand = Stand::with_cards(&sandbox).await;
    let treasurer = stand.key(&[Role::Treasurer]).await;
    let (order, _, reference) = asked(&stand, "Disputed").await;
    paid(&stand, &reference, 6_500).await;
    let dispute = SeenDispute {
        reference: "dp_1".to_owned(),
        intent: reference.clone(),
        amount: Money::new(6_500, "EUR".parse().unwrap()),
        won: None,
    };
    let told = stand.app.desk.observe_dispute(ACCOUNT, dispute).await;
    told.unwrap();
    let asked = api_v1::GetOrderRequest {
        order: order.clone(),
    };
    let mut payers = stand.payers();
    let shown = payers.get_order(signed(asked, &treasurer, ""));
    let shown = shown.await.unwrap().into_inner().order.unwrap();
    let payment = &shown.payments[0];
    assert_eq!(
        (&payment.received, &payment.disputed, &payment.reference),
        (
            &Some(money(6_500, "EUR")),
            &Some(money(6_500, "EUR")),
            &Some(reference)
        )
    );
    let refund = api_v1::RefundByStaffRequest {
        order,
        amount: Some(money(1_000, "EUR")),
        reason: "goodwill".to_owned(),
        ..Default::default()
    };
    let mut desk = stand.desk();
    let bare = desk.refund_by_staff(signed(refund.clone(), &treasurer, ""));
    refused(bare.await, no_key());
    let dollars = api_v1::RefundByStaffRequest {
        amount: Some(money(100, "USD")),
        ..refund.clone()
    };
    let answer = desk.refund_by_staff(signed(dollars, &treasurer, "0"));
    let row: Row<'_> = (
        Code::InvalidArgument,
        "invalid-fields",
        &["amount.currency: other_currency"],
    );
    refused(answer.await, row);
    let answer = desk.refund_by_staff(signed(refund, &treasurer, "1"));
    let row: Row<'_> = (
        Code::FailedPrecondition,
        "nothing-left",
        &["amount: more_than_left", "amount: disputed"],
    );
    refused(answer.await, row);
    sandbox.stop().await;
}
