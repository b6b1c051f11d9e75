//! The thin line: priced, registered, paid by card, confirmed, once.

use domain::{PaymentStatus, Slug, Status};
use store::Store;

use crate::world::{BARCELONA, World, entry, eur, id, order, payer, player, session, slug};

store::both! {
    async fn an_entry_is_priced_held_paid_and_confirmed_once(store: Store) {
        let world = World::open(store, 10).await;
        let registered = world.enter("Anna Alfil").await;
        assert_eq!((registered.status, registered.total), (Status::Held, 6_000));
        assert_eq!(registered.entries[0].form_number, 1);

        let opened = world.open_payment(BARCELONA, registered.order).await;
        assert_eq!(opened.amount, eur(6_000));
        assert!(opened.url.is_some_and(|url| url.starts_with(world.sandbox.base_url())));
        let reference = world.reference(registered.order).await;
        world.control().pay(&reference, "4242424242424242").unwrap();
        for _ in 0..3 {
            world.look(&reference).await;
        }
        let view = world.view(registered.order).await;
        assert_eq!((view.status, view.paid, view.due), (Status::Confirmed, 6_000, 0));
        assert_eq!(view.payments[0].status, PaymentStatus::Succeeded);
        let rows = world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap();
        let paid = rows.iter().filter(|r| matches!(r.event, domain::Event::PaymentSucceeded { .. })).count();
        assert_eq!(paid, 1);
        world.audit().await;
    }

    async fn a_declined_card_leaves_the_page_open_for_another(store: Store) {
        let world = World::open(store, 10).await;
        let order = world.enter("Berta Boi").await.order;
        world.open_payment(BARCELONA, order).await;
        let reference = world.reference(order).await;
        assert!(world.control().pay(&reference, "4000000000000002").is_err());
        world.look(&reference).await;
        assert_eq!(world.status(order).await, Status::Held);
        world.control().pay(&reference, "4242424242424242").unwrap();
        world.look(&reference).await;
        assert_eq!(world.status(order).await, Status::Confirmed);
        world.audit().await;
    }

    async fn an_open_payment_is_given_again_and_another_kind_replaces_it(store: Store) {
        let world = World::open(store, 10).await;
        let order = world.enter("Carla Cavall").await.order;
        let first = world.open_payment(BARCELONA, order).await;
        let again = world.open_payment(BARCELONA, order).await;
        assert_eq!(first.payment, again.payment);
        let mut ask = session();
        ask.method = domain::PaymentKind::Intent;
        let intent = world.desk.open_payment(&payer(), &id(BARCELONA), order, ask).await.unwrap();
        assert_ne!(intent.payment, first.payment);
        assert!(intent.client_secret.is_some());
        let view = world.view(order).await;
        assert_eq!(view.payments[0].status, PaymentStatus::Cancelled);
        world.audit().await;
    }

    async fn a_sum_other_than_the_order_s_is_refused(store: Store) {
        let world = World::open(store, 10).await;
        let mut command = order(BARCELONA, vec![entry(Some("A"), player("Dora Dama"))]);
        command.expected = Some(eur(100));
        assert_eq!(slug(world.desk.register(&payer(), command).await), Slug::AmountMismatch);
        let held = world.enter("Dora Dama").await.order;
        let mut ask = session();
        ask.expected = Some(eur(100));
        let outcome = world.desk.open_payment(&payer(), &id(BARCELONA), held, ask).await;
        assert_eq!(slug(outcome), Slug::AmountMismatch);
        world.audit().await;
    }

    async fn entry_waits_for_the_organiser_s_figure(store: Store) {
        let world = World::new(store).await;
        let outcome = world.register(BARCELONA, vec![entry(Some("A"), player("Eva Enroc"))]).await;
        assert_eq!(slug(outcome), Slug::NotOpen);
        world.audit().await;
    }
}
