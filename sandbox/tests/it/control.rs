//! The control API over HTTP.

use reqwest::Method;
use serde_json::{Value, json};

use crate::desk::{Desk, Endpoint, SECRET};

async fn call(desk: &Desk, method: Method, path: &str, body: Value) -> (u16, Value) {
    let url = format!("{}_sandbox/{path}", desk.sandbox.base_url());
    let mut request = desk.client.request(method, url);
    if !body.is_null() {
        request = request.json(&body);
    }
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or_default())
}

#[tokio::test]
async fn webhooks_are_steered_over_http() {
    let desk = Desk::open();
    let endpoint = Endpoint::open(&[]);
    let get = async |path: &str| call(&desk, Method::GET, path, Value::Null).await;
    let post = async |path: &str, body: Value| call(&desk, Method::POST, path, body).await;
    let hook = json!({ "url": endpoint.url, "secret": SECRET });
    assert_eq!(
        call(&desk, Method::PUT, "webhooks/endpoint", hook).await.0,
        204
    );
    let twist = json!({ "kind": "charge.*", "twist": "hold" });
    assert_eq!(post("faults/webhooks", twist).await.0, 200);
    desk.paid("pm_card_visa").await;
    desk.control().settled().await;
    assert_eq!(
        get("webhooks/sent").await.1["data"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let held = get("webhooks/waiting").await.1["data"][0]["event"]
        .as_str()
        .unwrap()
        .to_owned();
    let none = post("webhooks/release?event=evt_no", Value::Null).await.1;
    assert_eq!(none["released"], 0);
    let one = post(&format!("webhooks/release?event={held}"), Value::Null)
        .await
        .1;
    assert_eq!(one["released"], 1);
    assert_eq!(
        post(&format!("events/{held}/resend"), Value::Null).await.0,
        200
    );
    desk.control().settled().await;
    assert_eq!(
        endpoint.kinds()[2..],
        ["charge.succeeded", "charge.succeeded"]
    );
}

#[tokio::test]
async fn faults_are_set_and_cleared_over_http() {
    let desk = Desk::open();
    let fault = json!({
        "operation": "refunds.create", "trouble": { "slow": 1 }, "when": "before_effect", "times": 2
    });
    let set = call(&desk, Method::POST, "faults/api", fault.clone())
        .await
        .1;
    assert_eq!(set, json!({ "api": [fault], "webhook": [] }));
    let cleared = call(&desk, Method::DELETE, "faults", Value::Null).await.1;
    assert_eq!(cleared, json!({ "api": [], "webhook": [] }));
    let unknown = json!({ "operation": "*", "trouble": "comet", "when": "before_effect" });
    assert_eq!(
        call(&desk, Method::POST, "faults/api", unknown).await.0,
        400
    );
    assert_eq!(
        call(&desk, Method::GET, "objects/unicorns", Value::Null)
            .await
            .0,
        404
    );
}

#[tokio::test]
async fn refunds_and_disputes_are_moved_on_over_http() {
    let desk = Desk::open();
    let post = async |path: &str, body: Value| call(&desk, Method::POST, path, body).await;
    let intent = desk.paid("pm_card_visa").await;
    let form = format!(
        "payment_intent={}&amount=100",
        intent["id"].as_str().unwrap()
    );
    let refund = desk.post("refunds", &form).await.id();
    assert_eq!(
        post(&format!("refunds/{refund}/settle"), Value::Null)
            .await
            .0,
        400
    );
    let failed = post(&format!("refunds/{refund}/fail"), json!({})).await.1;
    assert_eq!(failed["status"], "failed");
    let charge = intent["latest_charge"].as_str().unwrap();
    let disputed = post(
        &format!("charges/{charge}/dispute"),
        json!({ "reason": "duplicate" }),
    )
    .await
    .1;
    assert_eq!(disputed["disputed"], true);
    let disputes = call(&desk, Method::GET, "objects/disputes", Value::Null)
        .await
        .1;
    let path = format!(
        "disputes/{}/close",
        disputes["data"][0]["id"].as_str().unwrap()
    );
    assert_eq!(
        post(&path, json!({ "won": false })).await.1["status"],
        "lost"
    );
}

#[tokio::test]
async fn payments_are_moved_on_over_http() {
    let desk = Desk::open();
    let post = async |path: &str, body: Value| call(&desk, Method::POST, path, body).await;
    let form = "amount=4000&currency=eur&payment_method_types[]=card&confirm=true&payment_method=";
    let secured = desk
        .post(
            "payment_intents",
            &format!("{form}pm_card_threeDSecure2Required"),
        )
        .await
        .id();
    assert_eq!(
        post(
            &format!("payment_intents/{secured}/authenticate"),
            json!({ "succeeds": true })
        )
        .await
        .1["status"],
        "succeeded"
    );
    let slow = desk
        .post("payment_intents", &format!("{form}pm_sandbox_processing"))
        .await
        .id();
    let settled = post(
        &format!("payment_intents/{slow}/settle"),
        json!({ "succeeds": false }),
    )
    .await
    .1;
    assert_eq!(settled["status"], "requires_payment_method");
    let session = "mode=payment&success_url=http://x/&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur\
        &line_items[0][price_data][product_data][name]=A&line_items[0][price_data][unit_amount]=4000";
    let session = desk.post("checkout/sessions", session).await.id();
    let path = format!("checkout/sessions/{session}/pay");
    assert_eq!(
        post(&path, json!({ "card_number": "4000000000000002" }))
            .await
            .0,
        402
    );
    assert_eq!(
        post(&path, json!({ "card_number": "4242424242424242" }))
            .await
            .1["payment_status"],
        "paid"
    );
    let before = desk.control().now();
    let after = post("clock/advance", json!({ "seconds": 3600 })).await.1["now"]
        .as_i64()
        .unwrap();
    assert!(after - before >= 3600);
    assert_eq!(post("clock/advance", json!({ "hours": 1 })).await.0, 400);
}
