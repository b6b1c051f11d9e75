//! Money that finds no seat and waits for one: the line is in the order of the money, a seat that comes free is the first's at
//! once, and who never gets one has everything back.

use domain::{Cause, OrderId, PaymentKind, RefundCause, Slug, Status, UtcTime};
use registration::{Cancel, Confirmation, NewEntry, Publish, Slip};
use store::{Store, entries};

use crate::repriced::tamper;
use crate::world::{
    World, case_file, entry, eur, id, in_full, order, payer, plain_player, player, session, staff,
    take_in,
};

/// 220 seats by the order of the money, here fewer; 50 by transfer, here by card too.
const RHINE: &str = "rmo15";
const EVE: &str = "2015-06-03T10:00:00Z";
const PLAY: &str = "2015-06-04T13:00:00Z";

/// The regulation with so many seats, and these changes.
fn text(seats: u32, changes: &[(&str, &str)]) -> String {
    let seats = format!("seats   = {seats}\n");
    let usual = [
        ("seats   = 220\n", seats.as_str()),
        ("[\"transfer\"]", "[\"card\", \"transfer\"]"),
    ];
    let changes = usual.iter().chain(changes);
    changes.fold(case_file(RHINE), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

async fn world(store: Store, seats: u32, changes: &[(&str, &str)]) -> World {
    let world = World::new(store).await;
    take_in(&world.desk, &text(seats, changes)).await;
    world.clock.set(RHINE, "2015-05-01T10:00:00Z");
    world
}

async fn enter_all(world: &World, entries: Vec<NewEntry>) -> OrderId {
    let mut asked = order(RHINE, entries);
    asked.payer.consents.clear();
    world.desk.register(&payer(), asked).await.unwrap().order
}

async fn enter(world: &World, name: &str) -> OrderId {
    enter_all(world, vec![entry(Some("open"), player(name))]).await
}

/// What is due came to the account on this day of May.
async fn pays(world: &World, order: OrderId, day: i8) -> Status {
    let (desk, rhine) = (&world.desk, id(RHINE));
    world.clock.set(RHINE, "2015-05-20T10:00:00Z");
    let amount = eur(world.view(order).await.due);
    let slip = Slip {
        method: PaymentKind::Transfer,
        number: format!("{order}-{}", amount.amount),
        date: None,
        amount,
    };
    let payment = desk
        .report_slip(&payer(), &rhine, order, slip)
        .await
        .unwrap();
    let found = Confirmation {
        received_on: Some(jiff::civil::date(2015, 5, day)),
        ..in_full(amount)
    };
    desk.confirm_slip(&staff(), &rhine, payment, found)
        .await
        .unwrap();
    world.status(order).await
}

async fn leaves(world: &World, order: OrderId) {
    let ask = Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    };
    let rhine = id(RHINE);
    world
        .desk
        .cancel(&payer(), &rhine, order, ask)
        .await
        .unwrap();
}

async fn place(world: &World, order: OrderId) -> Option<usize> {
    world.view(order).await.entries[0].waiting_position
}

/// What came in, went back and is kept, and why and by which rule it went.
async fn back(world: &World, order: OrderId) -> (i64, i64, i64, RefundCause, String) {
    let view = world.view(order).await;
    let refund = view.refunds.last().expect("something goes back");
    (
        view.paid,
        view.refunded,
        view.kept,
        refund.cause,
        refund.rule.clone(),
    )
}

fn whole() -> (i64, i64, i64, RefundCause, String) {
    (5_000, 5_000, 0, RefundCause::NoSeat, "no_seat".into())
}

store::both! {
    /// RMO15-02: registered first and paid last, with another who registered later and paid before.
    async fn the_line_is_in_the_order_of_the_money_and_not_of_the_form(store: Store) {
        let world = world(store, 2, &[]).await;
        let first = enter(&world, "Zuerst").await;
        let mut others = Vec::new();
        for name in ["Eins", "Zwei", "Drei", "Vier"] {
            others.push(enter(&world, name).await);
        }
        let paid = [pays(&world, others[3], 2).await, pays(&world, others[0], 3).await];
        assert_eq!(paid, [Status::Confirmed, Status::Confirmed]);
        assert_eq!(pays(&world, first, 12).await, Status::Waitlisted);
        // Staff come to this one later, but its money was there before.
        assert_eq!(pays(&world, others[2], 11).await, Status::Waitlisted);
        assert_eq!(pays(&world, others[1], 11).await, Status::Waitlisted, "on the same day, the form counts");
        let line = [others[1], others[2], first];
        for (order, number) in line.into_iter().zip(1..) {
            assert_eq!(place(&world, order).await, Some(number));
        }
        let view = world.view(first).await;
        assert_eq!((view.paid, view.due, view.payable, view.hold_until), (5_000, 0, false, None));
        assert!(view.entries[0].waiting_since.is_some());
        let late = enter(&world, "Zahlt Nie").await;
        assert_eq!(world.status(late).await, Status::Held, "it is by paying that one gets in line");
        for (leaver, next) in [(others[3], others[1]), (others[0], others[2]), (others[1], first)] {
            leaves(&world, leaver).await;
            assert_eq!(world.status(next).await, Status::Confirmed);
        }
        assert_eq!(world.view(first).await.entries[0].waiting_since, None);
        leaves(&world, first).await;
        assert_eq!(world.status(late).await, Status::Held, "nobody unpaid is given a seat");
        world.audit().await;
    }

    /// RMO15-01: the money was there, and no seat ever was.
    async fn who_is_never_called_has_everything_back_when_play_begins(store: Store) {
        let world = world(store, 1, &[]).await;
        let (seated, waits, by_card) =
            (enter(&world, "Sitzt").await, enter(&world, "Wartet").await, enter(&world, "Karte").await);
        pays(&world, seated, 1).await;
        pays(&world, waits, 1).await;
        world.pay(RHINE, by_card).await;
        assert_eq!(place(&world, by_card).await, Some(2));
        world.clock.set(RHINE, EVE);
        assert_eq!(world.desk.step_unseated().await.unwrap(), 0);
        world.clock.set(RHINE, PLAY);
        assert_eq!(world.desk.step_unseated().await.unwrap(), 2);
        assert_eq!(world.desk.step_unseated().await.unwrap(), 0);
        for order in [waits, by_card] {
            assert_eq!(world.status(order).await, Status::CancelledByOrganiser);
            assert_eq!(back(&world, order).await, whole());
        }
        assert_eq!(world.status(seated).await, Status::Confirmed);
        world.desk.step_refunds().await.unwrap();
        world.audit().await;
    }

    async fn money_that_comes_once_play_has_begun_waits_for_nothing(store: Store) {
        let world = world(store, 1, &[]).await;
        let (seated, late) = (enter(&world, "Sitzt").await, enter(&world, "Spät").await);
        pays(&world, seated, 1).await;
        let slip = Slip { method: PaymentKind::Transfer, number: "L-1".into(), date: None, amount: eur(5_000) };
        let payment = world.desk.report_slip(&payer(), &id(RHINE), late, slip).await.unwrap();
        world.clock.set(RHINE, PLAY);
        world.desk.confirm_slip(&staff(), &id(RHINE), payment, in_full(eur(5_000))).await.unwrap();
        assert_eq!(back(&world, late).await, whole());
        world.audit().await;
    }

    async fn who_leaves_the_line_has_everything_back_whatever_the_clause(store: Store) {
        let clause = ("[section.open]", "[refund]\n[[refund.tier]]\nid = \"half\"\nrequested = { until_start = \"1d\" }\nkeep = { percent = 50 }\n[section.open]");
        let world = world(store, 1, &[clause]).await;
        let (seated, waits) = (enter(&world, "Sitzt").await, enter(&world, "Wartet").await);
        pays(&world, seated, 1).await;
        pays(&world, waits, 1).await;
        leaves(&world, waits).await;
        assert_eq!(world.status(waits).await, Status::CancelledByPlayer);
        assert_eq!(back(&world, waits).await, whole());
        leaves(&world, seated).await;
        let (_, refunded, kept, cause, _) = back(&world, seated).await;
        assert_eq!((refunded, kept, cause), (2_500, 2_500, RefundCause::Player));
        world.audit().await;
    }

    async fn an_order_waits_as_a_whole_and_who_fits_is_seated_before_it(store: Store) {
        let world = world(store, 2, &[]).await;
        let seated = [enter(&world, "Eins").await, enter(&world, "Zwei").await];
        for order in seated {
            pays(&world, order, 1).await;
        }
        let two = ["Anna", "Berta"].map(|name| entry(Some("open"), player(name)));
        let pair = enter_all(&world, two.into()).await;
        let single = enter(&world, "Allein").await;
        pays(&world, pair, 2).await;
        pays(&world, single, 3).await;
        assert_eq!(place(&world, single).await, Some(3));
        leaves(&world, seated[0]).await;
        assert_eq!(world.status(pair).await, Status::Waitlisted);
        assert_eq!(world.status(single).await, Status::Confirmed);
        // One of the two does with one seat.
        leaves(&world, seated[1]).await;
        assert_eq!(world.status(pair).await, Status::Waitlisted);
        let one = vec![world.view(pair).await.entries[0].entry];
        let ask = Cancel { entries: one, cause: Cause::CancelByPlayer, credit: false };
        world.desk.cancel(&payer(), &id(RHINE), pair, ask).await.unwrap();
        assert_eq!(world.view(pair).await.entries[1].status, Status::Confirmed);
        world.audit().await;
    }

    async fn approval_after_the_payment_comes_with_the_seat(store: Store) {
        let approval = ("when_full", "approval = \"after payment\"\nwhen_full");
        let world = world(store, 1, &[approval]).await;
        let (seated, waits) = (enter(&world, "Sitzt").await, enter(&world, "Wartet").await);
        assert_eq!(pays(&world, seated, 1).await, Status::PendingApproval);
        assert_eq!(pays(&world, waits, 1).await, Status::Waitlisted);
        leaves(&world, seated).await;
        assert_eq!(world.status(waits).await, Status::PendingApproval);
        world.audit().await;
    }

    async fn what_costs_nothing_is_in_line_by_its_form(store: Store) {
        let free = ("[[fees.row]]", "[[fees.row]]\nid = \"gm\"\nwhen = { title = \"GM\" }\namount = 0\n[[fees.row]]");
        let world = world(store, 1, &[free]).await;
        let seated = enter(&world, "Sitzt").await;
        pays(&world, seated, 1).await;
        world.clock.set(RHINE, "2015-05-10T10:00:00Z");
        let mut master = plain_player("Meister");
        master.title = Some("GM".parse().unwrap());
        let mut asked = order(RHINE, vec![entry(Some("open"), domain::Entrant::Player(master))]);
        asked.payer.consents.clear();
        let free = world.desk.register(&staff(), asked).await.unwrap();
        assert_eq!((free.status, free.total), (Status::Waitlisted, 0));
        let (before, after) = (enter(&world, "Vorher").await, enter(&world, "Nachher").await);
        pays(&world, after, 15).await;
        pays(&world, before, 9).await;
        let places = [place(&world, before).await, place(&world, free.order).await, place(&world, after).await];
        assert_eq!(places, [Some(1), Some(2), Some(3)]);
        world.audit().await;
    }

    async fn whose_price_rises_in_line_pays_the_rest_and_keeps_the_place(store: Store) {
        let dearer = [
            ("when_full", "organiser_may = [\"place\"]\nwhen_full"),
            ("[section.open]", "[section.main]\nname = \"Main\"\n[section.open]"),
            ("amount  = 50 ", "amount  = { open = 50, main = 60 } "),
        ];
        let world = world(store, 1, &dearer).await;
        let [seated, waits, behind] = [enter(&world, "Sitzt").await, enter(&world, "Wartet").await, enter(&world, "Dahinter").await];
        for (order, day) in [(seated, 1), (waits, 2), (behind, 3)] {
            pays(&world, order, day).await;
        }
        let moved = world.view(waits).await.entries[0].entry;
        world.desk.place(&staff(), &id(RHINE), moved, "main".parse().unwrap()).await.unwrap();
        let view = world.view(waits).await;
        assert_eq!((view.status, view.due, view.payable), (Status::Waitlisted, 1_000, true));
        leaves(&world, seated).await;
        assert_eq!(world.status(waits).await, Status::Waitlisted, "a part of the price gets no seat");
        assert_eq!(world.status(behind).await, Status::Confirmed);
        assert_eq!(pays(&world, waits, 20).await, Status::Waitlisted);
        assert_eq!(world.view(waits).await.entries[0].waiting_since.unwrap().to_string(), "2015-05-01T22:00:00Z");
        leaves(&world, behind).await;
        assert_eq!(world.status(waits).await, Status::Confirmed);
        world.audit().await;
    }

    async fn no_page_is_opened_for_a_seat_that_is_not_there(store: Store) {
        let world = world(store, 1, &[("when_full = \"wait\" ", "")]).await;
        let (first, second) = (enter(&world, "Una").await, enter(&world, "Dues").await);
        world.pay(RHINE, first).await;
        assert_eq!(world.status(first).await, Status::Confirmed);
        let (desk, rhine) = (&world.desk, id(RHINE));
        let opened = desk.open_payment(&payer(), &rhine, second, session()).await.unwrap_err();
        assert_eq!((opened.slug, &*opened.fields[0].rule), (Slug::Raced, "section_full"));
        leaves(&world, first).await;
        world.pay(RHINE, second).await;
        assert_eq!(world.status(second).await, Status::Confirmed);
        world.audit().await;
    }

    async fn two_payments_for_the_last_seat_seat_one_and_the_other_waits(store: Store) {
        let world = std::sync::Arc::new(world(store, 1, &[]).await);
        let mut pages = Vec::new();
        let orders = [enter(&world, "Hans").await, enter(&world, "Grete").await];
        for order in orders {
            world.open_payment(RHINE, order).await;
            let page = world.reference(order).await;
            world.control().pay(&page, "4242424242424242").unwrap();
            pages.push(page);
        }
        let looks = pages.into_iter().map(|page| {
            let world = world.clone();
            tokio::spawn(async move { world.look(&page).await })
        });
        for look in looks.collect::<Vec<_>>() {
            look.await.unwrap();
        }
        let mut stand = [world.status(orders[0]).await, world.status(orders[1]).await];
        stand.sort();
        assert_eq!(stand, [Status::Waitlisted, Status::Confirmed]);
        for order in orders {
            let view = world.view(order).await;
            assert_eq!((view.paid, view.refunded), (5_000, 0));
        }
        world.audit().await;
    }

    async fn the_audit_finds_money_that_waits_where_it_may_not_and_a_line_of_those_who_have_a_seat(store: Store) {
        let world = world(store, 1, &[]).await;
        let (seated, waits) = (enter(&world, "Sitzt").await, enter(&world, "Wartet").await);
        pays(&world, seated, 1).await;
        pays(&world, waits, 1).await;
        let since = async |order: OrderId, since: Option<UtcTime>| {
            let entry = world.view(order).await.entries[0].entry;
            tamper(&world, RHINE, move |change| {
                let mut row = entries::find(change.conn()?, entry)?.unwrap();
                row.waiting_since = since;
                change.save_entry(&row, row.status)
            })
            .await;
            world.findings(order).await
        };
        let told = since(waits, None).await;
        assert_eq!(told, ["form 2 waits with its money, and has no place in line"]);
        let told = since(seated, Some(world.desk.clock().wall())).await;
        assert_eq!(told, ["form 1 is confirmed, and stands in the line of those who have paid"]);
    }

    async fn who_entered_before_money_could_wait_waits_too(store: Store) {
        let world = world(store, 1, &[("when_full = \"wait\" ", "")]).await;
        let [seated, early, waits] = [enter(&world, "Sitzt").await, enter(&world, "Früh").await, enter(&world, "Wartet").await];
        pays(&world, seated, 1).await;
        pays(&world, early, 1).await;
        assert_eq!(back(&world, early).await, whole());
        let asked = Publish { source: text(1, &[]), replaces: 1 };
        world.desk.publish(&staff(), &id(RHINE), asked).await.unwrap();
        assert_eq!(pays(&world, waits, 2).await, Status::Waitlisted);
        world.audit().await;
    }

    async fn money_that_waits_cannot_be_told_to_go(store: Store) {
        let world = world(store, 1, &[]).await;
        let (seated, waits) = (enter(&world, "Sitzt").await, enter(&world, "Wartet").await);
        pays(&world, seated, 1).await;
        let gone = text(1, &[("when_full = \"wait\"", "when_full = \"give back\"")]);
        let (by, rhine) = (staff(), id(RHINE));
        let preview = async || world.desk.preview(&by, &rhine, gone.clone(), |_, _| {}).await.unwrap();
        let told = preview().await;
        assert!(told.obstacles.is_empty());
        pays(&world, waits, 1).await;
        let told = preview().await;
        let told: Vec<_> = told.obstacles.iter().map(|one| (&*one.at, one.rule)).collect();
        assert_eq!(told, [("entry.when_full", "money_waits")]);
    }
}
