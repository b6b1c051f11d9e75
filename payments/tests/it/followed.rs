//! Refunds and disputes, as webhooks tell of them.

use domain::{Actor, Money, RefundMethod, RefundStatus};
use registration::{By, Gateway, StaffRefund};

use crate::hall::{ACCOUNT, Hall};
use crate::inbox::{CONFIRMED, envelope, intent};
use crate::till::back;

#[tokio::test]
async fn a_dispute_that_overtakes_its_payment_is_booked() {
    let hall = Hall::open().await;
    let order = hall.paid_with("4000000000000259").await;
    let sent = hall.sent().await;
    let dispute = sent
        .iter()
        .find(|sent| sent.kind == "charge.dispute.created")
        .unwrap();
    hall.inbox.take(ACCOUNT, &hall.read(dispute)).await.unwrap();
    hall.inbox.step().await.unwrap();
    assert_eq!(
        hall.stands(order).await,
        CONFIRMED,
        "its payment is looked at first"
    );
    hall.wait(5);
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.view(order).await.payments[0].disputed, 6_000);
    assert_eq!(hall.backlog().await, (0, 0));

    let id = hall.control().objects("disputes").unwrap()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    hall.control().close_dispute(&id, true).unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.view(order).await.payments[0].disputed, 0, "won");
}

#[tokio::test]
async fn a_refund_is_followed_to_its_end() {
    let hall = Hall::open().await;
    let order = hall.paid_with("4000000000007726").await;
    hall.take().await;
    hall.inbox.step().await.unwrap();
    let ask = StaffRefund {
        amount: Money::new(2_500, "EUR".parse().unwrap()),
        method: RefundMethod::Card,
    };
    let by = By {
        key: Some("refund".to_owned()),
        ..By::actor(Actor::Staff("treasurer".to_owned()))
    };
    hall.desk
        .refund_by_staff(&by, &hall.tournament, order, ask)
        .await
        .unwrap();
    hall.desk.step_refunds().await.unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.view(order).await.refunds[0].status, RefundStatus::Sent);

    let id = hall.view(order).await.refunds[0].reference.clone().unwrap();
    hall.control().settle_refund(&id).unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(
        hall.view(order).await.refunds[0].status,
        RefundStatus::Succeeded
    );

    hall.control()
        .fail_refund(&id, "lost_or_stolen_card")
        .unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(
        hall.view(order).await.refunds[0].status,
        RefundStatus::Failed
    );
    assert_eq!(hall.backlog().await, (0, 0));
}

#[tokio::test]
async fn a_refund_made_by_hand_at_stripe_is_taken_over_once() {
    let hall = Hall::open().await;
    let order = hall.paid().await;
    hall.take().await;
    hall.inbox.step().await.unwrap();
    let charge = hall.control().objects("charges").unwrap()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let payer = stripe::ClientBuilder::new("sk_test_sandbox")
        .url(hall.sandbox.base_url())
        .build()
        .unwrap();
    stripe_core::refund::CreateRefund::new()
        .payment_intent(intent(&hall))
        .amount(1_000)
        .send(&payer)
        .await
        .unwrap();
    let written = hall.written().await;
    hall.take().await;
    hall.inbox.step().await.unwrap();
    hall.inbox
        .take(ACCOUNT, &envelope("evt_old", "charge.refunded", &charge))
        .await
        .unwrap();
    hall.inbox.step().await.unwrap();
    let view = hall.view(order).await;
    assert_eq!((view.refunds.len(), view.refunded), (1, 1_000));
    assert!(hall.written().await > written);
    assert_eq!(hall.backlog().await, (0, 0));

    // The desk's own refund is not taken for one of those.
    let call = back(&intent(&hall), 500, 1);
    hall.gateway.refund(&call).await.unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.view(order).await.refunds.len(), 1);
    assert!(
        hall.backlog().await.0 > 0,
        "a refund that names one of ours which is not there yet is kept"
    );
}
