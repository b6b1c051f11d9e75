//! The sandbox's own signatures, right and wrong.

use domain::UtcTime;
use payments::{Secret, WebhookRefusal, verify};
use sandbox::{Sent, Twist, WebhookFault};

use crate::hall::Hall;

async fn one(hall: &Hall, twist: Twist) -> Sent {
    hall.control().twist(WebhookFault {
        kind: "payment_intent.succeeded".to_owned(),
        twist,
        times: 1,
    });
    hall.paid().await;
    hall.sent()
        .await
        .into_iter()
        .find(|sent| sent.kind == "payment_intent.succeeded")
        .unwrap()
}

#[tokio::test]
async fn only_a_right_and_recent_signature_passes() {
    let hall = Hall::open().await;
    let judge = |sent: &Sent, secret: &str| {
        let now = UtcTime::from_micros(hall.control().now() * 1_000_000);
        verify(
            &[Secret::from(secret)],
            Some(&sent.signature),
            sent.body.as_bytes(),
            now,
        )
        .err()
    };
    let wrong = one(&hall, Twist::WrongSignature).await;
    assert_eq!(judge(&wrong, "whsec_test"), Some(WebhookRefusal::Bad));
    let old = one(&hall, Twist::OldTimestamp(600)).await;
    assert!(matches!(judge(&old, "whsec_test"), Some(WebhookRefusal::Old(age)) if age >= 600));
    let rolled = one(&hall, Twist::SecondSignature("whsec_next".to_owned())).await;
    assert_eq!(
        (judge(&rolled, "whsec_test"), judge(&rolled, "whsec_next")),
        (None, None)
    );
    assert_eq!(judge(&rolled, "whsec_other"), Some(WebhookRefusal::Bad));
}
