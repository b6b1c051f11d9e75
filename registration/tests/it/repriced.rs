//! Prices that change while money is under way: no page takes the old sum, what is paid goes on, and what buys nothing any
//! more goes back.

use domain::{Actor, Cause, OrderId, PaymentStatus, RefundCause, RefundMethod, Slug, Status};
use registration::{Cancel, Registered, StaffRefund};
use store::change::{Change, Stamp};
use store::{Ask, Lane, Store, StoreError, entries, orders};

use crate::world::{BARCELONA, World, entry, eur, id, payer, player, slug, staff, treasurer};

/// One player of section B, who pays 50.
async fn in_b(world: &World, name: &str) -> Registered {
    let asked = entry(Some("B"), player(name));
    let registered = world.register(BARCELONA, vec![asked]).await.unwrap();
    assert_eq!(registered.total, 5_000);
    registered
}

/// Two players, of sections A and B, who pay 110.
async fn pair(world: &World) -> Registered {
    let asked = [("A", "Parella U"), ("B", "Parella Dos")];
    let asked = asked.map(|(section, name)| entry(Some(section), player(name)));
    let pair = world.register(BARCELONA, asked.into()).await.unwrap();
    assert_eq!(pair.total, 11_000);
    pair
}

async fn place(world: &World, registered: &Registered, index: usize, to: &str) -> i64 {
    let entry = registered.entries[index].entry;
    let (desk, tournament) = (&world.desk, id(BARCELONA));
    let by = staff();
    let placed = desk.place(&by, &tournament, entry, to.parse().unwrap());
    placed.await.unwrap().difference.amount
}

async fn leave(world: &World, registered: &Registered, index: usize) {
    let ask = Cancel {
        entries: vec![registered.entries[index].entry],
        cause: Cause::CancelByPlayer,
        credit: false,
    };
    let (desk, order) = (&world.desk, registered.order);
    desk.cancel(&payer(), &id(BARCELONA), order, ask)
        .await
        .unwrap();
}

/// Writes to the tournament as no use case would.
pub async fn tamper(
    world: &World,
    tournament: &str,
    mut f: impl FnMut(&mut Change<'_>) -> Result<(), StoreError> + Send + 'static,
) {
    let ask = Ask::of(id(tournament));
    let stamp = Stamp {
        at: world.desk.clock().wall(),
        wall: world.desk.clock().wall(),
        actor: Actor::Operator,
        reason: String::new(),
    };
    let store = world.desk.store();
    let done = store.change(Lane::Desk, ask, stamp, move |change| f(change.unwrap()));
    done.await.unwrap();
}

async fn tamper_order(world: &World, id: OrderId, f: impl Fn(&mut orders::Order) + Send + 'static) {
    tamper(world, BARCELONA, move |change| {
        let mut row = orders::find(change.conn()?, id)?.unwrap();
        f(&mut row);
        change.save_order(&row)
    })
    .await;
}

store::both! {
    async fn a_page_that_asks_for_the_old_price_is_closed(store: Store) {
        let world = World::open(store, 9).await;
        let order = in_b(&world, "Puja").await;
        world.open_payment(BARCELONA, order.order).await;
        let page = world.reference(order.order).await;
        assert_eq!(place(&world, &order, 0, "A").await, 1_000);
        assert!(world.control().pay(&page, "4242424242424242").is_err());
        assert_eq!(world.view(order.order).await.payments[0].status, PaymentStatus::Cancelled);
        assert_eq!(world.open_payment(BARCELONA, order.order).await.amount, eur(6_000));
        world.pay(BARCELONA, order.order).await;
        assert_eq!(world.status(order.order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn a_page_of_the_same_price_stays_and_one_that_was_paid_counts(store: Store) {
        let world = World::open(store, 9).await;
        let same = in_b(&world, "Igual").await;
        world.open_payment(BARCELONA, same.order).await;
        let page = world.reference(same.order).await;
        assert_eq!(place(&world, &same, 0, "C").await, 0);
        world.control().pay(&page, "4242424242424242").unwrap();
        world.look(&page).await;
        assert_eq!(world.status(same.order).await, Status::Confirmed);

        let paid = in_b(&world, "Pagada").await;
        world.open_payment(BARCELONA, paid.order).await;
        let page = world.reference(paid.order).await;
        world.control().pay(&page, "4242424242424242").unwrap();
        place(&world, &paid, 0, "A").await;
        let view = world.view(paid.order).await;
        assert_eq!((view.status, view.paid, view.due), (Status::Confirmed, 5_000, 1_000));
        world.audit().await;
    }

    async fn while_money_is_on_its_way_nothing_is_priced_anew(store: Store) {
        let world = World::open(store, 9).await;
        let order = in_b(&world, "En Curs").await;
        world.open_payment(BARCELONA, order.order).await;
        let page = world.reference(order.order).await;
        world.control().pay(&page, "4999990000000015").unwrap();
        let entry = order.entries[0].entry;
        let moved = world.desk.place(&staff(), &id(BARCELONA), entry, "A".parse().unwrap()).await;
        assert_eq!(slug(moved), Slug::IllegalMove);
        assert_eq!(world.view(order.order).await.total, 5_000);
        world.audit().await;
    }

    async fn a_part_of_the_price_goes_back_when_the_last_seat_of_its_order_is_gone(store: Store) {
        let world = World::open(store, 1).await;
        let order = in_b(&world, "A Mitges").await;
        world.open_payment(BARCELONA, order.order).await;
        let page = world.reference(order.order).await;
        place(&world, &order, 0, "A").await;
        world.paid(&page, 5_000).await;
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.paid, view.due), (Status::Held, 5_000, 1_000));
        world.open_payment(BARCELONA, order.order).await;
        let rest = world.reference(order.order).await;
        world.clock.set(BARCELONA, "2026-07-11T10:00:01Z");
        assert_eq!(world.desk.step_expire().await.unwrap(), 1);
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.paid, view.refunded), (Status::Expired, 5_000, 5_000));
        assert_eq!((view.refunds[0].cause, view.refunds[0].method), (RefundCause::NoSeat, RefundMethod::Card));
        world.audit().await;
        // Nor does the rest, come late, buy a seat for a part of its price.
        world.paid(&rest, 1_000).await;
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.paid, view.refunded), (Status::Expired, 6_000, 6_000));
        world.audit().await;
    }

    async fn who_is_paid_goes_on_when_the_entry_that_owed_leaves(store: Store) {
        let world = World::open(store, 9).await;
        let order = pair(&world).await;
        world.open_payment(BARCELONA, order.order).await;
        let page = world.reference(order.order).await;
        place(&world, &order, 1, "A").await;
        world.paid(&page, 11_000).await;
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.due), (Status::Held, 1_000));
        leave(&world, &order, 1).await;
        let view = world.view(order.order).await;
        assert_eq!((view.entries[0].status, view.due, view.hold_until), (Status::Confirmed, 0, None));
        world.audit().await;
        world.clock.set(BARCELONA, "2026-07-11T10:00:01Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(order.order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn who_is_paid_goes_on_when_the_price_falls_to_what_was_paid(store: Store) {
        let world = World::open(store, 9).await;
        let order = in_b(&world, "Torna").await;
        world.open_payment(BARCELONA, order.order).await;
        let page = world.reference(order.order).await;
        place(&world, &order, 0, "A").await;
        world.paid(&page, 5_000).await;
        assert_eq!(world.status(order.order).await, Status::Held);
        place(&world, &order, 0, "B").await;
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.due, view.refunded), (Status::Confirmed, 0, 0));
        world.audit().await;
    }

    async fn after_a_staff_refund_a_move_there_and_back_comes_to_nothing(store: Store) {
        let world = World::open(store, 9).await;
        for (given, back) in [(1_000, 1_000), (5_500, 500), (6_000, 0)] {
            let order = world.enter(&format!("Anada {given}")).await;
            world.pay(BARCELONA, order.order).await;
            let refund = StaffRefund { amount: eur(given), method: RefundMethod::Card };
            let key = format!("r{given}");
            world.desk.refund_by_staff(&treasurer(&key), &id(BARCELONA), order.order, refund).await.unwrap();
            let before = world.view(order.order).await;
            for _ in 0..2 {
                let stood = world.view(order.order).await;
                place(&world, &order, 0, "B").await;
                let down = world.view(order.order).await;
                assert_eq!((down.refunded - stood.refunded, down.due), (back, 0), "{given}");
                place(&world, &order, 0, "A").await;
                let up = world.view(order.order).await;
                assert_eq!((up.total, up.due), (before.total, back), "{given}");
                if back > 0 {
                    world.pay(BARCELONA, order.order).await;
                }
            }
            let after = world.view(order.order).await;
            assert_eq!(after.paid - after.refunded, before.paid - before.refunded, "{given}");
            world.audit().await;
        }
    }

    async fn the_audit_finds_money_without_an_entry_prices_without_a_reason_and_holds_without_a_debt(store: Store) {
        let world = World::open(store, 9).await;
        let paid = world.enter("Pagada").await;
        world.pay(BARCELONA, paid.order).await;
        world.desk.cancel(&payer(), &id(BARCELONA), paid.order, Cancel { entries: Vec::new(), cause: Cause::CancelByPlayer, credit: false }).await.unwrap();
        assert_eq!(world.findings(paid.order).await, [] as [String; 0]);
        tamper_order(&world, paid.order, |order| order.kept = 0).await;
        let found = world.findings(paid.order).await;
        assert!(found.iter().any(|what| what.contains("6000 was paid for nothing that stands")), "{found:?}");

        let held = world.enter("Guardada").await;
        tamper_order(&world, held.order, |order| order.total = 0).await;
        let found = world.findings(held.order).await;
        assert!(found.iter().any(|what| what.contains("nothing is due")), "{found:?}");

        let more = world.enter("Apujada").await;
        tamper_order(&world, more.order, |order| order.total += 1).await;
        let found = world.findings(more.order).await;
        assert_eq!(found, ["it asks for 6001, and its entries cost 6000"]);

        let told = world.enter("Dita").await;
        tamper_order(&world, told.order, |order| order.quote.total += 1).await;
        let found = world.findings(told.order).await;
        assert!(found.iter().any(|what| what.contains("registered at 6000, its quote at 6001")), "{found:?}");

        let moved = world.enter("Moguda").await;
        let entry = moved.entries[0].entry;
        tamper(&world, BARCELONA, move |change| {
            let mut row = entries::find(change.conn()?, entry)?.unwrap();
            row.form_number += 1_000;
            change.save_entry(&row, row.status)
        })
        .await;
        let found = world.desk.audit(|_, _| {}).await.unwrap().findings;
        assert!(found.iter().any(|found| found.what.contains("the last form number is 1005, not 5")), "{found:?}");

        let priced = world.enter("Canviada").await;
        let entry = priced.entries[0].entry;
        tamper(&world, BARCELONA, move |change| {
            let mut row = entries::find(change.conn()?, entry)?.unwrap();
            row.price = 1;
            change.save_entry(&row, row.status)
        })
        .await;
        let found = world.findings(priced.order).await;
        assert!(found.iter().any(|what| what.contains("costs 1, but 6000")), "{found:?}");
    }
}
