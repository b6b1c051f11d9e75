//! Faults that other registration and payment systems had, each kind in a file of its own. `recipes.csv` says from which
//! public thread each was learned, and where it is tried: here, or where the door or the adapter is that it is about.

mod expiry;
mod holds;
mod idempotency;
mod late_payment;
mod oversell;
mod recipes;
mod refund_race;
mod waiting_list;
mod webhook;

use domain::{Cause, OrderId, Recorded};
use payments::{Envelope, Inbox};
use registration::{Cancel, Desk};
use store::{Settings, Store};

use crate::world::{BARCELONA, World, id};

const ACCOUNT: &str = "stripe:main";
const VISA: &str = "4242424242424242";

/// A desk beside that of the world, on the same database.
async fn beside(world: &World, settings: &Settings) -> Desk {
    let store = Store::open(settings).unwrap();
    world.another(store, world.gateway.clone()).await
}

fn leave() -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    }
}

fn event(id: impl Into<String>, kind: &str, object: &str) -> Envelope {
    Envelope {
        id: id.into(),
        kind: kind.to_owned(),
        created: None,
        api_version: None,
        livemode: Some(false),
        object: Some(object.to_owned()),
        object_kind: None,
    }
}

fn inbox(world: &World) -> Inbox {
    Inbox::new(world.desk.clone(), vec![world.gateway.clone()])
}

/// The journal of one order.
async fn story(world: &World, order: OrderId) -> Vec<Recorded> {
    let rows = world.desk.journal(&id(BARCELONA), 0, 10_000).await;
    let mut rows = rows.unwrap();
    rows.retain(|row| row.order == Some(order));
    rows
}

/// How many rows of an order's journal say this.
async fn times(world: &World, order: OrderId, says: fn(&domain::Event) -> bool) -> usize {
    let rows = story(world, order).await;
    rows.iter().filter(|row| says(&row.event)).count()
}
