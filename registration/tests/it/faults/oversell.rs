//! More seats given than there are, shown than there are, or taken by a change that needs none.

use std::sync::Arc;

use domain::{Cause, Entrant, Slug, Status};
use registration::{NewCode, Seen, SeenState};
use store::{Settings, Store};

use super::{ACCOUNT, beside, leave};
use crate::world::{
    BARCELONA, World, entry, eur, id, order, payer, plain_player, player, slug, staff,
};

/// Free seats in each section.
async fn free(world: &World) -> Vec<Option<i64>> {
    let sections = world.desk.seats(&id(BARCELONA)).await.unwrap();
    sections.into_iter().map(|section| section.free).collect()
}

store::both! {
    /// Late money and a new form, at two desks, for the one seat.
    async fn the_last_seat_goes_to_one_of_two_whatever_their_way(settings: Settings) {
        let world = World::open(Store::open(&settings).unwrap(), 1).await;
        let there = beside(&world, &settings).await;
        for round in 0..8 {
            let late = world.enter(&format!("Tard {round}")).await.order;
            world.open_payment(BARCELONA, late).await;
            let money = Seen {
                reference: world.reference(late).await,
                intent: None,
                payment: None,
                order: None,
                key: None,
                state: SeenState::Succeeded { received: eur(6_000), charged_at: world.desk.clock().wall() },
            };
            world.clock.set(BARCELONA, "2026-07-11T10:00:01Z");
            world.desk.step_expire().await.unwrap();
            world.clock.set(BARCELONA, "2026-07-10T10:00:00Z");
            let name = format!("Nova {round}");
            let (paid, new) = tokio::join!(there.observe_payment(ACCOUNT, money), world.enter(&name));
            paid.unwrap();
            let late_view = world.view(late).await;
            match (late_view.status, new.status) {
                (Status::Confirmed, Status::Waitlisted) => assert_eq!(late_view.refunded, 0),
                (Status::Expired, Status::Held) => assert_eq!(late_view.refunded, 6_000),
                other => panic!("{other:?}"),
            }
            world.audit().await;
            for order in [late, new.order] {
                if world.status(order).await.is_live() {
                    world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await.unwrap();
                }
            }
        }
    }

    async fn who_is_refused_leaves_no_trace(store: Store) {
        let world = World::open(store, 1).await;
        world.enter("Primera").await;
        let rows = world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap();
        let mut unlicensed = plain_player("Sense Llicencia");
        unlicensed.licences.clear();
        let mut coded = entry(Some("A"), player("Amb Codi"));
        coded.code = Some("NO-SUCH-CODE".into());
        let mut other_sum = order(BARCELONA, vec![entry(Some("A"), player("Altra Suma"))]);
        other_sum.expected = Some(eur(1));
        let one = |asked| order(BARCELONA, vec![asked]);
        for (asked, refusal) in [
            (one(entry(Some("A"), player("primera"))), Slug::AlreadyEntered),
            (one(entry(Some("A"), Entrant::Player(unlicensed))), Slug::Ineligible),
            (one(coded), Slug::InvalidFields),
            (other_sum, Slug::AmountMismatch),
        ] {
            assert_eq!(slug(world.desk.register(&payer(), asked).await), refusal);
        }
        assert_eq!(world.desk.orders(&id(BARCELONA), None, 10).await.unwrap().len(), 1);
        // Mails are made from the journal's rows: where there is no row, there is no mail.
        assert_eq!(world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap(), rows);
        world.audit().await;
    }

    async fn a_group_beyond_the_free_seats_waits_as_a_whole(store: Store) {
        let world = World::open(store, 3).await;
        let group = (1..=5).map(|n| entry(Some("A"), player(&format!("Del Grup {n}")))).collect();
        let group = world.register(BARCELONA, group).await.unwrap();
        let view = world.view(group.order).await;
        assert!(view.entries.iter().all(|e| e.status == Status::Waitlisted));
        assert_eq!((view.due, free(&world).await[0]), (group.total, Some(3)));
        assert_eq!(world.enter("Sola").await.status, Status::Held, "one fits");
        world.audit().await;
    }

    async fn sections_that_share_the_seats_show_what_can_be_taken(store: Store) {
        let world = World::open(store, 2).await;
        assert_eq!(free(&world).await, [Some(2), Some(2), Some(2)]);
        for (section, name, status, left) in [
            ("A", "Primera", Status::Held, 1),
            ("C", "Segona", Status::Held, 0),
            ("B", "Tercera", Status::Waitlisted, 0),
        ] {
            let asked = vec![entry(Some(section), player(name))];
            assert_eq!(world.register(BARCELONA, asked).await.unwrap().status, status);
            assert_eq!(free(&world).await, [Some(left), Some(left), Some(left)]);
        }
        world.audit().await;
    }

    async fn a_move_in_a_full_tournament_takes_no_second_seat(store: Store) {
        let world = World::open(store, 2).await;
        let moved = world.enter("Que Canvia").await;
        world.enter("Que Es Queda").await;
        let waiting = world.enter("Que Espera").await.order;
        for to in ["C", "B", "A"] {
            let entry = moved.entries[0].entry;
            world.desk.place(&staff(), &id(BARCELONA), entry, to.parse().unwrap()).await.unwrap();
            assert_eq!(world.status(moved.order).await, Status::Held);
            assert_eq!(world.status(waiting).await, Status::Waitlisted);
            assert_eq!(free(&world).await[0], Some(0));
        }
        world.audit().await;
    }

    async fn a_code_is_used_no_more_often_than_it_says(settings: Settings) {
        let world = Arc::new(World::open(Store::open(&settings).unwrap(), 30).await);
        let there = beside(&world, &settings).await;
        let new = NewCode { label: "gm".into(), uses: 3, agreed_price: Some(eur(2_000)) };
        let code = world.desk.issue_code(&staff(), &id(BARCELONA), new).await.unwrap();
        let tasks: Vec<_> = (0..20)
            .map(|n| {
                let desk = if n % 2 == 0 { world.desk.clone() } else { there.clone() };
                let mut asked = entry(Some("A"), player(&format!("Amb Codi {n}")));
                asked.code = Some(code.clone());
                tokio::spawn(async move { desk.register(&payer(), order(BARCELONA, vec![asked])).await })
            })
            .collect();
        let mut charged = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                Ok(registered) => charged.push(registered.total),
                Err(problem) => assert_eq!(problem.slug, Slug::CodeUsedUp),
            }
        }
        assert_eq!(charged, [2_000; 3]);
        world.audit().await;
    }

    async fn seats_that_are_held_are_not_taken_away(store: Store) {
        let world = World::open(store, 3).await;
        let held = [world.enter("Una").await, world.enter("Dues").await, world.enter("Tres").await];
        let lower = world.desk.open_tournament(&staff(), &id(BARCELONA), 2).await;
        assert_eq!(slug(lower), Slug::InvalidFields);
        for order in held.map(|h| h.order) {
            world.pay(BARCELONA, order).await;
            assert_eq!(world.status(order).await, Status::Confirmed);
        }
        let freed = world.desk.orders(&id(BARCELONA), None, 1).await.unwrap()[0].order;
        let annul = registration::Cancel { entries: Vec::new(), cause: Cause::CancelByOrganiser, credit: false };
        world.desk.cancel(&staff(), &id(BARCELONA), freed, annul).await.unwrap();
        world.desk.open_tournament(&staff(), &id(BARCELONA), 2).await.unwrap();
        assert_eq!(world.enter("Quatre").await.status, Status::Waitlisted);
        world.audit().await;
    }
}
