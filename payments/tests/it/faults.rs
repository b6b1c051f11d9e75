//! What goes wrong on the way: the same key over and over, one effect.

use std::time::Duration;

use domain::PaymentKind;
use registration::{Gateway, GatewayError, SeenState};
use sandbox::{ApiFault, Trouble, When};

use crate::till::{Till, VISA, back};

fn fault(operation: &str, trouble: Trouble, when: When, times: u32) -> ApiFault {
    ApiFault {
        operation: operation.to_owned(),
        trouble,
        when,
        times,
    }
}

#[tokio::test]
async fn an_answer_lost_after_the_effect_is_asked_for_again() {
    for trouble in [Trouble::Hang(2_000), Trouble::Disconnect] {
        let till = Till::impatient();
        till.control().fail(fault(
            "checkout.sessions.create",
            trouble.clone(),
            When::AfterEffect,
            1,
        ));
        let opened = till.session("k1").await;
        let pages = till.control().objects("checkout_sessions").unwrap();
        assert_eq!(pages.len(), 1, "{trouble:?}");
        assert_eq!(pages[0]["id"], opened.reference.as_str());
    }
}

#[tokio::test]
async fn trouble_before_the_effect_passes_if_it_is_not_too_long() {
    for trouble in [
        Trouble::Disconnect,
        Trouble::RateLimited,
        Trouble::Hang(2_000),
    ] {
        let till = Till::impatient();
        for (times, opens) in [(2, true), (3, false)] {
            let before = till.count("checkout_sessions");
            till.control().fail(fault(
                "checkout.sessions.create",
                trouble.clone(),
                When::BeforeEffect,
                times,
            ));
            let answer = till
                .gateway
                .open(&till.ask(PaymentKind::Session, &format!("k{times}")))
                .await;
            assert_eq!(
                answer.is_ok(),
                opens,
                "{trouble:?} {times} times: {answer:?}"
            );
            assert_eq!(till.count("checkout_sessions") - before, usize::from(opens));
        }
    }
}

#[tokio::test]
async fn idempotency_a_key_in_use_is_waited_for() {
    let till = Till::with(sandbox::Settings::default(), |settings| {
        settings.timeout = Duration::from_millis(300);
        settings.deadline = Duration::from_secs(60);
        settings.retries = 20;
    });
    till.control().fail(fault(
        "payment_intents.create",
        Trouble::Slow(700),
        When::BeforeEffect,
        1,
    ));
    let opened = till.intent("k1").await;
    assert_eq!(till.count("payment_intents"), 1);
    assert_eq!(
        till.intent("k1").await.reference,
        opened.reference,
        "the same key gives the same intent"
    );
}

#[tokio::test]
async fn after_no_answer_the_same_key_finds_what_was_made() {
    let till = Till::impatient();
    till.control().fail(fault(
        "checkout.sessions.create",
        Trouble::Disconnect,
        When::AfterEffect,
        3,
    ));
    let ask = till.ask(PaymentKind::Session, "k1");
    assert!(matches!(
        till.gateway.open(&ask).await,
        Err(GatewayError::NoAnswer(_))
    ));
    let opened = till.gateway.open(&ask).await.unwrap();
    assert_eq!(till.count("checkout_sessions"), 1);
    assert_eq!(
        till.gateway.look(&opened.reference).await.unwrap().state,
        SeenState::Open
    );
}

const CREATE: [(PaymentKind, &str, &str); 2] = [
    (
        PaymentKind::Session,
        "checkout.sessions.create",
        "checkout_sessions",
    ),
    (
        PaymentKind::Intent,
        "payment_intents.create",
        "payment_intents",
    ),
];

#[tokio::test]
async fn a_stored_500_that_hides_nothing_spends_its_key() {
    for (method, operation, kind) in CREATE {
        let till = Till::open();
        till.control().fail(fault(
            operation,
            Trouble::ServerError,
            When::BeforeEffect,
            1,
        ));
        let ask = till.ask(method, "k1");
        for _ in 0..2 {
            let answer = till.gateway.open(&ask).await;
            assert!(
                matches!(&answer, Err(GatewayError::KeySpent(why)) if why.starts_with("500")),
                "{answer:?}"
            );
        }
        assert_eq!(till.count(kind), 0);
        till.gateway.open(&till.ask(method, "k2")).await.unwrap();
    }
}

#[tokio::test]
async fn what_a_stored_500_hides_is_found_behind_others() {
    for (method, operation, kind) in CREATE {
        let till = Till::open();
        till.control()
            .fail(fault(operation, Trouble::ServerError, When::AfterEffect, 1));
        let ask = till.ask(method, "k1");
        let opened = till.gateway.open(&ask).await.unwrap();
        for number in 0..100 {
            let other = till.ask(method, &format!("other{number}"));
            till.gateway.open(&other).await.unwrap();
        }
        let again = till.gateway.open(&ask).await.unwrap();
        assert_eq!(again, opened, "on the second page of the list");
        assert!(opened.url.is_some() || opened.client_secret.is_some());
        assert_eq!(till.count(kind), 101);
    }
}

#[tokio::test]
async fn a_key_is_kept_while_nobody_can_tell_what_it_hides() {
    let till = Till::open();
    till.control().fail(fault(
        "checkout.sessions.create",
        Trouble::ServerError,
        When::AfterEffect,
        1,
    ));
    till.control().fail(fault(
        "checkout.sessions.list",
        Trouble::ServerError,
        When::BeforeEffect,
        3,
    ));
    let ask = till.ask(PaymentKind::Session, "k1");
    let answer = till.gateway.open(&ask).await;
    assert!(
        matches!(answer, Err(GatewayError::NoAnswer(_))),
        "{answer:?}"
    );
    till.gateway.open(&ask).await.unwrap();
    assert_eq!(till.count("checkout_sessions"), 1);
}

#[tokio::test]
async fn the_same_key_for_something_else_is_refused() {
    let till = Till::open();
    till.intent("k1").await;
    let mut other = till.ask(PaymentKind::Intent, "k1");
    other.amount = crate::till::eur(7_000);
    assert_eq!(
        crate::till::code(&till.gateway.open(&other).await.unwrap_err()),
        "idempotency_error"
    );
}

#[tokio::test]
async fn reading_survives_trouble_and_says_so_when_it_does_not() {
    let till = Till::impatient();
    let page = till.session("k1").await.reference;
    till.control().fail(fault(
        "checkout.sessions.retrieve",
        Trouble::ServerError,
        When::BeforeEffect,
        2,
    ));
    assert_eq!(
        till.gateway.look(&page).await.unwrap().state,
        SeenState::Open
    );
    till.control().fail(fault(
        "checkout.sessions.retrieve",
        Trouble::Disconnect,
        When::BeforeEffect,
        3,
    ));
    assert!(matches!(
        till.gateway.look(&page).await,
        Err(GatewayError::NoAnswer(_))
    ));
}

#[tokio::test]
async fn closing_with_a_lost_answer_still_tells_how_it_stands() {
    let till = Till::impatient();
    let page = till.session("k1").await.reference;
    till.control().fail(fault(
        "checkout.sessions.expire",
        Trouble::Disconnect,
        When::AfterEffect,
        1,
    ));
    assert_eq!(
        till.gateway.close(&page).await.unwrap().state,
        SeenState::Closed
    );

    let page = till.session("k2").await.reference;
    till.control().fail(fault(
        "checkout.sessions.expire",
        Trouble::Disconnect,
        When::BeforeEffect,
        3,
    ));
    assert!(matches!(
        till.gateway.close(&page).await,
        Err(GatewayError::NoAnswer(_))
    ));
    till.control().pay(&page, VISA).unwrap();
    assert!(matches!(
        till.gateway.close(&page).await.unwrap().state,
        SeenState::Succeeded { .. }
    ));
}

#[tokio::test]
async fn nobody_listening_is_no_answer() {
    let till = Till::impatient();
    let ask = till.ask(PaymentKind::Session, "k1");
    till.sandbox.stop().await;
    assert!(matches!(
        till.gateway.open(&ask).await,
        Err(GatewayError::NoAnswer(_))
    ));
}

#[tokio::test]
async fn a_refund_behind_a_stored_500_is_found() {
    let till = Till::open();
    let intent = till.paid("k1", VISA).await;
    till.control().fail(fault(
        "refunds.create",
        Trouble::ServerError,
        When::AfterEffect,
        1,
    ));
    let seen = till.gateway.refund(&back(&intent, 2_500, 1)).await.unwrap();
    assert_eq!(till.count("refunds"), 1);
    assert_eq!(
        till.gateway.look_refund(&seen.reference).await.unwrap(),
        seen
    );

    till.control().fail(fault(
        "refunds.create",
        Trouble::ServerError,
        When::BeforeEffect,
        1,
    ));
    let lost = till.gateway.refund(&back(&intent, 1_000, 2)).await;
    assert!(matches!(lost, Err(GatewayError::KeySpent(_))), "{lost:?}");
    assert_eq!(till.count("refunds"), 1);
}
