//! Seats: strict order of the form, never one more than there are, and what happens to those who wait.

use std::collections::BTreeSet;

use domain::{Cause, Event, Slug, Status};
use registration::Cancel;
use store::Store;

use crate::world::{
    BARCELONA, LLOBREGAT, World, entry, eur, id, payer, plain_player, player, slug, staff,
};

fn leave() -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    }
}

store::both! {
    async fn a_rush_fills_the_seats_and_not_one_more(store: Store) {
        let world = std::sync::Arc::new(World::open(store, 5).await);
        let tasks: Vec<_> = (0..16)
            .map(|n| {
                let world = world.clone();
                tokio::spawn(async move { world.enter(&format!("Jugador {n}")).await })
            })
            .collect();
        let mut all = Vec::new();
        for task in tasks {
            all.push(task.await.unwrap());
        }
        all.sort_by_key(|r| r.entries[0].form_number);
        let forms: Vec<i64> = all.iter().map(|r| r.entries[0].form_number).collect();
        assert_eq!(forms, (1..=16).collect::<Vec<_>>());
        let (held, waiting) = all.split_at(5);
        assert!(held.iter().all(|r| r.status == Status::Held), "the first five forms are held");
        assert!(waiting.iter().all(|r| r.status == Status::Waitlisted));
        world.audit().await;
    }

    async fn a_seat_that_comes_free_goes_to_the_first_in_line_whose_whole_order_fits(store: Store) {
        let world = World::open(store, 2).await;
        let first = world.enter("Primer").await;
        world.enter("Segon").await;
        let pair = vec![entry(Some("A"), player("Parella U")), entry(Some("A"), player("Parella Dos"))];
        let pair = world.register(BARCELONA, pair).await.unwrap();
        let single = world.enter("Quart").await;
        assert_eq!((pair.status, single.status), (Status::Waitlisted, Status::Waitlisted));
        assert_eq!(world.view(single.order).await.entries[0].waiting_position, Some(3));
        world.desk.cancel(&payer(), &id(BARCELONA), first.order, leave()).await.unwrap();
        assert_eq!(world.status(pair.order).await, Status::Waitlisted, "two do not fit in one seat");
        assert_eq!(world.status(single.order).await, Status::Held);
        // Whoever comes now does not overtake the pair when two seats come free.
        world.desk.open_tournament(&staff(), &id(BARCELONA), 4).await.unwrap();
        assert_eq!(world.status(pair.order).await, Status::Held);
        assert_eq!(world.enter("Tardana").await.status, Status::Waitlisted);
        world.audit().await;
    }

    async fn a_place_in_line_is_counted_alike_from_both_ends(store: Store) {
        let world = World::open(store, 1).await;
        world.enter("Seient").await;
        let mut line = Vec::new();
        for n in 0..9 {
            let section = if n % 3 == 2 { "B" } else { "A" };
            let one = vec![entry(Some(section), player(&format!("Espera {n}")))];
            line.push((section, world.register(BARCELONA, one).await.unwrap().order));
        }
        for leaves in [None, Some(1), Some(0), Some(3)] {
            if let Some(place) = leaves {
                let (_, order) = line.remove(place);
                world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await.unwrap();
            }
            for section in ["A", "B"] {
                let mut places = Vec::new();
                for (_, order) in line.iter().filter(|(of, _)| *of == section) {
                    places.push(world.view(*order).await.entries[0].waiting_position);
                }
                let right: Vec<_> = (1..=places.len()).map(Some).collect();
                assert_eq!(places, right, "{section} after {leaves:?}");
            }
        }
    }

    async fn the_last_offer_ends_with_the_payment_deadline(store: Store) {
        let world = World::open(store, 1).await;
        let [first, second, third] = [world.enter("U").await, world.enter("Dos").await, world.enter("Tres").await];
        world.pay(BARCELONA, first.order).await;
        world.clock.set(BARCELONA, "2026-08-20T11:59:59Z");
        world.desk.cancel(&payer(), &id(BARCELONA), first.order, leave()).await.unwrap();
        let deadline = "2026-08-20T12:00:00Z";
        let view = world.view(second.order).await;
        assert_eq!((view.status, view.hold_until), (Status::Held, Some(deadline.parse().unwrap())));
        world.clock.set(BARCELONA, deadline);
        assert_eq!(world.desk.step_expire().await.unwrap(), 1);
        assert_eq!(world.status(third.order).await, Status::Waitlisted, "nobody could pay any more");
        world.audit().await;
    }

    async fn the_same_player_enters_once_and_again_after_leaving(store: Store) {
        let world = World::open(store, 9).await;
        let first = world.register(BARCELONA, vec![entry(Some("A"), player("Pérez, Ana"))]).await.unwrap();
        let again = || world.register(BARCELONA, vec![entry(Some("B"), player("ana perez"))]);
        assert_eq!(slug(again().await), Slug::AlreadyEntered);
        world.desk.cancel(&payer(), &id(BARCELONA), first.order, leave()).await.unwrap();
        assert_eq!(again().await.unwrap().entries[0].form_number, 2, "form numbers are never used again");
        world.audit().await;
    }

    async fn a_hold_that_runs_out_frees_its_seat_and_a_payment_in_time_wins(store: Store) {
        let world = World::open(store, 2).await;
        let (unpaid, paid) = (world.enter("Sense Pagar").await, world.enter("Pagada").await);
        let waiting = world.enter("A l'espera").await;
        world.open_payment(BARCELONA, unpaid.order).await;
        world.open_payment(BARCELONA, paid.order).await;
        // Paid at the gateway, and no webhook tells.
        let reference = world.reference(paid.order).await;
        world.control().pay(&reference, "4242424242424242").unwrap();
        world.clock.set(BARCELONA, "2026-07-11T10:00:01Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(unpaid.order).await, Status::Expired);
        assert_eq!(world.status(paid.order).await, Status::Confirmed);
        assert_eq!(world.status(waiting.order).await, Status::Held);
        let page = world.reference(unpaid.order).await;
        assert!(world.control().pay(&page, "4242424242424242").is_err(), "its page is closed");
        world.audit().await;
    }

    async fn a_payment_on_its_way_keeps_the_seat_until_it_settles(store: Store) {
        let world = World::open(store, 1).await;
        let slow = world.enter("Lenta").await;
        world.open_payment(BARCELONA, slow.order).await;
        let reference = world.reference(slow.order).await;
        world.control().pay(&reference, "4999990000000015").unwrap();
        world.look(&reference).await;
        world.clock.set(BARCELONA, "2026-07-11T10:00:01Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(slow.order).await, Status::Held);
        let intent = world.view(slow.order).await.payments[0].intent.clone().unwrap();
        world.control().settle_payment(&intent, true).unwrap();
        world.look(&reference).await;
        assert_eq!(world.status(slow.order).await, Status::Confirmed);
        world.audit().await;
    }

    /// The organiser agreed a price with somebody whom an invitation would let in for nothing.
    async fn a_code_with_a_price_is_worth_that_price_and_nothing_better(store: Store) {
        let world = World::open(store, 9).await;
        for (number, rating, agreed, total) in
            [(1, 2_500, Some(2_000), 2_000), (2, 2_390, Some(2_000), 2_000), (3, 2_500, None, 0)]
        {
            let agreed_price = agreed.map(eur);
            let new = registration::NewCode { label: "gm".into(), uses: 1, agreed_price };
            let code = world.desk.issue_code(&staff(), &id(BARCELONA), new).await.unwrap();
            let mut guest = plain_player(&format!("Gran Mestre {number}"));
            guest.rating = Some(rating);
            let mut asked = entry(Some("A"), domain::Entrant::Player(guest));
            asked.code = Some(code);
            let registered = world.register(BARCELONA, vec![asked]).await.unwrap();
            assert_eq!(registered.total, total, "{rating} {agreed:?}");
        }
        world.audit().await;
    }

    async fn an_invitation_code_is_used_as_often_as_it_says(store: Store) {
        let world = std::sync::Arc::new(World::open(store, 9).await);
        let new = registration::NewCode { label: "gm-1".into(), uses: 1, agreed_price: None };
        let code = world.desk.issue_code(&staff(), &id(BARCELONA), new).await.unwrap();
        let tasks: Vec<_> = (0..6)
            .map(|n| {
                let (world, code) = (world.clone(), code.clone());
                tokio::spawn(async move {
                    let mut guest = plain_player(&format!("Gran Mestre {n}"));
                    guest.rating = Some(2_500);
                    let mut asked = entry(Some("A"), domain::Entrant::Player(guest));
                    asked.code = Some(code.to_lowercase());
                    world.register(BARCELONA, vec![asked]).await
                })
            })
            .collect();
        let (mut taken, mut refused) = (Vec::new(), BTreeSet::new());
        for task in tasks {
            match task.await.unwrap() {
                Ok(registered) => taken.push(registered),
                Err(problem) => {
                    refused.insert(problem.slug);
                }
            }
        }
        assert_eq!(taken.len(), 1);
        assert_eq!(refused, [Slug::CodeUsedUp].into());
        assert_eq!(taken[0].total, 0);
        // Its use comes back when the entry ends.
        world.desk.cancel(&payer(), &id(BARCELONA), taken[0].order, leave()).await.unwrap();
        let mut guest = plain_player("Gran Mestre 9");
        guest.rating = Some(2_500);
        let mut asked = entry(Some("A"), domain::Entrant::Player(guest));
        asked.code = Some(code.clone());
        assert!(world.register(BARCELONA, vec![asked]).await.is_ok());
        world.audit().await;
    }

    async fn sections_fill_on_their_own(store: Store) {
        let world = World::new(store).await;
        let outcome = world.register(LLOBREGAT, vec![entry(Some("B"), player("Sense Preu"))]).await;
        assert_eq!(slug(outcome), Slug::Ineligible);
        let seats = world.desk.seats(&id(LLOBREGAT)).await.unwrap();
        assert_eq!(seats[0].free, Some(220));
        world.audit().await;
    }

    async fn an_entry_without_a_section_is_placed_and_moved_for_its_difference(store: Store) {
        let world = World::open(store, 9).await;
        let loose = world.register(BARCELONA, vec![entry(None, player("On Sigui"))]).await.unwrap();
        assert_eq!(loose.status, Status::PendingApproval);
        let entry = loose.entries[0].entry;
        let placed = world.desk.place(&staff(), &id(BARCELONA), entry, "C".parse().unwrap()).await.unwrap();
        assert_eq!(placed.price.amount, 5_000);
        assert_eq!(world.desk.approve(&staff(), &id(BARCELONA), entry).await.unwrap(), Status::Held);
        world.pay(BARCELONA, loose.order).await;
        assert_eq!(world.status(loose.order).await, Status::Confirmed);
        let up = world.desk.place(&staff(), &id(BARCELONA), entry, "A".parse().unwrap()).await.unwrap();
        assert_eq!((up.price.amount, up.difference.amount), (6_000, 1_000));
        assert_eq!(world.view(loose.order).await.due, 1_000);
        world.pay(BARCELONA, loose.order).await;
        let down = world.desk.place(&staff(), &id(BARCELONA), entry, "B".parse().unwrap()).await.unwrap();
        assert_eq!(down.difference.amount, -1_000);
        world.desk.step_refunds().await.unwrap();
        let view = world.view(loose.order).await;
        assert_eq!((view.paid, view.refunded, view.due), (6_000, 1_000, 0));
        world.audit().await;
    }

    async fn an_approval_is_in_the_journal_and_is_no_offer(store: Store) {
        let world = World::open(store, 9).await;
        let pair = vec![entry(None, player("On Sigui")), entry(None, player("On Vulgui"))];
        let pair = world.register(BARCELONA, pair).await.unwrap();
        for registered in &pair.entries {
            world.desk.place(&staff(), &id(BARCELONA), registered.entry, "C".parse().unwrap()).await.unwrap();
        }
        let mut approvals = Vec::new();
        for registered in &pair.entries {
            let status = world.desk.approve(&staff(), &id(BARCELONA), registered.entry).await.unwrap();
            let rows = world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap();
            assert!(!rows.iter().any(|row| matches!(row.event, Event::OfferMade { .. })), "{rows:?}");
            let until = rows.iter().rev().find_map(|row| match row.event {
                Event::EntryApproved { entry, hold_until } if entry == registered.entry => Some(hold_until),
                _ => None,
            });
            approvals.push((status, until.expect("every approval has its row")));
        }
        let until = world.view(pair.order).await.hold_until;
        assert_eq!(approvals, [(Status::PendingApproval, None), (Status::Held, until)]);
        assert!(until.is_some());
        world.audit().await;
    }
}
