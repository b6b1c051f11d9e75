//! Rows of the journal.

use domain::{Actor, OrderId, Recorded, UtcTime};
use serde::Serialize;
use utoipa::ToSchema;

/// Who did it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActorOut {
    /// `payer`, `staff`, `timer`, `gateway` or `operator`.
    pub kind: &'static str,
    /// The key or account of staff, or the gateway.
    pub who: Option<String>,
}

impl From<Actor> for ActorOut {
    fn from(actor: Actor) -> Self {
        let (kind, who) = match actor {
            Actor::Payer => ("payer", None),
            Actor::Staff(who) => ("staff", Some(who)),
            Actor::Timer => ("timer", None),
            Actor::Gateway(who) => ("gateway", Some(who)),
            Actor::Operator => ("operator", None),
        };
        ActorOut { kind, who }
    }
}

/// A row of the journal. It holds ids, codes and sums, never a name, an address or a fact.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordedOut {
    /// From 1, without gaps, per tournament.
    pub number: i64,
    /// By the desk clock.
    #[schema(value_type = String, format = DateTime)]
    pub at: UtcTime,
    /// The order it is about (`ord_…`).
    #[schema(value_type = Option<String>)]
    pub order: Option<OrderId>,
    /// Who did it.
    pub actor: ActorOut,
    /// Why, in the words of whoever did it.
    pub reason: String,
    /// What happened: `kind` and what goes with it; amounts in minor units of the order's currency.
    #[schema(value_type = Object)]
    pub event: domain::Event,
}

impl From<Recorded> for RecordedOut {
    fn from(row: Recorded) -> Self {
        RecordedOut {
            number: row.number,
            at: row.at,
            order: row.order,
            actor: row.actor.into(),
            reason: row.reason,
            event: row.event,
        }
    }
}

/// A page of the journal.
#[derive(Debug, Serialize, ToSchema)]
pub struct JournalOut {
    /// In the order of their numbers.
    pub rows: Vec<RecordedOut>,
    /// `after` of the next page; none where there is nothing more yet.
    pub next: Option<String>,
}
