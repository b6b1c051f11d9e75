//! Refunds asked for, sent, told of and transferred by two at once, or again after an answer that was lost.

use domain::{Cause, Event, OrderId, RefundMethod, RefundStatus, Slug, Status};
use registration::{Cancel, Desk, Gateway, StaffRefund};
use sandbox::{ApiFault, Trouble, When};
use store::{Settings, Store};

use super::{ACCOUNT, beside, leave, times};
use crate::gate::Gate;
use crate::world::{
    BARCELONA, LLOBREGAT, World, entry, eur, id, payer, player, slug, staff, treasurer,
};

fn part(amount: i64) -> StaffRefund {
    StaffRefund {
        amount: eur(amount),
        method: RefundMethod::Card,
    }
}

/// An order of 60 that was paid by this card.
async fn paid_with(world: &World, card: &str) -> OrderId {
    let order = world.enter("Pagada").await.order;
    world.open_payment(BARCELONA, order).await;
    let page = world.reference(order).await;
    world.control().pay(&page, card).unwrap();
    world.look(&page).await;
    order
}

async fn paid(world: &World) -> OrderId {
    paid_with(world, super::VISA).await
}

async fn at_gateway(world: &World) -> usize {
    world.control().objects("refunds").unwrap().len()
}

/// A refund is made, and its answer is lost however often the adapter asks for it.
fn lose_answers(world: &World) {
    world.control().fail(ApiFault {
        operation: "refunds.create".into(),
        trouble: Trouble::Disconnect,
        when: When::AfterEffect,
        times: 100,
    });
}

/// The webhook of the only refund.
async fn told(world: &World, desk: &Desk) {
    let refund = world.control().objects("refunds").unwrap().remove(0);
    let seen = world
        .gateway
        .look_refund(refund["id"].as_str().unwrap())
        .await;
    desk.observe_refund(ACCOUNT, seen.unwrap()).await.unwrap();
}

fn has_arrived(event: &Event) -> bool {
    matches!(event, Event::RefundSucceeded { .. })
}

store::both! {
    async fn staff_and_the_player_at_once_give_back_what_came_in(settings: Settings) {
        let world = World::open(Store::open(&settings).unwrap(), 9).await;
        let there = beside(&world, &settings).await;
        for round in 0..8 {
            let asked = vec![entry(Some("A"), player(&format!("De Llobregat {round}")))];
            let order = world.register(LLOBREGAT, asked).await.unwrap().order;
            world.pay(LLOBREGAT, order).await;
            let (by, who) = (treasurer(&format!("r{round}")), payer());
            let tournament = id(LLOBREGAT);
            // Before the arbiter has approved, all of it comes back to who leaves.
            let (given, left) = tokio::join!(
                there.refund_by_staff(&by, &tournament, order, part(40_000)),
                world.desk.cancel(&who, &tournament, order, leave()),
            );
            left.unwrap();
            if let Err(refused) = given {
                assert_eq!(refused.slug, Slug::NothingLeft);
            }
            let view = world.view(order).await;
            assert_eq!((view.refunded, view.kept), (50_000, 0));
            assert_eq!(view.refunds.iter().map(|r| r.amount).sum::<i64>(), 50_000);
        }
        world.audit().await;
    }

    async fn one_that_two_desks_send_arrives_once(settings: Settings) {
        let world = World::open(Store::open(&settings).unwrap(), 9).await;
        let order = paid(&world).await;
        world.desk.refund_by_staff(&treasurer("r"), &id(BARCELONA), order, part(2_500)).await.unwrap();
        let gate = Gate::closed(&world.gateway);
        let mut sending = Vec::new();
        for _ in 0..2 {
            let desk = world.another(Store::open(&settings).unwrap(), gate.clone()).await;
            sending.push(tokio::spawn(async move { desk.step_refunds().await }));
        }
        let keys = gate.calls(2).await;
        assert_eq!(keys[0], keys[1]);
        gate.let_through();
        for sent in sending {
            sent.await.unwrap().unwrap();
        }
        let view = world.view(order).await;
        assert_eq!((at_gateway(&world).await, view.refunds.len()), (1, 1));
        assert_eq!(times(&world, order, has_arrived).await, 1);
        world.audit().await;
    }

    async fn one_whose_gateway_is_not_done_keeps_its_sum(store: Store) {
        let world = World::open(store, 9).await;
        let order = paid_with(&world, "4000000000007726").await;
        let give = async |key: &str, amount| {
            world.desk.refund_by_staff(&treasurer(key), &id(BARCELONA), order, part(amount)).await
        };
        give("one", 4_000).await.unwrap();
        for status in [RefundStatus::Reserved, RefundStatus::Sent] {
            assert_eq!(world.view(order).await.refunds[0].status, status);
            assert_eq!(slug(give("two", 2_001).await), Slug::NothingLeft);
            world.desk.step_refunds().await.unwrap();
        }
        let reference = world.view(order).await.refunds[0].reference.clone().unwrap();
        world.control().settle_refund(&reference).unwrap();
        told(&world, &world.desk).await;
        assert_eq!(world.view(order).await.refunds[0].status, RefundStatus::Succeeded);
        assert_eq!(slug(give("three", 2_001).await), Slug::NothingLeft);
        give("four", 2_000).await.unwrap();
        world.audit().await;
    }

    async fn one_that_came_back_is_transferred_once(settings: Settings) {
        let world = World::open(Store::open(&settings).unwrap(), 9).await;
        let there = beside(&world, &settings).await;
        let order = paid(&world).await;
        let annul = Cancel { entries: Vec::new(), cause: Cause::CancelByOrganiser, credit: false };
        world.desk.cancel(&staff(), &id(BARCELONA), order, annul).await.unwrap();
        world.desk.step_refunds().await.unwrap();
        let refund = world.view(order).await.refunds[0].clone();
        world.control().fail_refund(refund.reference.as_ref().unwrap(), "lost_or_stolen_card").unwrap();
        told(&world, &world.desk).await;
        let (by, tournament) = (staff(), id(BARCELONA));
        let (one, other, ()) = tokio::join!(
            world.desk.refund_transferred(&by, &tournament, refund.id, "TR-1".into()),
            there.refund_transferred(&by, &tournament, refund.id, "TR-2".into()),
            told(&world, &there),
        );
        assert_ne!(one.is_ok(), other.is_ok());
        assert_eq!(slug(one.and(other)), Slug::IllegalMove);
        let view = world.view(order).await;
        assert_eq!((view.refunds.len(), view.refunds[0].status), (1, RefundStatus::Succeeded));
        assert_eq!(view.refunds[0].method, RefundMethod::Transfer);
        world.audit().await;
    }

    async fn one_whose_answer_was_lost_is_sent_once(store: Store) {
        let world = World::open(store, 9).await;
        let order = paid(&world).await;
        let give = async || {
            world.desk.refund_by_staff(&treasurer("r"), &id(BARCELONA), order, part(6_000)).await.unwrap()
        };
        let first = give().await;
        lose_answers(&world);
        world.desk.step_refunds().await.unwrap();
        let view = world.view(order).await;
        assert_eq!((at_gateway(&world).await, view.refunds[0].status), (1, RefundStatus::Reserved));
        assert_eq!(give().await, first, "staff ask again");
        world.control().clear_faults();
        world.clock.wait(60);
        world.desk.step_refunds().await.unwrap();
        let view = world.view(order).await;
        assert_eq!((view.refunds.len(), view.refunds[0].status), (1, RefundStatus::Succeeded));
        assert_eq!(at_gateway(&world).await, 1);
        world.audit().await;
    }

    async fn a_webhook_before_the_answer_makes_no_second(settings: Settings) {
        let world = World::open(Store::open(&settings).unwrap(), 9).await;
        let order = paid(&world).await;
        world.desk.refund_by_staff(&treasurer("r"), &id(BARCELONA), order, part(2_500)).await.unwrap();
        let gate = Gate::closed(&world.gateway);
        let there = world.another(Store::open(&settings).unwrap(), gate.clone()).await;
        let sending = tokio::spawn(async move { there.step_refunds().await });
        gate.calls(1).await;
        told(&world, &world.desk).await;
        assert_eq!(world.view(order).await.refunds[0].status, RefundStatus::Succeeded);
        gate.let_through();
        sending.await.unwrap().unwrap();
        let view = world.view(order).await;
        assert_eq!((view.refunds.len(), view.status), (1, Status::Confirmed));
        assert_eq!(times(&world, order, has_arrived).await, 1);
        world.audit().await;
    }

    async fn a_webhook_ends_one_whose_answer_was_lost(store: Store) {
        let world = World::open(store, 9).await;
        let order = paid(&world).await;
        world.desk.refund_by_staff(&treasurer("r"), &id(BARCELONA), order, part(2_500)).await.unwrap();
        lose_answers(&world);
        world.desk.step_refunds().await.unwrap();
        world.control().clear_faults();
        assert_eq!(world.view(order).await.refunds[0].status, RefundStatus::Reserved);
        told(&world, &world.desk).await;
        assert_eq!(world.view(order).await.refunds[0].status, RefundStatus::Succeeded);
        world.clock.wait(7_200);
        assert_eq!(world.desk.step_refunds().await.unwrap(), 0, "nothing is due any more");
        assert_eq!(at_gateway(&world).await, 1);
        world.audit().await;
    }
}
