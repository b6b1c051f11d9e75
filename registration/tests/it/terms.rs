//! Refunds that a clause decides row by row, as a credit, by a proof that comes later; deposits that come back.

use domain::{
    Cause, Entrant, EntryId, Event, RefundCause, RefundMethod, RefundStatus, Slug, Status,
};
use registration::{Cancel, Registered};
use store::Store;

use crate::world::{World, entry, eur, id, order, payer, plain_player, slug, staff, treasurer};

const EXTRAS: &str = "extras";

/// 50, a night 40, a deposit of 20. In June half of the fee is kept, nothing of it with a certificate; of the nights 15 by
/// transfer, of the deposit nothing; or all of the fee comes back as a credit.
const FILE: &str = include_str!("../../../rules/tests/fixtures/extras.toml");

const IN_JUNE: &str = "2026-06-10T10:00:00Z";

async fn world(store: Store) -> World {
    let world = World::new(store).await;
    crate::world::take_in(&world.desk, FILE).await;
    world.clock.set(EXTRAS, IN_JUNE);
    world
}

/// Somebody who stays so many nights and has paid.
async fn paid(world: &World, name: &str, nights: i64) -> Registered {
    let mut player = plain_player(name);
    if nights > 0 {
        player.answers.0.insert("nights".into(), nights.to_string());
    }
    let asked = vec![entry(Some("open"), Entrant::Player(player))];
    let mut asked = order(EXTRAS, asked);
    asked.payer.consents.clear();
    let registered = world.desk.register(&payer(), asked).await.unwrap();
    world.pay(EXTRAS, registered.order).await;
    assert_eq!(world.status(registered.order).await, Status::Confirmed);
    registered
}

fn leave(credit: bool) -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit,
    }
}

/// Amount, method and rule of each refund of an order.
async fn refunds(world: &World, order: &Registered) -> Vec<(i64, RefundMethod, String)> {
    let refunds = world.view(order.order).await.refunds.into_iter();
    refunds
        .map(|row| (row.amount, row.method, row.rule))
        .collect()
}

async fn prove(world: &World, entry: EntryId, tier: &str) -> Result<i64, domain::Problem> {
    let (by, tournament) = (staff(), id(EXTRAS));
    let proved = world.desk.prove(&by, &tournament, entry, tier.into());
    Ok(proved.await?.quote.refund)
}

store::both! {
    async fn each_row_goes_by_its_own_tier_and_way(store: Store) {
        let world = world(store).await;
        let order = paid(&world, "Nits", 2).await;
        assert_eq!(order.total, 15_000);
        let preview = world.desk.preview_cancellation(&payer(), &id(EXTRAS), order.order, leave(false)).await.unwrap();
        let done = world.desk.cancel(&payer(), &id(EXTRAS), order.order, leave(false)).await.unwrap();
        assert_eq!(done, preview);
        assert_eq!((done.refund, done.kept), (11_000, 4_000));
        let card = |amount, rule: &str| (amount, RefundMethod::Card, format!("cancellation.{rule}"));
        assert_eq!(refunds(&world, &order).await, [
            card(2_500, "half"),
            card(2_000, "deposit"),
            (6_500, RefundMethod::Transfer, "cancellation.lodging".to_owned()),
        ]);
        world.audit().await;
    }

    async fn who_wants_a_credit_is_owed_one_until_it_is_spent(store: Store) {
        let world = world(store).await;
        let order = paid(&world, "Credit", 0).await;
        let done = world.desk.cancel(&payer(), &id(EXTRAS), order.order, leave(true)).await.unwrap();
        assert_eq!((done.refund, done.kept), (7_000, 0));
        let row = world.view(order.order).await.refunds[0].clone();
        assert_eq!((row.amount, row.method, row.status), (5_000, RefundMethod::Credit, RefundStatus::Owed));
        let (_, waiting) = world.desk.back_office(&id(EXTRAS)).await.unwrap();
        assert!(waiting.iter().any(|owed| owed.id == row.id));
        world.desk.refund_transferred(&staff(), &id(EXTRAS), row.id, "open-2027 ord_1".into()).await.unwrap();
        let row = world.view(order.order).await.refunds[0].clone();
        assert_eq!((row.method, row.status), (RefundMethod::Credit, RefundStatus::Succeeded));
        world.audit().await;
    }

    async fn a_proof_that_comes_later_gives_what_is_missing_once(store: Store) {
        let world = world(store).await;
        let (ill, other) = (paid(&world, "Malalta", 1).await, paid(&world, "Sana", 0).await);
        let whose = ill.entries[0].entry;
        assert_eq!(slug(prove(&world, whose, "ill").await), Slug::IllegalMove);
        world.desk.cancel(&payer(), &id(EXTRAS), ill.order, leave(false)).await.unwrap();
        // What counts is the day of the cancellation, not that of the proof.
        world.clock.set(EXTRAS, "2026-08-20T10:00:00Z");
        let unknown = prove(&world, whose, "half").await.unwrap_err();
        assert_eq!((unknown.slug, unknown.fields[0].field.as_str()), (Slug::InvalidFields, "tier"));
        assert_eq!(prove(&world, whose, "ill").await.unwrap(), 9_500);
        let last = refunds(&world, &ill).await.pop().unwrap();
        assert_eq!(last, (2_500, RefundMethod::Card, "cancellation.ill".to_owned()));
        let view = world.view(ill.order).await;
        assert_eq!((view.paid, view.refunded, view.kept), (11_000, 9_500, 1_500));
        assert_eq!(slug(prove(&world, whose, "ill").await), Slug::NothingLeft);
        assert_eq!(slug(prove(&world, other.entries[0].entry, "ill").await), Slug::IllegalMove);
        world.audit().await;
    }

    async fn of_two_that_leave_each_has_a_proof_of_its_own(store: Store) {
        let world = world(store).await;
        let asked = ["Una", "Altra"].map(|name| entry(Some("open"), Entrant::Player(plain_player(name))));
        let mut asked = order(EXTRAS, asked.into());
        asked.payer.consents.clear();
        let two = world.desk.register(&payer(), asked).await.unwrap();
        world.pay(EXTRAS, two.order).await;
        world.desk.cancel(&payer(), &id(EXTRAS), two.order, leave(false)).await.unwrap();
        assert_eq!(world.view(two.order).await.kept, 5_000);
        assert_eq!(prove(&world, two.entries[1].entry, "ill").await.unwrap(), 7_000);
        assert_eq!(world.view(two.order).await.kept, 2_500);
        assert_eq!(slug(prove(&world, two.entries[1].entry, "ill").await), Slug::NothingLeft);
        assert_eq!(prove(&world, two.entries[0].entry, "ill").await.unwrap(), 7_000);
        assert_eq!(world.view(two.order).await.kept, 0);
        world.audit().await;
    }

    async fn deposits_come_back_to_those_who_finish_once(store: Store) {
        let world = world(store).await;
        let (one, two) = (paid(&world, "Acaba", 1).await, paid(&world, "Acaba Dos", 0).await);
        let gone = paid(&world, "Plega", 0).await;
        let tournament = id(EXTRAS);
        let give = |entry| {
            let (desk, tournament) = (world.desk.clone(), tournament.clone());
            async move { desk.give_deposit_back(&staff(), &tournament, entry).await }
        };
        let first = one.entries[0].entry;
        assert_eq!(slug(give(first).await), Slug::IllegalMove, "play has not begun");
        world.clock.set(EXTRAS, "2026-08-05T18:00:00Z");
        world.desk.withdraw(&staff(), &tournament, gone.entries[0].entry).await.unwrap();
        assert_eq!(slug(give(gone.entries[0].entry).await), Slug::IllegalMove, "it was withdrawn");
        for _ in 0..2 {
            assert_eq!(give(first).await.unwrap().amount, 2_000);
        }
        for _ in 0..2 {
            let all = world.desk.give_deposits_back(&staff(), &tournament).await.unwrap();
            let mut back: Vec<EntryId> = all.back.iter().map(|back| back.entry).collect();
            back.sort();
            assert_eq!((back, all.left), (vec![first, two.entries[0].entry], Vec::new()));
        }
        for order in [&one, &two] {
            let view = world.view(order.order).await;
            assert_eq!((view.status, view.refunded, view.due), (Status::Confirmed, 2_000, 0));
            assert_eq!((view.refunds.len(), view.refunds[0].cause), (1, RefundCause::Finished));
            assert_eq!(&*view.lines.last().unwrap().rule, "finished");
        }
        world.audit().await;
        let rows = world.desk.journal(&tournament, 0, 1_000).await.unwrap();
        let told = rows.iter().filter(|row| matches!(&row.event, Event::PriceChanged { rule, .. } if rule == "deposit"));
        assert_eq!(told.count(), 2);
    }

    async fn a_deposit_stays_while_something_is_to_be_paid(store: Store) {
        let world = world(store).await;
        let order = paid(&world, "Deu", 0).await;
        world.clock.set(EXTRAS, "2026-08-05T18:00:00Z");
        let refund = registration::StaffRefund { amount: eur(7_000), method: RefundMethod::Card };
        world.desk.refund_by_staff(&treasurer("r"), &id(EXTRAS), order.order, refund).await.unwrap();
        let all = world.desk.give_deposits_back(&staff(), &id(EXTRAS)).await;
        assert_eq!(all.unwrap().left, [order.entries[0].entry], "staff gave everything back already");
        world.audit().await;
    }
}
