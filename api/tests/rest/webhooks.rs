//! Where Stripe tells what happened.

use domain::UtcTime;
use hmac::{Hmac, Mac};
use reqwest::Method;
use sha2::Sha256;
use store::{Store, gateway_events};

use crate::house::{House, WEBHOOK_SECRET};

const EVENT: &str = r#"{"id":"evt_1","object":"event","type":"payment_intent.succeeded","created":1,"livemode":false,
"api_version":"1999-01-01","data":{"object":{"id":"pi_1","object":"payment_intent"}}}"#;

fn signed(secret: &str, at: UtcTime, body: &str) -> String {
    let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{}.{body}", at.as_seconds()).as_bytes());
    let hex: String = mac
        .finalize()
        .into_bytes()
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    format!("t={},v1={hex}", at.as_seconds())
}

async fn due(house: &House) -> i64 {
    house
        .app
        .desk
        .store()
        .read(gateway_events::backlog)
        .await
        .unwrap()
        .0
}

store::both! {
    async fn an_event_is_stored_once_and_wakes_the_inbox(store: Store) {
        let house = House::open(store, 300).await;
        let now = house.app.desk.clock().wall();
        let arrived = house.app.gateway.as_ref().unwrap().arrived.clone();
        for _ in 0..2 {
            let request = house.ask(Method::POST, "/v1/gateways/stripe/main/events", "");
            let request = request.header("Stripe-Signature", signed(WEBHOOK_SECRET, now, EVENT)).body(EVENT);
            assert_eq!(house.send(request).await.status, 200);
            arrived.notified().await;
            assert_eq!(due(&house).await, 1);
        }
        house.close().await;
    }

    async fn an_event_without_a_good_signature_is_refused(store: Store) {
        let house = House::open(store, 300).await;
        let now = house.app.desk.clock().wall();
        let good = signed(WEBHOOK_SECRET, now, EVENT);
        let old = signed(WEBHOOK_SECRET, now.plus_seconds(-301), EVENT);
        let other = signed("whsec_other", now, EVENT);
        let before = house.journal().await;
        for (signature, body, slug, fault) in [
            (None, EVENT, "bad-signature", "Stripe-Signature missing_signature"),
            (Some("nonsense"), EVENT, "bad-signature", "Stripe-Signature bad_signature"),
            (Some(other.as_str()), EVENT, "bad-signature", "Stripe-Signature bad_signature"),
            (Some(good.as_str()), "{}", "bad-signature", "Stripe-Signature bad_signature"),
            (Some(old.as_str()), EVENT, "bad-signature", "Stripe-Signature old_signature"),
            (Some(signed(WEBHOOK_SECRET, now, "x").as_str()), "x", "malformed-body", "body not_json"),
        ] {
            let mut request = house.ask(Method::POST, "/v1/gateways/stripe/main/events", "").body(body);
            if let Some(signature) = signature {
                request = request.header("Stripe-Signature", signature);
            }
            let heard = house.send(request).await;
            assert_eq!((heard.status, heard.slug(), heard.faults()), (400, slug, vec![fault.to_owned()]), "{signature:?}");
        }
        assert_eq!((due(&house).await, house.journal().await), (0, before));
        house.close().await;
    }
}
