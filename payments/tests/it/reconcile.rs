//! What no webhook told of.

use domain::{PaymentStatus, Status};
use sandbox::{Twist, WebhookFault};

use crate::hall::Hall;

#[tokio::test]
async fn a_payment_whose_webhooks_were_lost_is_found() {
    let hall = Hall::open().await;
    hall.control().twist(WebhookFault {
        kind: "*".to_owned(),
        twist: Twist::Drop,
        times: u32::MAX,
    });
    let (paid, open) = (hall.paid().await, hall.order().await);
    hall.page(open).await.unwrap();
    let reconciler = hall.reconciler();
    assert_eq!(
        reconciler.step(10).await.unwrap(),
        0,
        "left to their webhooks at first"
    );
    hall.wait(601);
    assert_eq!(reconciler.step(10).await.unwrap(), 2);
    assert_eq!(
        hall.stands(paid).await,
        (Status::Confirmed, PaymentStatus::Succeeded)
    );
    assert_eq!(hall.stands(open).await, (Status::Held, PaymentStatus::Open));
    let written = hall.written().await;
    assert_eq!(
        reconciler.step(10).await.unwrap(),
        0,
        "looked at a moment ago"
    );
    hall.wait(601);
    assert_eq!(reconciler.step(10).await.unwrap(), 1, "one is still open");
    assert_eq!(hall.written().await, written);
}

#[tokio::test]
async fn every_unsettled_payment_has_its_turn() {
    let hall = Hall::open().await;
    for _ in 0..3 {
        let order = hall.order().await;
        hall.page(order).await.unwrap();
    }
    let last = hall.paid().await;
    hall.wait(601);
    let reconciler = hall.reconciler();
    assert_eq!(reconciler.step(2).await.unwrap(), 2);
    assert_eq!(reconciler.step(2).await.unwrap(), 2);
    assert_eq!(
        hall.stands(last).await,
        (Status::Confirmed, PaymentStatus::Succeeded)
    );
    assert_eq!(reconciler.step(2).await.unwrap(), 0);
}

#[tokio::test]
async fn a_kind_of_event_that_nobody_knows_costs_no_payment() {
    let hall = Hall::open().await;
    let fault = WebhookFault {
        kind: "*".to_owned(),
        twist: Twist::UnknownKind("some.day.new".to_owned()),
        times: u32::MAX,
    };
    hall.control().twist(fault);
    let order = hall.paid().await;
    assert!(hall.take().await > 0);
    hall.inbox.step().await.unwrap();
    assert_eq!(
        hall.stands(order).await,
        (Status::Held, PaymentStatus::Open)
    );
    hall.wait(601);
    hall.reconciler().step(10).await.unwrap();
    assert_eq!(
        hall.stands(order).await,
        (Status::Confirmed, PaymentStatus::Succeeded)
    );
}
