//! PaymentIntents by card: what each card does, and what is refused.

use crate::desk::{Desk, location};

const CREATE: &str = "amount=4000&currency=eur&payment_method_types[]=card&metadata[order]=o1";

#[tokio::test]
async fn every_card_does_what_it_is_for() {
    let desk = Desk::open();
    let cases = [
        ("pm_card_visa", 200, "succeeded", ""),
        ("pm_card_mastercard", 200, "succeeded", ""),
        (
            "pm_card_visa_chargeDeclined",
            402,
            "card_declined",
            "generic_decline",
        ),
        (
            "pm_card_chargeDeclined",
            402,
            "card_declined",
            "generic_decline",
        ),
        (
            "pm_card_visa_chargeDeclinedInsufficientFunds",
            402,
            "card_declined",
            "insufficient_funds",
        ),
        (
            "pm_card_visa_chargeDeclinedLostCard",
            402,
            "card_declined",
            "lost_card",
        ),
        (
            "pm_card_visa_chargeDeclinedStolenCard",
            402,
            "card_declined",
            "stolen_card",
        ),
        (
            "pm_card_chargeDeclinedExpiredCard",
            402,
            "expired_card",
            "expired_card",
        ),
        (
            "pm_card_chargeDeclinedIncorrectCvc",
            402,
            "incorrect_cvc",
            "incorrect_cvc",
        ),
        (
            "pm_card_chargeDeclinedProcessingError",
            402,
            "processing_error",
            "processing_error",
        ),
        ("pm_card_threeDSecure2Required", 200, "requires_action", ""),
        ("pm_card_refundFail", 200, "succeeded", ""),
        ("pm_card_pendingRefund", 200, "succeeded", ""),
        ("pm_card_createDispute", 200, "succeeded", ""),
        ("pm_sandbox_processing", 200, "processing", ""),
    ];
    for (method, status, outcome, decline) in cases {
        let id = desk.post("payment_intents", CREATE).await.id();
        let reply = desk
            .post(
                &format!("payment_intents/{id}/confirm"),
                &format!("payment_method={method}"),
            )
            .await;
        assert_eq!(reply.status, status, "{method}: {}", reply.body);
        if status == 200 {
            assert_eq!(reply.body["status"], outcome, "{method}");
            continue;
        }
        let error = &reply.body["error"];
        assert_eq!(
            (error["type"].as_str(), error["code"].as_str()),
            (Some("card_error"), Some(outcome)),
            "{method}"
        );
        assert_eq!(error["decline_code"], decline, "{method}");
        let intent = desk
            .get(&format!("payment_intents/{id}?expand[]=latest_charge"))
            .await
            .body;
        assert_eq!(intent["status"], "requires_payment_method");
        assert_eq!(intent["last_payment_error"]["decline_code"], decline);
        assert_eq!(intent["latest_charge"]["status"], "failed");
        // A declined intent can be paid with another card.
        let again = desk
            .post(
                &format!("payment_intents/{id}/confirm"),
                "payment_method=pm_card_visa",
            )
            .await;
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
