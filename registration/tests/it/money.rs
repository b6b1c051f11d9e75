//! Money that is late, twice, wrong, or goes back: credited once, or returned once, or set aside, and every cent booked.

use domain::{Actor, Money, PaymentStatus, RefundMethod, RefundStatus, Slug, Status};
use registration::{By, Cancel, Observed, Seen, SeenState, StaffRefund};
use store::Store;

use crate::world::{
    BARCELONA, World, entry, eur, id, payer, player, session, slug, staff, treasurer,
};

/// What the gateway would show of a payment that succeeded.
fn succeeded(reference: &str, received: Money) -> Seen {
    Seen {
        reference: reference.into(),
        intent: None,
        payment: None,
        order: None,
        key: None,
        state: SeenState::Succeeded {
            received,
            charged_at: "2026-11-01T00:00:00Z".parse().unwrap(),
        },
    }
}

fn leave(cause: domain::Cause) -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause,
        credit: false,
    }
}

fn staff_refund(amount: i64) -> StaffRefund {
    StaffRefund {
        amount: eur(amount),
        method: RefundMethod::Card,
    }
}

store::both! {
    async fn a_wrong_amount_or_currency_is_set_aside_and_confirms_nothing(store: Store) {
        let world = World::open(store, 9).await;
        for (name, received) in [("Curta", eur(5_999)), ("Llarga", eur(6_001)), ("Altra", crate::world::pen(6_000))] {
            let order = world.enter(name).await.order;
            world.open_payment(BARCELONA, order).await;
            let seen = succeeded(&world.reference(order).await, received);
            assert_eq!(world.desk.observe_payment("stripe:main", seen).await.unwrap(), Observed::Known);
            let view = world.view(order).await;
            assert_eq!((view.status, view.paid), (Status::Held, 0), "{name}");
            assert_eq!(view.payments[0].status, PaymentStatus::Quarantined, "{name}");
        }
        let (waiting, _) = world.desk.back_office(&id(BARCELONA)).await.unwrap();
        assert_eq!(waiting.len(), 3);
        for payment in waiting {
            let back = world.desk.return_payment(&treasurer(&payment.id.to_string()), &id(BARCELONA), payment.id).await;
            assert!(back.is_ok());
            let again = world.desk.return_payment(&treasurer("again"), &id(BARCELONA), payment.id).await;
            assert_eq!(slug(again), Slug::IllegalMove);
        }
        let (waiting, _) = world.desk.back_office(&id(BARCELONA)).await.unwrap();
        assert_eq!(waiting.len(), 0);
        world.audit().await;
    }

    async fn money_in_another_currency_is_booked_and_goes_back_in_its_own(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Dolars").await.order;
        let mut ask = session();
        ask.method = domain::PaymentKind::Intent;
        world.desk.open_payment(&payer(), &id(BARCELONA), order, ask).await.unwrap();
        let intent = world.reference(order).await;
        // Somebody changes the currency of the intent at the gateway.
        world.at_gateway(&format!("/v1/payment_intents/{intent}"), &[("currency", "usd")]);
        let card = [("payment_method", "pm_card_visa"), ("return_url", "https://example.org/back")];
        world.at_gateway(&format!("/v1/payment_intents/{intent}/confirm"), &card);
        world.look(&intent).await;
        let dollars = Money::new(6_000, "USD".parse().unwrap());
        let view = world.view(order).await;
        assert_eq!((view.status, view.paid, view.payments[0].came_in()), (Status::Held, 0, dollars));
        let booked = world.desk.explain(order).await.unwrap().balances;
        assert!(booked.contains(&("suspense".into(), Money::new(-6_000, dollars.currency))), "{booked:?}");
        assert!(booked.iter().all(|(_, sum)| sum.currency == dollars.currency), "{booked:?}");
        world.audit().await;
        let (waiting, _) = world.desk.back_office(&id(BARCELONA)).await.unwrap();
        assert_eq!(waiting[0].came_in(), dollars);
        world.desk.return_payment(&treasurer("usd"), &id(BARCELONA), waiting[0].id).await.unwrap();
        world.audit().await;
        world.desk.step_refunds().await.unwrap();
        let view = world.view(order).await;
        let refund = &view.refunds[0];
        assert_eq!((refund.amount, refund.currency, refund.status), (6_000, dollars.currency, RefundStatus::Succeeded));
        assert_eq!((view.paid, view.refunded, view.due), (0, 0, 6_000));
        let at_gateway = world.control().object(refund.reference.as_deref().unwrap()).unwrap();
        assert_eq!((at_gateway["currency"].as_str(), at_gateway["amount"].as_i64()), (Some("usd"), Some(6_000)));
        world.audit().await;
        // The order itself is still to be paid, and can be.
        world.pay(BARCELONA, order).await;
        assert_eq!(world.status(order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn money_after_the_payment_deadline_goes_back(store: Store) {
        let world = World::open(store, 9).await;
        world.clock.set(BARCELONA, "2026-08-20T11:59:00Z");
        let order = world.enter("Ultim Minut").await;
        let deadline = "2026-08-20T12:00:00Z".parse().unwrap();
        assert_eq!(order.hold_until, Some(deadline), "a hold never outlives the deadline");
        world.open_payment(BARCELONA, order.order).await;
        let reference = world.reference(order.order).await;
        world.clock.set(BARCELONA, "2026-08-20T12:00:30Z");
        world.desk.step_expire().await.unwrap();
        let mut seen = succeeded(&reference, eur(6_500));
        seen.state = SeenState::Succeeded { received: eur(6_500), charged_at: world.desk.clock().wall() };
        world.desk.observe_payment("stripe:main", seen).await.unwrap();
        let view = world.view(order.order).await;
        assert_eq!((view.status, view.refunded), (Status::Expired, 6_500));
        world.audit().await;
    }

    async fn a_second_payment_of_one_order_goes_back_and_the_first_stays(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Dues Vegades").await.order;
        world.open_payment(BARCELONA, order).await;
        let first = world.reference(order).await;
        let mut ask = session();
        ask.method = domain::PaymentKind::Intent;
        world.desk.open_payment(&payer(), &id(BARCELONA), order, ask).await.unwrap();
        let second = world.reference(order).await;
        world.desk.observe_payment("stripe:main", succeeded(&second, eur(6_000))).await.unwrap();
        world.desk.observe_payment("stripe:main", succeeded(&first, eur(6_000))).await.unwrap();
        let view = world.view(order).await;
        assert_eq!((view.status, view.paid, view.refunded, view.due), (Status::Confirmed, 12_000, 6_000, 0));
        world.audit().await;
    }

    async fn a_late_failure_undoes_no_success(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Ferma").await.order;
        world.pay(BARCELONA, order).await;
        let reference = world.reference(order).await;
        for state in [SeenState::Refused("card_declined".into()), SeenState::Closed, SeenState::Processing, SeenState::Open] {
            let seen = Seen { state, ..succeeded(&reference, eur(0)) };
            world.desk.observe_payment("stripe:main", seen).await.unwrap();
            assert_eq!(world.status(order).await, Status::Confirmed);
        }
        world.audit().await;
    }

    async fn what_is_not_ours_is_left_alone_and_what_is_not_here_yet_waits(store: Store) {
        let world = World::open(store, 9).await;
        let foreign = succeeded("pi_of_somebody_else", eur(1));
        assert_eq!(world.desk.observe_payment("stripe:main", foreign).await.unwrap(), Observed::Foreign);
        let early = Seen { payment: Some(domain::PaymentId(1)), ..succeeded("pi_early", eur(1)) };
        assert_eq!(world.desk.observe_payment("stripe:main", early).await.unwrap(), Observed::NotYet);
        // Another order's word in the metadata moves nothing.
        let order = world.enter("Una").await.order;
        world.open_payment(BARCELONA, order).await;
        let payment = world.view(order).await.payments[0].id;
        let tampered = Seen { payment: Some(payment), order: Some(domain::OrderId(1)), ..succeeded("pi_x", eur(6_000)) };
        assert_eq!(world.desk.observe_payment("stripe:main", tampered).await.unwrap(), Observed::NotYet);
        assert_eq!(world.status(order).await, Status::Held);
        world.audit().await;
    }

    async fn a_sum_that_staff_give_back_is_above_zero(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Pagada").await.order;
        world.pay(BARCELONA, order).await;
        for amount in [0, -1, i64::MIN] {
            let refused = world.desk.refund_by_staff(&treasurer("r1"), &id(BARCELONA), order, staff_refund(amount)).await.unwrap_err();
            assert_eq!((refused.slug, refused.fields[0].field.as_str()), (Slug::InvalidFields, "amount"));
        }
        world.audit().await;
    }

    async fn what_sends_money_out_has_a_key_so_that_a_repeat_sends_none(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Un Cop").await.order;
        world.pay(BARCELONA, order).await;
        let give = async |by: &By| world.desk.refund_by_staff(by, &id(BARCELONA), order, staff_refund(1_000)).await;
        assert_eq!(slug(give(&staff()).await), Slug::KeyMissing);
        let payment = world.view(order).await.payments[0].id;
        let back = world.desk.return_payment(&staff(), &id(BARCELONA), payment).await;
        assert_eq!(slug(back), Slug::KeyMissing);
        let first = give(&treasurer("once")).await.unwrap();
        assert_eq!(give(&treasurer("once")).await.unwrap(), first);
        assert_eq!(world.view(order).await.refunded, 1_000);
        assert_ne!(give(&treasurer("again")).await.unwrap(), first);
        assert_eq!(world.view(order).await.refunded, 2_000);
        world.audit().await;
    }

    async fn staff_give_back_any_sum_up_to_what_is_left_and_no_more(store: Store) {
        let world = std::sync::Arc::new(World::open(store, 9).await);
        let order = world.enter("Part a Part").await.order;
        world.pay(BARCELONA, order).await;
        let tasks: Vec<_> = (0..4)
            .map(|task| {
                let (world, by) = (world.clone(), treasurer(&format!("part {task}")));
                tokio::spawn(async move {
                    world.desk.refund_by_staff(&by, &id(BARCELONA), order, staff_refund(2_500)).await
                })
            })
            .collect();
        let mut refused = 0;
        for task in tasks {
            if let Err(problem) = task.await.unwrap() {
                assert_eq!(problem.slug, Slug::NothingLeft);
                refused += 1;
            }
        }
        assert_eq!(refused, 2, "two of 25 fit in 60");
        world.desk.step_refunds().await.unwrap();
        let view = world.view(order).await;
        assert_eq!((view.refunded, view.status), (5_000, Status::Confirmed), "a refund cancels nothing");
        assert!(view.refunds.iter().all(|r| r.status == RefundStatus::Succeeded));
        world.audit().await;
    }

    async fn a_refund_that_comes_back_opens_the_debt_and_a_transfer_closes_it(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Targeta Tancada").await.order;
        world.open_payment(BARCELONA, order).await;
        let reference = world.reference(order).await;
        world.control().pay(&reference, "4242424242424242").unwrap();
        world.look(&reference).await;
        world.desk.cancel(&staff(), &id(BARCELONA), order, leave(domain::Cause::CancelByOrganiser)).await.unwrap();
        world.desk.step_refunds().await.unwrap();
        let refund = world.view(order).await.refunds[0].clone();
        assert_eq!((refund.amount, refund.status), (6_000, RefundStatus::Succeeded));
        let at_gateway = refund.reference.clone().unwrap();
        world.control().fail_refund(&at_gateway, "lost_or_stolen_card").unwrap();
        let seen = registration::Gateway::look_refund(&*world.gateway, &at_gateway).await.unwrap();
        world.desk.observe_refund("stripe:main", seen.clone()).await.unwrap();
        world.desk.observe_refund("stripe:main", seen).await.unwrap();
        assert_eq!(world.view(order).await.refunds[0].status, RefundStatus::Failed);
        world.audit().await;
        let (_, waiting) = world.desk.back_office(&id(BARCELONA)).await.unwrap();
        assert_eq!(waiting.len(), 1);
        let more = world.desk.refund_by_staff(&treasurer("more"), &id(BARCELONA), order, staff_refund(1)).await.unwrap_err();
        let told = more.fields.iter().find(|f| f.rule == "refund_failed").unwrap();
        assert!(told.text.en.contains(&refund.id.to_string()), "{}", told.text.en);
        let done = async |n: &'static str| {world.desk.refund_transferred(&staff(), &id(BARCELONA), refund.id, n.into()).await };
        done("TR-1").await.unwrap();
        assert_eq!(slug(done("TR-2").await), Slug::IllegalMove);
        world.audit().await;
    }

    async fn a_refund_made_by_hand_at_the_gateway_is_taken_over_once(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("A Ma").await.order;
        world.pay(BARCELONA, order).await;
        let intent = world.view(order).await.payments[0].intent.clone();
        let seen = registration::SeenRefund {
            reference: "re_by_hand".into(),
            intent,
            refund: None,
            amount: eur(1_000),
            state: registration::RefundState::Succeeded,
        };
        for _ in 0..2 {
            world.desk.observe_refund("stripe:main", seen.clone()).await.unwrap();
        }
        let view = world.view(order).await;
        assert_eq!((view.refunded, view.refunds.len(), view.status), (1_000, 1, Status::Confirmed));
        world.audit().await;
    }

    async fn a_disputed_charge_is_not_refunded_to_the_card(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Disputada").await.order;
        world.pay(BARCELONA, order).await;
        let intent = world.view(order).await.payments[0].intent.clone().unwrap();
        let mut dispute = registration::SeenDispute {
            reference: "dp_1".into(),
            intent,
            amount: eur(6_000),
            won: None,
        };
        world.desk.observe_dispute("stripe:main", dispute.clone()).await.unwrap();
        let refund = world.desk.refund_by_staff(&treasurer("r3"), &id(BARCELONA), order, staff_refund(6_000)).await;
        assert_eq!(slug(refund), Slug::NothingLeft);
        dispute.won = Some(true);
        world.desk.observe_dispute("stripe:main", dispute.clone()).await.unwrap();
        world.desk.observe_dispute("stripe:main", dispute).await.unwrap();
        let refund = world.desk.refund_by_staff(&treasurer("r4"), &id(BARCELONA), order, staff_refund(6_000)).await;
        assert!(refund.is_ok());
        world.audit().await;
    }

    async fn a_disputed_order_can_be_annulled_and_what_comes_back_of_it_goes_back(store: Store) {
        let world = World::open(store, 9).await;
        for (cause, back) in [(domain::Cause::CancelByOrganiser, 6_000), (domain::Cause::CancelByPlayer, 0)] {
            for won in [true, false] {
                let order = world.enter(&format!("Anul {cause} {won}")).await.order;
                world.pay(BARCELONA, order).await;
                let intent = world.view(order).await.payments[0].intent.clone().unwrap();
                let mut dispute = registration::SeenDispute { reference: format!("dp_{order}"), intent, amount: eur(6_000), won: None };
                world.desk.observe_dispute("stripe:main", dispute.clone()).await.unwrap();
                let (waiting, _) = world.desk.back_office(&id(BARCELONA)).await.unwrap();
                assert_eq!((waiting.len(), waiting[0].order, waiting[0].disputed), (1, order, 6_000));
                let ask = staff_refund(1);
                let refused = world.desk.refund_by_staff(&treasurer("d"), &id(BARCELONA), order, ask).await.unwrap_err();
                assert!(refused.fields.iter().any(|f| f.rule == "disputed"), "{refused:?}");
                let preview = world.desk.preview_cancellation(&staff(), &id(BARCELONA), order, leave(cause)).await.unwrap();
                let done = world.desk.cancel(&staff(), &id(BARCELONA), order, leave(cause)).await.unwrap();
                assert_eq!(preview, done);
                assert_eq!((done.refund, done.kept, done.disputed), (0, 0, 6_000));
                world.audit().await;
                dispute.won = Some(won);
                for _ in 0..2 {
                    world.desk.observe_dispute("stripe:main", dispute.clone()).await.unwrap();
                }
                let view = world.view(order).await;
                let expected = if won { (back, 6_000 - back) } else { (0, 0) };
                assert_eq!((view.refunded, view.kept), expected, "{cause} {won}");
                let (waiting, _) = world.desk.back_office(&id(BARCELONA)).await.unwrap();
                assert_eq!(waiting, []);
                world.audit().await;
            }
        }
    }

    /// The second dispute is opened after the entry has left, and holds back a part of what the first one sets free.
    async fn two_disputes_of_an_order_leave_nothing_behind(store: Store) {
        let world = World::open(store, 9).await;
        let entries = vec![entry(Some("B"), player("Dues Disputes"))];
        let registered = world.register(BARCELONA, entries).await.unwrap();
        let (order, id) = (registered.order, id(BARCELONA));
        world.pay(BARCELONA, order).await;
        world.desk.place(&staff(), &id, registered.entries[0].entry, "A".parse().unwrap()).await.unwrap();
        world.pay(BARCELONA, order).await;
        let payments = world.view(order).await.payments;
        let dispute = |place: usize, won: Option<bool>| registration::SeenDispute {
            reference: format!("dp_{place}"),
            intent: payments[place].intent.clone().unwrap(),
            amount: eur(payments[place].amount),
            won,
        };
        let observe = async |place, won| {
            world.desk.observe_dispute("stripe:main", dispute(place, won)).await.unwrap();
            world.audit().await;
        };
        observe(0, None).await;
        world.desk.cancel(&staff(), &id, order, leave(domain::Cause::CancelByOrganiser)).await.unwrap();
        observe(1, None).await;
        observe(0, Some(true)).await;
        observe(1, Some(true)).await;
        let view = world.view(order).await;
        assert_eq!((view.paid, view.refunded, view.kept), (6_000, 6_000, 0));
    }

    async fn only_staff_s_reason_stands_in_the_journal_with_their_name(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Amb Motiu").await.order;
        world.pay(BARCELONA, order).await;
        let by = By { actor: Actor::Staff("key_treasurer".into()), reason: "illness".into(), key: Some("k".into()) };
        world.desk.refund_by_staff(&by, &id(BARCELONA), order, staff_refund(100)).await.unwrap();
        let told = world.desk.explain(order).await.unwrap();
        let row = &told.steps.iter().find(|s| matches!(s.row.event, domain::Event::RefundReserved { .. })).unwrap().row;
        assert_eq!((&row.actor, row.reason.as_str()), (&by.actor, "illness"));
        assert!(told.to_string().contains("illness"));
        let sum: i64 = told.balances.iter().map(|(_, sum)| sum.amount).sum();
        assert_eq!(sum, 0);
    }
}
