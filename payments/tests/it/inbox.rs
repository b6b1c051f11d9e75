//! Webhooks, however they come, and what the desk makes of them.

use domain::{PaymentStatus, Status};
use payments::Envelope;
use registration::Gateway;
use sandbox::{ApiFault, Trouble, Twist, WebhookFault, When};

use crate::hall::{ACCOUNT, Hall};
use crate::till::VISA;

pub const CONFIRMED: (Status, PaymentStatus) = (Status::Confirmed, PaymentStatus::Succeeded);
const UNPAID: (Status, PaymentStatus) = (Status::Held, PaymentStatus::Open);

fn twist(kind: &str, twist: Twist) -> WebhookFault {
    WebhookFault {
        kind: kind.to_owned(),
        twist,
        times: u32::MAX,
    }
}

fn away(operation: &str, times: u32) -> ApiFault {
    ApiFault {
        operation: operation.to_owned(),
        trouble: Trouble::Disconnect,
        when: When::BeforeEffect,
        times,
    }
}

pub fn envelope(id: &str, kind: &str, object: &str) -> Envelope {
    Envelope {
        id: id.to_owned(),
        kind: kind.to_owned(),
        created: None,
        api_version: None,
        livemode: Some(false),
        object: Some(object.to_owned()),
        object_kind: None,
    }
}

#[tokio::test]
async fn what_a_fast_clock_put_off_is_done_when_it_is_right() {
    let hall = Hall::open().await;
    let order = hall.paid().await;
    hall.wait(3_600);
    assert!(hall.take().await > 0);
    for operation in ["checkout.sessions.retrieve", "payment_intents.retrieve"] {
        hall.control().fail(away(operation, u32::MAX));
    }
    assert!(hall.inbox.step().await.unwrap() > 0);
    assert_eq!(hall.inbox.step().await.unwrap(), 0, "not due yet");
    hall.control().clear_faults();

    hall.wait(-3_600);
    assert!(hall.inbox.step().await.unwrap() > 0);
    assert_eq!(hall.stands(order).await, CONFIRMED);
    assert_eq!(hall.backlog().await, (0, 0));
}

/// The reconciler has looked, and changed something, in what is the future now.
#[tokio::test]
async fn a_payment_that_a_fast_clock_touched_is_looked_at_when_it_is_right() {
    let hall = Hall::open().await;
    let order = hall.order().await;
    hall.page(order).await.unwrap();
    let reconciler = hall.reconciler();
    hall.wait(3_600);
    assert_eq!(reconciler.step(10).await.unwrap(), 1);
    hall.wait(-3_600);
    assert_eq!(reconciler.step(10).await.unwrap(), 1);
    assert_eq!(hall.stands(order).await, UNPAID);
}

#[tokio::test]
async fn a_paid_page_confirms_its_order_once() {
    let hall = Hall::open().await;
    let order = hall.paid().await;
    assert_eq!(hall.stands(order).await, UNPAID);
    let fresh = hall.take().await;
    assert!(fresh >= 2, "the intent's and the page's own events");
    assert_eq!(hall.inbox.step().await.unwrap(), fresh);
    assert_eq!(hall.stands(order).await, CONFIRMED);
    assert_eq!(hall.backlog().await, (0, 0));

    let written = hall.written().await;
    let events = hall.control().objects("events").unwrap();
    for event in &events {
        hall.control()
            .resend(event["id"].as_str().unwrap())
            .unwrap();
    }
    assert_eq!(hall.take().await, 0, "known by their ids");
    assert_eq!(hall.inbox.step().await.unwrap(), 0);
    hall.inbox
        .take(
            ACCOUNT,
            &envelope("evt_other", "payment_intent.succeeded", &intent(&hall)),
        )
        .await
        .unwrap();
    assert_eq!(hall.inbox.step().await.unwrap(), 1);
    assert_eq!(
        hall.written().await,
        written,
        "another event of the same change writes nothing"
    );
}

pub fn intent(hall: &Hall) -> String {
    hall.control().objects("payment_intents").unwrap()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn webhook_order_doubling_and_age_of_version_do_not_matter() {
    for fault in [
        twist("*", Twist::Duplicate),
        twist("payment_intent.*", Twist::Reorder),
        twist("*", Twist::ApiVersion("2019-09-09".to_owned())),
        twist("*", Twist::MissingField("/data/object/amount".to_owned())),
        twist("*", Twist::MissingField("/data/object/status".to_owned())),
        twist("*", Twist::MissingField("/created".to_owned())),
    ] {
        let hall = Hall::open().await;
        hall.control().twist(fault.clone());
        let order = hall.paid().await;
        hall.take().await;
        hall.inbox.step().await.unwrap();
        assert_eq!(hall.stands(order).await, CONFIRMED, "{fault:?}");
        assert_eq!(hall.backlog().await, (0, 0), "{fault:?}");
    }
}

#[tokio::test]
async fn an_event_tells_nothing_but_what_to_look_at() {
    let hall = Hall::open().await;
    let order = hall.order().await;
    hall.page(order).await.unwrap();
    let page = hall.view(order).await.payments[0]
        .reference
        .clone()
        .unwrap();
    // Signed or not, it says that the page is paid. The page says that it is not.
    hall.inbox
        .take(
            ACCOUNT,
            &envelope("evt_1", "checkout.session.completed", &page),
        )
        .await
        .unwrap();
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.stands(order).await, UNPAID);

    // And late news of a failure does not undo what is paid.
    hall.control().pay(&page, VISA).unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    hall.inbox
        .take(
            ACCOUNT,
            &envelope("evt_2", "checkout.session.expired", &page),
        )
        .await
        .unwrap();
    hall.inbox
        .take(
            ACCOUNT,
            &envelope("evt_3", "payment_intent.payment_failed", &intent(&hall)),
        )
        .await
        .unwrap();
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.stands(order).await, CONFIRMED);
}

#[tokio::test]
async fn an_event_that_overtakes_the_answer_of_its_call_is_enough() {
    let hall = Hall::open().await;
    let order = hall.order().await;
    let lost = ApiFault {
        when: When::AfterEffect,
        ..away("checkout.sessions.create", 3)
    };
    hall.control().fail(lost);
    hall.page(order).await.unwrap_err();
    assert_eq!(
        hall.stands(order).await,
        (Status::Held, PaymentStatus::Creating)
    );
    let page = hall
        .control()
        .objects("checkout_sessions")
        .unwrap()
        .remove(0);
    hall.control()
        .pay(page["id"].as_str().unwrap(), VISA)
        .unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.stands(order).await, CONFIRMED);
}

#[tokio::test]
async fn a_payment_that_the_desk_does_not_know_is_tried_for_a_day_and_stays_visible() {
    let hall = Hall::open().await;
    let till_ask = registration::PaymentAsk {
        payment: domain::PaymentId(1),
        order: domain::OrderId(1),
        reference: domain::OrderReference::from_random(1),
        tournament: hall.tournament.clone(),
        method: domain::PaymentKind::Intent,
        amount: crate::till::eur(6_000),
        description: "Somewhere else".to_owned(),
        email: None,
        language: domain::Language::En,
        return_url: String::new(),
        expires_at: hall.desk.clock().wall(),
        since: hall.desk.clock().wall(),
        key: "k1".to_owned(),
    };
    hall.gateway.open(&till_ask).await.unwrap();
    assert_eq!(hall.take().await, 1);
    assert_eq!(hall.inbox.step().await.unwrap(), 1);
    assert_eq!(hall.backlog().await, (1, 0));
    assert_eq!(hall.inbox.step().await.unwrap(), 0, "not before its time");
    let mut tries = 1;
    while hall.backlog().await == (1, 0) {
        hall.wait(6 * 3_600);
        tries += hall.inbox.step().await.unwrap();
    }
    assert_eq!((tries, hall.backlog().await), (13, (0, 1)));
}

#[tokio::test]
async fn what_is_not_ours_is_left_alone() {
    let hall = Hall::open().await;
    let payer = stripe::ClientBuilder::new("sk_test_sandbox")
        .url(hall.sandbox.base_url())
        .build()
        .unwrap();
    let theirs =
        stripe_core::payment_intent::CreatePaymentIntent::new(900, stripe_types::Currency::EUR)
            .return_url("https://theirs.example.org/")
            .payment_method("pm_card_createDispute")
            .confirm(true)
            .send(&payer)
            .await
            .unwrap();
    hall.take().await;
    hall.inbox.step().await.unwrap();
    hall.inbox
        .take(ACCOUNT, &envelope("evt_1", "payout.paid", "po_1"))
        .await
        .unwrap();
    hall.inbox
        .take(
            ACCOUNT,
            &envelope("evt_2", "some.day.new", theirs.id.as_str()),
        )
        .await
        .unwrap();
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.backlog().await, (0, 0));
}

#[tokio::test]
async fn an_event_of_an_account_that_is_not_here_waits() {
    let hall = Hall::open().await;
    hall.inbox
        .take(
            "stripe:other",
            &envelope("evt_1", "payment_intent.succeeded", "pi_1"),
        )
        .await
        .unwrap();
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.backlog().await, (1, 0));
    assert!(
        hall.inbox
            .take(ACCOUNT, &envelope("evt_1", "payout.paid", "po_1"))
            .await
            .unwrap(),
        "ids are per account"
    );
}

#[tokio::test]
async fn an_absent_gateway_delays() {
    let hall = Hall::open().await;
    let order = hall.paid().await;
    for operation in ["checkout.sessions.retrieve", "payment_intents.retrieve"] {
        hall.control().fail(away(operation, u32::MAX));
    }
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.stands(order).await, UNPAID);
    let (waiting, given_up) = hall.backlog().await;
    assert!(
        waiting > 0 && given_up == 0,
        "{waiting} wait, {given_up} given up"
    );
    hall.control().clear_faults();
    hall.wait(5);
    hall.inbox.step().await.unwrap();
    assert_eq!(
        (hall.stands(order).await, hall.backlog().await),
        (CONFIRMED, (0, 0))
    );
}

#[tokio::test]
async fn the_loop_is_woken_by_an_event_and_ends_when_told() {
    let hall = Hall::open().await;
    let order = hall.paid().await;
    let (stop, told) = tokio::sync::oneshot::channel::<()>();
    let events = hall.sent().await;
    let work = async {
        for sent in &events {
            hall.inbox.take(ACCOUNT, &hall.read(sent)).await.unwrap();
        }
        while hall.stands(order).await != CONFIRMED {
            tokio::task::yield_now().await;
        }
        stop.send(()).unwrap();
    };
    let run = hall.inbox.run(async { told.await.unwrap() });
    let both = async { tokio::join!(run, work) };
    tokio::time::timeout(std::time::Duration::from_secs(20), both)
        .await
        .unwrap();
}
