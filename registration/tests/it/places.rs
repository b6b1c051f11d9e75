//! Prices by the place that an entry has in its order, or among its federation: who leaves lets those behind move up.

use domain::{Cause, Entrant, EntryId};
use registration::{Cancel, Registered};
use store::Store;

use crate::world::{World, entry, id, order, payer, plain_player, take_in};

const PLACES: &str = "places";

/// 30, the first of a federation 10, the third of an order half of it.
const FILE: &str = r#"
language  = 1
id        = "places"
name      = "Places"
time_zone = "Europe/Madrid"
currency  = "EUR"
[play]
first  = 2026-08-01
last   = 2026-08-05
begins = 2026-08-01T16:00:00
rounds = 9
[ages]
on = "first day"
[entry]
closes    = { before = 2026-08-01T12:00:00 }
hold      = "24h"
order     = "form"
effective = "paid"
[payment]
methods = ["card"]
[section.open]
name = "Open"
[fees]
[[fees.row]]
id     = "fee"
amount = 30
[[fees.row]]
id     = "delegate"
when   = { place = { of = "federation", to = 1 } }
amount = 10
[[adjust]]
id      = "third"
when    = { place = { of = "order", from = 3 } }
percent = -50
"#;

async fn world(store: Store) -> World {
    let world = World::new(store).await;
    take_in(&world.desk, FILE).await;
    world.clock.set(PLACES, "2026-06-10T10:00:00Z");
    world
}

async fn enter(world: &World, federation: &str, names: &[&str]) -> Registered {
    let entries = names.iter().map(|name| {
        let mut player = plain_player(name);
        player.federation = federation.parse().unwrap();
        entry(Some("open"), Entrant::Player(player))
    });
    let mut asked = order(PLACES, entries.collect());
    asked.payer.consents.clear();
    let registered = world.desk.register(&payer(), asked).await.unwrap();
    world.desk.step_reprice().await.unwrap();
    registered
}

async fn leave(world: &World, order: &Registered, entries: Vec<EntryId>) {
    let ask = Cancel {
        entries,
        cause: Cause::CancelByPlayer,
        credit: false,
    };
    let (desk, places) = (&world.desk, id(PLACES));
    desk.cancel(&payer(), &places, order.order, ask)
        .await
        .unwrap();
    world.desk.step_reprice().await.unwrap();
}

/// What each entry of an order costs, and what is due.
async fn costs(world: &World, order: &Registered) -> (Vec<i64>, i64) {
    let view = world.view(order.order).await;
    let live = view.entries.iter().filter(|entry| entry.status.is_live());
    (live.map(|entry| entry.price).collect(), view.due)
}

store::both! {
    async fn the_next_of_a_federation_moves_up_and_is_given_back_what_it_paid_more(store: Store) {
        let world = world(store).await;
        let first = enter(&world, "FRA", &["Anne"]).await;
        let second = enter(&world, "FRA", &["Berthe"]).await;
        let other = enter(&world, "ITA", &["Carla"]).await;
        let third = enter(&world, "FRA", &["Denise"]).await;
        assert_eq!([first.total, second.total, other.total, third.total], [1_000, 3_000, 1_000, 3_000]);
        for order in [&first, &second, &other, &third] {
            world.pay(PLACES, order.order).await;
        }
        leave(&world, &first, Vec::new()).await;
        let moved = world.view(second.order).await;
        assert_eq!((moved.total, moved.paid, moved.refunded, moved.due), (1_000, 3_000, 2_000, 0));
        assert_eq!(costs(&world, &third).await, (vec![3_000], 0));
        assert_eq!(enter(&world, "FRA", &["Emma"]).await.total, 3_000);
        world.audit().await;
    }

    async fn the_third_of_a_family_pays_less_while_there_are_three(store: Store) {
        let world = world(store).await;
        enter(&world, "FRA", &["Somebody"]).await;
        let family = enter(&world, "FRA", &["Una", "Dues", "Tres", "Quatre"]).await;
        assert_eq!(costs(&world, &family).await, (vec![3_000, 3_000, 1_500, 1_500], 9_000));
        world.pay(PLACES, family.order).await;
        // The second leaves: the third is the second now, and the fourth the third.
        leave(&world, &family, vec![family.entries[1].entry]).await;
        assert_eq!(costs(&world, &family).await, (vec![3_000, 3_000, 1_500], 1_500));
        world.pay(PLACES, family.order).await;
        leave(&world, &family, vec![family.entries[3].entry]).await;
        assert_eq!(costs(&world, &family).await, (vec![3_000, 3_000], 0));
        world.audit().await;
    }
}
