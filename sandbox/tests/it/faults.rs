//! Calls that go wrong on demand.

use std::time::Duration;

use reqwest::Method;
use sandbox::{ApiFault, Trouble, When};

use crate::desk::{Desk, KEY};

const CREATE: &str =
    "amount=4000&currency=eur&payment_method_types[]=card&confirm=true&payment_method=pm_card_visa";

fn fault(trouble: Trouble, when: When) -> ApiFault {
    ApiFault {
        operation: "payment_intents.create".into(),
        trouble,
        when,
        times: 1,
    }
}

#[tokio::test]
async fn trouble_comes_before_or_after_the_effect() {
    for trouble in [
        Trouble::ServerError,
        Trouble::RateLimited,
        Trouble::Hang(50),
        Trouble::Disconnect,
    ] {
        for when in [When::BeforeEffect, When::AfterEffect] {
            let desk = Desk::open();
            desk.control().fail(fault(trouble.clone(), when));
            let reply = desk
                .send(Method::POST, "payment_intents", CREATE, Some("k1"))
                .await;
            match trouble {
                Trouble::ServerError => assert_eq!(reply.unwrap().status, 500),
                Trouble::RateLimited => assert_eq!(
                    reply.unwrap().error(),
                    (429, "invalid_request_error", "rate_limit")
                ),
                _ => assert!(reply.is_err(), "{trouble:?} {when:?}"),
            }
            let charged = desk.control().objects("charges").unwrap().len();
            assert_eq!(
                charged,
                usize::from(when == When::AfterEffect),
                "{trouble:?} {when:?}"
            );
            if trouble != Trouble::ServerError {
                // The same key again: carried out once in all.
                let again = desk.post_with_key("payment_intents", CREATE, "k1").await;
                assert_eq!(
                    (again.status, again.replayed),
                    (200, when == When::AfterEffect),
                    "{trouble:?} {when:?}"
                );
                assert_eq!(desk.control().objects("charges").unwrap().len(), 1);
            }
        }
    }
}

#[tokio::test]
async fn a_caller_who_gives_up_does_not_stop_the_effect() {
    let desk = Desk::open();
    // A busy machine may take longer than the caller's patience to begin; then nothing was begun, and it is asked again.
    for _ in 0..50 {
        desk.control().clear_faults();
        desk.control()
            .fail(fault(Trouble::Slow(100), When::BeforeEffect));
        let call = desk.send(Method::POST, "payment_intents", CREATE, None);
        let patience = Duration::from_millis(20);
        assert!(tokio::time::timeout(patience, call).await.is_err());
        for _ in 0..100 {
            if !desk.control().objects("charges").unwrap().is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    panic!("no effect came of fifty calls");
}

#[tokio::test]
async fn a_fault_hits_its_operation_so_many_times() {
    let desk = Desk::open();
    let times = 2;
    let operation = "refunds.*".to_owned();
    desk.control().fail(ApiFault {
        operation,
        trouble: Trouble::ServerError,
        when: When::BeforeEffect,
        times,
    });
    let id = desk.paid("pm_card_visa").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let form = format!("payment_intent={id}&amount=100");
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(desk.post("refunds", &form).await.status);
    }
    assert_eq!(statuses, [500, 500, 200]);
    desk.control()
        .fail(fault(Trouble::ServerError, When::BeforeEffect));
    desk.control().clear_faults();
    assert_eq!(desk.post("payment_intents", CREATE).await.status, 200);
}

#[tokio::test]
async fn stopping_waits_for_no_hanging_call() {
    let desk = Desk::open();
    desk.control()
        .fail(fault(Trouble::Hang(60_000), When::AfterEffect));
    let control = desk.control();
    let request = desk
        .client
        .post(format!("{}v1/payment_intents", desk.sandbox.base_url()));
    let hanging = tokio::spawn(request.bearer_auth(KEY).body(CREATE).send());
    while control.objects("charges").unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    tokio::time::timeout(Duration::from_secs(5), desk.sandbox.stop())
        .await
        .unwrap();
    assert!(hanging.await.unwrap().is_err());
}
