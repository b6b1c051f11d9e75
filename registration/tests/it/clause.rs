//! What comes back when an entry ends, and who decides: clauses, approval.

use domain::{ByePoints, ByeRequest, Cause, RefundMethod, RefundStatus, Slug, Status};
use registration::Cancel;
use store::Store;

use crate::world::{BARCELONA, LLOBREGAT, World, entry, id, payer, player, slug, staff, treasurer};

fn leave() -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    }
}

/// An order of El Llobregat for 500, paid, waiting for the arbiter.
async fn paid_in_llobregat(world: &World) -> registration::Registered {
    let registered = world
        .register(LLOBREGAT, vec![entry(Some("A"), player("Lluc Llobregat"))])
        .await
        .unwrap();
    assert_eq!(registered.total, 50_000);
    world.pay(LLOBREGAT, registered.order).await;
    assert_eq!(
        world.status(registered.order).await,
        Status::PendingApproval
    );
    registered
}

store::both! {
    async fn before_the_arbiter_has_approved_everything_comes_back(store: Store) {
        let world = World::new(store).await;
        let order = paid_in_llobregat(&world).await.order;
        let cancelled = world.desk.cancel(&payer(), &id(LLOBREGAT), order, leave()).await.unwrap();
        assert_eq!((cancelled.refund, cancelled.kept), (50_000, 0));
        world.audit().await;
    }

    async fn half_is_kept_by_the_clause_and_the_other_half_is_owed_by_transfer(store: Store) {
        let world = World::new(store).await;
        let registered = paid_in_llobregat(&world).await;
        let entry = registered.entries[0].entry;
        assert_eq!(world.desk.approve(&staff(), &id(LLOBREGAT), entry).await.unwrap(), Status::Confirmed);
        assert_eq!(slug(world.desk.approve(&staff(), &id(LLOBREGAT), entry).await), Slug::IllegalMove);
        let preview =
            world.desk.preview_cancellation(&payer(), &id(LLOBREGAT), registered.order, leave()).await.unwrap();
        assert_eq!(world.status(registered.order).await, Status::Confirmed, "a preview changes nothing");
        let done = world.desk.cancel(&payer(), &id(LLOBREGAT), registered.order, leave()).await.unwrap();
        assert_eq!(done, preview);
        assert_eq!((done.refund, done.kept), (25_000, 25_000));
        assert_eq!(done.entries[0].quote.method, RefundMethod::Transfer);
        let view = world.view(registered.order).await;
        assert_eq!((view.status, view.refunds[0].status), (Status::CancelledByPlayer, RefundStatus::Owed));
        world.audit().await;
        let refund = view.refunds[0].id;
        world.desk.refund_transferred(&staff(), &id(LLOBREGAT), refund, "TR-9".into()).await.unwrap();
        world.audit().await;
        // Staff may give back what was kept, and not a cent more.
        let rest = registration::StaffRefund { amount: crate::world::eur(25_001), method: RefundMethod::Transfer };
        let outcome = world.desk.refund_by_staff(&treasurer("r1"), &id(LLOBREGAT), registered.order, rest).await;
        assert_eq!(slug(outcome), Slug::NothingLeft);
        let rest = registration::StaffRefund { amount: crate::world::eur(25_000), method: RefundMethod::Transfer };
        world.desk.refund_by_staff(&treasurer("r2"), &id(LLOBREGAT), registered.order, rest).await.unwrap();
        world.audit().await;
    }

    async fn who_is_refused_gets_everything_back(store: Store) {
        let world = World::new(store).await;
        let order = paid_in_llobregat(&world).await.order;
        let refuse = Cancel { entries: Vec::new(), cause: Cause::Reject, credit: false };
        let done = world.desk.cancel(&staff(), &id(LLOBREGAT), order, refuse.clone()).await.unwrap();
        assert_eq!((done.refund, done.kept), (50_000, 0));
        assert_eq!(world.status(order).await, Status::Rejected);
        assert_eq!(slug(world.desk.cancel(&staff(), &id(LLOBREGAT), order, refuse).await), Slug::IllegalMove);
        world.audit().await;
    }

    async fn without_a_clause_nothing_comes_back_by_rule(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Sense Clausula").await.order;
        world.pay(BARCELONA, order).await;
        let done = world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await.unwrap();
        assert_eq!((done.refund, done.kept), (0, 6_000));
        world.audit().await;
    }

    async fn an_unpaid_order_gives_nothing_back_and_its_page_is_closed(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Sense Pagar").await.order;
        world.open_payment(BARCELONA, order).await;
        let page = world.reference(order).await;
        let done = world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await.unwrap();
        assert_eq!((done.refund, done.kept), (0, 0));
        assert!(world.control().pay(&page, "4242424242424242").is_err());
        world.audit().await;
    }

    async fn byes_are_counted_with_those_asked_before(store: Store) {
        let world = World::open(store, 9).await;
        let entry = world.enter("Descansada").await.entries[0].entry;
        let ask = async |round| {
            let bye = ByeRequest { round, points: ByePoints::Zero };
            world.desk.request_byes(&payer(), &self::id(BARCELONA), entry, vec![bye]).await
        };
        ask(1).await.unwrap();
        assert_eq!(slug(ask(1).await), Slug::Ineligible);
        assert_eq!(slug(ask(10).await), Slug::Ineligible);
        ask(2).await.unwrap();
        assert_eq!(slug(ask(3).await), Slug::Ineligible);
        world.desk.decide_byes(&staff(), &id(BARCELONA), entry, false).await.unwrap();
        ask(3).await.unwrap();
        // One that was refused may be asked again.
        ask(1).await.unwrap();
        assert_eq!(slug(ask(2).await), Slug::Ineligible, "two at most");
        world.audit().await;
    }
}
