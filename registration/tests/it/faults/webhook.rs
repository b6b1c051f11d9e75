//! Webhooks that come twice, together, in any order, before the answer of the call or beside the payer's return.

use std::sync::Arc;

use domain::{Cause, Event, Money, OrderId, PaymentStatus, RefundMethod, Status};
use registration::{Gateway, SeenState, StaffRefund};
use store::{Settings, Store, gateway_events};

use super::{ACCOUNT, VISA, beside, event, inbox, times};
use crate::gate::Gate;
use crate::world::{BARCELONA, World, eur, id, payer, session, treasurer};

const KINDS: [&str; 4] = [
    "checkout.session.completed",
    "payment_intent.succeeded",
    "refund.created",
    "charge.refunded",
];

/// What the events of an order are about, in the order of [`KINDS`].
async fn subjects(world: &World, order: OrderId) -> [String; 4] {
    let page = world.reference(order).await;
    let intent = world.gateway_intent(&page).await;
    let of_intent = |kind: &str| {
        let all = world.control().objects(kind).unwrap();
        let found = all
            .into_iter()
            .find(|o| o["payment_intent"] == intent.as_str());
        found.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let (refund, charge) = (of_intent("refunds"), of_intent("charges"));
    [page, intent, refund, charge]
}

/// All orders of four.
fn permutations() -> Vec<[usize; 4]> {
    let all = (0..256).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]);
    all.filter(|p| (0..4).all(|n| p.contains(&n))).collect()
}

async fn backlog(world: &World) -> (i64, i64) {
    let store = world.desk.store();
    store.read(gateway_events::backlog).await.unwrap()
}

fn is_confirmed(event: &Event) -> bool {
    matches!(
        event,
        Event::EntryMoved {
            cause: Cause::Confirm,
            ..
        }
    )
}

fn is_paid(event: &Event) -> bool {
    matches!(event, Event::PaymentSucceeded { .. })
}

store::both! {
    async fn one_between_the_call_and_its_answer_is_not_written_over(settings: Settings) {
        let world = World::open(Store::open(&settings).unwrap(), 9).await;
        let gate = Gate::closed(&world.gateway);
        let there = world.another(Store::open(&settings).unwrap(), gate.clone()).await;
        let order = world.enter("Rapida").await.order;
        let opening = tokio::spawn(async move {
            there.open_payment(&payer(), &id(BARCELONA), order, session()).await
        });
        gate.calls(1).await;
        let page = world.control().objects("checkout_sessions").unwrap().remove(0);
        let page = page["id"].as_str().unwrap();
        world.control().pay(page, VISA).unwrap();
        world.look(page).await;
        assert_eq!(world.status(order).await, Status::Confirmed);
        gate.let_through();
        opening.await.unwrap().unwrap();
        let view = world.view(order).await;
        assert_eq!((view.status, view.payments.len()), (Status::Confirmed, 1));
        assert_eq!(view.payments[0].status, PaymentStatus::Succeeded);
        world.audit().await;
    }

    async fn one_and_the_payers_return_at_once_confirm_once(settings: Settings) {
        let world = World::open(Store::open(&settings).unwrap(), 99).await;
        let there = beside(&world, &settings).await;
        for number in 0..30 {
            let order = world.enter(&format!("Numero {number}")).await.order;
            world.open_payment(BARCELONA, order).await;
            let page = world.reference(order).await;
            world.control().pay(&page, VISA).unwrap();
            let seen = world.gateway.look(&page).await.unwrap();
            let (webhook, back) = tokio::join!(
                world.desk.observe_payment(ACCOUNT, seen.clone()),
                there.observe_payment(ACCOUNT, seen),
            );
            webhook.and(back).unwrap();
            assert_eq!(times(&world, order, is_paid).await, 1);
            assert_eq!(times(&world, order, is_confirmed).await, 1);
        }
        world.audit().await;
    }

    async fn their_order_makes_no_difference(store: Store) {
        let world = World::open(store, 99).await;
        let inbox = inbox(&world);
        let mut orders = Vec::new();
        for order in permutations() {
            let name: String = order.iter().map(|place| ["U", "Dos", "Tres", "Quatre"][*place]).collect();
            let paid = world.enter(&name).await.order;
            world.open_payment(BARCELONA, paid).await;
            let page = world.reference(paid).await;
            world.control().pay(&page, VISA).unwrap();
            let intent = world.gateway_intent(&page).await;
            world.at_gateway("/v1/refunds", &[("payment_intent", &intent), ("amount", "1000")]);
            orders.push((paid, order));
        }
        for (paid, order) in orders {
            let subjects = subjects(&world, paid).await;
            for place in order {
                let event = event(format!("evt_{paid}_{place}"), KINDS[place], &subjects[place]);
                inbox.take(ACCOUNT, &event).await.unwrap();
                inbox.step().await.unwrap();
            }
            // One that overtook its payment comes again.
            for _ in 0..9 {
                world.clock.wait(600);
                inbox.step().await.unwrap();
            }
            assert_eq!(backlog(&world).await, (0, 0), "{order:?}");
            let view = world.view(paid).await;
            let sums = (view.status, view.paid, view.refunded, view.refunds.len());
            assert_eq!(sums, (Status::Confirmed, 6_000, 1_000, 1), "{order:?}");
        }
        world.audit().await;
    }

    async fn six_about_one_refund_are_one_refund(store: Store) {
        let world = World::open(store, 9).await;
        let inbox = inbox(&world);
        let order = world.enter("Retornada").await.order;
        world.pay(BARCELONA, order).await;
        let ask = StaffRefund { amount: eur(2_500), method: RefundMethod::Card };
        world.desk.refund_by_staff(&treasurer("r"), &id(BARCELONA), order, ask).await.unwrap();
        world.desk.step_refunds().await.unwrap();
        let [_, _, refund, charge] = subjects(&world, order).await;
        for round in 0..2 {
            for (kind, object) in [("refund.created", &refund), ("charge.refunded", &charge), ("refund.updated", &refund)] {
                for _ in 0..2 {
                    let event = event(format!("evt_{round}_{kind}"), kind, object);
                    inbox.take(ACCOUNT, &event).await.unwrap();
                }
                inbox.step().await.unwrap();
            }
        }
        let view = world.view(order).await;
        assert_eq!((view.refunds.len(), view.refunded), (1, 2_500));
        assert_eq!(times(&world, order, |e| matches!(e, Event::RefundSucceeded { .. })).await, 1);
        assert_eq!(times(&world, order, is_confirmed).await, 1);
        world.audit().await;
    }

    async fn two_and_a_look_are_one_payment(store: Store) {
        let world = World::open(store, 9).await;
        let inbox = Arc::new(inbox(&world));
        let order = world.enter("Un Cop").await.order;
        let opened = world.open_payment(BARCELONA, order).await;
        let page = world.reference(order).await;
        world.control().pay(&page, VISA).unwrap();
        for n in 0..2 {
            inbox.take(ACCOUNT, &event(format!("evt_{n}"), KINDS[0], &page)).await.unwrap();
            inbox.step().await.unwrap();
        }
        world.look(&page).await;
        assert!(matches!(world.gateway.look(&page).await.unwrap().state, SeenState::Succeeded { .. }));
        let view = world.view(order).await;
        assert_eq!((view.payments.len(), Money::new(view.paid, view.currency)), (1, opened.amount));
        assert_eq!((view.due, times(&world, order, is_paid).await), (0, 1));
        world.audit().await;
    }
}
