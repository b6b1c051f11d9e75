//! Refunds: sent once, followed to where they end.

use std::time::Duration;

use domain::{OrderId, RefundId};
use registration::{Gateway, RefundState};

use crate::till::{Till, VISA, back, code, eur};

#[tokio::test]
async fn a_refund_names_ours_and_is_made_once() {
    let till = Till::open();
    let intent = till.paid("k1", VISA).await;
    let seen = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    assert_eq!(seen.state, RefundState::Succeeded);
    assert_eq!(
        (seen.refund, seen.intent.as_ref(), seen.amount),
        (Some(RefundId(1)), Some(&intent), eur(2_500))
    );
    let refund = till.control().object(&seen.reference).unwrap();
    assert_eq!(refund["metadata"]["order"], OrderId(55).to_string());

    let again = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    assert_eq!(
        (again.reference, till.count("refunds")),
        (seen.reference, 1)
    );
}

#[tokio::test]
async fn a_repeat_after_stripe_forgot_the_key_is_still_one_refund() {
    let till = Till::open();
    let intent = till.paid("k1", VISA).await;
    let seen = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    till.control().advance(Duration::from_secs(25 * 3_600));
    let again = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    assert_eq!(
        (again.reference, till.count("refunds")),
        (seen.reference, 1)
    );
}

#[tokio::test]
async fn a_repeat_under_another_key_is_still_one_refund() {
    let till = Till::open();
    let intent = till.paid("k1", VISA).await;
    let seen = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    let mut call = back(&intent, 2_500, 1);
    call.key = "another".to_owned();
    let again = till.gateway.refund(&call).await.unwrap();
    assert_eq!(
        (again.reference, till.count("refunds")),
        (seen.reference, 1)
    );
}

#[tokio::test]
async fn parts_go_back_until_nothing_is_left() {
    let till = Till::open();
    let intent = till.paid("k1", VISA).await;
    let first = till.gateway.refund(&back(&intent, 1, 1)).await.unwrap();
    till.gateway.refund(&back(&intent, 5_999, 2)).await.unwrap();
    assert_eq!(first.amount, eur(1), "a refund has no minimum");
    assert_eq!(
        code(&till.gateway.refund(&back(&intent, 1, 3)).await.unwrap_err()),
        "charge_already_refunded"
    );
}

#[tokio::test]
async fn more_than_was_paid_is_refused() {
    let till = Till::open();
    let intent = till.paid("k1", VISA).await;
    till.gateway
        .refund(&back(&intent, 6_001, 1))
        .await
        .map_err(|error| code(&error).to_owned())
        .unwrap_err();
    assert_eq!(till.count("refunds"), 0);
}

#[tokio::test]
async fn a_pending_refund_succeeds_later() {
    let till = Till::open();
    let intent = till.paid("k1", "4000000000007726").await;
    let seen = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    assert_eq!(seen.state, RefundState::Pending);
    till.control().settle_refund(&seen.reference).unwrap();
    assert_eq!(
        till.gateway
            .look_refund(&seen.reference)
            .await
            .unwrap()
            .state,
        RefundState::Succeeded
    );
}

#[tokio::test]
async fn a_refund_that_succeeded_may_fail_later() {
    let till = Till::open();
    let intent = till.paid("k1", "4000000000005126").await;
    let seen = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    till.control()
        .fail_refund(&seen.reference, "expired_or_canceled_card")
        .unwrap();
    let failed = RefundState::Failed("expired_or_canceled_card".to_owned());
    assert_eq!(
        till.gateway
            .look_refund(&seen.reference)
            .await
            .unwrap()
            .state,
        failed
    );

    // Another refund of ours is another one there, though the sum is the same.
    let second = till.gateway.refund(&back(&intent, 2_500, 2)).await.unwrap();
    assert_ne!(second.reference, seen.reference);
}

#[tokio::test]
async fn the_refunds_of_a_charge_are_listed() {
    let till = Till::open();
    let intent = till.paid("k1", VISA).await;
    let charge = till.control().objects("charges").unwrap()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(till.gateway.refunds_of_charge(&charge).await.unwrap(), []);
    let seen = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    assert_eq!(
        till.gateway.refunds_of_charge(&charge).await.unwrap(),
        [seen]
    );
}
