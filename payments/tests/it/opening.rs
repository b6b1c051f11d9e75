//! Opening and looking: what reaches Stripe, and what comes of each card.

use domain::{Money, OrderId, PaymentId, PaymentKind};
use registration::{Gateway, GatewayError, SeenState};
use serde_json::json;

use crate::till::{SLOW, Till, VISA, code, eur};

#[tokio::test]
async fn a_page_carries_what_the_desk_must_know_again() {
    let till = Till::open();
    let ask = till.ask(PaymentKind::Session, "k1");
    let opened = till.gateway.open(&ask).await.unwrap();
    assert!(
        opened
            .url
            .is_some_and(|url| url.starts_with(till.sandbox.base_url()))
    );
    assert_eq!((opened.intent, opened.client_secret), (None, None));

    let page = till.control().object(&opened.reference).unwrap();
    let ours = json!({
        "payment": ask.payment.to_string(),
        "order": ask.order.to_string(),
        "reference": ask.reference.to_string(),
        "tournament": "ciutat-barcelona-2026",
        "key": "k1",
    });
    assert_eq!(page["metadata"], ours);
    assert_eq!(page["client_reference_id"], ask.reference.as_str());
    assert_eq!(page["amount_total"], 6_000);
    assert_eq!(page["currency"], "eur");
    assert_eq!(page["expires_at"], ask.expires_at.as_seconds());
    assert_eq!(page["locale"], "es", "Stripe's page does not speak Catalan");
    assert_eq!(page["customer_email"], "payer@example.org");
    assert_eq!(
        (&page["success_url"], &page["cancel_url"]),
        (&json!(ask.return_url), &json!(ask.return_url))
    );

    till.control().pay(&opened.reference, VISA).unwrap();
    let intent = till.control().objects("payment_intents").unwrap().remove(0);
    assert_eq!(intent["metadata"], ours);
    assert_eq!(intent["description"], "Ciutat de Barcelona 2026");
}

#[tokio::test]
async fn a_page_is_open_until_it_is_paid() {
    let till = Till::open();
    let opened = till.session("k1").await;
    let seen = till.gateway.look(&opened.reference).await.unwrap();
    assert_eq!(
        (seen.state, seen.payment, seen.order),
        (SeenState::Open, Some(PaymentId(77)), Some(OrderId(55)))
    );

    let before = till.now();
    till.control().pay(&opened.reference, VISA).unwrap();
    let seen = till.gateway.look(&opened.reference).await.unwrap();
    let SeenState::Succeeded {
        received,
        charged_at,
    } = seen.state
    else {
        panic!("{seen:?}")
    };
    assert_eq!(received, eur(6_000));
    assert!(
        before <= charged_at && charged_at <= till.now(),
        "{charged_at}"
    );

    let intent = seen.intent.unwrap();
    let same = till.gateway.look(&intent).await.unwrap();
    assert_eq!(
        (same.reference, same.payment),
        (intent, Some(PaymentId(77)))
    );
    assert_eq!(
        same.state,
        SeenState::Succeeded {
            received,
            charged_at
        }
    );
}

#[tokio::test]
async fn an_intent_brings_what_the_payers_form_needs() {
    let till = Till::open();
    let opened = till.intent("k1").await;
    assert_eq!(opened.intent.as_ref(), Some(&opened.reference));
    assert!(
        opened
            .client_secret
            .is_some_and(|secret| secret.starts_with(&opened.reference))
    );
    assert_eq!(opened.url, None);
    let intent = till.control().object(&opened.reference).unwrap();
    assert_eq!(intent["metadata"]["payment"], PaymentId(77).to_string());
    assert_eq!(intent["receipt_email"], "payer@example.org");

    // No return address: a method that needs one is not offered.
    till.confirm(&opened.reference, "pm_card_visa")
        .await
        .unwrap();
    let seen = till.gateway.look(&opened.reference).await.unwrap();
    assert!(
        matches!(seen.state, SeenState::Succeeded { received, .. } if received == eur(6_000)),
        "{seen:?}"
    );
}

#[tokio::test]
async fn a_declined_card_leaves_the_page_and_the_intent_open_to_another() {
    let till = Till::open();
    let page = till.session("k1").await.reference;
    till.control().pay(&page, "4000000000009995").unwrap_err();
    let seen = till.gateway.look(&page).await.unwrap();
    assert!(
        matches!(&seen.state, SeenState::Open | SeenState::Refused(_)),
        "{seen:?}"
    );
    till.control().pay(&page, VISA).unwrap();
    assert!(matches!(
        till.gateway.look(&page).await.unwrap().state,
        SeenState::Succeeded { .. }
    ));

    let intent = till.intent("k2").await.reference;
    till.confirm(&intent, "pm_card_visa_chargeDeclinedInsufficientFunds")
        .await
        .unwrap_err();
    let seen = till.gateway.look(&intent).await.unwrap();
    assert_eq!(
        seen.state,
        SeenState::Refused("insufficient_funds".to_owned())
    );
    till.confirm(&intent, "pm_card_visa").await.unwrap();
    assert!(matches!(
        till.gateway.look(&intent).await.unwrap().state,
        SeenState::Succeeded { .. }
    ));
}

#[tokio::test]
async fn three_d_secure_decides_before_the_money_moves() {
    let till = Till::open();
    for (key, succeeds) in [("k1", true), ("k2", false)] {
        let page = till.session(key).await.reference;
        till.control().pay(&page, "4000000000003220").unwrap();
        let seen = till.gateway.look(&page).await.unwrap();
        assert_eq!(seen.state, SeenState::Open, "waiting for the payer");
        till.control()
            .authenticate(&seen.intent.unwrap(), succeeds)
            .unwrap();
        let state = till.gateway.look(&page).await.unwrap().state;
        if succeeds {
            assert!(matches!(state, SeenState::Succeeded { .. }), "{state:?}");
        } else {
            assert_eq!(
                state,
                SeenState::Refused("payment_intent_authentication_failure".to_owned())
            );
        }
    }
}

#[tokio::test]
async fn money_on_its_way_is_processing_until_it_settles() {
    let till = Till::open();
    for (key, card, succeeds) in [("k1", SLOW[0], true), ("k2", SLOW[1], false)] {
        let page = till.session(key).await.reference;
        till.control().pay(&page, card).unwrap();
        let seen = till.gateway.look(&page).await.unwrap();
        assert_eq!(seen.state, SeenState::Processing);
        till.control()
            .settle_payment(&seen.intent.unwrap(), succeeds)
            .unwrap();
        let state = till.gateway.look(&page).await.unwrap().state;
        if succeeds {
            assert!(matches!(state, SeenState::Succeeded { .. }), "{state:?}");
        } else {
            assert_eq!(
                state,
                SeenState::Closed,
                "the page is complete: nothing more can be paid on it"
            );
        }
    }
}

#[tokio::test]
async fn stripes_scales_stay_inside() {
    let till = Till::open();
    for (iso, currency, charged) in [
        (1_500, "ISK", 150_000),
        (500, "JPY", 500),
        (1_230, "KWD", 1_230),
    ] {
        let mut ask = till.ask(PaymentKind::Session, currency);
        ask.amount = Money::new(iso, currency.parse().unwrap());
        let page = till.gateway.open(&ask).await.unwrap().reference;
        assert_eq!(
            till.control().object(&page).unwrap()["amount_total"],
            charged,
            "{currency}"
        );
        till.control().pay(&page, VISA).unwrap();
        let state = till.gateway.look(&page).await.unwrap().state;
        assert!(
            matches!(state, SeenState::Succeeded { received, .. } if received == ask.amount),
            "{state:?}"
        );
    }
}

#[tokio::test]
async fn what_stripe_refuses_comes_with_its_code() {
    let till = Till::open();
    let mut ask = till.ask(PaymentKind::Intent, "k1");
    ask.amount = eur(49);
    assert_eq!(
        code(&till.gateway.open(&ask).await.unwrap_err()),
        "amount_too_small"
    );
    ask.amount = Money::new(1_235, "KWD".parse().unwrap());
    assert_eq!(
        code(&till.gateway.open(&ask).await.unwrap_err()),
        "amount_not_chargeable"
    );

    let mut ask = till.ask(PaymentKind::Session, "k2");
    ask.expires_at = till.now().plus_seconds(29 * 60);
    till.gateway
        .open(&ask)
        .await
        .map_err(|error| code(&error).to_owned())
        .unwrap_err();
    ask.method = PaymentKind::Slip;
    assert_eq!(
        code(&till.gateway.open(&ask).await.unwrap_err()),
        "payment_method"
    );
}

#[tokio::test]
async fn what_stripe_does_not_have_is_unknown() {
    let till = Till::open();
    for id in [
        "pi_nothing",
        "cs_test_nothing",
        "po_1",
        "",
        "pi_../refunds",
        "cs_?expand=x",
    ] {
        let answer = till.gateway.look(id).await;
        assert!(
            matches!(answer, Err(GatewayError::Unknown)),
            "{id}: {answer:?}"
        );
    }
    assert!(matches!(
        till.gateway.look_refund("re_nothing").await,
        Err(GatewayError::Unknown)
    ));
    assert!(matches!(
        till.gateway.look_dispute("du_nothing").await,
        Err(GatewayError::Unknown)
    ));
}

#[tokio::test]
async fn a_key_that_stripe_does_not_accept_is_no_verdict_on_the_payment() {
    let till = Till::with(sandbox::Settings::default(), |settings| {
        settings.secret_key = "sk_test_other".into()
    });
    let answer = till
        .gateway
        .open(&till.ask(PaymentKind::Session, "k1"))
        .await;
    assert!(
        matches!(&answer, Err(GatewayError::NoAnswer(why)) if why.starts_with("401")),
        "{answer:?}"
    );
}
