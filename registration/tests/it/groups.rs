//! Prices that count the others of a club or of an order: who joins or leaves changes what they cost, what they paid too much comes
//! back, and what they owe is asked for.

use domain::{Cause, Event, FactName, OrderId, PaymentKind, PaymentStatus, RefundCause, Status};
use registration::{Cancel, Registered, Slip};
use store::Store;

use crate::world::{
    World, case_file, entry, eur, id, in_full, order, payer, plain_player, staff, take_in,
};

/// 30, four or more of one club 80 percent of it; by card or transfer.
const ESCHBORN: &str = "esc13";

async fn world(store: Store) -> World {
    let world = World::new(store).await;
    world.take_in(ESCHBORN).await;
    world.clock.set(ESCHBORN, "2013-09-01T10:00:00Z");
    world
}

async fn enter(world: &World, club: &str, names: &[&str]) -> Registered {
    let entries = names.iter().map(|name| {
        let mut player = plain_player(name);
        player.club = Some(club.to_owned());
        entry(Some("open"), domain::Entrant::Player(player))
    });
    let mut asked = order(ESCHBORN, entries.collect());
    asked.payer.consents.clear();
    world.desk.register(&payer(), asked).await.unwrap()
}

/// Three of one club who have each paid 30.
async fn three(world: &World) -> Vec<OrderId> {
    let mut orders = Vec::new();
    for name in ["Anna", "Berta", "Carla"] {
        let registered = enter(world, "SC Eins", &[name]).await;
        assert_eq!(registered.total, 3_000);
        world.pay(ESCHBORN, registered.order).await;
        orders.push(registered.order);
    }
    orders
}

async fn leave(world: &World, order: OrderId, entries: Vec<domain::EntryId>) {
    let ask = Cancel {
        entries,
        cause: Cause::CancelByPlayer,
        credit: false,
    };
    let (desk, eschborn) = (&world.desk, id(ESCHBORN));
    desk.cancel(&payer(), &eschborn, order, ask).await.unwrap();
}

/// Total, paid, refunded and due.
async fn sums(world: &World, order: OrderId) -> (i64, i64, i64, i64) {
    let view = world.view(order).await;
    (view.total, view.paid, view.refunded, view.due)
}

store::both! {
    async fn the_fourth_of_a_club_pays_less_and_the_others_part_comes_back(store: Store) {
        let world = world(store).await;
        let first = three(&world).await;
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0);
        // ESC13-05: 24 for the fourth, less three times 6, are 6 more in all.
        let fourth = enter(&world, "sc EINS", &["Dora"]).await;
        assert_eq!(fourth.total, 2_400);
        assert_eq!(world.desk.step_reprice().await.unwrap(), 4);
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0);
        for order in &first {
            assert_eq!(sums(&world, *order).await, (2_400, 3_000, 600, 0));
            let view = world.view(*order).await;
            assert_eq!((view.status, view.refunds[0].cause), (Status::Confirmed, RefundCause::Price));
        }
        let rows = world.desk.journal(&id(ESCHBORN), 0, 200).await.unwrap();
        let told = rows.iter().filter(|row| matches!(&row.event, Event::PriceChanged { rule, .. } if rule == "members"));
        assert_eq!(told.count(), 3, "each of the three is told");
        world.pay(ESCHBORN, fourth.order).await;
        let fifth = enter(&world, "SC Eins", &["Eva"]).await;
        assert_eq!(fifth.total, 2_400);
        assert_eq!(world.desk.step_reprice().await.unwrap(), 0, "five are as good as four");
        assert_eq!(enter(&world, "SC Zwei", &["Fina"]).await.total, 3_000);
        world.audit().await;
    }

    async fn when_one_leaves_the_others_owe_what_they_cost_without(store: Store) {
        let world = world(store).await;
        let first = three(&world).await;
        let fourth = enter(&world, "SC Eins", &["Dora"]).await;
        world.desk.step_reprice().await.unwrap();
        world.pay(ESCHBORN, fourth.order).await;
        leave(&world, first[0], Vec::new()).await;
        assert_eq!(world.desk.step_reprice().await.unwrap(), 3);
        for order in [first[1], first[2], fourth.order] {
            let view = world.view(order).await;
            assert_eq!((view.status, view.total, view.due), (Status::Confirmed, 3_000, 600));
            world.pay(ESCHBORN, order).await;
            assert_eq!(world.view(order).await.due, 0);
        }
        world.audit().await;
    }

    async fn a_page_that_asks_for_the_old_sum_is_closed_and_an_order_counts_its_own(store: Store) {
        let world = world(store).await;
        let one = enter(&world, "SC Eins", &["Anna"]).await;
        world.open_payment(ESCHBORN, one.order).await;
        let page = world.reference(one.order).await;
        let three = enter(&world, "SC Eins", &["Berta", "Carla", "Dora"]).await;
        assert_eq!(three.total, 3 * 2_400);
        world.desk.step_reprice().await.unwrap();
        assert!(world.control().pay(&page, "4242424242424242").is_err());
        assert_eq!(world.view(one.order).await.payments[0].status, PaymentStatus::Cancelled);
        assert_eq!(world.open_payment(ESCHBORN, one.order).await.amount, eur(2_400));
        world.pay(ESCHBORN, three.order).await;
        leave(&world, three.order, vec![three.entries[0].entry]).await;
        world.desk.step_reprice().await.unwrap();
        let view = world.view(three.order).await;
        assert_eq!((view.total, view.due), (6_000, 1_200), "the two who stay pay the whole price");
        assert_eq!(world.view(one.order).await.due, 3_000);
        world.audit().await;
    }

    async fn a_slip_that_was_paid_before_somebody_left_keeps_its_seat(store: Store) {
        let world = world(store).await;
        let mut orders = Vec::new();
        for name in ["Anna", "Berta", "Carla", "Dora"] {
            orders.push(enter(&world, "SC Eins", &[name]).await.order);
        }
        world.desk.step_reprice().await.unwrap();
        let (desk, eschborn) = (&world.desk, id(ESCHBORN));
        let slip = Slip { method: PaymentKind::Transfer, number: "E-1".into(), date: None, amount: eur(2_400) };
        let payment = desk.report_slip(&payer(), &eschborn, orders[0], slip).await.unwrap();
        leave(&world, orders[3], Vec::new()).await;
        world.desk.step_reprice().await.unwrap();
        assert_eq!(world.view(orders[0]).await.total, 2_400, "a slip in check is waited for");
        desk.confirm_slip(&staff(), &eschborn, payment, in_full(eur(2_400))).await.unwrap();
        assert_eq!(world.status(orders[0]).await, Status::Confirmed);
        world.desk.step_reprice().await.unwrap();
        let view = world.view(orders[0]).await;
        assert_eq!((view.status, view.total, view.due), (Status::Confirmed, 3_000, 600));
        world.clock.set(ESCHBORN, "2013-09-20T10:00:00Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(orders[0]).await, Status::Confirmed, "and stays");
        world.audit().await;
    }

    async fn a_slip_keeps_its_seat_likewise_where_the_price_goes_by_the_payment_too(store: Store) {
        let world = World::new(store).await;
        let late = "[[adjust]]\nid = \"late\"\nwhen = { paid = { from = 2013-09-20 } }\namount = 5\n";
        take_in(&world.desk, &(case_file(ESCHBORN) + late)).await;
        let (desk, eschborn) = (&world.desk, id(ESCHBORN));
        for (day, paid, total) in [("2013-09-01", 2_400, 3_000), ("2013-09-21", 2_900, 3_500)] {
            world.clock.set(ESCHBORN, &format!("{day}T10:00:00Z"));
            let mut orders = Vec::new();
            for name in ["Anna", "Berta", "Carla", "Dora"] {
                orders.push(enter(&world, day, &[&format!("{name} {day}")]).await.order);
            }
            desk.step_reprice().await.unwrap();
            let slip = Slip { method: PaymentKind::Transfer, number: day.into(), date: None, amount: eur(paid) };
            let payment = desk.report_slip(&payer(), &eschborn, orders[0], slip).await.unwrap();
            leave(&world, orders[3], Vec::new()).await;
            desk.confirm_slip(&staff(), &eschborn, payment, in_full(eur(paid))).await.unwrap();
            assert_eq!(world.status(orders[0]).await, Status::Confirmed, "{day}");
            desk.step_reprice().await.unwrap();
            let view = world.view(orders[0]).await;
            assert_eq!((view.status, view.total, view.due), (Status::Confirmed, total, 600), "{day}");
        }
        world.audit().await;
    }

    async fn a_hold_that_runs_out_counts_no_more_and_late_money_counts_again(store: Store) {
        let world = world(store).await;
        let first = three(&world).await;
        let fourth = enter(&world, "SC Eins", &["Dora"]).await;
        world.desk.step_reprice().await.unwrap();
        world.open_payment(ESCHBORN, fourth.order).await;
        let page = world.reference(fourth.order).await;
        world.clock.set(ESCHBORN, "2013-09-06T10:00:01Z");
        world.desk.step_expire().await.unwrap();
        world.desk.step_reprice().await.unwrap();
        assert_eq!(world.view(first[0]).await.due, 600);
        world.paid(&page, 2_400).await;
        world.desk.step_reprice().await.unwrap();
        assert_eq!(world.status(fourth.order).await, Status::Confirmed);
        assert_eq!(world.view(first[0]).await.due, 0);
        world.audit().await;
    }

    async fn a_club_that_staff_find_wrong_counts_for_nobody(store: Store) {
        let world = world(store).await;
        let first = three(&world).await;
        let fourth = enter(&world, "SC Eins", &["Dora"]).await;
        world.desk.step_reprice().await.unwrap();
        let entry = fourth.entries[0].entry;
        assert_eq!(world.view(fourth.order).await.entries[0].to_check, [FactName::Club]);
        let value = Some("SC Zwei".to_owned());
        let (desk, by, eschborn) = (&world.desk, staff(), id(ESCHBORN));
        desk.check_fact(&by, &eschborn, entry, FactName::Club, false, value).await.unwrap();
        assert_eq!(world.view(fourth.order).await.total, 3_000);
        world.desk.step_reprice().await.unwrap();
        assert_eq!(sums(&world, first[0]).await, (3_000, 3_000, 600, 600));
        desk.check_fact(&by, &eschborn, entry, FactName::Club, true, None).await.unwrap();
        world.desk.step_reprice().await.unwrap();
        assert_eq!(world.view(fourth.order).await.total, 2_400);
        assert_eq!(sums(&world, first[0]).await, (2_400, 3_000, 600, 0));
        world.audit().await;
    }
}
