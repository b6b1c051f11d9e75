//! Events: a snapshot of an object at each change. <https://docs.stripe.com/api/events>

use serde_json::{Value, json};

use crate::form::Form;
use crate::outbox;
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::{Caller, World};

/// The API version of the events sent.
pub const API_VERSION: &str = "2026-09-30.endive";

/// Events can be read for this long, in seconds.
const RETENTION: i64 = 30 * 24 * 3600;

#[derive(Debug)]
pub(crate) struct Event {
    id: String,
    created: i64,
    pub(crate) kind: String,
    object: Value,
    previous: Option<Value>,
    caller: Caller,
    /// Deliveries that have not been acknowledged.
    pub(crate) pending: u32,
}

impl Object for Event {
    const KIND: &'static str = "event";
    const PARAM: &'static str = "id";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        let mut data = json!({ "object": self.object });
        if let Some(previous) = &self.previous {
            data["previous_attributes"] = previous.clone();
        }
        json!({
            "id": self.id,
            "object": "event",
            "api_version": API_VERSION,
            "created": self.created,
            "data": data,
            "livemode": false,
            "pending_webhooks": self.pending,
            "request": { "id": self.caller.request, "idempotency_key": self.caller.key },
            "type": self.kind,
        })
    }
}

/// Records that something happened and queues its webhook.
pub(crate) fn emit(world: &mut World, kind: &str, object: Value) {
    record(world, kind, object, None);
}

/// The same for an `…updated` event, with the values that changed as they were before.
pub(crate) fn emit_update(world: &mut World, kind: &str, object: Value, previous: Value) {
    record(world, kind, object, Some(previous));
}

fn record(world: &mut World, kind: &str, object: Value, previous: Option<Value>) {
    let id = world.new_id("evt_");
    let event = Event {
        id: id.clone(),
        created: world.now(),
        kind: kind.to_owned(),
        object,
        previous,
        caller: world.caller.clone(),
        pending: 0,
    };
    world.events.add(event);
    outbox::enqueue(world, &id);
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    let event = world.events.get(id)?;
    if event.created < world.now() - RETENTION {
        return Err(Refusal::missing("event", id, "id"));
    }
    Ok(event.json())
}

pub(crate) fn list(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "limit",
        "starting_after",
        "ending_before",
        "created",
        "type",
        "types",
        "delivery_success",
    ])?;
    let kinds: Vec<&str> = form
        .text("type")
        .into_iter()
        .chain(form.list("types"))
        .collect();
    let delivered = form.boolean("delivery_success")?;
    let oldest = world.now() - RETENTION;
    world.events.page("/v1/events", form, |event| {
        event.created >= oldest
            && (kinds.is_empty()
                || kinds
                    .iter()
                    .any(|kind| crate::faults::matches(kind, &event.kind)))
            && delivered.is_none_or(|delivered| delivered == (event.pending == 0))
    })
}
