//! Limited rows: the first six who hold a title play free, and whoever comes next pays.

use domain::{Cause, EntryRequest, FactName, OrderId, QuoteRequest, Slug, Status, Taken, Title};
use registration::{Cancel, FirstChange, Gateway, Registered, Seen, SeenState};
use store::Store;

use crate::world::{World, case_file, entry, eur, id, order, payer, plain_player, staff, take_in};

const KENT: &str = "ken24";
const IN_TIME: &str = "2024-05-20T10:00:00Z";

/// Kent, where the first so many who hold a title pay so much, in pounds, and others 45.
async fn world(store: Store, first: u32, price: i64) -> World {
    let world = World::new(store).await;
    let limited = format!("first   = {first}\namount  = {price}");
    let text = case_file(KENT).replace("first   = 6\namount  = 0", &limited);
    assert!(text.contains(&limited));
    take_in(&world.desk, &text).await;
    world.clock.set(KENT, IN_TIME);
    world
}

fn titled(name: &str) -> domain::Entrant {
    let mut player = plain_player(name);
    player.title = Some(Title::Im);
    domain::Entrant::Player(player)
}

/// Staff enter them, so that a title is as good as checked.
async fn enter(world: &World, names: &[&str]) -> Registered {
    let entries = names.iter().map(|name| entry(Some("open"), titled(name)));
    let mut asked = order(KENT, entries.collect());
    asked.payer.consents.clear();
    world.desk.register(&staff(), asked).await.unwrap()
}

async fn quoted(world: &World) -> i64 {
    let regulation = world.desk.regulation(&id(KENT)).unwrap();
    let request = QuoteRequest {
        at: IN_TIME.parse().unwrap(),
        paid_at: None,
        received_at: None,
        currency: None,
        entries: vec![EntryRequest {
            section: Some("open".parse().unwrap()),
            entrant: titled("Somebody"),
        }],
        standing: Vec::new(),
        taken: Taken::new(),
        others: domain::Others::default(),
    };
    let request = world.desk.with_standing(&regulation, request).await;
    rules::quote(&regulation, &request.unwrap()).total
}

async fn leave(world: &World, order: OrderId) {
    let ask = Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    };
    let (desk, kent) = (&world.desk, id(KENT));
    desk.cancel(&payer(), &kent, order, ask).await.unwrap();
}

/// The desk hears of twenty pounds on a page that the gateway has closed.
async fn paid_late(world: &World, page: &str) {
    let mut received = eur(2_000);
    received.currency = "GBP".parse().unwrap();
    let charged_at = world.desk.clock().wall();
    let seen = Seen {
        reference: page.into(),
        intent: None,
        payment: None,
        order: None,
        key: None,
        state: SeenState::Succeeded {
            received,
            charged_at,
        },
    };
    let account = world.gateway.account();
    world.desk.observe_payment(account, seen).await.unwrap();
}

fn prices(registered: &Registered) -> Vec<i64> {
    registered.entries.iter().map(|entry| entry.price).collect()
}

/// Kent with some words in the place of others.
fn kent(from: &str, to: &str) -> String {
    let text = case_file(KENT);
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

store::both! {
    async fn a_row_that_somebody_has_keeps_its_name_and_its_limit(store: Store) {
        let world = world(store, 6, 0).await;
        let renamed = kent("id      = \"titled\"", "id      = \"masters\"");
        let for_all = kent("first   = 6\n", "");
        // As long as nobody has it anything goes.
        assert_eq!(world.preview(KENT, renamed.clone()).await.obstacles, []);
        let two = enter(&world, &["Anna", "Berta"]).await;
        for text in [&renamed, &for_all] {
            let found = world.refused(KENT, text.clone()).await;
            assert_eq!(found, (Slug::IllegalMove, vec!["row titled row_in_use".to_owned()]));
            assert_eq!(world.preview(KENT, text.clone()).await.obstacles[0].rule, "row_in_use");
        }
        leave(&world, two.order).await;
        world.publish(KENT, 1, renamed).await;
        assert_eq!(enter(&world, &["Carla"]).await.total, 0);
        world.audit().await;
    }

    async fn fewer_than_have_a_row_already_is_told_and_takes_it_from_nobody(store: Store) {
        let world = world(store, 6, 0).await;
        let first = enter(&world, &["Anna", "Berta"]).await;
        let fewer = kent("first   = 6", "first   = 1");
        let told = world.preview(KENT, fewer.clone()).await;
        let change = FirstChange { row: "titled".to_owned(), before: 6, after: 1, taken: 2 };
        assert_eq!((told.firsts, told.obstacles), (vec![change], vec![]));
        world.publish(KENT, 1, fewer).await;
        assert_eq!(world.view(first.order).await.total, 0);
        assert_eq!(quoted(&world).await, 4_500);
        leave(&world, first.order).await;
        assert_eq!(quoted(&world).await, 0);
        world.audit().await;
    }

    async fn the_first_two_play_free_and_a_place_that_is_given_back_goes_to_the_next(store: Store) {
        let world = world(store, 2, 0).await;
        assert_eq!(quoted(&world).await, 0);
        let first = enter(&world, &["Anna"]).await;
        assert_eq!((first.status, prices(&first)), (Status::Confirmed, vec![0]));
        let next = enter(&world, &["Berta", "Carla"]).await;
        assert_eq!(prices(&next), [0, 4_500], "an order counts its own");
        assert_eq!(quoted(&world).await, 4_500);
        leave(&world, first.order).await;
        assert_eq!(quoted(&world).await, 0);
        assert_eq!(world.view(next.order).await.total, 4_500, "who stands is not priced anew");
        assert_eq!(prices(&enter(&world, &["Dora"]).await), [0]);
        assert_eq!(prices(&enter(&world, &["Eva"]).await), [4_500]);
        world.audit().await;
    }

    async fn a_title_found_wrong_gives_its_place_back_and_found_right_takes_what_is_left(store: Store) {
        let world = world(store, 1, 0).await;
        let (desk, kent) = (&world.desk, id(KENT));
        let anna = enter(&world, &["Anna"]).await;
        let berta = enter(&world, &["Berta"]).await;
        assert_eq!((anna.total, berta.total), (0, 4_500));
        let decide = async |upheld| {
            let entry = anna.entries[0].entry;
            desk.check_fact(&staff(), &kent, entry, FactName::Title, upheld, None).await.unwrap();
            world.view(anna.order).await.total
        };
        assert_eq!(decide(false).await, 4_500);
        assert_eq!(quoted(&world).await, 0, "her place is free");
        assert_eq!(decide(true).await, 0, "and hers again");
        assert_eq!(quoted(&world).await, 4_500);
        decide(false).await;
        assert_eq!(enter(&world, &["Carla"]).await.total, 0);
        assert_eq!(decide(true).await, 4_500, "somebody has it now");
        world.audit().await;
    }

    async fn late_money_brings_a_place_back_only_if_it_is_left(store: Store) {
        let world = world(store, 1, 20).await;
        let late = enter(&world, &["Tarda"]).await;
        assert_eq!(late.total, 2_000);
        world.open_payment(KENT, late.order).await;
        let page = world.reference(late.order).await;
        world.clock.set(KENT, "2024-05-21T10:00:01Z");
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(late.order).await, Status::Expired);
        assert_eq!(quoted(&world).await, 2_000);
        let next = enter(&world, &["Segona"]).await;
        assert_eq!(next.total, 2_000);
        paid_late(&world, &page).await;
        let view = world.view(late.order).await;
        assert_eq!((view.status, view.refunded), (Status::Expired, 2_000));

        leave(&world, next.order).await;
        let again = enter(&world, &["Tercera"]).await;
        world.open_payment(KENT, again.order).await;
        let page = world.reference(again.order).await;
        world.clock.set(KENT, "2024-05-22T10:00:02Z");
        world.desk.step_expire().await.unwrap();
        paid_late(&world, &page).await;
        assert_eq!(world.status(again.order).await, Status::Confirmed);
        assert_eq!(quoted(&world).await, 4_500, "it has its place again");
        world.audit().await;
    }
}
