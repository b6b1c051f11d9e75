//! The walk through what the gateway holds, where no event told of anything.

use domain::{Actor, Money, PaymentStatus, RefundMethod, RefundStatus, Status};
use payments::Walker;
use registration::{By, StaffRefund};
use sandbox::{Twist, WebhookFault};
use stripe_core::payment_intent::CreatePaymentIntent;
use stripe_core::refund::CreateRefund;
use stripe_types::Currency;

use crate::hall::Hall;
use crate::inbox::intent;

fn stripe_by_hand(hall: &Hall) -> stripe::Client {
    stripe::ClientBuilder::new("sk_test_sandbox")
        .url(hall.sandbox.base_url())
        .build()
        .unwrap()
}

#[tokio::test]
async fn what_no_event_told_is_repaired_once_and_what_is_not_ours_is_reported() {
    let hall = Hall::open().await;
    hall.control().twist(WebhookFault {
        kind: "*".to_owned(),
        twist: Twist::Drop,
        times: u32::MAX,
    });
    let paid = hall.paid().await;
    let open = hall.order().await;
    hall.page(open).await.unwrap();
    let by_hand = stripe_by_hand(&hall);
    let refund = CreateRefund::new()
        .payment_intent(intent(&hall))
        .amount(1_000);
    refund.send(&by_hand).await.unwrap();
    let foreign = CreatePaymentIntent::new(700, Currency::EUR)
        .payment_method("pm_card_visa")
        .confirm(true)
        .return_url("https://shop.example.org/");
    let foreign = foreign.send(&by_hand).await.unwrap();

    let walker = Walker::new(hall.desk.clone(), hall.gateway.clone());
    let since = hall.desk.clock().wall().plus_seconds(-3_600);
    let walked = walker.walk(since).await.unwrap();
    assert!(walked.repaired > 0, "{walked:?}");
    let [finding] = &walked.findings[..] else {
        panic!("{walked:?}")
    };
    assert_eq!(
        (finding.reference.as_str(), finding.what, finding.amount),
        (foreign.id.as_str(), "money_of_no_order", Some(700))
    );
    let view = hall.view(paid).await;
    assert_eq!(
        (view.status, view.payments[0].status, view.refunded),
        (Status::Confirmed, PaymentStatus::Succeeded, 1_000)
    );
    assert_eq!(hall.stands(open).await, (Status::Held, PaymentStatus::Open));

    let again = walker.walk(since).await.unwrap();
    assert_eq!((again.repaired, again.findings), (0, walked.findings));
    assert_eq!(again.objects, walked.objects);
}

#[tokio::test]
async fn refunds_and_disputes_that_no_event_told_of_come_home() {
    let hall = Hall::open().await;
    let refunded = hall.paid_with("4000000000007726").await;
    let (won, lost) = (hall.paid().await, hall.paid().await);
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
    let reserved = hall
        .desk
        .refund_by_staff(&by, &hall.tournament, refunded, ask);
    reserved.await.unwrap();
    hall.desk.step_refunds().await.unwrap();

    let control = hall.control();
    control.twist(WebhookFault {
        kind: "*".to_owned(),
        twist: Twist::Drop,
        times: u32::MAX,
    });
    let sent = hall.view(refunded).await.refunds[0].clone();
    assert_eq!(sent.status, RefundStatus::Sent);
    control.settle_refund(&sent.reference.unwrap()).unwrap();
    let mut disputes = Vec::new();
    for order in [won, lost] {
        let paid = hall.view(order).await.payments[0].clone();
        let charges = control.objects("charges").unwrap();
        let charge = charges
            .iter()
            .find(|charge| charge["payment_intent"].as_str() == paid.intent.as_deref());
        let charge = charge.unwrap()["id"].as_str().unwrap();
        control.dispute(charge, "fraudulent").unwrap();
        let opened = control.objects("disputes").unwrap().pop().unwrap();
        disputes.push(opened["id"].as_str().unwrap().to_owned());
    }
    control.close_dispute(&disputes[1], false).unwrap();

    let walker = Walker::new(hall.desk.clone(), hall.gateway.clone());
    let since = hall.desk.clock().wall().plus_seconds(-3_600);
    let walked = walker.walk(since).await.unwrap();
    assert_eq!(
        (walked.objects, walked.findings.len()),
        (6, 0),
        "{walked:?}"
    );
    let refund = hall.view(refunded).await.refunds[0].clone();
    assert_eq!(refund.status, RefundStatus::Succeeded);
    let disputed = async |order| {
        let payment = hall.view(order).await.payments[0].clone();
        (payment.disputed, payment.failure)
    };
    assert_eq!(disputed(won).await, (6_000, None));
    let gone = Some("dispute_lost".to_owned());
    assert_eq!(
        disputed(lost).await,
        (6_000, gone),
        "opened and lost at once"
    );
    assert_eq!(walker.walk(since).await.unwrap().repaired, 0);

    // However old it is, one that runs is looked at until it is decided.
    control.close_dispute(&disputes[0], true).unwrap();
    let later = hall.desk.clock().wall().plus_seconds(3_600);
    assert_eq!(walker.walk(later).await.unwrap().repaired, 1);
    assert_eq!(disputed(won).await, (0, None));
    assert_eq!(walker.walk(later).await.unwrap().objects, 0);
    let audit = hall.desk.audit(|_, _| {}).await.unwrap();
    assert_eq!(audit.findings, []);
}

#[tokio::test]
async fn a_walk_goes_through_every_page() {
    let hall = Hall::open().await;
    let by_hand = stripe_by_hand(&hall);
    for _ in 0..205 {
        let intent = CreatePaymentIntent::new(700, Currency::EUR);
        intent.send(&by_hand).await.unwrap();
    }
    let last = hall.paid().await;
    let walker = Walker::new(hall.desk.clone(), hall.gateway.clone());
    let since = hall.desk.clock().wall().plus_seconds(-3_600);
    let walked = walker.walk(since).await.unwrap();
    assert_eq!(
        (walked.objects, walked.findings.len()),
        (206, 0),
        "{walked:?}"
    );
    assert_eq!(
        hall.stands(last).await,
        (Status::Confirmed, PaymentStatus::Succeeded)
    );
}
