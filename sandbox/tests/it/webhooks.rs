//! Webhooks: signed, in order, again until acknowledged, and twisted on demand.

use std::time::Duration;

use hmac::{Hmac, Mac};
use sandbox::{ApiFault, Trouble, Twist, WebhookFault, When};
use sha2::Sha256;

use crate::desk::{Desk, Endpoint, Received, SECRET};

const CREATE: &str = "amount=4000&currency=eur&payment_method_types[]=card";

fn desk_with(endpoint: &Endpoint) -> Desk {
    let desk = Desk::open();
    desk.sandbox.set_webhook(&endpoint.url, SECRET);
    desk
}

/// Judges a signature as Stripe's own libraries do: any `v1`, within five minutes.
#[expect(
    clippy::disallowed_methods,
    reason = "compares with a signature's real time"
)]
fn verified(received: &Received, secret: &str) -> bool {
    let mut at = 0_i64;
    let mut signatures = Vec::new();
    for part in received.signature.split(',') {
        match part.split_once('=') {
            Some(("t", time)) => at = time.parse().unwrap(),
            Some(("v1", signature)) => signatures.push(signature.to_owned()),
            _ => {}
        }
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{at}.{}", received.body).as_bytes());
    let expected: String = mac
        .finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    signatures.contains(&expected) && now.abs_diff(at.unsigned_abs()) <= 300
}

#[tokio::test]
async fn events_arrive_in_order_and_signed() {
    let endpoint = Endpoint::open(&[]);
    let desk = desk_with(&endpoint);
    desk.paid("pm_card_visa").await;
    desk.control().settled().await;
    assert_eq!(endpoint.kinds(), desk.event_kinds());
    assert!(
        endpoint
            .received()
            .iter()
            .all(|received| verified(received, SECRET))
    );
    assert!(
        desk.control()
            .objects("events")
            .unwrap()
            .iter()
            .all(|event| event["pending_webhooks"] == 0)
    );
    assert_eq!(
        desk.get("events?delivery_success=false").await.body["data"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

#[tokio::test]
async fn what_is_not_acknowledged_comes_again_with_longer_pauses() {
    let endpoint = Endpoint::open(&[500, 302, 404]);
    let desk = desk_with(&endpoint);
    desk.post("payment_intents", CREATE).await;
    desk.control().settled().await;
    for pause in [1, 2, 4] {
        let before = desk.control().sent().len();
        assert_eq!(
            desk.get("events?delivery_success=false").await.body["data"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
        desk.control().advance(Duration::from_secs(pause));
        desk.control().settled().await;
        assert_eq!(desk.control().sent().len(), before + 1);
    }
    let sent = desk.control().sent();
    assert_eq!(
        sent.iter().map(|sent| sent.status).collect::<Vec<_>>(),
        [Some(500), Some(302), Some(404), Some(200)]
    );
    assert!(
        sent.iter()
            .all(|attempt| attempt.body.contains(&sent[0].event))
    );
    assert!(desk.control().waiting().is_empty());
}

#[tokio::test]
async fn an_endpoint_that_is_down_gets_it_later() {
    let desk = Desk::open();
    desk.sandbox
        .set_webhook("http://127.0.0.1:9/events", SECRET);
    desk.post("payment_intents", CREATE).await;
    desk.control().settled().await;
    assert_eq!(desk.control().sent()[0].status, None);
    let endpoint = Endpoint::open(&[]);
    desk.sandbox.set_webhook(&endpoint.url, SECRET);
    desk.control().advance(Duration::from_secs(1));
    desk.control().settled().await;
    assert_eq!(endpoint.kinds(), ["payment_intent.created"]);
}

/// Pays under one twist and gives what arrived.
async fn twisted(kind: &str, twist: Twist) -> (Desk, Endpoint) {
    let endpoint = Endpoint::open(&[]);
    let desk = desk_with(&endpoint);
    desk.control().twist(WebhookFault {
        kind: kind.into(),
        twist,
        times: 1,
    });
    desk.paid("pm_card_visa").await;
    desk.control().settled().await;
    (desk, endpoint)
}

const CREATED: &str = "payment_intent.created";
const CHARGED: &str = "charge.succeeded";
const PAID: &str = "payment_intent.succeeded";

#[tokio::test]
async fn webhooks_come_twice_late_or_never() {
    let cases: [(Twist, &[&str], &[&str]); 5] = [
        (Twist::Duplicate, &[CREATED, CHARGED, CHARGED, PAID], &[]),
        (Twist::Reorder, &[CREATED, PAID, CHARGED], &[]),
        (Twist::Hold, &[CREATED, PAID], &[CHARGED]),
        (Twist::Delay(60_000), &[CREATED, PAID], &[CHARGED]),
        (Twist::Drop, &[CREATED, PAID], &[]),
    ];
    for (twist, first, later) in cases {
        let (desk, endpoint) = twisted(CHARGED, twist.clone()).await;
        assert_eq!(endpoint.kinds(), first, "{twist:?}");
        desk.control().release(None);
        desk.control().advance(Duration::from_secs(60));
        desk.control().settled().await;
        assert_eq!(endpoint.kinds()[first.len()..], *later, "{twist:?}");
        let ids: Vec<_> = endpoint
            .received()
            .iter()
            .map(|received| received.event()["id"].clone())
            .collect();
        let repeats = ids.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(repeats, usize::from(twist == Twist::Duplicate), "{twist:?}");
    }
}

#[tokio::test]
async fn a_dropped_event_is_found_in_the_list_and_can_be_sent_again() {
    let (desk, endpoint) = twisted(PAID, Twist::Drop).await;
    let missed = desk.get("events?delivery_success=false").await.body["data"][0].clone();
    assert_eq!(missed["type"], PAID);
    desk.control()
        .resend(missed["id"].as_str().unwrap())
        .unwrap();
    desk.control().settled().await;
    assert_eq!(endpoint.kinds().last().unwrap(), PAID);
}

#[tokio::test]
async fn signatures_go_wrong_on_demand() {
    for (twist, right, other) in [
        (Twist::WrongSignature, false, false),
        (Twist::OldTimestamp(301), false, false),
        (Twist::OldTimestamp(30), true, false),
        (Twist::SecondSignature("whsec_other".into()), true, true),
    ] {
        let (_desk, endpoint) = twisted(PAID, twist.clone()).await;
        let received = endpoint.received().pop().unwrap();
        assert_eq!(
            (
                verified(&received, SECRET),
                verified(&received, "whsec_other")
            ),
            (right, other),
            "{twist:?}"
        );
    }
}

#[tokio::test]
async fn bodies_change_on_demand() {
    for (twist, pointer, expected) in [
        (
            Twist::ApiVersion("2019-09-09".into()),
            "/api_version",
            Some("2019-09-09"),
        ),
        (
            Twist::UnknownKind("comet.sighted".into()),
            "/type",
            Some("comet.sighted"),
        ),
        (
            Twist::MissingField("/data/object/status".into()),
            "/data/object/status",
            None,
        ),
        (Twist::MissingField("/id".into()), "/id", None),
    ] {
        let (_desk, endpoint) = twisted(PAID, twist).await;
        let received = endpoint.received().pop().unwrap();
        assert!(verified(&received, SECRET));
        assert_eq!(
            received
                .event()
                .pointer(pointer)
                .map(|value| value.as_str().unwrap().to_owned())
                .as_deref(),
            expected
        );
    }
}

#[tokio::test]
async fn an_event_can_overtake_the_answer() {
    let endpoint = Endpoint::open(&[]);
    let desk = desk_with(&endpoint);
    let operation = "payment_intents.create".into();
    let trouble = Trouble::Slow(3_600_000);
    desk.control().fail(ApiFault {
        operation,
        trouble,
        when: When::AfterEffect,
        times: 1,
    });
    let create = desk.post("payment_intents", CREATE);
    let event = async {
        endpoint.wait_for(1).await;
        desk.control().advance(Duration::from_secs(3600));
    };
    // The answer waits for the clock, which moves only once the event is here.
    let (reply, ()) = tokio::join!(create, event);
    assert_eq!(reply.status, 200);
}
