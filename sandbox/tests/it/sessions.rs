//! Checkout Sessions and their page.

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
