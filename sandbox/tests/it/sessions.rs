//! Checkout sessions: their life between open, complete and expired.

use std::time::Duration;

use serde_json::Value;

use crate::desk::{Desk, location};

pub const SESSION: &str = "mode=payment&success_url=http://localhost/ok?s={CHECKOUT_SESSION_ID}&cancel_url=http://localhost/no\
    &line_items[0][price_data][currency]=eur&line_items[0][price_data][product_data][name]=Section+A\
    &line_items[0][price_data][unit_amount]=4000&line_items[0][quantity]=1&metadata[order]=o1\
    &payment_intent_data[metadata][order]=o1&customer_email=anna@example.org";

/// An open session of 40.00 EUR with these further parameters.
pub async fn open(desk: &Desk, more: &str) -> Value {
    let reply = desk
        .post("checkout/sessions", &format!("{SESSION}{more}"))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.body
}

#[tokio::test]
async fn a_session_lives_between_half_an_hour_and_a_day() {
    let desk = Desk::open();
    for (after, status) in [
        (29 * 60, 400),
        (30 * 60 + 5, 200),
        (24 * 3600, 200),
        (24 * 3600 + 60, 400),
        (-5, 400),
    ] {
        let now = desk.control().now();
        let reply = desk
            .post(
                "checkout/sessions",
                &format!("{SESSION}&expires_at={}", now + after),
            )
            .await;
        assert_eq!(reply.status, status, "{after}: {}", reply.body);
        if status == 400 {
            assert_eq!(reply.body["error"]["param"], "expires_at");
        }
    }
    let session = open(&desk, "").await;
    let life = session["expires_at"].as_i64().unwrap() - session["created"].as_i64().unwrap();
    assert_eq!(life, 24 * 3600);
}

#[tokio::test]
async fn the_clock_expires_a_session_and_its_intent() {
    let desk = Desk::open();
    let expires_at = desk.control().now() + 1805;
    let session = open(&desk, &format!("&expires_at={expires_at}")).await;
    let (id, url) = (
        session["id"].as_str().unwrap(),
        session["url"].as_str().unwrap(),
    );
    desk.submit(url, "card_number=4000000000000002").await;
    desk.control().advance(Duration::from_secs(1800));
    assert_eq!(
        desk.get(&format!("checkout/sessions/{id}")).await.body["status"],
        "open"
    );
    desk.control().advance(Duration::from_secs(6));
    let session = desk
        .get(&format!("checkout/sessions/{id}?expand[]=payment_intent"))
        .await
        .body;
    assert_eq!(
        (&session["status"], &session["url"]),
        (&"expired".into(), &Value::Null)
    );
    assert_eq!(session["payment_intent"]["status"], "canceled");
    assert_eq!(desk.page(url).await.status(), 410);
    assert_eq!(
        desk.submit(url, "card_number=4242424242424242")
            .await
            .status(),
        410
    );
    let kinds = desk.event_kinds();
    assert_eq!(
        kinds[kinds.len() - 2..],
        ["checkout.session.expired", "payment_intent.canceled"]
    );
    assert_eq!(
        desk.control().objects("events").unwrap()[3]["created"],
        expires_at
    );
}

#[tokio::test]
async fn only_an_open_session_can_be_expired_and_its_intent_is_its_own() {
    let desk = Desk::open();
    let session = open(&desk, "").await;
    let (id, url) = (
        session["id"].as_str().unwrap(),
        session["url"].as_str().unwrap(),
    );
    desk.submit(url, "card_number=4000000000000002").await;
    let intent = desk.get(&format!("checkout/sessions/{id}")).await.body["payment_intent"]
        .as_str()
        .unwrap()
        .to_owned();
    for path in [
        format!("payment_intents/{intent}/cancel"),
        format!("payment_intents/{intent}/confirm"),
    ] {
        assert_eq!(
            desk.post(&path, "").await.error().2,
            "payment_intent_unexpected_state",
            "{path}"
        );
    }
    let expire = format!("checkout/sessions/{id}/expire");
    assert_eq!(desk.post(&expire, "").await.body["status"], "expired");
    assert_eq!(desk.post(&expire, "").await.error().0, 400);
    let paid = open(&desk, "").await;
    desk.control()
        .pay(paid["id"].as_str().unwrap(), "4242424242424242")
        .unwrap();
    assert_eq!(
        desk.post(
            &format!("checkout/sessions/{}/expire", paid["id"].as_str().unwrap()),
            ""
        )
        .await
        .error()
        .0,
        400
    );
}

#[tokio::test]
async fn a_slow_method_completes_unpaid_and_is_told_later() {
    let desk = Desk::open();
    for (number, status, event) in [
        (
            "4999990000000015",
            "paid",
            "checkout.session.async_payment_succeeded",
        ),
        (
            "4999990000000023",
            "unpaid",
            "checkout.session.async_payment_failed",
        ),
    ] {
        let session = open(&desk, "").await;
        let (id, url) = (
            session["id"].as_str().unwrap(),
            session["url"].as_str().unwrap(),
        );
        location(&desk.submit(url, &format!("card_number={number}")).await);
        let session = desk.get(&format!("checkout/sessions/{id}")).await.body;
        assert_eq!(
            (&session["status"], &session["payment_status"]),
            (&"complete".into(), &"unpaid".into())
        );
        assert_eq!(
            desk.event_kinds().last().unwrap(),
            "checkout.session.completed"
        );
        desk.control().advance(Duration::from_secs(61));
        assert_eq!(
            desk.get(&format!("checkout/sessions/{id}")).await.body["payment_status"],
            status
        );
        assert_eq!(desk.event_kinds().last().unwrap(), event);
    }
}
