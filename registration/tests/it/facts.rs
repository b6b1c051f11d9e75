//! Facts that staff check: what a decision does to the price, its opposite undoes.

use domain::{Actor, Cause, Entrant, Event, FactName, Problem, RefundCause, Slug, Status};
use registration::{By, Cancel, Registered};
use store::Store;

use crate::world::{BARCELONA, World, entry, id, payer, plain_player, slug, staff};

/// One player born on this day: 60 euros, or 50 for who is young enough.
async fn enter(world: &World, born: &str) -> Registered {
    let mut player = plain_player("Jove Jugador");
    player.birth_date = born.parse().unwrap();
    let asked = entry(Some("A"), Entrant::Player(player));
    world.register(BARCELONA, vec![asked]).await.unwrap()
}

async fn check(
    world: &World,
    registered: &Registered,
    upheld: bool,
    value: Option<&str>,
) -> Result<(), Problem> {
    let by = By {
        actor: Actor::Staff("key_arbiter".into()),
        reason: format!("{upheld} {value:?}"),
        key: None,
    };
    let (desk, tournament) = (&world.desk, id(BARCELONA));
    let (entry, fact) = (registered.entries[0].entry, FactName::BirthDate);
    let value = value.map(str::to_owned);
    desk.check_fact(&by, &tournament, entry, fact, upheld, value)
        .await
}

/// Total, due, and what goes back.
async fn sums(world: &World, registered: &Registered) -> (i64, i64, i64) {
    let view = world.view(registered.order).await;
    assert_eq!(view.total, view.entries[0].price);
    (view.total, view.due, view.refunded)
}

store::both! {
    async fn a_declared_fact_that_lowers_the_sum_is_checked_and_a_wrong_one_costs_the_difference(store: Store) {
        let world = World::open(store, 9).await;
        let young = enter(&world, "2012-03-04").await;
        assert_eq!(young.total, 5_000);
        world.pay(BARCELONA, young.order).await;
        assert_eq!(world.view(young.order).await.entries[0].to_check, [FactName::BirthDate]);
        assert_eq!(slug(check(&world, &young, false, None).await), Slug::InvalidFields);
        check(&world, &young, false, Some("2002-03-04")).await.unwrap();
        assert_eq!(world.view(young.order).await.entries[0].to_check, []);
        assert_eq!(sums(&world, &young).await, (6_000, 1_000, 0));
        world.pay(BARCELONA, young.order).await;
        assert_eq!(sums(&world, &young).await, (6_000, 0, 0));
        world.audit().await;
    }

    async fn who_somebody_is_follows_the_day_of_birth_that_staff_found(store: Store) {
        let world = World::open(store, 9).await;
        let young = enter(&world, "2012-03-04").await;
        let other = enter(&world, "2002-03-04").await;
        assert_eq!(slug(check(&world, &young, false, Some("2002-03-04")).await), Slug::AlreadyEntered);
        assert_eq!(sums(&world, &young).await, (5_000, 5_000, 0), "nothing changed");
        check(&world, &young, false, Some("2003-03-04")).await.unwrap();
        let again = |born: &str| {
            let mut player = plain_player("Jove Jugador");
            player.birth_date = born.parse().unwrap();
            world.register(BARCELONA, vec![entry(Some("A"), Entrant::Player(player))])
        };
        assert_eq!(slug(again("2003-03-04").await), Slug::AlreadyEntered);
        again("2012-03-04").await.unwrap();
        // Found to be as declared after all, the first would be that one.
        assert_eq!(slug(check(&world, &young, true, None).await), Slug::AlreadyEntered);
        world.desk.cancel(&payer(), &id(BARCELONA), other.order, Cancel { entries: Vec::new(), cause: Cause::CancelByPlayer, credit: false }).await.unwrap();
        check(&world, &young, false, Some("2002-03-04")).await.unwrap();
        world.audit().await;
    }

    async fn staff_change_their_mind_as_often_as_they_must(store: Store) {
        let world = World::open(store, 9).await;
        let young = enter(&world, "2012-03-04").await;
        world.pay(BARCELONA, young.order).await;
        check(&world, &young, true, None).await.unwrap();
        assert_eq!(sums(&world, &young).await, (5_000, 0, 0));
        check(&world, &young, false, Some("2002-03-04")).await.unwrap();
        assert_eq!(sums(&world, &young).await, (6_000, 1_000, 0));
        // Before the difference is paid, nothing has to go back.
        check(&world, &young, true, None).await.unwrap();
        assert_eq!(sums(&world, &young).await, (5_000, 0, 0));
        check(&world, &young, false, Some("2002-03-04")).await.unwrap();
        world.pay(BARCELONA, young.order).await;
        check(&world, &young, false, Some("1999-03-04")).await.unwrap();
        assert_eq!(sums(&world, &young).await, (6_000, 0, 0), "another wrong day costs the same");
        check(&world, &young, true, None).await.unwrap();
        assert_eq!(sums(&world, &young).await, (5_000, 0, 1_000));
        let view = world.view(young.order).await;
        assert_eq!((view.status, view.refunds[0].cause), (Status::Confirmed, RefundCause::Price));
        check(&world, &young, true, None).await.unwrap();
        assert_eq!(sums(&world, &young).await, (5_000, 0, 1_000), "said again, it moves nothing");

        let journal = world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap();
        let told: Vec<(bool, String)> = journal
            .into_iter()
            .filter(|row| row.actor == Actor::Staff("key_arbiter".into()))
            .filter_map(|row| match row.event {
                Event::FactChecked { upheld, .. } => Some((upheld, row.reason)),
                _ => None,
            })
            .collect();
        assert_eq!(told.len(), 7);
        assert_eq!(told[1], (false, r#"false Some("2002-03-04")"#.to_owned()));
        world.audit().await;
    }

    async fn an_order_that_owes_nothing_any_more_goes_on(store: Store) {
        let world = World::open(store, 9).await;
        let young = enter(&world, "2012-03-04").await;
        world.open_payment(BARCELONA, young.order).await;
        let page = world.reference(young.order).await;
        check(&world, &young, false, Some("2002-03-04")).await.unwrap();
        assert!(world.control().pay(&page, "4242424242424242").is_err(), "it asked for the first sum");
        // Had it been paid in that moment all the same:
        world.paid(&page, 5_000).await;
        assert_eq!(world.status(young.order).await, Status::Held);
        assert_eq!(sums(&world, &young).await, (6_000, 1_000, 0));
        check(&world, &young, true, None).await.unwrap();
        assert_eq!(world.status(young.order).await, Status::Confirmed);
        assert_eq!(sums(&world, &young).await, (5_000, 0, 0));
        world.audit().await;
    }

    async fn a_fact_that_was_believed_is_checked_where_the_price_asks_for_it(store: Store) {
        let world = World::open(store, 9).await;
        let adult = enter(&world, "1990-03-04").await;
        world.pay(BARCELONA, adult.order).await;
        assert_eq!(world.view(adult.order).await.entries[0].to_check, []);
        check(&world, &adult, false, Some("2012-03-04")).await.unwrap();
        assert_eq!(sums(&world, &adult).await, (5_000, 0, 1_000));
        check(&world, &adult, true, None).await.unwrap();
        assert_eq!(sums(&world, &adult).await, (6_000, 1_000, 1_000));
        let entry = adult.entries[0].entry;
        let club = world.desk.check_fact(&staff(), &id(BARCELONA), entry, FactName::Club, true, None).await;
        let club = club.unwrap_err();
        assert_eq!((club.slug, club.fields[0].field.as_str()), (Slug::IllegalMove, "fact"));
        world.audit().await;
    }

    async fn nothing_is_checked_of_an_entry_that_has_ended(store: Store) {
        let world = World::open(store, 9).await;
        let young = enter(&world, "2012-03-04").await;
        let leave = Cancel { entries: Vec::new(), cause: Cause::CancelByPlayer, credit: false };
        world.desk.cancel(&payer(), &id(BARCELONA), young.order, leave).await.unwrap();
        assert_eq!(slug(check(&world, &young, false, Some("2002-03-04")).await), Slug::IllegalMove);
        world.audit().await;
    }
}
