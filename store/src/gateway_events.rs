//! The gateway's inbox: each event stored once, acted on later from the object fetched anew.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::UtcTime;

use crate::Conn;
use crate::clocks::ahead;
use crate::dialect::Both;
use crate::error::StoreError;
use crate::schema::gateway_events;

/// Said literally, as they stand in the partial indexes: SQLite uses those indexes for nothing else.
const DUE: &str = "status = 'due'";
const DEAD: &str = "status = 'dead'";

/// An event as it came in: only what is needed to know which object to fetch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GatewayEvent {
    /// The gateway and its account (`stripe:main`).
    pub account: String,
    /// The gateway's id of the event.
    pub id: String,
    /// The gateway's kind (`checkout.session.completed`).
    pub kind: String,
    /// The gateway's id of the object.
    pub object: String,
    /// Tries so far.
    pub attempts: i32,
}

/// Stores an event; `false` where it is there already.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn insert(c: &mut Conn, event: &GatewayEvent, at: UtcTime) -> Result<bool, StoreError> {
    let values = (
        gateway_events::account.eq(event.account.clone()),
        gateway_events::id.eq(event.id.clone()),
        gateway_events::kind.eq(event.kind.clone()),
        gateway_events::object.eq(event.object.clone()),
        gateway_events::status.eq("due"),
        gateway_events::attempts.eq(0),
        gateway_events::next_at.eq(at.as_micros()),
        gateway_events::received_at.eq(at.as_micros()),
        gateway_events::waits_since.eq(at.as_micros()),
    );
    let insert = diesel::insert_into(gateway_events::table)
        .values(values)
        .on_conflict_do_nothing();
    Ok(Both(insert).execute(c)? == 1)
}

/// Events to act on by this instant of the wall clock, in the order in which they came.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn due(c: &mut Conn, wall: UtcTime, limit: i64) -> Result<Vec<GatewayEvent>, StoreError> {
    let rows: Vec<(String, String, String, String, i32)> = gateway_events::table
        .filter(sql::<Bool>(DUE))
        .filter(
            gateway_events::next_at
                .le(wall.as_micros())
                .or(gateway_events::waits_since.gt(ahead(wall))),
        )
        .order((gateway_events::next_at, gateway_events::received_at))
        .limit(limit)
        .select((
            gateway_events::account,
            gateway_events::id,
            gateway_events::kind,
            gateway_events::object,
            gateway_events::attempts,
        ))
        .load(c)?;
    let event = |(account, id, kind, object, attempts)| GatewayEvent {
        account,
        id,
        kind,
        object,
        attempts,
    };
    Ok(rows.into_iter().map(event).collect())
}

/// What became of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Acted on.
    Done,
    /// To be tried again at this instant of the wall clock.
    Again(UtcTime, String),
    /// Given up; stays visible.
    Dead(String),
}

/// Notes what became, by now, of an event.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn settle(
    c: &mut Conn,
    event: &GatewayEvent,
    outcome: &Outcome,
    wall: UtcTime,
) -> Result<(), StoreError> {
    let row = diesel::update(gateway_events::table.find((&event.account, &event.id)));
    let attempts = gateway_events::attempts.eq(event.attempts + 1);
    match outcome {
        Outcome::Done => row
            .set((attempts, gateway_events::status.eq("done")))
            .execute(c)?,
        Outcome::Again(at, error) => row
            .set((
                attempts,
                gateway_events::next_at.eq(at.as_micros()),
                gateway_events::waits_since.eq(wall.as_micros()),
                gateway_events::last_error.eq(error),
            ))
            .execute(c)?,
        Outcome::Dead(error) => row
            .set((
                attempts,
                gateway_events::status.eq("dead"),
                gateway_events::last_error.eq(error),
            ))
            .execute(c)?,
    };
    Ok(())
}

/// How many events wait, and how many were given up.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn backlog(c: &mut Conn) -> Result<(i64, i64), StoreError> {
    let count = |which| gateway_events::table.filter(sql::<Bool>(which)).count();
    Ok((count(DUE).get_result(c)?, count(DEAD).get_result(c)?))
}
