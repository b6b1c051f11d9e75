//! Hermanos Rojas: teams, the promotion of two sections, slips that staff confirm.

use domain::{Cause, PaymentStatus, Slug, Status};
use registration::{Cancel, Registered};
use store::Store;

use crate::world::{ROJAS, World, entry, id, in_full, order, payer, pen, slip, slug, staff, team};

const FOUR: [&str; 4] = ["Ana", "Beto", "Carla", "Dino"];
const THREE: [&str; 4] = ["Ana", "Beto", "Carla", "Fito"];

async fn enter(
    world: &World,
    sections: &[(&str, [&str; 4])],
    slip_number: &str,
    amount: i64,
) -> Registered {
    let entries = sections
        .iter()
        .map(|(s, roster)| entry(Some(s), team("A", "I.E. Prueba", *roster)))
        .collect();
    let mut command = order(ROJAS, entries);
    command.slip = Some(slip(slip_number, amount));
    world.desk.register(&payer(), command).await.unwrap()
}

async fn confirm(world: &World, registered: &Registered) {
    let payment = world.view(registered.order).await.payments[0].id;
    let total = pen(registered.total);
    world
        .desk
        .confirm_slip(&staff(), &id(ROJAS), payment, in_full(total))
        .await
        .unwrap();
    assert_eq!(world.status(registered.order).await, Status::Confirmed);
}

store::both! {
    async fn slips_in_check_keep_no_other_hold_from_running_out(store: Store) {
        let world = World::new(store).await;
        enter(&world, &[("primario", FOUR)], "V-1", 8_000).await;
        let mut asked = order(ROJAS, vec![entry(Some("primario"), team("B", "I.E. Otra", FOUR))]);
        asked.slip = Some(slip("V-2", 8_000));
        let second = world.desk.register(&payer(), asked).await.unwrap();
        let payment = world.view(second.order).await.payments[0].id;
        world.desk.refuse_slip(&staff(), &id(ROJAS), payment).await.unwrap();
        world.clock.set(ROJAS, "2019-02-15T22:59:59Z");
        let at = "2019-02-15T22:59:59Z".parse().unwrap();
        let due = world.desk.store().read(move |c| store::orders::holds_run_out(c, &id(ROJAS), at, 1));
        // However few are looked at, those that wait for staff take no room from the others.
        assert_eq!(due.await.unwrap(), [second.order]);
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(second.order).await, Status::Expired);
        world.audit().await;
    }

    async fn a_slip_comes_with_the_entry_and_staff_confirm_the_money(store: Store) {
        let world = World::new(store).await;
        let without = order(ROJAS, vec![entry(Some("primario"), team("A", "I.E. Prueba", FOUR))]);
        assert_eq!(slug(world.desk.register(&payer(), without.clone()).await), Slug::InvalidFields);
        let mut wrong = without.clone();
        wrong.slip = Some(slip("V-1", 7_999));
        assert_eq!(slug(world.desk.register(&payer(), wrong).await), Slug::AmountMismatch);
        let registered = enter(&world, &[("primario", FOUR)], "V-1", 8_000).await;
        let view = world.view(registered.order).await;
        assert_eq!((view.status, view.entries[0].effective), (Status::Held, true), "it counts from then");
        // The hold runs out, and a slip that staff have not looked at keeps the seat.
        world.clock.set(ROJAS, "2019-02-15T22:59:59Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(registered.order).await, Status::Held);
        let payment = view.payments[0].id;
        let less = world.desk.confirm_slip(&staff(), &id(ROJAS), payment, in_full(pen(7_000))).await;
        assert_eq!(slug(less), Slug::AmountMismatch);
        confirm(&world, &registered).await;
        let again = world.desk.confirm_slip(&staff(), &id(ROJAS), payment, in_full(pen(8_000))).await;
        assert_eq!(slug(again), Slug::IllegalMove);
        world.audit().await;
    }

    async fn one_slip_pays_one_order(store: Store) {
        let world = World::new(store).await;
        enter(&world, &[("primario", FOUR)], "V-1", 8_000).await;
        let other = team("B", "I.E. Otra", ["Irene", "Juan", "Kike", "Luis"]);
        let mut command = order(ROJAS, vec![entry(Some("primario"), other)]);
        for same in ["V-1", " V-1 ", "v-1", "\tv-1"] {
            command.slip = Some(slip(same, 8_000));
            let twice = world.desk.register(&payer(), command.clone()).await.unwrap_err();
            assert_eq!((twice.slug, twice.fields[0].field.as_str()), (Slug::SlipUsed, "slip.number"), "{same}");
        }
        command.slip = Some(slip(" v-11 ", 8_000));
        let registered = world.desk.register(&payer(), command).await.unwrap();
        let shown = world.view(registered.order).await.payments[0].slip_number.clone();
        assert_eq!(shown.as_deref(), Some("v-11"), "shown as it was written");
        world.audit().await;
    }

    async fn a_slip_of_a_day_to_come_is_refused_by_the_day_of_the_venue(store: Store) {
        let world = World::new(store).await;
        // Ten at night in Lima: the day after in UTC.
        world.clock.set(ROJAS, "2019-02-11T03:00:00Z");
        let asked = |date: &str| {
            let mut command = order(ROJAS, vec![entry(Some("primario"), team("A", "I.E. Prueba", FOUR))]);
            let mut slip = slip("V-1", 8_000);
            slip.date = Some(date.parse().unwrap());
            command.slip = Some(slip);
            command
        };
        let ahead = world.desk.register(&payer(), asked("2019-02-11")).await.unwrap_err();
        assert_eq!((ahead.slug, ahead.fields[0].field.as_str()), (Slug::InvalidFields, "slip.date"));
        let today = world.desk.register(&payer(), asked("2019-02-10")).await.unwrap();
        let first = world.view(today.order).await.payments[0].id;
        world.desk.refuse_slip(&staff(), &id(ROJAS), first).await.unwrap();
        let later = |date| asked(date).slip.unwrap();
        let report = async |date| world.desk.report_slip(&payer(), &id(ROJAS), today.order, later(date)).await;
        let ahead = report("2019-02-11").await.unwrap_err();
        assert_eq!((ahead.slug, ahead.fields[0].field.as_str()), (Slug::InvalidFields, "slip.date"));
        report("2019-02-09").await.unwrap();
        world.audit().await;
    }

    async fn a_refused_slip_confirms_nothing_and_its_hold_ends(store: Store) {
        let world = World::new(store).await;
        let registered = enter(&world, &[("primario", FOUR)], "V-2", 8_000).await;
        let payment = world.view(registered.order).await.payments[0].id;
        world.desk.refuse_slip(&staff(), &id(ROJAS), payment).await.unwrap();
        let view = world.view(registered.order).await;
        assert_eq!((view.status, view.payments[0].status), (Status::Held, PaymentStatus::Failed));
        world.clock.set(ROJAS, "2019-02-20T00:00:00Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(registered.order).await, Status::Expired);
        world.audit().await;
    }

    async fn two_sections_cost_140_at_once_or_one_after_the_other(store: Store) {
        let world = World::new(store).await;
        let first = enter(&world, &[("primario", FOUR)], "V-1", 8_000).await;
        let second = enter(&world, &[("secundario", THREE)], "V-2", 6_000).await;
        assert_eq!((first.total, second.total), (8_000, 6_000));
        // A third team finds both of them paired already.
        let third = order(ROJAS, vec![entry(Some("secundario"), team("C", "I.E. Prueba", ["Ana", "Beto", "Carla", "Gael"]))]);
        let mut third = third;
        third.slip = Some(slip("V-3", 8_000));
        let outcome = world.desk.register(&payer(), third).await;
        assert_eq!(slug(outcome), Slug::Ineligible, "the same pupils in two teams of a section");
        world.audit().await;
    }

    async fn a_quote_knows_the_partner_that_stands_already(store: Store) {
        let world = World::new(store).await;
        enter(&world, &[("primario", FOUR)], "V-1", 8_000).await;
        let regulation = world.desk.regulation(&id(ROJAS)).unwrap();
        let asked = entry(Some("secundario"), team("A", "I.E. Prueba", THREE)).request;
        let question = domain::QuoteRequest { paid_at: None, received_at: None, currency: None, taken: domain::Taken::new(),
 others: domain::Others::default(),
            at: world.desk.clock().desk(&id(ROJAS)),
            entries: vec![asked],
            standing: Vec::new(),
        };
        let question = world.desk.with_standing(&regulation, question).await.unwrap();
        assert_eq!(rules::quote(&regulation, &question).total, 6_000);
        world.audit().await;
    }

    async fn a_slip_confirmed_after_leaving_comes_to_the_same_as_one_confirmed_before(store: Store) {
        let world = World::new(store).await;
        let teams: [&[(&str, [&str; 4])]; 2] = [&[("primario", FOUR)], &[("primario", FOUR), ("secundario", THREE)]];
        for cause in [Cause::CancelByPlayer, Cause::CancelByOrganiser] {
            for asked in teams {
                let mut ends = Vec::new();
                for confirmed_first in [true, false] {
                    let amount = if asked.len() == 1 { 8_000 } else { 14_000 };
                    let number = format!("{cause} {} {confirmed_first}", asked.len());
                    let order = enter(&world, asked, &number, amount).await;
                    let gone = Cancel { entries: vec![order.entries[0].entry], cause, credit: false };
                    if confirmed_first {
                        confirm(&world, &order).await;
                    }
                    world.desk.cancel(&staff(), &id(ROJAS), order.order, gone).await.unwrap();
                    if !confirmed_first {
                        let payment = world.view(order.order).await.payments[0].id;
                        world.audit().await;
                        world.desk.confirm_slip(&staff(), &id(ROJAS), payment, in_full(pen(amount))).await.unwrap();
                    }
                    let view = world.view(order.order).await;
                    let stand: Vec<Status> = view.entries.iter().map(|e| e.status).collect();
                    ends.push((view.paid, view.refunded, view.kept, view.total, view.due, stand));
                    world.audit().await;
                    // The school may enter again.
                    if asked.len() > 1 {
                        let rest = Cancel { entries: Vec::new(), cause, credit: false };
                        world.desk.cancel(&staff(), &id(ROJAS), order.order, rest).await.unwrap();
                    }
                }
                assert_eq!(ends[0], ends[1], "{cause} {}", asked.len());
            }
        }
        world.audit().await;
    }

    async fn when_one_leaves_the_other_costs_its_single_price(store: Store) {
        let world = World::new(store).await;
        let both = enter(&world, &[("primario", FOUR), ("secundario", THREE)], "V-1", 14_000).await;
        confirm(&world, &both).await;
        let leave = Cancel { entries: vec![both.entries[0].entry], cause: Cause::CancelByPlayer, credit: false };
        let done = world.desk.cancel(&payer(), &id(ROJAS), both.order, leave).await.unwrap();
        assert_eq!((done.entries[0].paid, done.refund, done.kept), (6_000, 0, 6_000), "no clause");
        let view = world.view(both.order).await;
        assert_eq!((view.total, view.due, view.status), (8_000, 0, Status::Confirmed));
        assert_eq!(view.entries[1].price, 8_000);
        world.audit().await;
    }

    async fn when_the_partner_of_another_order_leaves_it_bears_the_difference(store: Store) {
        let world = World::new(store).await;
        let first = enter(&world, &[("primario", FOUR)], "V-1", 8_000).await;
        let second = enter(&world, &[("secundario", THREE)], "V-2", 6_000).await;
        confirm(&world, &first).await;
        confirm(&world, &second).await;
        let leave = Cancel { entries: Vec::new(), cause: Cause::CancelByPlayer, credit: false };
        let preview = world.desk.preview_cancellation(&payer(), &id(ROJAS), first.order, leave.clone()).await.unwrap();
        let done = world.desk.cancel(&payer(), &id(ROJAS), first.order, leave).await.unwrap();
        assert_eq!(done.entries[0].paid, 6_000, "140 paid for both, less the single price of the one that stays");
        assert_eq!(preview, done);
        assert_eq!((done.refund, done.kept), (0, 8_000), "and what the promotion costs without it");
        assert_eq!(world.view(first.order).await.kept, 8_000);
        let view = world.view(second.order).await;
        assert_eq!((view.total, view.due, view.status), (6_000, 0, Status::Confirmed));
        world.audit().await;
    }

    async fn what_the_organiser_ends_comes_back_whole_and_the_other_keeps_its_price(store: Store) {
        let world = World::new(store).await;
        for (ended, school) in ["I.E. Una", "I.E. Dos"].into_iter().enumerate() {
            let teams = [("primario", FOUR), ("secundario", THREE)]
                .map(|(section, pupils)| entry(Some(section), team("A", school, pupils)));
            let mut command = order(ROJAS, teams.into());
            command.slip = Some(slip(school, 14_000));
            let both = world.desk.register(&payer(), command).await.unwrap();
            confirm(&world, &both).await;
            let end = Cancel { entries: vec![both.entries[ended].entry], cause: Cause::CancelByOrganiser, credit: false };
            let done = world.desk.cancel(&staff(), &id(ROJAS), both.order, end).await.unwrap();
            let stays = 1 - ended;
            assert_eq!([both.entries[0].price, both.entries[1].price], [8_000, 6_000]);
            assert_eq!((done.refund, done.kept), (both.entries[ended].price, 0), "{school}");
            let view = world.view(both.order).await;
            assert_eq!((view.total, view.due, view.status), (both.entries[stays].price, 0, Status::Confirmed));
            assert_eq!(view.entries[stays].price, both.entries[stays].price);
            world.audit().await;
        }
    }

    async fn a_partner_that_the_organiser_ended_costs_no_other_order_anything(store: Store) {
        let world = World::new(store).await;
        let first = enter(&world, &[("primario", FOUR)], "V-1", 8_000).await;
        let second = enter(&world, &[("secundario", THREE)], "V-2", 6_000).await;
        confirm(&world, &first).await;
        confirm(&world, &second).await;
        let end = Cancel { entries: Vec::new(), cause: Cause::CancelByOrganiser, credit: false };
        let done = world.desk.cancel(&staff(), &id(ROJAS), first.order, end).await.unwrap();
        assert_eq!((done.refund, done.kept), (8_000, 0));
        assert_eq!(world.view(first.order).await.kept, 0);
        let view = world.view(second.order).await;
        assert_eq!((view.total, view.due, view.status), (6_000, 0, Status::Confirmed));
        world.audit().await;
    }
}
