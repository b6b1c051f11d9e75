//! The same request again: answered as the first was, and done once.

use domain::{Cause, Slug, Status};
use registration::Cancel;
use store::Store;

use crate::world::{BARCELONA, World, entry, id, order, player, session, slug, with_key};

store::both! {
    async fn a_repeat_is_answered_as_the_first_and_another_body_is_refused(store: Store) {
        let world = World::open(store, 9).await;
        let ask = |name: &str| order(BARCELONA, vec![entry(Some("A"), player(name))]);
        let first = world.desk.register(&with_key("k1"), ask("Anna")).await.unwrap();
        world.pay(BARCELONA, first.order).await;
        let again = world.desk.register(&with_key("k1"), ask("Anna")).await.unwrap();
        assert_eq!(again, first, "also after it went on");
        assert_eq!(slug(world.desk.register(&with_key("k1"), ask("Berta")).await), Slug::KeyReused);
        assert_eq!(world.desk.orders(&id(BARCELONA), None, 10).await.unwrap().len(), 1);
        world.audit().await;
    }

    async fn a_key_in_flight_is_waited_for(store: Store) {
        let world = std::sync::Arc::new(World::open(store, 9).await);
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let world = world.clone();
                tokio::spawn(async move {
                    let ask = order(BARCELONA, vec![entry(Some("A"), player("Sola"))]);
                    world.desk.register(&with_key("k2"), ask).await.unwrap()
                })
            })
            .collect();
        let mut answers = Vec::new();
        for task in tasks {
            answers.push(task.await.unwrap());
        }
        assert!(answers.iter().all(|a| *a == answers[0]));
        world.audit().await;
    }

    async fn a_refusal_stores_nothing_and_is_judged_anew(store: Store) {
        let world = World::new(store).await;
        let ask = || order(BARCELONA, vec![entry(Some("A"), player("Pacient"))]);
        assert_eq!(slug(world.desk.register(&with_key("k3"), ask()).await), Slug::NotOpen);
        world.desk.open_tournament(&crate::world::staff(), &id(BARCELONA), 3).await.unwrap();
        assert_eq!(world.desk.register(&with_key("k3"), ask()).await.unwrap().status, Status::Held);
        world.audit().await;
    }

    async fn payments_and_cancellations_repeat_too(store: Store) {
        let world = World::open(store, 9).await;
        let held = world.enter("Repetida").await.order;
        let open = async || {world.desk.open_payment(&with_key("p1"), &self::id(BARCELONA), held, session()).await };
        assert_eq!(open().await.unwrap(), open().await.unwrap());
        let reference = world.reference(held).await;
        world.control().pay(&reference, "4242424242424242").unwrap();
        world.look(&reference).await;
        let leave = || Cancel { entries: Vec::new(), cause: Cause::CancelByPlayer, credit: false };
        let cancel = async || {world.desk.cancel(&with_key("c1"), &self::id(BARCELONA), held, leave()).await };
        assert_eq!(cancel().await.unwrap(), cancel().await.unwrap());
        world.audit().await;
    }

    async fn a_payment_whose_answer_was_lost_opens_one_page(store: Store) {
        let world = World::open(store, 9).await;
        let held = world.enter("Sense Resposta").await.order;
        world.control().fail(sandbox_fault());
        let outcome = world.desk.open_payment(&crate::world::payer(), &id(BARCELONA), held, session()).await;
        if let Err(problem) = &outcome {
            assert_eq!(problem.slug, Slug::GatewayDown);
        }
        let opened = world.open_payment(BARCELONA, held).await;
        assert!(opened.url.is_some());
        assert_eq!(world.control().objects("checkout_sessions").unwrap().len(), 1);
        world.audit().await;
    }
}

/// The call has its effect, and its answer never comes.
fn sandbox_fault() -> sandbox::ApiFault {
    sandbox::ApiFault {
        operation: "checkout.sessions.create".into(),
        when: sandbox::When::AfterEffect,
        trouble: sandbox::Trouble::Disconnect,
        times: 3,
    }
}
