//! Prices that go by the payment, or by the arrival of its money: what is paid late costs what is late, however the payment
//! comes to be known.

use domain::{Event, Money, OrderId, PaymentKind, RefundCause, Slug, Status};
use registration::{Confirmation, OpenPayment, Registered, Slip};
use store::Store;

use crate::world::{World, entry, eur, id, in_full, order, payer, player, session, slug, staff};

/// 55 in section A, 5 less where it is paid before 8 July 2023; by card or transfer; a seat is held for a day.
const SITGES: &str = "sit23";
/// 40, and 10 more where the money comes in after 20 December 2015; by transfer or slip; a seat is held for two weeks.
const SPANDAU: &str = "spa15";

const EVE: &str = "2023-07-07T20:00:00Z";
const A_MINUTE_BEFORE: &str = "2023-07-07T21:59:00Z";
const THE_DAY: &str = "2023-07-07T22:00:00Z";

async fn world(store: Store) -> World {
    let world = World::new(store).await;
    world.take_in(SITGES).await;
    world.take_in(SPANDAU).await;
    world.clock.set(SITGES, EVE);
    world.clock.set(SPANDAU, "2015-12-15T11:00:00Z");
    world
}

async fn enter(world: &World, tournament: &str, section: &str, name: &str) -> Registered {
    let mut asked = order(tournament, vec![entry(Some(section), player(name))]);
    asked.payer.consents.clear();
    world.desk.register(&payer(), asked).await.unwrap()
}

fn transfer(number: &str, day: &str, amount: i64) -> Slip {
    Slip {
        method: PaymentKind::Transfer,
        number: number.into(),
        date: Some(day.parse().unwrap()),
        amount: eur(amount),
    }
}

fn found_on(day: &str, received: Money) -> Confirmation {
    Confirmation {
        received_on: Some(day.parse().unwrap()),
        ..in_full(received)
    }
}

/// Total, paid and due.
async fn sums(world: &World, order: OrderId) -> (i64, i64, i64) {
    let view = world.view(order).await;
    (view.total, view.paid, view.due)
}

async fn changes(world: &World, tournament: &str) -> Vec<(i64, i64)> {
    let rows = world.desk.journal(&id(tournament), 0, 100).await.unwrap();
    let changed = rows.into_iter().filter_map(|row| match row.event {
        Event::PriceChanged { from, to, rule, .. } => {
            assert_eq!(rule, "paid");
            Some((from, to))
        }
        _ => None,
    });
    changed.collect()
}

store::both! {
    async fn an_unpaid_order_is_priced_anew_when_the_day_comes(store: Store) {
        let world = world(store).await;
        let late = enter(&world, SITGES, "A", "Tarda").await;
        assert_eq!(late.total, 5_000);
        let until = world.view(late.order).await.price_valid_until;
        assert_eq!(until.map(|at| at.to_string()).as_deref(), Some(THE_DAY));
        world.open_payment(SITGES, late.order).await;
        let page = world.reference(late.order).await;
        world.clock.set(SITGES, A_MINUTE_BEFORE);
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0);
        world.clock.set(SITGES, THE_DAY);
        assert_eq!(world.desk.step_reprice().await.unwrap(), 1);
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0);
        assert!(world.control().pay(&page, "4242424242424242").is_err());
        assert_eq!(sums(&world, late.order).await, (5_500, 0, 5_500));
        assert_eq!(changes(&world, SITGES).await, [(5_000, 5_500)]);
        let view = world.view(late.order).await;
        assert_eq!(view.price_valid_until, None);
        let made_of: Vec<(&str, i64)> = view.lines.iter().map(|line| (&*line.rule, line.amount)).collect();
        assert_eq!(made_of, [("general", 5_500)]);
        assert!(world.desk.explain(late.order).await.unwrap().to_string().contains("Now:"));
        world.pay(SITGES, late.order).await;
        assert_eq!(world.status(late.order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn what_was_paid_in_time_does_not_change(store: Store) {
        let world = world(store).await;
        let early = enter(&world, SITGES, "A", "Aviat").await;
        world.pay(SITGES, early.order).await;
        world.clock.set(SITGES, "2023-07-09T10:00:00Z");
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0);
        assert_eq!(sums(&world, early.order).await, (5_000, 5_000, 0));
        world.audit().await;
    }

    async fn a_payment_opened_after_the_day_asks_for_the_new_price(store: Store) {
        let world = world(store).await;
        let late = enter(&world, SITGES, "A", "Tarda").await;
        world.open_payment(SITGES, late.order).await;
        world.clock.set(SITGES, THE_DAY);
        let shown = OpenPayment { expected: Some(eur(5_000)), ..session() };
        let refused = world.desk.open_payment(&payer(), &id(SITGES), late.order, shown).await;
        assert_eq!(slug(refused), Slug::AmountMismatch);
        assert_eq!(world.open_payment(SITGES, late.order).await.amount, eur(5_500));
        world.audit().await;
    }

    async fn money_that_was_paid_before_the_day_counts_though_it_is_heard_of_after_it(store: Store) {
        let world = world(store).await;
        let order = enter(&world, SITGES, "A", "Just").await;
        world.clock.set(SITGES, A_MINUTE_BEFORE);
        world.open_payment(SITGES, order.order).await;
        let page = world.reference(order.order).await;
        world.control().pay(&page, "4242424242424242").unwrap();
        world.clock.wait(600);
        world.clock.set(SITGES, "2023-07-07T22:09:00Z");
        world.desk.step_reprice().await.unwrap();
        assert_eq!(world.status(order.order).await, Status::Confirmed);
        assert_eq!(sums(&world, order.order).await, (5_000, 5_000, 0));
        world.audit().await;
    }

    async fn money_that_was_paid_after_the_day_stays_and_the_rest_is_asked_for(store: Store) {
        let world = world(store).await;
        let order = enter(&world, SITGES, "A", "Segon").await;
        world.clock.set(SITGES, A_MINUTE_BEFORE);
        world.open_payment(SITGES, order.order).await;
        let page = world.reference(order.order).await;
        world.clock.set(SITGES, "2023-07-07T22:00:30Z");
        world.control().pay(&page, "4242424242424242").unwrap();
        world.clock.set(SITGES, "2023-07-07T22:00:50Z");
        world.clock.wait(20);
        world.look(&page).await;
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.total, view.paid, view.due), (Status::Held, 5_500, 5_000, 500));
        let until = view.hold_until.unwrap().to_string();
        assert_eq!(until, "2023-07-08T22:00:50Z", "a whole hold for the rest");
        world.pay(SITGES, order.order).await;
        assert_eq!(world.status(order.order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn a_part_of_the_late_price_brings_nobody_back(store: Store) {
        let world = world(store).await;
        let order = enter(&world, SITGES, "A", "Fora").await;
        world.open_payment(SITGES, order.order).await;
        let page = world.reference(order.order).await;
        world.clock.set(SITGES, "2023-07-08T20:00:01Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(order.order).await, Status::Expired);
        world.paid(&page, 5_000).await;
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.paid, view.refunded), (Status::Expired, 5_000, 5_000));
        assert_eq!(view.refunds[0].cause, RefundCause::NoSeat);
        world.audit().await;
    }

    async fn a_transfer_counts_by_the_day_on_it_whenever_it_is_told_or_found(store: Store) {
        let world = world(store).await;
        let (in_time, late) = (
            enter(&world, SITGES, "A", "A Temps").await.order,
            enter(&world, SITGES, "A", "Tard").await.order,
        );
        world.clock.set(SITGES, "2023-07-08T10:00:00Z");
        world.desk.step_reprice().await.unwrap();
        assert_eq!(sums(&world, in_time).await, (5_500, 0, 5_500));
        let desk = &world.desk;
        let tell = async |order, slip| desk.report_slip(&payer(), &id(SITGES), order, slip).await;
        let wrong = tell(late, transfer("T-0", "2023-07-08", 5_000)).await;
        assert_eq!(slug(wrong), Slug::AmountMismatch);
        let first = tell(in_time, transfer("T-1", "2023-07-07", 5_000)).await.unwrap();
        let second = tell(late, transfer("T-2", "2023-07-08", 5_500)).await.unwrap();
        world.clock.set(SITGES, "2023-07-12T10:00:00Z");
        for (payment, amount) in [(first, 5_000), (second, 5_500)] {
            desk.confirm_slip(&staff(), &id(SITGES), payment, in_full(eur(amount))).await.unwrap();
        }
        assert_eq!(sums(&world, in_time).await, (5_000, 5_000, 0));
        assert_eq!(sums(&world, late).await, (5_500, 5_500, 0));
        for order in [in_time, late] {
            assert_eq!(world.status(order).await, Status::Confirmed);
        }
        world.audit().await;
    }

    async fn staff_may_find_another_day_on_the_transfer(store: Store) {
        let world = world(store).await;
        let order = enter(&world, SITGES, "A", "Dubte").await.order;
        world.clock.set(SITGES, "2023-07-08T10:00:00Z");
        let (desk, sitges) = (&world.desk, id(SITGES));
        let told = transfer("T-3", "2023-07-07", 5_000);
        let payment = desk.report_slip(&payer(), &sitges, order, told).await.unwrap();
        let tomorrow = Confirmation { date: Some("2023-07-09".parse().unwrap()), ..in_full(eur(5_000)) };
        assert_eq!(slug(desk.confirm_slip(&staff(), &sitges, payment, tomorrow).await), Slug::InvalidFields);
        let found = Confirmation { date: Some("2023-07-08".parse().unwrap()), ..in_full(eur(5_000)) };
        desk.confirm_slip(&staff(), &sitges, payment, found).await.unwrap();
        assert_eq!(sums(&world, order).await, (5_500, 5_000, 500));
        world.audit().await;
    }

    async fn money_counts_by_the_day_on_which_it_arrived(store: Store) {
        let world = world(store).await;
        let (late, in_time) = (
            enter(&world, SPANDAU, "open", "Spät").await.order,
            enter(&world, SPANDAU, "open", "Pünktlich").await.order,
        );
        let (desk, spandau) = (&world.desk, id(SPANDAU));
        world.clock.set(SPANDAU, "2015-12-19T11:00:00Z");
        let mut told = Vec::new();
        for (order, number) in [(late, "B-1"), (in_time, "B-2")] {
            let slip = transfer(number, "2015-12-19", 4_000);
            told.push(desk.report_slip(&payer(), &spandau, order, slip).await.unwrap());
        }
        world.clock.set(SPANDAU, "2015-12-22T11:00:00Z");
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0, "slips in check wait for staff");
        for (payment, day) in told.into_iter().zip(["2015-12-21", "2015-12-20"]) {
            desk.confirm_slip(&staff(), &spandau, payment, found_on(day, eur(4_000))).await.unwrap();
        }
        assert_eq!(sums(&world, late).await, (5_000, 4_000, 1_000));
        assert_eq!(sums(&world, in_time).await, (4_000, 4_000, 0));
        assert_eq!(world.status(late).await, Status::Held);
        assert_eq!(world.status(in_time).await, Status::Confirmed);
        world.audit().await;
    }

    async fn an_order_whose_price_stays_keeps_its_page(store: Store) {
        let world = world(store).await;
        world.take_in("nor24").await;
        world.clock.set("nor24", "2024-05-30T10:00:00Z");
        let free = enter(&world, "nor24", "elite", "Fri").await;
        assert_eq!(free.status, Status::Confirmed);
        world.take_in("bcn19").await;
        let order = enter(&world, SITGES, "A", "Canvia").await;
        world.clock.set("nor24", "2024-06-02T10:00:00Z");
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0);
        assert_eq!(world.view(order.order).await.payments, []);
        world.audit().await;
    }
}
