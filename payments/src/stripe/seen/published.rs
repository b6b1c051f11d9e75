//! Stripe's own published examples, and what becomes of them in each state.

use serde_json::{Value, json};

use super::*;

/// One example of every object, beside the project; `None`, with a notice, where it is not there.
fn examples() -> Option<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../shared/data/stripe-fixtures3.json"
    );
    match std::fs::read_to_string(path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(_) => {
            eprintln!(
                "skipped: Stripe's published examples are not at ../shared/data/stripe-fixtures3.json"
            );
            None
        }
    }
}

fn parsed<T: miniserde::Deserialize>(object: &Value) -> T {
    miniserde::json::from_str(&object.to_string())
        .unwrap_or_else(|_| panic!("not parsed: {object}"))
}

fn with(object: &Value, changes: &[(&str, Value)]) -> Value {
    let mut changed = object.clone();
    for (name, value) in changes {
        changed[*name] = value.clone();
    }
    changed
}

#[test]
fn every_object_of_the_kinds_that_we_use_is_taken() {
    let Some(examples) = examples() else { return };
    let of = |kind: &str| &examples["resources"][kind];
    // The example's intent comes with an error, as an example.
    let refused = SeenState::Refused("idempotency_error".to_owned());
    let expanded = [("payment_intent", of("payment_intent").clone())];
    let page = with(of("checkout.session"), &expanded);
    assert_eq!(session(&parsed(&page)).unwrap().state, refused);
    assert_eq!(
        intent(&parsed(of("payment_intent"))).unwrap().state,
        refused
    );
    assert_eq!(
        refund(&parsed(of("refund"))).unwrap().state,
        RefundState::Succeeded
    );
    let _: stripe_shared::Charge = parsed(of("charge"));
    // The example's dispute names a charge only: not one of ours.
    assert!(matches!(
        dispute(&parsed(of("dispute"))),
        Err(GatewayError::Unknown)
    ));
}

#[test]
fn an_intent_in_each_state() {
    let Some(examples) = examples() else { return };
    let example = &examples["resources"]["payment_intent"];
    let charge = with(
        &examples["resources"]["charge"],
        &[("created", json!(1_785_542_400))],
    );
    let declined =
        json!({"type": "card_error", "code": "card_declined", "decline_code": "lost_card"});
    let paid: &[(&str, Value)] = &[
        ("latest_charge", charge),
        ("amount_received", json!(6_000)),
        ("currency", json!("eur")),
    ];
    let state = |status: &str, changes: &[(&str, Value)]| {
        let object = with(&with(example, changes), &[("status", json!(status))]);
        intent(&parsed(&object))
            .map(|seen| seen.state)
            .map_err(|error| error.to_string())
    };
    let succeeded = SeenState::Succeeded {
        received: domain::Money::new(6_000, "EUR".parse().unwrap()),
        charged_at: "2026-08-01T00:00:00Z".parse().unwrap(),
    };
    assert_eq!(state("succeeded", paid), Ok(succeeded));
    assert_eq!(state("processing", &[]), Ok(SeenState::Processing));
    assert_eq!(state("requires_capture", &[]), Ok(SeenState::Processing));
    assert_eq!(state("canceled", &[]), Ok(SeenState::Closed));
    assert_eq!(state("requires_action", &[]), Ok(SeenState::Open));
    assert_eq!(state("requires_confirmation", &[]), Ok(SeenState::Open));
    let refused = [("last_payment_error", declined)];
    assert_eq!(
        state("requires_payment_method", &refused),
        Ok(SeenState::Refused("lost_card".to_owned()))
    );
    for (status, why) in [
        ("some_day_new", "status some_day_new"),
        ("succeeded", "without its charge"),
    ] {
        assert!(
            state(status, &[("latest_charge", json!("ch_1"))])
                .is_err_and(|told| told.contains(why)),
            "{status}"
        );
    }
}

#[test]
fn a_page_in_each_state() {
    let Some(examples) = examples() else { return };
    let example = with(
        &examples["resources"]["checkout.session"],
        &[("payment_intent", json!(null))],
    );
    let canceled = with(
        &examples["resources"]["payment_intent"],
        &[("status", json!("canceled"))],
    );
    let processing = with(
        &examples["resources"]["payment_intent"],
        &[("status", json!("processing"))],
    );
    let state = |changes: &[(&str, Value)]| {
        session(&parsed(&with(&example, changes)))
            .map(|seen| seen.state)
            .ok()
    };
    assert_eq!(
        state(&[("status", json!("expired"))]),
        Some(SeenState::Closed)
    );
    assert_eq!(
        state(&[("status", json!("expired")), ("payment_intent", canceled)]),
        Some(SeenState::Closed)
    );
    assert_eq!(
        state(&[
            ("status", json!("complete")),
            ("payment_intent", processing)
        ]),
        Some(SeenState::Processing)
    );
    for strange in [
        [
            ("status", json!("some_day_new")),
            ("payment_intent", json!(null)),
        ],
        [("status", json!(null)), ("payment_intent", json!(null))],
        [("status", json!("open")), ("payment_intent", json!("pi_1"))],
        [
            ("status", json!("complete")),
            ("payment_status", json!("paid")),
        ],
    ] {
        assert_eq!(state(&strange), None, "{strange:?}");
    }
}

#[test]
fn a_refund_in_each_state() {
    let Some(examples) = examples() else { return };
    let example = &examples["resources"]["refund"];
    let failed = |why: &str| Some(RefundState::Failed(why.to_owned()));
    for (status, reason, state) in [
        (json!("pending"), json!(null), Some(RefundState::Pending)),
        (
            json!("requires_action"),
            json!(null),
            Some(RefundState::Pending),
        ),
        (
            json!("failed"),
            json!("expired_or_canceled_card"),
            failed("expired_or_canceled_card"),
        ),
        (json!("failed"), json!(null), failed("unknown")),
        (json!("canceled"), json!(null), failed("canceled")),
        (json!("some_day_new"), json!(null), None),
        (json!(null), json!(null), None),
    ] {
        let object = with(
            example,
            &[("status", status.clone()), ("failure_reason", reason)],
        );
        assert_eq!(
            refund(&parsed(&object)).ok().map(|seen| seen.state),
            state,
            "{status}"
        );
    }
    let tagged = json!({"refund": domain::RefundId(3).to_string()});
    let made: Refund = parsed(&with(example, &[("metadata", tagged)]));
    assert_eq!(refund(&made).unwrap().refund, Some(domain::RefundId(3)));
}

#[test]
fn a_dispute_in_each_state() {
    let Some(examples) = examples() else { return };
    let example = with(
        &examples["resources"]["dispute"],
        &[
            ("payment_intent", json!("pi_1")),
            ("amount", json!(6_000)),
            ("balance_transactions", json!([])),
        ],
    );
    let moved = json!([examples["resources"]["balance_transaction"]]);
    let seen = |changes: &[(&str, Value)]| {
        dispute(&parsed(&with(&example, changes)))
            .ok()
            .map(|seen| (seen.amount.amount, seen.won))
    };
    for (status, taken) in [
        ("warning_needs_response", Some((0, None))),
        ("warning_under_review", Some((0, None))),
        ("warning_closed", Some((0, Some(true)))),
        ("needs_response", Some((6_000, None))),
        ("under_review", Some((6_000, None))),
        ("won", Some((6_000, Some(true)))),
        ("lost", Some((6_000, Some(false)))),
        ("prevented", Some((0, Some(true)))),
        ("some_day_new", None),
    ] {
        assert_eq!(seen(&[("status", json!(status))]), taken, "{status}");
    }
    let prevented = [
        ("status", json!("prevented")),
        ("balance_transactions", moved),
    ];
    assert_eq!(seen(&prevented), Some((6_000, Some(false))));
}
