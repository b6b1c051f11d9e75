//! Keys under which Stripe has stored a failure: given up for new ones, and nothing that an old one made is lost.

use domain::{
    Actor, Money, OrderId, PaymentKind, PaymentStatus, RefundMethod, RefundStatus, Slug, Status,
};
use registration::{By, Gateway, Opened, PaymentAsk, SeenState, StaffRefund};
use sandbox::{ApiFault, Trouble, When};

use crate::hall::{ACCOUNT, Hall};
use crate::inbox::intent;
use crate::till::VISA;

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

fn failure(operation: &str, when: When) -> ApiFault {
    ApiFault {
        operation: operation.to_owned(),
        trouble: Trouble::ServerError,
        when,
        times: 1,
    }
}

async fn key(hall: &Hall, order: OrderId) -> String {
    hall.view(order).await.payments[0].gateway_key.clone()
}

/// What a call under an earlier key of the order's payment opens.
async fn stray(hall: &Hall, order: OrderId) -> Opened {
    let view = hall.view(order).await;
    let ask = PaymentAsk {
        payment: view.payments[0].id,
        order,
        reference: view.reference,
        tournament: view.tournament,
        method: view.payments[0].method,
        amount: Money::new(6_000, view.currency),
        description: "Ciutat de Barcelona 2026".to_owned(),
        email: None,
        language: view.language,
        return_url: "https://desk.example.org/back".to_owned(),
        expires_at: hall.desk.clock().wall().plus_seconds(45 * 60),
        since: hall.desk.clock().wall(),
        key: "an-earlier-one".to_owned(),
    };
    hall.gateway.open(&ask).await.unwrap()
}

async fn catch_up(hall: &Hall) {
    hall.take().await;
    hall.inbox.step().await.unwrap();
    assert_eq!(hall.backlog().await, (0, 0));
    let report = hall.desk.audit(|_, _| {}).await.unwrap();
    assert_eq!(report.findings, []);
}

#[tokio::test]
async fn a_payer_tries_again_under_a_new_key() {
    for (method, operation, kind) in CREATE {
        let hall = Hall::open().await;
        let order = hall.order().await;
        hall.control().fail(failure(operation, When::BeforeEffect));
        let refused = hall.ask(order, method).await.unwrap_err();
        assert_eq!(refused.slug, Slug::GatewayDown);
        let new = key(&hall, order).await;
        hall.ask(order, method).await.unwrap();
        assert_eq!(hall.control().objects(kind).unwrap().len(), 1);
        assert_eq!(key(&hall, order).await, new, "saved before its call");
        assert_eq!(hall.view(order).await.payments.len(), 1);
    }
}

#[tokio::test]
async fn what_waited_half_opened_is_opened_under_a_new_key() {
    let hall = Hall::open().await;
    let order = hall.order().await;
    hall.control()
        .fail(failure("checkout.sessions.create", When::BeforeEffect));
    hall.page(order).await.unwrap_err();
    let mut keys = vec![key(&hall, order).await];
    for _ in 0..2 {
        hall.control()
            .fail(failure("checkout.sessions.create", When::BeforeEffect));
        hall.wait(31);
        hall.desk.step_openings().await.unwrap();
        keys.push(key(&hall, order).await);
    }
    keys.dedup();
    assert_eq!(keys.len(), 3, "each failure spends the key of its call");
    hall.wait(31);
    hall.desk.step_openings().await.unwrap();
    assert_eq!(
        hall.stands(order).await,
        (Status::Held, PaymentStatus::Open)
    );
}

#[tokio::test]
async fn a_page_behind_the_failure_is_the_payments_own() {
    for (method, operation, kind) in CREATE {
        let hall = Hall::open().await;
        let order = hall.order().await;
        hall.control().fail(failure(operation, When::AfterEffect));
        let opened = hall.ask(order, method).await.unwrap();
        let made = hall.control().objects(kind).unwrap();
        assert_eq!(made.len(), 1);
        assert_eq!(opened.url.as_deref(), made[0]["url"].as_str());
    }
}

#[tokio::test]
async fn a_webhook_before_the_answer_leaves_the_payer_a_place_to_pay() {
    for (method, operation, kind) in CREATE {
        let hall = Hall::open().await;
        let order = hall.order().await;
        for _ in 0..2 {
            hall.control().fail(ApiFault {
                trouble: Trouble::Disconnect,
                times: 3,
                ..failure(operation, When::AfterEffect)
            });
            hall.ask(order, method).await.unwrap_err();
            let made = hall.control().objects(kind).unwrap();
            let made = made[0]["id"].as_str().unwrap();
            let seen = hall.gateway.look(made).await.unwrap();
            hall.desk.observe_payment(ACCOUNT, seen).await.unwrap();
        }
        let opened = hall.ask(order, method).await.unwrap();
        assert!(opened.url.is_some() || opened.client_secret.is_some());
        assert_eq!(hall.control().objects(kind).unwrap().len(), 1);
        catch_up(&hall).await;
    }
}

#[tokio::test]
async fn money_on_a_stray_is_taken_and_what_comes_twice_goes_back() {
    let hall = Hall::open().await;
    let order = hall.order().await;
    hall.page(order).await.unwrap();
    let stray = stray(&hall, order).await;
    hall.control().pay(&stray.reference, VISA).unwrap();
    catch_up(&hall).await;
    let view = hall.view(order).await;
    assert_eq!((view.status, view.paid), (Status::Confirmed, 6_000));
    let stands: Vec<_> = view.payments.iter().map(|p| p.status).collect();
    assert_eq!(stands, [PaymentStatus::Open, PaymentStatus::Succeeded]);

    let own = view.payments[0].reference.clone().unwrap();
    hall.control().pay(&own, VISA).unwrap();
    catch_up(&hall).await;
    let view = hall.view(order).await;
    assert_eq!(
        (view.status, view.paid, view.refunded),
        (Status::Confirmed, 12_000, 6_000)
    );
    let back = view.refunds[0].payment;
    assert_eq!(
        back,
        Some(view.payments[0].id),
        "on the one that was too much"
    );
}

#[tokio::test]
async fn money_on_a_stray_after_the_payment_itself_goes_back() {
    let hall = Hall::open().await;
    let order = hall.paid().await;
    catch_up(&hall).await;
    let stray = stray(&hall, order).await;
    hall.control().pay(&stray.reference, VISA).unwrap();
    catch_up(&hall).await;
    let view = hall.view(order).await;
    assert_eq!(
        (view.status, view.paid, view.refunded),
        (Status::Confirmed, 12_000, 6_000)
    );
}

#[tokio::test]
async fn an_open_stray_is_closed_and_the_payment_stays_open() {
    for (method, _, _) in CREATE {
        let hall = Hall::open().await;
        let order = hall.order().await;
        hall.ask(order, method).await.unwrap();
        let stray = stray(&hall, order).await.reference;
        for _ in 0..2 {
            let seen = hall.gateway.look(&stray).await.unwrap();
            hall.desk.observe_payment(ACCOUNT, seen).await.unwrap();
        }
        let closed = hall.gateway.look(&stray).await.unwrap().state;
        assert_eq!(closed, SeenState::Closed);
        catch_up(&hall).await;
        assert_eq!(
            hall.stands(order).await,
            (Status::Held, PaymentStatus::Open)
        );
        assert_eq!(hall.view(order).await.payments.len(), 1);
    }
}

async fn refund(hall: &Hall, order: OrderId) {
    let ask = StaffRefund {
        amount: Money::new(2_500, "EUR".parse().unwrap()),
        method: RefundMethod::Card,
    };
    let by = By {
        key: Some("refund".to_owned()),
        ..By::actor(Actor::Staff("treasurer".to_owned()))
    };
    hall.desk
        .refund_by_staff(&by, &hall.tournament, order, ask)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_refund_goes_out_once_whatever_the_failure_hides() {
    for (when, steps) in [(When::AfterEffect, 1), (When::BeforeEffect, 2)] {
        let hall = Hall::open().await;
        let order = hall.paid().await;
        catch_up(&hall).await;
        refund(&hall, order).await;
        hall.control().fail(failure("refunds.create", when));
        for step in 0..steps {
            let stands = hall.view(order).await.refunds[0].status;
            assert_eq!(stands, RefundStatus::Reserved, "{when:?} {step}");
            hall.desk.step_refunds().await.unwrap();
            hall.wait(60);
        }
        catch_up(&hall).await;
        let view = hall.view(order).await;
        assert_eq!(view.refunds[0].status, RefundStatus::Succeeded, "{when:?}");
        assert_eq!(hall.control().objects("refunds").unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_refund_that_was_made_twice_is_booked_twice() {
    let hall = Hall::open().await;
    let order = hall.paid().await;
    catch_up(&hall).await;
    refund(&hall, order).await;
    hall.desk.step_refunds().await.unwrap();
    catch_up(&hall).await;
    let ours = hall.view(order).await.refunds[0].id.to_string();
    let stripe = stripe::ClientBuilder::new("sk_test_sandbox")
        .url(hall.sandbox.base_url())
        .build()
        .unwrap();
    stripe_core::refund::CreateRefund::new()
        .payment_intent(intent(&hall))
        .amount(2_500)
        .metadata(std::collections::HashMap::from([(
            "refund".to_owned(),
            ours,
        )]))
        .send(&stripe)
        .await
        .unwrap();
    catch_up(&hall).await;
    catch_up(&hall).await;
    let view = hall.view(order).await;
    assert_eq!((view.refunds.len(), view.refunded), (2, 5_000));
}
