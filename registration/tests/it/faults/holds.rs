//! Seats that are kept for who has not paid yet: counted while they are kept, given back once, kept while money is on its way.

use domain::{PaymentKind, Slug, Status, UtcTime};
use registration::OpenPayment;
use store::Store;

use super::leave;
use crate::world::{BARCELONA, World, id, payer, session, slug};

const AFTER_THE_HOLD: &str = "2026-07-11T10:00:01Z";

async fn free(world: &World) -> Option<i64> {
    world.desk.seats(&id(BARCELONA)).await.unwrap()[0].free
}

store::both! {
    async fn an_unpaid_hold_counts_until_it_ends(store: Store) {
        let world = World::open(store, 10).await;
        let mut held = Vec::new();
        for number in 0..10 {
            let registered = world.enter(&format!("Amb Seient {number}")).await;
            assert_eq!(registered.status, Status::Held);
            held.push(registered.order);
        }
        let eleventh = world.enter("Sense Seient").await;
        assert_eq!(eleventh.status, Status::Waitlisted);
        for order in &held[1..] {
            world.pay(BARCELONA, *order).await;
        }
        world.clock.set(BARCELONA, AFTER_THE_HOLD);
        assert_eq!(world.desk.step_expire().await.unwrap(), 1);
        assert_eq!(world.status(held[0]).await, Status::Expired);
        assert_eq!(world.status(eleventh.order).await, Status::Held);
        world.audit().await;
    }

    async fn a_seat_is_given_back_once(store: Store) {
        let world = World::open(store, 4).await;
        let mut orders = Vec::new();
        for name in ["Una", "Dues", "Tres", "Quatre"] {
            orders.push(world.enter(name).await.order);
        }
        assert_eq!(free(&world).await, Some(0));
        let cancel = async |order| world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await;
        for order in &orders[2..] {
            cancel(*order).await.unwrap();
        }
        world.clock.set(BARCELONA, AFTER_THE_HOLD);
        assert_eq!(world.desk.step_expire().await.unwrap(), 2);
        assert_eq!(free(&world).await, Some(4));
        for order in orders {
            assert_eq!(slug(cancel(order).await), Slug::IllegalMove);
        }
        assert_eq!(world.desk.step_expire().await.unwrap(), 0);
        assert_eq!(free(&world).await, Some(4));
        world.audit().await;
    }

    async fn after_every_hold_its_seat_is_free_again(store: Store) {
        let world = World::open(store, 1).await;
        let mut at: UtcTime = "2026-05-01T10:00:00Z".parse().unwrap();
        for number in 0..50 {
            world.clock.set(BARCELONA, &at.to_string());
            let registered = world.enter(&format!("Numero {number}")).await;
            assert_eq!(registered.status, Status::Held, "{number}");
            assert_eq!(registered.hold_until, Some(at.plus_seconds(24 * 3_600)));
            at = at.plus_seconds(24 * 3_600);
            world.clock.set(BARCELONA, &at.to_string());
            assert_eq!(world.desk.step_expire().await.unwrap(), 1, "{number}");
        }
        world.audit().await;
    }

    async fn money_on_its_way_keeps_the_seat_and_asks_for_no_more(store: Store) {
        let world = World::open(store, 9).await;
        for (arrives, stands) in [(true, Status::Confirmed), (false, Status::Expired)] {
            let order = world.enter(&format!("Lenta {arrives}")).await.order;
            world.open_payment(BARCELONA, order).await;
            let page = world.reference(order).await;
            world.control().pay(&page, "4999990000000015").unwrap();
            world.look(&page).await;
            world.clock.set(BARCELONA, "2026-07-13T10:00:00Z");
            assert_eq!(world.desk.step_expire().await.unwrap(), 0);
            assert_eq!(world.status(order).await, Status::Held);
            world.clock.set(BARCELONA, "2026-07-10T10:00:00Z");
            let other = OpenPayment { method: PaymentKind::Intent, ..session() };
            let second = world.desk.open_payment(&payer(), &id(BARCELONA), order, other).await;
            assert_eq!(slug(second), Slug::IllegalMove);
            let intent = world.gateway_intent(&page).await;
            world.control().settle_payment(&intent, arrives).unwrap();
            world.look(&page).await;
            world.clock.set(BARCELONA, "2026-07-13T10:00:00Z");
            world.desk.step_expire().await.unwrap();
            assert_eq!(world.status(order).await, stands);
            world.clock.set(BARCELONA, "2026-07-10T10:00:00Z");
        }
        world.audit().await;
    }
}
