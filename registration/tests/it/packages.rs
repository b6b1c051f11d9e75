//! Prices for one person's entries in several sections, in one order and in several.

use domain::{Cause, Entrant, FactName, LineKind, OrderId, Slug, Status};
use registration::{Cancel, Registered};
use store::Store;

use crate::world::{World, entry, id, order, payer, plain_player, slug, staff, take_in};

/// Classic 60, rapid 40, blitz 30; rapid and blitz 60, for juniors the second at half price; all three 80.
const FESTIVAL: &str = "packages";

fn festival() -> String {
    let file = "../rules/tests/fixtures/packages.toml";
    let file = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).unwrap()
}

async fn world(store: Store) -> World {
    let world = World::new(store).await;
    take_in(&world.desk, &festival()).await;
    world.clock.set(FESTIVAL, "2026-06-01T10:00:00Z");
    world
}

/// Ana, and what is different in this entry.
fn ana(change: impl Fn(&mut domain::Player)) -> Entrant {
    let mut ana = plain_player("Ana Alfil");
    change(&mut ana);
    Entrant::Player(ana)
}

async fn enter(world: &World, sections: &[&str], who: &Entrant) -> Registered {
    let entries = sections.iter().map(|s| entry(Some(s), who.clone()));
    let mut asked = order(FESTIVAL, entries.collect());
    asked.payer.consents.clear();
    world.desk.register(&payer(), asked).await.unwrap()
}

async fn leave(world: &World, order: &Registered, which: usize, cause: Cause) -> (i64, i64) {
    let entries = vec![order.entries[which].entry];
    let ask = Cancel {
        entries,
        cause,
        credit: false,
    };
    let festival = id(FESTIVAL);
    let said = world
        .desk
        .preview_cancellation(&payer(), &festival, order.order, ask.clone())
        .await
        .unwrap();
    let done = world
        .desk
        .cancel(&staff(), &festival, order.order, ask)
        .await
        .unwrap();
    assert_eq!(said, done);
    (done.refund, done.kept)
}

/// Total, what is due, and what each entry costs.
async fn sums(world: &World, order: OrderId) -> (i64, i64, Vec<i64>) {
    let view = world.view(order).await;
    let prices = view.entries.iter().map(|entry| entry.price);
    (view.total, view.due, prices.collect())
}

fn prices(order: &Registered) -> Vec<i64> {
    order.entries.iter().map(|entry| entry.price).collect()
}

store::both! {
    async fn entries_of_one_order_cost_the_package(store: Store) {
        let world = world(store).await;
        let who = ana(|_| {});
        let both = enter(&world, &["rapid", "blitz"], &who).await;
        assert_eq!(prices(&both), [4_000, 2_000]);
        world.pay(FESTIVAL, both.order).await;
        assert_eq!(world.status(both.order).await, Status::Confirmed);
        // A section is entered once.
        let mut again = order(FESTIVAL, vec![entry(Some("blitz"), who)]);
        again.payer.consents.clear();
        assert_eq!(slug(world.desk.register(&payer(), again).await), Slug::Ineligible);
        let other = enter(&world, &["classic", "rapid", "blitz"], &ana(|p| p.name = Some("Eva Torre".into()))).await;
        assert_eq!((other.total, prices(&other)), (8_000, vec![6_000, 2_000, 0]));
        world.audit().await;
    }

    async fn who_leaves_with_two_of_three_at_once_leaves_the_single_price_of_the_third(store: Store) {
        let world = world(store).await;
        let single = |section: &str| match section {
            "classic" => 6_000,
            "rapid" => 4_000,
            _ => 3_000,
        };
        let orders = [["rapid", "blitz", "classic"], ["classic", "blitz", "rapid"], ["classic", "rapid", "blitz"]];
        for (round, sections) in orders.into_iter().enumerate() {
            for stays in 0..3 {
                for pays in [true, false] {
                    let who = ana(|p| p.name = Some(format!("Ana {} {} {pays}", ["Pi", "Om", "Ro"][round], ["Una", "Dues", "Tres"][stays])));
                    let all = enter(&world, &sections, &who).await;
                    assert_eq!(all.total, 8_000);
                    if pays {
                        world.pay(FESTIVAL, all.order).await;
                    }
                    let gone = (0..3).filter(|place| *place != stays);
                    let ask = Cancel {
                        entries: gone.map(|place| all.entries[place].entry).collect(),
                        cause: Cause::CancelByPlayer,
                        credit: false,
                    };
                    let said = world.desk.preview_cancellation(&payer(), &id(FESTIVAL), all.order, ask.clone()).await.unwrap();
                    let done = world.desk.cancel(&payer(), &id(FESTIVAL), all.order, ask).await.unwrap();
                    assert_eq!(said, done);
                    let (what, rest) = ((sections, stays, pays), single(sections[stays]));
                    let basis: i64 = done.entries.iter().map(|left| left.paid).sum();
                    assert_eq!(basis, if pays { 8_000 - rest } else { 0 }, "{what:?}");
                    let (total, due, prices) = sums(&world, all.order).await;
                    assert_eq!((total, prices[stays], due), (rest, rest, if pays { 0 } else { rest }), "{what:?}");
                }
            }
        }
        world.audit().await;
    }

    async fn a_package_is_not_earned_with_an_order_that_nobody_pays(store: Store) {
        let world = world(store).await;
        let who = ana(|_| {});
        let rapid = enter(&world, &["rapid"], &who).await;
        world.open_payment(FESTIVAL, rapid.order).await;
        let page = world.reference(rapid.order).await;
        let blitz = enter(&world, &["blitz"], &who).await;
        assert_eq!(blitz.total, 2_000);
        world.pay(FESTIVAL, blitz.order).await;
        let day = "2026-06-04T10:00:01Z";
        world.clock.set(FESTIVAL, day);
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(rapid.order).await, Status::Expired);
        let view = world.view(blitz.order).await;
        assert_eq!((view.status, view.total, view.due), (Status::Confirmed, 3_000, 1_000));
        world.audit().await;
        world.pay(FESTIVAL, blitz.order).await;
        // Late money brings the other side back, and what was too much comes back.
        world.paid(&page, 4_000).await;
        assert_eq!(world.status(rapid.order).await, Status::Confirmed);
        let view = world.view(blitz.order).await;
        assert_eq!((view.total, view.paid, view.refunded, view.due), (2_000, 3_000, 1_000, 0));
        world.audit().await;
    }

    async fn who_cancels_what_was_never_paid_lets_the_other_order_be_asked(store: Store) {
        let world = world(store).await;
        let who = ana(|_| {});
        let orders = [enter(&world, &["rapid"], &who).await, enter(&world, &["blitz"], &who).await, enter(&world, &["classic"], &who).await];
        assert_eq!(orders.iter().map(|order| order.total).collect::<Vec<_>>(), [4_000, 2_000, 2_000]);
        world.pay(FESTIVAL, orders[2].order).await;
        for order in &orders[..2] {
            assert_eq!(leave(&world, order, 0, Cause::CancelByPlayer).await, (0, 0));
        }
        let view = world.view(orders[2].order).await;
        assert_eq!((view.status, view.total, view.paid, view.due), (Status::Confirmed, 6_000, 2_000, 4_000));
        world.audit().await;
    }

    async fn a_second_order_pays_the_difference_and_a_third_what_is_left_of_all(store: Store) {
        let world = world(store).await;
        let rapid = enter(&world, &["rapid"], &ana(|_| {})).await;
        world.pay(FESTIVAL, rapid.order).await;
        let regulation = world.desk.regulation(&id(FESTIVAL)).unwrap();
        let question = domain::QuoteRequest {
            paid_at: None, received_at: None, currency: None, taken: domain::Taken::new(), others: domain::Others::default(),
            at: world.desk.clock().desk(&id(FESTIVAL)),
            entries: vec![entry(Some("blitz"), ana(|_| {})).request],
            standing: Vec::new(),
        };
        let question = world.desk.with_standing(&regulation, question).await.unwrap();
        let quote = rules::quote(&regulation, &question);
        let line = quote.lines.iter().find(|line| line.kind == LineKind::Promotion).unwrap();
        assert_eq!((quote.total, line.amount, line.with), (2_000, -1_000, Some(rapid.entries[0].entry)));
        let blitz = enter(&world, &["blitz"], &ana(|_| {})).await;
        assert_eq!(blitz.total, 2_000);
        let classic = enter(&world, &["classic"], &ana(|_| {})).await;
        assert_eq!(classic.total, 2_000);
        world.audit().await;
    }

    async fn a_person_is_known_by_the_number_or_by_the_name(store: Store) {
        let world = world(store).await;
        let numbered = |name: &str, fide: u32| {
            let name = name.to_owned();
            ana(move |p| (p.name, p.fide_id) = (Some(name.clone()), Some(fide)))
        };
        enter(&world, &["rapid"], &numbered("Ana Alfil", 100)).await;
        let same_name = enter(&world, &["blitz"], &ana(|p| p.name = Some("ALFIL, Ana".into()))).await;
        assert_eq!(same_name.total, 2_000);
        leave(&world, &same_name, 0, Cause::CancelByPlayer).await;
        let same_number = enter(&world, &["blitz"], &numbered("Ana Alfil Gambit", 100)).await;
        assert_eq!(same_number.total, 2_000);
        leave(&world, &same_number, 0, Cause::CancelByPlayer).await;
        let another = enter(&world, &["blitz"], &numbered("Ana Alfil", 101)).await;
        assert_eq!(another.total, 3_000);
        world.audit().await;
    }

    async fn who_leaves_gets_back_what_was_paid_less_what_the_rest_costs(store: Store) {
        let world = world(store).await;
        let both = enter(&world, &["rapid", "blitz"], &ana(|_| {})).await;
        world.pay(FESTIVAL, both.order).await;
        // 60 were paid, blitz alone costs 30.
        assert_eq!(leave(&world, &both, 0, Cause::CancelByPlayer).await, (3_000, 0));
        assert_eq!(sums(&world, both.order).await, (3_000, 0, vec![4_000, 3_000]));
        world.audit().await;
    }

    async fn in_orders_of_their_own_who_leaves_bears_the_difference_and_the_organiser_does_not_take_it(store: Store) {
        let world = world(store).await;
        let mut left = Vec::new();
        for (who, cause) in [("Ana", Cause::CancelByPlayer), ("Eva", Cause::CancelByOrganiser)] {
            let who = ana(|p| p.name = Some(who.into()));
            let rapid = enter(&world, &["rapid"], &who).await;
            let rest = enter(&world, &["blitz", "classic"], &who).await;
            assert_eq!(prices(&rest), [2_000, 2_000]);
            world.pay(FESTIVAL, rapid.order).await;
            world.pay(FESTIVAL, rest.order).await;
            left.push(leave(&world, &rapid, 0, cause).await);
            assert_eq!(sums(&world, rest.order).await, (4_000, 0, vec![2_000, 2_000]));
            world.audit().await;
        }
        // Without rapid the other two cost 90; 80 were paid in all.
        assert_eq!(left, [(0, 4_000), (4_000, 0)]);
    }

    async fn two_orders_at_once_come_in_one_after_the_other(store: Store) {
        let world = world(store).await;
        let (ana, eva) = (ana(|_| {}), ana(|p| p.name = Some("Eva Torre".into())));
        let orders = tokio::join!(
            enter(&world, &["rapid"], &ana),
            enter(&world, &["blitz"], &eva),
            enter(&world, &["blitz"], &ana),
            enter(&world, &["rapid"], &eva),
        );
        assert_eq!((orders.0.total + orders.2.total, orders.1.total + orders.3.total), (6_000, 6_000));
        world.audit().await;
    }

    async fn a_fact_found_wrong_takes_the_package_away_and_upheld_gives_it_back(store: Store) {
        let world = world(store).await;
        let junior = ana(|p| p.birth_date = "2010-01-01".parse().unwrap());
        enter(&world, &["rapid"], &junior).await;
        let blitz = enter(&world, &["blitz"], &junior).await;
        assert_eq!(blitz.total, 1_500);
        assert_eq!(world.view(blitz.order).await.entries[0].to_check, [FactName::BirthDate]);
        world.pay(FESTIVAL, blitz.order).await;
        let (desk, by, festival) = (&world.desk, staff(), id(FESTIVAL));
        let which = blitz.entries[0].entry;
        let born = Some("1990-01-01".to_owned());
        desk.check_fact(&by, &festival, which, FactName::BirthDate, false, born).await.unwrap();
        // An adult's package of rapid and blitz.
        assert_eq!(sums(&world, blitz.order).await, (2_000, 500, vec![2_000]));
        desk.check_fact(&by, &festival, which, FactName::BirthDate, true, None).await.unwrap();
        assert_eq!(sums(&world, blitz.order).await, (1_500, 0, vec![1_500]));
        world.audit().await;
    }

    async fn who_moves_to_another_section_pays_its_single_price(store: Store) {
        let world = world(store).await;
        let rapid = enter(&world, &["rapid"], &ana(|_| {})).await;
        let blitz = enter(&world, &["blitz"], &ana(|_| {})).await;
        let moved = world.desk.place(&staff(), &id(FESTIVAL), blitz.entries[0].entry, "classic".parse().unwrap()).await.unwrap();
        assert_eq!(moved.price.amount, 6_000);
        assert_eq!(world.view(rapid.order).await.total, 4_000);
        let again = enter(&world, &["blitz"], &ana(|_| {})).await;
        assert_eq!(again.total, 0, "100 of 80 are agreed already");
        assert_eq!(world.status(again.order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn what_goes_by_the_payment_in_another_section_leaves_a_package_as_it_is(store: Store) {
        let world = World::new(store).await;
        let simul = "[section.simul]\nname = \"Simul\"\n[fees]\n[[fees.row]]\nid = \"simul\"\namount = { simul = 20 }\n[[adjust]]\nid = \"late\"\nwhen = { paid = { from = 2026-07-01 } }\namount = { simul = 5 }\n";
        take_in(&world.desk, &festival().replacen("[fees]\n", simul, 1)).await;
        world.clock.set(FESTIVAL, "2026-06-29T10:00:00Z");
        let three = enter(&world, &["rapid", "blitz", "simul"], &ana(|_| {})).await;
        assert_eq!(prices(&three), [4_000, 2_000, 2_000]);
        world.clock.set(FESTIVAL, "2026-07-01T10:00:00Z");
        world.desk.step_reprice().await.unwrap();
        assert_eq!(sums(&world, three.order).await, (8_500, 8_500, vec![4_000, 2_000, 2_500]));
        world.audit().await;
    }

    async fn a_version_that_brings_packages_finds_who_stands(store: Store) {
        let world = World::new(store).await;
        let whole = festival();
        let (before, rest) = whole.split_once("[[promotion]]").unwrap();
        let (_, refund) = rest.split_once("[refund]").unwrap();
        take_in(&world.desk, &format!("{before}[refund]{refund}")).await;
        world.clock.set(FESTIVAL, "2026-06-01T10:00:00Z");
        let rapid = enter(&world, &["rapid"], &ana(|_| {})).await;
        world.pay(FESTIVAL, rapid.order).await;
        let publish = registration::Publish { source: whole.clone(), replaces: 1 };
        world.desk.publish(&staff(), &id(FESTIVAL), publish).await.unwrap();
        let blitz = enter(&world, &["blitz"], &ana(|_| {})).await;
        assert_eq!(blitz.total, 2_000);
        // The first order's version has no packages: its leaving costs it nothing.
        assert_eq!(leave(&world, &rapid, 0, Cause::CancelByPlayer).await, (4_000, 0));
        assert_eq!(sums(&world, blitz.order).await.0, 2_000);
        world.audit().await;
    }
}
