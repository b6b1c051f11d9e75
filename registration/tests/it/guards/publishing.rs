//! A version that is published while somebody decides: an order goes by the one that counts, and one takes the place of one.

use domain::{Event, OrderId};
use registration::{Publication, Publish};
use store::Settings;
use store::guard::Guard;
use store::testing::drop_unique;

use super::{Pair, ends};
use crate::publish::{DEARER, edited, text};
use crate::world::{BARCELONA, entry, id, order, payer, player, staff};

const VERSIONS: &str = "PRIMARY KEY (tournament_id, version)";

/// What is published in a version: every second one is dearer.
fn next(replaces: i32) -> Publish {
    let source = match replaces % 2 {
        1 => edited(BARCELONA, DEARER),
        _ => text(BARCELONA),
    };
    Publish { source, replaces }
}

/// An order that comes in while a version is published, again and again until the version was first: the version that
/// counted when the order was written, and the order's own.
async fn order_behind_a_version(settings: &Settings, without: &[Guard]) -> (i32, i32) {
    let pair = Pair::open(settings, 100).await;
    let (by, tournament) = (payer(), id(BARCELONA));
    for round in 1..=50 {
        pair.enter(2, without);
        let asked = order(
            BARCELONA,
            vec![entry(Some("A"), player(&format!("Volta {round}")))],
        );
        let staff = staff();
        let both = (
            pair.here.desk.publish(&staff, &tournament, next(round)),
            pair.there.register(&by, asked),
        );
        let (published, registered) = tokio::join!(both.0, both.1);
        pair.leave();
        let ((published, _), registered) = (published.unwrap(), registered.unwrap());
        let (counted, own) = counted(&pair, &published, registered.order).await;
        if counted == published.version {
            return (counted, own);
        }
    }
    panic!("the order was always first");
}

/// The version that counted when an order was written, and its own.
async fn counted(pair: &Pair, published: &Publication, of: OrderId) -> (i32, i32) {
    let rows = pair
        .here
        .desk
        .journal(&id(BARCELONA), 0, 1_000)
        .await
        .unwrap();
    let place = |is: &dyn Fn(&Event) -> bool, whose: Option<OrderId>| {
        let found = rows.iter().find(|row| row.order == whose && is(&row.event));
        found.unwrap().number
    };
    let version = |event: &Event| matches!(event, Event::RegulationPublished { version, .. } if *version == published.version);
    let entered = |event: &Event| matches!(event, Event::OrderRegistered { .. });
    let is_first = place(&version, None) < place(&entered, Some(of));
    let read = pair
        .here
        .desk
        .store()
        .read(move |c| store::orders::find(c, of));
    let own = read.await.unwrap().unwrap().version;
    (published.version - i32::from(!is_first), own)
}

/// Two who publish in the place of the same version.
async fn two_versions(settings: &Settings, without: &[Guard]) -> [String; 2] {
    let pair = Pair::open(settings, 9).await;
    let (by, tournament) = (staff(), id(BARCELONA));
    let (one, mut other) = (next(1), next(1));
    other.source.push_str("# another\n");
    let both = pair.race(
        without,
        pair.here.desk.publish(&by, &tournament, one),
        pair.there.publish(&by, &tournament, other),
    );
    ends(both.await, |(published, _)| {
        format!("version {}", published.version)
    })
}

store::both! {
    async fn an_order_behind_a_version_is_priced_under_it(settings: Settings) {
        let (counted, own) = order_behind_a_version(&settings, &[]).await;
        assert_eq!(own, counted);
    }

    async fn without_its_guard_an_order_behind_a_version_is_priced_under_an_older_one(settings: Settings) {
        let (counted, own) = order_behind_a_version(&settings, &[Guard::Version]).await;
        assert_eq!(own, counted - 1);
    }

    async fn a_version_is_replaced_once(settings: Settings) {
        assert_eq!(two_versions(&settings, &[]).await, ["changed-meanwhile", "version 2"]);
    }

    async fn behind_the_guard_of_a_version_stands_the_key(settings: Settings) {
        assert_eq!(two_versions(&settings, &[Guard::Version]).await, ["changed-meanwhile", "version 2"]);
    }

    async fn without_its_guards_a_version_is_replaced_twice(settings: Settings) {
        drop_unique(&settings, "regulations", VERSIONS);
        assert_eq!(two_versions(&settings, &[Guard::Version]).await, ["version 2", "version 2"]);
    }
}
