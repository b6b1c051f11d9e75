//! Calls whose answer says nothing of their effect, and payments that are on their way: nothing is lost, nobody is stuck.

use domain::{Cause, PaymentKind, PaymentStatus, Slug, Status};
use registration::{Cancel, OpenPayment, Seen, SeenState};
use sandbox::{ApiFault, Trouble, When};
use store::Store;

use crate::world::{BARCELONA, World, eur, id, payer, session, slug};

/// What the gateway shows of money on this page, which names the order's first payment and was made under this key.
async fn paid(world: &World, order: domain::OrderId, page: &str, key: &str) -> Seen {
    Seen {
        reference: page.into(),
        intent: Some(page.replace("cs_", "pi_")),
        payment: Some(world.view(order).await.payments[0].id),
        order: Some(order),
        key: Some(key.into()),
        state: SeenState::Succeeded {
            received: eur(6_000),
            charged_at: world.desk.clock().wall(),
        },
    }
}

fn leave() -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    }
}

store::both! {
    async fn after_a_stored_failure_the_payer_pays_under_another_key(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Torna-hi").await.order;
        world.control().fail(ApiFault {
            operation: "checkout.sessions.create".into(),
            trouble: Trouble::ServerError,
            when: When::BeforeEffect,
            times: 1,
        });
        let failed = world.desk.open_payment(&payer(), &id(BARCELONA), order, session()).await;
        assert_eq!(slug(failed), Slug::GatewayDown);
        world.pay(BARCELONA, order).await;
        assert_eq!(world.status(order).await, Status::Confirmed);
        assert_eq!(world.view(order).await.payments.len(), 1);
        world.audit().await;
    }

    async fn money_on_a_stray_is_a_payment_of_its_own_and_comes_in_once(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Orfe").await.order;
        world.open_payment(BARCELONA, order).await;
        let own = world.reference(order).await;
        let key = world.view(order).await.payments[0].gateway_key.clone();
        let page = paid(&world, order, "cs_stray", "an-earlier-key").await;
        let intent = Seen { reference: "pi_stray".into(), ..page.clone() };
        for seen in [intent.clone(), page.clone(), intent, page] {
            world.desk.observe_payment("stripe:main", seen).await.unwrap();
        }
        let view = world.view(order).await;
        let stands: Vec<_> = view.payments.iter().map(|p| p.status).collect();
        assert_eq!(stands, [PaymentStatus::Open, PaymentStatus::Succeeded]);
        assert_eq!((view.status, view.paid, view.refunded), (Status::Confirmed, 6_000, 0));

        // A page under the same key, as when the gateway had forgotten it.
        let again = paid(&world, order, "cs_again", &key).await;
        world.desk.observe_payment("stripe:main", again).await.unwrap();
        assert_eq!(world.view(order).await.refunded, 6_000, "nothing was due any more");
        let first = paid(&world, order, &own, &key).await;
        world.desk.observe_payment("stripe:main", first).await.unwrap();
        let view = world.view(order).await;
        assert_eq!((view.payments.len(), view.paid, view.refunded), (3, 18_000, 12_000));
        world.audit().await;
    }

    async fn a_wrong_sum_on_a_stray_waits_for_the_back_office(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Orfe").await.order;
        world.open_payment(BARCELONA, order).await;
        let mut seen = paid(&world, order, "cs_stray", "an-earlier-key").await;
        seen.state = SeenState::Succeeded { received: eur(100), charged_at: world.desk.clock().wall() };
        world.desk.observe_payment("stripe:main", seen).await.unwrap();
        let (waiting, _) = world.desk.back_office(&id(BARCELONA)).await.unwrap();
        assert_eq!(waiting[0].reference.as_deref(), Some("cs_stray"));
        assert_eq!(world.status(order).await, Status::Held);
        world.audit().await;
    }

    async fn the_intent_of_a_page_is_the_payments_own_whichever_is_seen_first(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Sencera").await.order;
        world.open_payment(BARCELONA, order).await;
        let own = world.reference(order).await;
        let key = world.view(order).await.payments[0].gateway_key.clone();
        let seen = paid(&world, order, &own, &key).await;
        let intent = Seen { reference: seen.intent.clone().unwrap(), ..seen.clone() };
        for seen in [intent, seen] {
            world.desk.observe_payment("stripe:main", seen).await.unwrap();
        }
        let view = world.view(order).await;
        assert_eq!((view.payments.len(), view.paid), (1, 6_000));
        assert_eq!(view.payments[0].reference.as_ref(), Some(&own));
        world.audit().await;
    }

    async fn while_money_is_on_its_way_a_refusal_says_so(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("En Curs").await.order;
        world.open_payment(BARCELONA, order).await;
        let page = world.reference(order).await;
        world.control().pay(&page, "4999990000000015").unwrap();
        let refused = world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await.unwrap_err();
        let again = OpenPayment { method: PaymentKind::Intent, ..session() };
        let second = world.desk.open_payment(&payer(), &id(BARCELONA), order, again).await.unwrap_err();
        for problem in [refused, second] {
            assert_eq!(problem.slug, Slug::IllegalMove);
            let fault = &problem.fields[0];
            assert_eq!((fault.field.as_str(), fault.rule.as_str()), ("payment", "payment_in_processing"));
        }
        let intent = world.gateway_intent(&page).await;
        world.control().settle_payment(&intent, false).unwrap();
        world.look(&page).await;
        world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await.unwrap();
        world.audit().await;
    }

    async fn the_sum_that_the_payer_was_shown_is_named_as_it_was_sent(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Altra Suma").await.order;
        let ask = OpenPayment { expected: Some(eur(1)), ..session() };
        let refused = world.desk.open_payment(&payer(), &id(BARCELONA), order, ask).await.unwrap_err();
        assert_eq!((refused.slug, refused.fields[0].field.as_str()), (Slug::AmountMismatch, "expected"));
        world.audit().await;
    }
}
