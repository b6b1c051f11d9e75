//! Checkout Sessions and their page.

use std::time::Duration;

use serde_json::Value;

use crate::desk::{Desk, location};

const SESSION: &str = "mode=payment&success_url=http://localhost/ok?s={CHECKOUT_SESSION_ID}&cancel_url=http://localhost/no\
    &line_items[0][price_data][currency]=eur&line_items[0][price_data][product_data][name]=Section+A\
    &line_items[0][price_data][unit_amount]=4000&line_items[0][quantity]=1&metadata[order]=o1\
    &payment_intent_data[metadata][order]=o1&customer_email=anna@example.org";

async fn open(desk: &Desk, more: &str) -> Value {
    let reply = desk
        .post("checkout/sessions", &format!("{SESSION}{more}"))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.body
}

#[tokio::test]
async fn a_session_is_paid_on_its_page() {
    let desk = Desk::open();
    let session = open(&desk, "&locale=es").await;
    assert_eq!(
        (&session["status"], &session["payment_status"]),
        (&"open".into(), &"unpaid".into())
    );
    assert_eq!(session["payment_intent"], Value::Null);
    let (id, url) = (
        session["id"].as_str().unwrap(),
        session["url"].as_str().unwrap(),
    );
    let page = desk.page(url).await.text().await.unwrap();
    assert!(
        page.contains("<html lang=\"es\">")
            && page.contains("Section A")
            && page.contains("40.00 EUR"),
        "{page}"
    );
    let back = location(&desk.submit(url, "card_number=4242+4242+4242+4242").await);
    assert_eq!(back, format!("http://localhost/ok?s={id}"));
    let session = desk
        .get(&format!(
            "checkout/sessions/{id}?expand[]=payment_intent&expand[]=line_items"
        ))
        .await
        .body;
    assert_eq!(
        (&session["status"], &session["payment_status"]),
        (&"complete".into(), &"paid".into())
    );
    assert_eq!(session["payment_intent"]["status"], "succeeded");
    assert_eq!(session["payment_intent"]["metadata"]["order"], "o1");
    assert_eq!(session["line_items"]["data"][0]["amount_total"], 4000);
    assert_eq!(
        desk.event_kinds(),
        [
            "payment_intent.created",
            "charge.succeeded",
            "payment_intent.succeeded",
            "checkout.session.completed"
        ]
    );
}

#[tokio::test]
async fn a_decline_shows_an_error_and_lets_one_try_again() {
    let desk = Desk::open();
    let session = open(&desk, "").await;
    let (id, url) = (
        session["id"].as_str().unwrap(),
        session["url"].as_str().unwrap(),
    );
    for (number, words) in [
        ("4000000000000002", "The bank declined the card."),
        ("4000000000009995", "The card has insufficient funds."),
        ("4000000000000069", "The card has expired."),
        ("4000000000000127", "The security code is incorrect."),
        ("1234", "This is not the number of a test card."),
    ] {
        let response = desk.submit(url, &format!("card_number={number}")).await;
        assert_eq!(response.status(), 402);
        let page = response.text().await.unwrap();
        assert!(
            page.contains("role=\"alert\"") && page.contains(words),
            "{page}"
        );
    }
    let session = desk.get(&format!("checkout/sessions/{id}")).await.body;
    assert_eq!(
        (&session["status"], &session["payment_status"]),
        (&"open".into(), &"unpaid".into())
    );
    let intent = session["payment_intent"].as_str().unwrap();
    assert_eq!(
        desk.get(&format!("payment_intents/{intent}")).await.body["status"],
        "requires_payment_method"
    );
    location(&desk.submit(url, "card=4242424242424242&card_number=").await);
    assert_eq!(
        desk.get(&format!("payment_intents/{intent}")).await.body["status"],
        "succeeded"
    );
    // Pressing the button twice pays once.
    assert_eq!(
        desk.submit(url, "card=4242424242424242").await.status(),
        200
    );
    let paid = desk
        .control()
        .objects("charges")
        .unwrap()
        .into_iter()
        .filter(|charge| charge["paid"] == true);
    assert_eq!(paid.count(), 1);
}

#[tokio::test]
async fn three_d_secure_leads_to_the_success_page_or_back() {
    let desk = Desk::open();
    let session = open(&desk, "").await;
    let (id, url) = (
        session["id"].as_str().unwrap(),
        session["url"].as_str().unwrap(),
    );
    let bank = location(&desk.submit(url, "card_number=4000000000003220").await);
    assert_eq!(desk.page(&bank).await.status(), 200);
    assert_eq!(location(&desk.submit(&bank, "decision=fail").await), url);
    let page = desk.page(url).await.text().await.unwrap();
    assert!(
        page.contains("The bank could not make sure that it is you."),
        "{page}"
    );
    let bank = location(&desk.submit(url, "card_number=4000000000003220").await);
    assert_eq!(
        location(&desk.submit(&bank, "decision=authenticate").await),
        format!("http://localhost/ok?s={id}")
    );
    assert_eq!(
        desk.get(&format!("checkout/sessions/{id}")).await.body["payment_status"],
        "paid"
    );
}

#[tokio::test]
async fn the_page_speaks_the_payers_language() {
    let desk = Desk::open();
    for (locale, browser, language) in [
        ("&locale=es", "ca", "es"),
        ("&locale=auto", "ca-ES", "ca"),
        ("", "es", "es"),
        ("", "de", "en"),
    ] {
        let url = open(&desk, locale).await["url"]
            .as_str()
            .unwrap()
            .to_owned();
        let page = desk
            .client
            .get(url)
            .header("accept-language", browser)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        assert!(
            page.contains(&format!("<html lang=\"{language}\">")),
            "{locale} {browser}"
        );
    }
}

#[tokio::test]
async fn names_are_shown_as_text() {
    let desk = Desk::open();
    let form = SESSION
        .replace("Section+A", "<script>x</script>")
        .replace("http://localhost/no", "http://x/%22onclick=");
    let session = desk.post("checkout/sessions", &form).await.body;
    let page = desk
        .page(session["url"].as_str().unwrap())
        .await
        .text()
        .await
        .unwrap();
    assert!(
        page.contains("&lt;script&gt;")
            && !page.contains("<script>")
            && !page.contains("\"onclick"),
        "{page}"
    );
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
