//! The line: who is asked next, at which price, until when, and what frees a seat for it.

use domain::{OrderId, Slug, Status};
use store::Store;

use super::leave;
use crate::world::{BARCELONA, World, id, payer, session, slug, staff};

async fn cancel(world: &World, order: OrderId) {
    let (by, tournament) = (payer(), id(BARCELONA));
    let cancelled = world.desk.cancel(&by, &tournament, order, leave());
    cancelled.await.unwrap();
}

/// One seat, who has it, and two who wait.
async fn line(store: Store) -> (World, [OrderId; 3]) {
    let world = World::open(store, 1).await;
    let first = world.enter("Primera").await;
    let second = world.enter("Segona").await;
    let third = world.enter("Tercera").await;
    assert_eq!(first.status, Status::Held);
    assert_eq!(
        (second.status, third.status),
        (Status::Waitlisted, Status::Waitlisted)
    );
    (world, [first.order, second.order, third.order])
}

async fn statuses(world: &World, orders: [OrderId; 3]) -> [Status; 3] {
    let [first, second, third] = orders;
    [
        world.status(first).await,
        world.status(second).await,
        world.status(third).await,
    ]
}

store::both! {
    async fn who_had_no_seat_gives_none_back(store: Store) {
        let (world, orders) = line(store).await;
        cancel(&world, orders[1]).await;
        let stand = [Status::Held, Status::CancelledByPlayer, Status::Waitlisted];
        assert_eq!(statuses(&world, orders).await, stand);
        // More seats, taken away again before anybody could have them, are none either.
        let more = world.desk.open_tournament(&staff(), &id(BARCELONA), 2).await;
        more.unwrap();
        let fewer = world.desk.open_tournament(&staff(), &id(BARCELONA), 1).await;
        assert_eq!(slug(fewer), Slug::InvalidFields, "the first in line has it");
        world.audit().await;
    }

    async fn who_joined_early_is_first_and_pays_what_the_form_said(store: Store) {
        let world = World::open(store, 1).await;
        let first = world.enter("Primera").await.order;
        world.pay(BARCELONA, first).await;
        let early = world.enter("D'Hora").await;
        world.clock.set(BARCELONA, "2026-07-25T10:00:00Z");
        let late = world.enter("Mes Tard").await;
        assert_eq!((early.total, late.total), (6_000, 6_500));
        cancel(&world, first).await;
        assert_eq!(world.status(early.order).await, Status::Held);
        assert_eq!(world.status(late.order).await, Status::Waitlisted);
        assert_eq!(world.open_payment(BARCELONA, early.order).await.amount.amount, 6_000);
        world.audit().await;
    }

    async fn who_took_an_offer_and_left_is_not_asked_again(store: Store) {
        let (world, orders) = line(store).await;
        cancel(&world, orders[0]).await;
        assert_eq!(world.status(orders[1]).await, Status::Held);
        world.pay(BARCELONA, orders[1]).await;
        cancel(&world, orders[1]).await;
        let stand = [Status::CancelledByPlayer, Status::CancelledByPlayer, Status::Held];
        assert_eq!(statuses(&world, orders).await, stand);
        cancel(&world, orders[2]).await;
        assert_eq!(world.status(orders[1]).await, Status::CancelledByPlayer);
        world.audit().await;
    }

    async fn a_cancellation_frees_one_seat(store: Store) {
        let (world, orders) = line(store).await;
        world.pay(BARCELONA, orders[0]).await;
        cancel(&world, orders[0]).await;
        let stand = [Status::CancelledByPlayer, Status::Held, Status::Waitlisted];
        assert_eq!(statuses(&world, orders).await, stand);
        let free = async || world.desk.seats(&id(BARCELONA)).await.unwrap()[0].free;
        assert_eq!(free().await, Some(0));
        cancel(&world, orders[2]).await;
        cancel(&world, orders[1]).await;
        assert_eq!(free().await, Some(1));
        world.audit().await;
    }

    async fn no_offer_comes_after_the_payment_deadline_or_the_start(store: Store) {
        let (world, orders) = line(store).await;
        world.pay(BARCELONA, orders[0]).await;
        let two = world.desk.open_tournament(&staff(), &id(BARCELONA), 2).await;
        two.unwrap();
        world.pay(BARCELONA, orders[1]).await;
        for (instant, leaves) in [("2026-08-20T12:00:00Z", orders[0]), ("2026-08-21T15:00:00Z", orders[1])] {
            world.clock.set(BARCELONA, instant);
            cancel(&world, leaves).await;
            assert_eq!(world.status(orders[2]).await, Status::Waitlisted, "{instant}");
        }
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(orders[2]).await, Status::Waitlisted);
        world.audit().await;
    }

    async fn nobody_pays_for_waiting(store: Store) {
        let (world, orders) = line(store).await;
        let asked = world.desk.open_payment(&payer(), &id(BARCELONA), orders[1], session()).await;
        assert_eq!(slug(asked), Slug::IllegalMove);
        let view = world.view(orders[1]).await;
        assert_eq!((view.hold_until, view.payable), (None, false));
        cancel(&world, orders[0]).await;
        let view = world.view(orders[1]).await;
        let a_day = "2026-07-11T10:00:00Z".parse().unwrap();
        assert_eq!((view.hold_until, view.payable), (Some(a_day), true));
        world.audit().await;
    }
}
