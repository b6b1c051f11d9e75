//! Idempotency keys over HTTP.

use std::time::Duration;

use sandbox::{ApiFault, Trouble, When};

use crate::desk::Desk;

const CREATE: &str = "amount=4000&currency=eur&payment_method_types[]=card";

#[tokio::test]
async fn the_same_request_is_carried_out_once() {
    let desk = Desk::open();
    let first = desk.post_with_key("payment_intents", CREATE, "k1").await;
    let second = desk.post_with_key("payment_intents", CREATE, "k1").await;
    assert_eq!((first.replayed, second.replayed), (false, true));
    assert_eq!((first.status, &first.body), (second.status, &second.body));
    let differing = desk
        .post_with_key("payment_intents", &CREATE.replace("4000", "5000"), "k1")
        .await;
    assert_eq!(differing.error(), (400, "idempotency_error", ""));
    let elsewhere = desk.post_with_key("refunds", CREATE, "k1").await;
    assert_eq!(elsewhere.error(), (400, "idempotency_error", ""));
    assert_eq!(desk.control().objects("payment_intents").unwrap().len(), 1);
    let event = &desk.control().objects("events").unwrap()[0];
    assert_eq!(event["request"]["idempotency_key"], "k1");
}

#[tokio::test]
async fn keys_are_forgotten_after_a_day() {
    let desk = Desk::open();
    let first = desk
        .post_with_key("payment_intents", CREATE, "k1")
        .await
        .id();
    desk.control().advance(Duration::from_secs(23 * 3600));
    assert_eq!(
        desk.post_with_key("payment_intents", CREATE, "k1")
            .await
            .id(),
        first
    );
    desk.control().advance(Duration::from_secs(2 * 3600));
    assert_ne!(
        desk.post_with_key("payment_intents", CREATE, "k1")
            .await
            .id(),
        first
    );
}

#[tokio::test]
async fn declines_are_stored_and_validation_is_not() {
    let desk = Desk::open();
    let id = desk.post("payment_intents", CREATE).await.id();
    let confirm = format!("payment_intents/{id}/confirm");
    let declined = desk
        .post_with_key(&confirm, "payment_method=pm_card_chargeDeclined", "k1")
        .await;
    let replayed = desk
        .post_with_key(&confirm, "payment_method=pm_card_chargeDeclined", "k1")
        .await;
    assert_eq!(
        (declined.status, replayed.status, replayed.replayed),
        (402, 402, true)
    );
    assert_eq!(declined.body, replayed.body);
    assert_eq!(desk.control().objects("charges").unwrap().len(), 1);
    assert_eq!(
        desk.post_with_key("payment_intents", "amount=1&currency=eur", "k2")
            .await
            .status,
        400
    );
    assert_eq!(
        desk.post_with_key("payment_intents", CREATE, "k2")
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_server_error_is_stored_for_ever() {
    for when in [When::BeforeEffect, When::AfterEffect] {
        let desk = Desk::open();
        desk.control().fail(ApiFault {
            operation: "payment_intents.create".into(),
            trouble: Trouble::ServerError,
            when,
            times: 1,
        });
        let failed = desk.post_with_key("payment_intents", CREATE, "k1").await;
        assert_eq!(failed.error(), (500, "api_error", ""));
        let again = desk.post_with_key("payment_intents", CREATE, "k1").await;
        assert_eq!((again.status, again.replayed), (500, true));
        let made = desk.control().objects("payment_intents").unwrap().len();
        assert_eq!(made, usize::from(when == When::AfterEffect));
        assert_eq!(
            desk.post_with_key("payment_intents", CREATE, "k2")
                .await
                .status,
            200
        );
    }
}

#[tokio::test]
async fn a_key_in_use_is_a_conflict() {
    let desk = Desk::open();
    let operation = "payment_intents.create".to_owned();
    let trouble = Trouble::Slow(3_600_000);
    desk.control().fail(ApiFault {
        operation,
        trouble,
        when: When::BeforeEffect,
        times: 1,
    });
    let mut slow = std::pin::pin!(desk.post_with_key("payment_intents", CREATE, "k1"));
    let fast = async {
        // Once the fault is used up, the slow one has been let in and has the key.
        let faults = format!("{}_sandbox/faults", desk.sandbox.base_url());
        while desk
            .page(&faults)
            .await
            .text()
            .await
            .unwrap()
            .contains("slow")
        {}
        desk.post_with_key("payment_intents", CREATE, "k1").await
    };
    let fast = tokio::select! {
        _ = &mut slow => panic!("the slow one was answered"),
        fast = fast => fast,
    };
    // It may begin to wait only now, so the clock goes on until it is answered.
    let slow = loop {
        desk.control().advance(Duration::from_secs(3600));
        if let Ok(reply) = tokio::time::timeout(Duration::from_millis(50), &mut slow).await {
            break reply;
        }
    };
    assert_eq!(
        fast.error(),
        (409, "invalid_request_error", "idempotency_key_in_use")
    );
    assert_eq!(slow.status, 200);
    assert_eq!(
        desk.post_with_key("payment_intents", CREATE, "k1")
            .await
            .body,
        slow.body
    );
}

#[tokio::test]
async fn of_many_at_once_one_is_carried_out() {
    let desk = Desk::open();
    let calls = (0..40).map(|_| desk.post_with_key("payment_intents", CREATE, "k1"));
    let replies = futures_util::future::join_all(calls).await;
    let fresh = |reply: &&crate::desk::Reply| reply.status == 200 && !reply.replayed;
    assert_eq!(replies.iter().filter(fresh).count(), 1);
    // The others came while the first was at it, or after.
    let conflicts = |reply: &crate::desk::Reply| reply.error().2 == "idempotency_key_in_use";
    assert!(
        replies
            .iter()
            .all(|reply| reply.status == 200 || conflicts(reply))
    );
    assert_eq!(desk.control().objects("payment_intents").unwrap().len(), 1);
}
