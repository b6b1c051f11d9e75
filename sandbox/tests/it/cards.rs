//! Payment intents by card: what each card does, and what is refused.

use crate::desk::{Desk, location};

const CREATE: &str = "amount=4000&currency=eur&payment_method_types[]=card&metadata[order]=o1";

/// Method, the intent's status or the error's code, decline code.
const CARDS: &str = "
pm_card_visa succeeded
pm_card_mastercard succeeded
pm_card_visa_chargeDeclined card_declined generic_decline
pm_card_chargeDeclined card_declined generic_decline
pm_card_visa_chargeDeclinedInsufficientFunds card_declined insufficient_funds
pm_card_visa_chargeDeclinedLostCard card_declined lost_card
pm_card_visa_chargeDeclinedStolenCard card_declined stolen_card
pm_card_chargeDeclinedExpiredCard expired_card expired_card
pm_card_chargeDeclinedIncorrectCvc incorrect_cvc incorrect_cvc
pm_card_chargeDeclinedProcessingError processing_error processing_error
pm_card_threeDSecure2Required requires_action
pm_card_refundFail succeeded
pm_card_pendingRefund succeeded
pm_card_createDispute succeeded
pm_sandbox_processing processing
";

#[tokio::test]
async fn every_card_does_what_it_is_for() {
    let desk = Desk::open();
    for case in CARDS.lines().filter(|line| !line.is_empty()) {
        let words: Vec<&str> = case.split(' ').collect();
        let id = desk.post("payment_intents", CREATE).await.id();
        let confirm = format!("payment_intents/{id}/confirm");
        let reply = desk
            .post(&confirm, &format!("payment_method={}", words[0]))
            .await;
        let Some(decline) = words.get(2) else {
            assert_eq!(
                (reply.status, &reply.body["status"]),
                (200, &words[1].into()),
                "{case}"
            );
            continue;
        };
        assert_eq!(reply.error(), (402, "card_error", words[1]), "{case}");
        assert_eq!(reply.body["error"]["decline_code"], **decline, "{case}");
        let intent = desk
            .get(&format!("payment_intents/{id}?expand[]=latest_charge"))
            .await
            .body;
        assert_eq!(intent["status"], "requires_payment_method");
        assert_eq!(intent["last_payment_error"]["decline_code"], **decline);
        assert_eq!(intent["latest_charge"]["status"], "failed");
        // A declined intent can be paid with another card.
        let again = desk.post(&confirm, "payment_method=pm_card_visa").await;
        assert_eq!(again.body["status"], "succeeded");
        assert_eq!(again.body["metadata"]["order"], "o1");
    }
}

#[tokio::test]
async fn a_payment_tells_its_story_in_events() {
    let desk = Desk::open();
    desk.paid("pm_card_visa").await;
    assert_eq!(
        desk.event_kinds(),
        [
            "payment_intent.created",
            "charge.succeeded",
            "payment_intent.succeeded"
        ]
    );
}

#[tokio::test]
async fn three_d_secure_goes_through_the_banks_page() {
    let desk = Desk::open();
    for (decision, outcome, redirect) in [
        ("authenticate", "succeeded", "succeeded"),
        ("fail", "requires_payment_method", "failed"),
    ] {
        let form = format!(
            "{CREATE}&confirm=true&payment_method=pm_card_threeDSecure2Required&return_url=http://localhost/back?x=1"
        );
        let intent = desk.post("payment_intents", &form).await.body;
        let url = intent["next_action"]["redirect_to_url"]["url"]
            .as_str()
            .unwrap();
        let page = desk.page(url).await.text().await.unwrap();
        assert!(page.contains("name=\"decision\""), "{page}");
        let back = location(&desk.submit(url, &format!("decision={decision}")).await);
        assert!(
            back.starts_with("http://localhost/back?x=1&payment_intent=pi_"),
            "{back}"
        );
        assert!(
            back.ends_with(&format!("redirect_status={redirect}")),
            "{back}"
        );
        let id = intent["id"].as_str().unwrap();
        assert_eq!(
            desk.get(&format!("payment_intents/{id}")).await.body["status"],
            outcome
        );
        assert_eq!(
            desk.submit(url, "decision=authenticate").await.status(),
            409
        );
    }
}

#[tokio::test]
async fn a_card_can_be_given_by_its_number() {
    let desk = Desk::open();
    let form = format!(
        "{CREATE}&confirm=true&payment_method_data[type]=card&payment_method_data[card][number]=5555555555554444"
    );
    let intent = desk.post("payment_intents", &form).await.body;
    let charge = desk
        .get(&format!(
            "charges/{}",
            intent["latest_charge"].as_str().unwrap()
        ))
        .await
        .body;
    assert_eq!(
        charge["payment_method_details"]["card"]["brand"],
        "mastercard"
    );
    assert_eq!(charge["payment_method_details"]["card"]["last4"], "4444");
    let method = desk
        .post("payment_methods", "type=card&card[token]=tok_visa")
        .await
        .id();
    let intent = desk
        .post(
            "payment_intents",
            &format!("{CREATE}&confirm=true&payment_method={method}"),
        )
        .await
        .body;
    assert_eq!(
        (&intent["status"], &intent["payment_method"]),
        (&"succeeded".into(), &method.into())
    );
    let unknown = desk
        .post("payment_methods", "type=card&card[number]=4111111111111111")
        .await;
    assert_eq!(unknown.error(), (402, "card_error", "incorrect_number"));
}

#[tokio::test]
async fn an_unattended_payment_is_declined_where_3d_secure_is_asked_for() {
    let desk = Desk::open();
    for parameter in ["off_session=true", "error_on_requires_action=true"] {
        let form = format!(
            "{CREATE}&confirm=true&payment_method=pm_card_authenticationRequired&{parameter}"
        );
        let reply = desk.post("payment_intents", &form).await;
        assert_eq!(
            reply.error(),
            (402, "card_error", "authentication_required")
        );
    }
}

#[tokio::test]
async fn slow_methods_settle_on_the_test_clock() {
    let desk = Desk::open();
    for (method, status, event) in [
        (
            "pm_sandbox_processing",
            "succeeded",
            "payment_intent.succeeded",
        ),
        (
            "pm_sandbox_processingFails",
            "requires_payment_method",
            "payment_intent.payment_failed",
        ),
    ] {
        let intent = desk
            .post(
                "payment_intents",
                &format!("{CREATE}&confirm=true&payment_method={method}"),
            )
            .await;
        assert_eq!(intent.body["status"], "processing");
        let path = format!("payment_intents/{}", intent.id());
        assert_eq!(
            desk.post(&format!("{path}/cancel"), "").await.error().2,
            "payment_intent_unexpected_state"
        );
        desk.control().advance(std::time::Duration::from_secs(59));
        assert_eq!(desk.get(&path).await.body["status"], "processing");
        desk.control().advance(std::time::Duration::from_secs(2));
        assert_eq!(desk.get(&path).await.body["status"], status);
        assert_eq!(desk.event_kinds().last().unwrap(), event);
    }
}

#[tokio::test]
async fn an_open_intent_changes_and_is_cancelled() {
    let desk = Desk::open();
    let id = desk.post("payment_intents", CREATE).await.id();
    let path = format!("payment_intents/{id}");
    let changed = desk
        .post(
            &path,
            "amount=5000&metadata[order]=&metadata[more]=x&description=Entry",
        )
        .await
        .body;
    assert_eq!(
        (&changed["amount"], &changed["description"]),
        (&5000.into(), &"Entry".into())
    );
    assert_eq!(changed["metadata"], serde_json::json!({ "more": "x" }));
    let cancelled = desk
        .post(&format!("{path}/cancel"), "cancellation_reason=abandoned")
        .await
        .body;
    assert_eq!(
        (&cancelled["status"], &cancelled["cancellation_reason"]),
        (&"canceled".into(), &"abandoned".into())
    );
    for refused in ["cancel", "confirm"] {
        let reply = desk.post(&format!("{path}/{refused}"), "").await;
        assert_eq!(
            reply.error(),
            (
                400,
                "invalid_request_error",
                "payment_intent_unexpected_state"
            )
        );
        assert_eq!(reply.body["error"]["payment_intent"]["status"], "canceled");
    }
    assert_eq!(
        desk.post(&path, "amount=1000").await.error().2,
        "payment_intent_unexpected_state"
    );
    assert_eq!(
        desk.post(&path, "metadata[late]=yes").await.body["metadata"]["late"],
        "yes"
    );
    assert_eq!(
        desk.event_kinds(),
        ["payment_intent.created", "payment_intent.canceled"]
    );
}

#[tokio::test]
async fn a_refused_change_changes_nothing() {
    let desk = Desk::open();
    let id = desk.post("payment_intents", CREATE).await.id();
    let path = format!("payment_intents/{id}");
    for form in [
        "amount=10&metadata[x]=1",
        "metadata[x]=1&payment_method=pm_nobody",
        "metadata[x]=1&nonsense=1",
    ] {
        assert_eq!(desk.post(&path, form).await.status, 400, "{form}");
    }
    let intent = desk.get(&path).await.body;
    assert_eq!(
        (&intent["amount"], &intent["metadata"]),
        (&4000.into(), &serde_json::json!({ "order": "o1" }))
    );
}
