//! The page of a checkout session.

use serde_json::Value;

use crate::desk::{Desk, location};
use crate::sessions::{SESSION, open};

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
