//! The walk through what the gateway holds, where no event told of anything.

use domain::{PaymentStatus, Status};
use payments::Walker;
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
