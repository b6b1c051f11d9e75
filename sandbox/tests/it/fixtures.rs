//! Stripe's public fixtures: no object of ours has a member that theirs has not, and the types agree.

use std::path::PathBuf;

use serde_json::Value;

use crate::desk::Desk;
use crate::story::everything;

/// Members that are in Stripe's reference, but not in its example of the object.
const DOCUMENTED: &[&str] = &[
    // <https://docs.stripe.com/api/refunds/object>: only on refunds that failed or are pending.
    "refund.failure_reason",
    "refund.failure_balance_transaction",
    "refund.pending_reason",
    // <https://docs.stripe.com/api/errors>: the example of an error has its type only.
    "payment_intent.last_payment_error.charge",
    "payment_intent.last_payment_error.code",
    "payment_intent.last_payment_error.decline_code",
    "payment_intent.last_payment_error.doc_url",
    "payment_intent.last_payment_error.message",
    "payment_intent.last_payment_error.payment_method",
    // <https://docs.stripe.com/api/payment_intents/object>: the example asks for no action.
    "payment_intent.next_action.redirect_to_url",
    "payment_intent.processing.card",
    "payment_intent.automatic_payment_methods.allow_redirects",
    // <https://docs.stripe.com/api/events/object>: only on events that tell of an update.
    "event.data.previous_attributes",
    // <https://docs.stripe.com/api/balance_transactions/object>: the example has no fee.
    "balance_transaction.fee_details.0",
];

/// Stripe's examples, or none where they are not at hand.
fn fixtures() -> Option<Value> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/stripe-fixtures3.json");
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(_) => {
            eprintln!(
                "skipped: Stripe's fixtures are not at ../shared/data/stripe-fixtures3.json from the project's root"
            );
            None
        }
    }
}

/// Every difference between an object and the example, as a path and what is wrong there.
fn compare(ours: &Value, theirs: &Value, path: &str, found: &mut Vec<String>) {
    if DOCUMENTED.contains(&path) {
        return;
    }
    let free = path.ends_with("metadata") || path == "event.data.object";
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) if !free => {
            for (key, value) in ours {
                let path = format!("{path}.{key}");
                match theirs.get(key) {
                    Some(theirs) => compare(value, theirs, &path, found),
                    None if DOCUMENTED.contains(&path.as_str()) => {}
                    None => found.push(format!("{path} is not in Stripe's example")),
                }
            }
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            if let (Some(ours), Some(theirs)) = (ours.first(), theirs.first()) {
                compare(ours, theirs, &format!("{path}.0"), found);
            }
        }
        (Value::Null, _) | (_, Value::Null) => {}
        _ if std::mem::discriminant(ours) == std::mem::discriminant(theirs) => {}
        // An id and the object that it stands for.
        (Value::String(_), Value::Object(object)) if object.contains_key("id") => {}
        _ => found.push(format!("{path} is {ours} where Stripe has {theirs}")),
    }
}

#[tokio::test]
async fn no_member_is_invented() {
    let Some(fixtures) = fixtures() else { return };
    let desk = Desk::open();
    everything(&desk).await;
    let mut found = Vec::new();
    let mut compared = 0;
    for (kind, example) in [
        ("payment_intents", "payment_intent"),
        ("charges", "charge"),
        ("refunds", "refund"),
        ("checkout_sessions", "checkout.session"),
        ("disputes", "dispute"),
        ("payment_methods", "payment_method"),
        ("balance_transactions", "balance_transaction"),
        ("events", "event"),
    ] {
        for object in desk.control().objects(kind).unwrap() {
            assert_eq!(object["object"], example);
            compare(
                &object,
                &fixtures["resources"][example],
                example,
                &mut found,
            );
            compared += 1;
        }
    }
    let session = desk.control().objects("checkout_sessions").unwrap()[0]["id"].clone();
    let items = desk
        .get(&format!(
            "checkout/sessions/{}/line_items",
            session.as_str().unwrap()
        ))
        .await
        .body;
    compare(
        &items["data"][0],
        &fixtures["resources"]["item"],
        "item",
        &mut found,
    );
    compare(
        &items["data"][0]["price"],
        &fixtures["resources"]["price"],
        "price",
        &mut found,
    );
    assert!(compared > 50, "{compared}");
    assert!(found.is_empty(), "{found:#?}");
}
