//! The same request again, or at the same time: one effect, one key at the gateway, one answer.

use std::sync::Arc;

use domain::{Event, PaymentKind, Slug, Status};
use registration::{OpenPayment, Registered};
use sandbox::{ApiFault, Trouble, When};
use store::{Settings, Store};

use super::{ACCOUNT, VISA, beside, event, inbox, times};
use crate::world::{BARCELONA, World, entry, id, order, payer, player, session, slug, with_key};

fn asked(name: &str) -> registration::Register {
    order(BARCELONA, vec![entry(Some("A"), player(name))])
}

store::both! {
    async fn another_card_is_taken_after_a_decline(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Berta Boi").await.order;
        let open = async || {
            world.desk.open_payment(&with_key("k"), &id(BARCELONA), order, session()).await.unwrap()
        };
        let first = open().await;
        let page = world.reference(order).await;
        assert!(world.control().pay(&page, "4000000000000002").is_err());
        world.look(&page).await;
        assert_eq!(open().await, first);
        world.control().pay(&page, VISA).unwrap();
        world.look(&page).await;
        assert_eq!(world.status(order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn twenty_asks_at_once_open_one_page(settings: Settings) {
        let world = Arc::new(World::open(Store::open(&settings).unwrap(), 9).await);
        let there = beside(&world, &settings).await;
        for round in 1..=5 {
            let order = world.enter(&format!("Impacient {}", ["u", "dos", "tres", "quatre", "cinc"][round - 1])).await.order;
            let tasks: Vec<_> = (0..20)
                .map(|n| {
                    let desk = if n % 2 == 0 { world.desk.clone() } else { there.clone() };
                    tokio::spawn(async move {
                        desk.open_payment(&with_key("k"), &id(BARCELONA), order, session()).await.unwrap()
                    })
                })
                .collect();
            let mut opened = Vec::new();
            for task in tasks {
                opened.push(task.await.unwrap());
            }
            assert!(opened.iter().all(|one| *one == opened[0]), "{opened:?}");
            assert_eq!(world.control().objects("checkout_sessions").unwrap().len(), round);
            let page = world.reference(order).await;
            world.control().pay(&page, VISA).unwrap();
            world.look(&page).await;
            assert_eq!(world.status(order).await, Status::Confirmed);
        }
        world.audit().await;
    }

    async fn a_call_goes_out_under_the_key_of_its_payment_every_time(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Resposta Perduda").await.order;
        let ask = OpenPayment { method: PaymentKind::Intent, ..session() };
        let open = async || world.desk.open_payment(&with_key("k"), &id(BARCELONA), order, ask.clone()).await;
        world.control().fail(ApiFault {
            operation: "payment_intents.create".into(),
            trouble: Trouble::Disconnect,
            when: When::AfterEffect,
            times: 100,
        });
        assert_eq!(slug(open().await), Slug::GatewayDown);
        world.control().clear_faults();
        open().await.unwrap();
        let key = world.view(order).await.payments[0].gateway_key.clone();
        let created = world.control().objects("events").unwrap().into_iter();
        let keys: Vec<_> = created.map(|event| event["request"]["idempotency_key"].clone()).collect();
        assert_eq!(keys, [key.as_str()]);
        assert_eq!(world.control().objects("payment_intents").unwrap().len(), 1);
        world.audit().await;
    }

    /// As after a crash between what an event changed and the mark that it was acted on.
    async fn an_event_without_its_mark_is_acted_on_again_and_changes_nothing(store: Store) {
        let world = World::open(store, 9).await;
        let inbox = inbox(&world);
        let order = world.enter("Un Cop").await.order;
        world.open_payment(BARCELONA, order).await;
        let page = world.reference(order).await;
        world.control().pay(&page, VISA).unwrap();
        inbox.take(ACCOUNT, &event("evt_1", "checkout.session.completed", &page)).await.unwrap();
        world.look(&page).await;
        let rows = world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap();
        assert_eq!(inbox.step().await.unwrap(), 1, "it is still to be acted on");
        assert_eq!(world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap(), rows);
        assert_eq!(times(&world, order, |e| matches!(e, Event::PaymentSucceeded { .. })).await, 1);
        assert_eq!(inbox.step().await.unwrap(), 0);
        world.audit().await;
    }

    async fn a_form_that_is_sent_twice_keeps_its_way_to_pay(store: Store) {
        let world = World::open(store, 9).await;
        let first = world.desk.register(&with_key("k"), asked("Dos Clics")).await.unwrap();
        let again = world.desk.register(&with_key("k"), asked("Dos Clics")).await.unwrap();
        assert_eq!(again, first);
        let without = world.register(BARCELONA, vec![entry(Some("A"), player("Dos Clics"))]).await;
        assert_eq!(slug(without), Slug::AlreadyEntered);
        world.pay(BARCELONA, again.order).await;
        assert_eq!(world.status(first.order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn one_person_in_many_spellings_at_once_enters_once(settings: Settings) {
        let world = Arc::new(World::open(Store::open(&settings).unwrap(), 9).await);
        let there = beside(&world, &settings).await;
        let spellings = ["Pérez, Ana", "perez, ana", "ANA PÉREZ", "Ana  Perez", "ana pérez", "PEREZ, ANA"];
        let tasks: Vec<_> = spellings
            .into_iter()
            .enumerate()
            .map(|(n, name)| {
                let desk = if n % 2 == 0 { world.desk.clone() } else { there.clone() };
                tokio::spawn(async move { desk.register(&payer(), asked(name)).await })
            })
            .collect();
        let mut entered: Vec<Registered> = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                Ok(registered) => entered.push(registered),
                Err(problem) => assert_eq!(problem.slug, Slug::AlreadyEntered),
            }
        }
        assert_eq!(entered.len(), 1);
        world.audit().await;
    }
}
