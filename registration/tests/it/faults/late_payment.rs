//! Money that comes when its seat is gone: it takes a seat if one is free, else it goes back in full, once, and the journal
//! says why.

use domain::{Event, OrderId, PaymentId, PaymentStatus, RefundCause, RefundStatus, Slug, Status};
use registration::{Gateway, PaymentAsk, Seen, SeenState};
use store::Store;

use super::{ACCOUNT, VISA, event, inbox, story, times};
use crate::world::{
    BARCELONA, ROJAS, World, entry, eur, id, in_full, order, payer, pen, slip, slug, staff, team,
};

const AFTER_THE_HOLD: &str = "2026-07-11T10:00:01Z";

/// An order whose hold ran out, and its page at the gateway.
async fn expired(world: &World, name: &str) -> (OrderId, String) {
    let order = world.enter(name).await.order;
    world.open_payment(BARCELONA, order).await;
    let page = world.reference(order).await;
    world.clock.set(BARCELONA, AFTER_THE_HOLD);
    world.desk.step_expire().await.unwrap();
    assert_eq!(world.status(order).await, Status::Expired);
    (order, page)
}

/// The gateway shows that a page was paid, as when that crossed with its closing.
async fn paid(world: &World, page: &str, amount: i64) {
    let seen = Seen {
        reference: page.into(),
        intent: None,
        payment: None,
        order: None,
        key: None,
        state: SeenState::Succeeded {
            received: eur(amount),
            charged_at: world.desk.clock().wall(),
        },
    };
    world.desk.observe_payment(ACCOUNT, seen).await.unwrap();
}

/// A page that a call under an earlier key of an order's payment has left at the gateway, unknown to the desk.
async fn forgotten_page(world: &World, order: OrderId) -> String {
    let view = world.view(order).await;
    let ask = PaymentAsk {
        payment: view.payments[0].id,
        order,
        reference: view.reference,
        tournament: view.tournament,
        method: view.payments[0].method,
        amount: eur(view.total),
        description: "Ciutat de Barcelona 2026".into(),
        email: None,
        language: view.language,
        return_url: "https://example.org/back".into(),
        expires_at: world.desk.clock().wall().plus_seconds(45 * 60),
        since: world.desk.clock().wall(),
        key: "an-earlier-one".into(),
    };
    world.gateway.open(&ask).await.unwrap().reference
}

store::both! {
    async fn money_whose_seat_was_sold_goes_back_in_full(store: Store) {
        let world = World::open(store, 1).await;
        let (late, page) = expired(&world, "Tard").await;
        let other = world.enter("A Temps").await.order;
        for _ in 0..2 {
            paid(&world, &page, 6_000).await;
        }
        let view = world.view(late).await;
        assert_eq!((view.status, view.paid, view.refunded), (Status::Expired, 6_000, 6_000));
        let causes: Vec<_> = view.refunds.iter().map(|r| (r.amount, r.cause)).collect();
        assert_eq!(causes, [(6_000, RefundCause::NoSeat)]);
        assert_eq!(world.status(other).await, Status::Held);
        // The mail to the payer is made from this row.
        assert_eq!(times(&world, late, |e| matches!(e, Event::RefundReserved { .. })).await, 1);
        world.audit().await;
    }

    async fn money_takes_a_seat_that_is_free(store: Store) {
        let world = World::open(store, 1).await;
        let (late, page) = expired(&world, "Tard").await;
        paid(&world, &page, 6_000).await;
        assert_eq!(world.status(late).await, Status::Confirmed);
        assert_eq!(world.enter("Nova").await.status, Status::Waitlisted, "it is counted");
        world.audit().await;
    }

    /// The day on which a slip is told counts, not the day on which somebody looks for the money.
    async fn a_slip_that_was_told_in_time_counts_when_it_is_looked_at_later(store: Store) {
        let world = World::new(store).await;
        let four = team("A", "I.E. Prueba", ["Ana", "Beto", "Carla", "Dino"]);
        let mut command = order(ROJAS, vec![entry(Some("primario"), four)]);
        command.slip = Some(slip("V-1", 8_000));
        world.clock.set(ROJAS, "2019-02-15T22:59:59Z");
        let told = world.desk.register(&payer(), command.clone()).await.unwrap().order;
        let payment = |n: usize, view: registration::OrderView| -> PaymentId { view.payments[n].id };
        let first = payment(0, world.view(told).await);
        world.clock.set(ROJAS, "2019-02-17T12:00:00Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(told).await, Status::Held, "until somebody has looked");
        world.desk.refuse_slip(&staff(), &id(ROJAS), first).await.unwrap();
        world.desk.report_slip(&payer(), &id(ROJAS), told, slip("V-2", 8_000)).await.unwrap();
        let second = payment(1, world.view(told).await);
        world.desk.confirm_slip(&staff(), &id(ROJAS), second, in_full(pen(8_000))).await.unwrap();
        assert_eq!(world.status(told).await, Status::Confirmed);

        // Whose hold ended without one has nothing left to tell it for.
        world.clock.set(ROJAS, "2019-02-10T17:00:00Z");
        let late = team("B", "I.E. Otra", ["Irene", "Juan", "Kike", "Luis"]);
        let mut command = order(ROJAS, vec![entry(Some("primario"), late)]);
        command.slip = Some(slip("V-3", 8_000));
        let late = world.desk.register(&payer(), command).await.unwrap().order;
        let refused = payment(0, world.view(late).await);
        world.desk.refuse_slip(&staff(), &id(ROJAS), refused).await.unwrap();
        world.clock.set(ROJAS, "2019-02-11T17:00:00Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(late).await, Status::Expired);
        let told = world.desk.report_slip(&payer(), &id(ROJAS), late, slip("V-4", 8_000)).await;
        assert_eq!(slug(told), Slug::IllegalMove);
        world.audit().await;
    }

    async fn money_that_is_told_of_five_times_goes_back_once(store: Store) {
        let world = World::open(store, 1).await;
        let late = world.enter("Tard").await.order;
        world.open_payment(BARCELONA, late).await;
        let page = forgotten_page(&world, late).await;
        world.clock.set(BARCELONA, AFTER_THE_HOLD);
        world.desk.step_expire().await.unwrap();
        world.enter("A Temps").await;
        world.control().pay(&page, VISA).unwrap();
        let inbox = inbox(&world);
        for told in 0..5 {
            let event = event(format!("evt_{told}"), "checkout.session.completed", &page);
            assert!(inbox.take(ACCOUNT, &event).await.unwrap());
            assert!(!inbox.take(ACCOUNT, &event).await.unwrap(), "the gateway hears that it is stored");
            inbox.step().await.unwrap();
        }
        world.desk.step_refunds().await.unwrap();
        let view = world.view(late).await;
        assert_eq!((view.status, view.paid, view.refunded), (Status::Expired, 6_000, 6_000));
        let statuses: Vec<_> = view.payments.iter().map(|p| p.status).collect();
        assert_eq!(statuses, [PaymentStatus::Cancelled, PaymentStatus::Succeeded]);
        assert_eq!(view.refunds.iter().map(|r| r.status).collect::<Vec<_>>(), [RefundStatus::Succeeded]);
        assert_eq!(world.control().objects("refunds").unwrap().len(), 1);
        let why = story(&world, late).await.into_iter().find_map(|row| match row.event {
            Event::RefundReserved { cause, rule, .. } => Some((cause, rule)),
            _ => None,
        });
        assert_eq!(why, Some((RefundCause::NoSeat, "no_seat".into())));
        world.audit().await;
    }
}
