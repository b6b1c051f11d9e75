//! Subscribers of the journal and what is to be sent to them: in order within a lane, leased while it is sent.

use diesel::dsl::{min, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::{DeliveryId, OrderId, TournamentId, UtcTime};

use crate::clocks::ahead;
use crate::dialect::{Both, columns};
use crate::error::{StoreError, stored};
use crate::schema::{deliveries, subscribers, tournaments};
use crate::{Conn, Db};

/// What the partial indexes of `deliveries` say, word for word: an index whose condition is in bound values is not used.
const OPEN: &str = "deliveries.status IN ('due', 'leased')";
const DEAD: &str = "deliveries.status = 'dead'";

/// One thing to be sent to one subscriber.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Which one.
    pub id: DeliveryId,
    /// Of which tournament.
    pub tournament: TournamentId,
    /// To whom (`mail`, `pairing`).
    pub subscriber: String,
    /// The journal row that caused it.
    pub journal_number: i64,
    /// The order that it is about: within it, deliveries keep the order of the journal.
    pub lane: OrderId,
    /// What is sent.
    pub kind: String,
    /// Tries so far.
    pub attempts: i32,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = deliveries, check_for_backend(Db))]
struct Row {
    id: i64,
    tournament_id: String,
    subscriber: String,
    journal_number: i64,
    lane: i64,
    kind: String,
    attempts: i32,
}

impl TryFrom<Row> for Delivery {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Delivery {
            id: DeliveryId(row.id),
            tournament: stored("deliveries.tournament_id", row.tournament_id.parse())?,
            subscriber: row.subscriber,
            journal_number: row.journal_number,
            lane: OrderId(row.lane),
            kind: row.kind,
            attempts: row.attempts,
        })
    }
}

/// How far a subscriber has read the journal of a tournament; from the beginning where it never did.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn cursor(
    c: &mut Conn,
    tournament: &TournamentId,
    subscriber: &str,
) -> Result<i64, StoreError> {
    let cursor: Option<i64> = subscribers::table
        .find((tournament.as_str(), subscriber))
        .select(subscribers::cursor)
        .first(c)
        .optional()?;
    Ok(cursor.unwrap_or(0))
}

/// A tournament whose journal a subscriber has not read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behind {
    /// Which tournament.
    pub tournament: TournamentId,
    /// How far the subscriber has read.
    pub cursor: i64,
    /// How far there is to read.
    pub last: i64,
}

/// The tournaments in which a subscriber has something to read, by id.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn behind(c: &mut Conn, subscriber: &str) -> Result<Vec<Behind>, StoreError> {
    let own = subscribers::tournament_id
        .eq(tournaments::id)
        .and(subscribers::name.eq(subscriber));
    let cursor = subscribers::cursor.nullable();
    let more = cursor
        .is_null()
        .and(tournaments::last_journal.gt(0))
        .nullable()
        .or(cursor.lt(tournaments::last_journal.nullable()));
    let rows: Vec<(String, Option<i64>, i64)> = tournaments::table
        .left_join(subscribers::table.on(own))
        .filter(more)
        .order(tournaments::id)
        .select((tournaments::id, cursor, tournaments::last_journal))
        .load(c)?;
    rows.into_iter()
        .map(|(tournament, cursor, last)| {
            Ok(Behind {
                tournament: stored("tournaments.id", tournament.parse())?,
                cursor: cursor.unwrap_or(0),
                last,
            })
        })
        .collect()
}

/// Moves a cursor from where it was read; `false` where another process moved it meanwhile.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn advance(
    c: &mut Conn,
    tournament: &TournamentId,
    subscriber: &str,
    from: i64,
    to: i64,
) -> Result<bool, StoreError> {
    let first = diesel::insert_into(subscribers::table)
        .values((
            subscribers::tournament_id.eq(tournament.to_string()),
            subscribers::name.eq(subscriber.to_owned()),
            subscribers::cursor.eq(0),
        ))
        .on_conflict_do_nothing();
    Both(first).execute(c)?;
    let row = subscribers::table.filter(
        subscribers::tournament_id
            .eq(tournament.as_str())
            .and(subscribers::name.eq(subscriber))
            .and(subscribers::cursor.eq(from)),
    );
    Ok(diesel::update(row)
        .set(subscribers::cursor.eq(to))
        .execute(c)?
        == 1)
}

/// Writes a delivery that is due at once; nothing where the same is there already.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn insert(c: &mut Conn, delivery: &Delivery, wall: UtcTime) -> Result<(), StoreError> {
    let insert = diesel::insert_into(deliveries::table)
        .values((
            deliveries::id.eq(delivery.id.0),
            deliveries::tournament_id.eq(delivery.tournament.to_string()),
            deliveries::subscriber.eq(delivery.subscriber.clone()),
            deliveries::journal_number.eq(delivery.journal_number),
            deliveries::lane.eq(delivery.lane.0),
            deliveries::kind.eq(delivery.kind.clone()),
            deliveries::status.eq("due"),
            deliveries::attempts.eq(0),
            deliveries::next_at.eq(wall.as_micros()),
            deliveries::waits_since.eq(wall.as_micros()),
        ))
        .on_conflict_do_nothing();
    Both(insert).execute(c)?;
    Ok(())
}

/// Deliveries that may be sent by this instant of the wall clock: due, or leased by somebody who did not come back or whose
/// clock was ahead, and first in their lane; to this subscriber, in one tournament or in all. To be leased before they are sent.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn ready(
    c: &mut Conn,
    subscriber: &str,
    tournament: Option<&TournamentId>,
    wall: UtcTime,
    limit: i64,
) -> Result<Vec<Delivery>, StoreError> {
    // Not `NOT EXISTS`: PostgreSQL makes a join of that, which on a table that grew since it was last analysed takes the
    // square of the backlog. The smallest number of a lane is one look at its index.
    let earlier = diesel::alias!(deliveries as earlier);
    let first_of_lane = earlier
        .filter(
            earlier
                .field(deliveries::tournament_id)
                .eq(deliveries::tournament_id),
        )
        .filter(
            earlier
                .field(deliveries::subscriber)
                .eq(deliveries::subscriber),
        )
        .filter(earlier.field(deliveries::lane).eq(deliveries::lane))
        .filter(sql::<Bool>("earlier.status IN ('due', 'leased')"))
        .select(min(earlier.field(deliveries::journal_number)))
        .single_value();
    let void = || deliveries::waits_since.gt(ahead(wall));
    let abandoned = deliveries::status.eq("leased").and(
        deliveries::leased_until
            .le(wall.as_micros())
            .or(void().nullable()),
    );
    let waiting = deliveries::status
        .eq("due")
        .and(deliveries::next_at.le(wall.as_micros()).or(void()));
    let mut query = deliveries::table
        .filter(sql::<Bool>(OPEN))
        .filter(deliveries::subscriber.eq(subscriber))
        .filter(deliveries::journal_number.nullable().eq(first_of_lane))
        .filter(waiting.nullable().or(abandoned))
        .order((deliveries::next_at, deliveries::id))
        .limit(limit)
        .select(columns::<Row>())
        .into_boxed();
    if let Some(tournament) = tournament {
        query = query.filter(deliveries::tournament_id.eq(tournament.as_str()));
    }
    let rows = query.load::<Row>(c)?;
    rows.into_iter().map(Delivery::try_from).collect()
}

/// Leases a delivery until an instant of the wall clock; `false` where another took it first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn lease(
    c: &mut Conn,
    id: DeliveryId,
    wall: UtcTime,
    until: UtcTime,
) -> Result<bool, StoreError> {
    let abandoned = deliveries::status.eq("leased").and(
        deliveries::leased_until
            .le(wall.as_micros())
            .or(deliveries::waits_since.gt(ahead(wall)).nullable()),
    );
    let free = deliveries::status.eq("due").nullable().or(abandoned);
    let row = deliveries::table
        .filter(deliveries::id.eq(id.0))
        .filter(free);
    let taken = (
        deliveries::status.eq("leased"),
        deliveries::leased_until.eq(Some(until.as_micros())),
        deliveries::waits_since.eq(wall.as_micros()),
    );
    Ok(diesel::update(row).set(taken).execute(c)? == 1)
}

/// What became of a delivery.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sent {
    /// The subscriber has it.
    Done,
    /// To be tried again at this instant of the wall clock.
    Again(UtcTime, String),
    /// Given up; stays visible.
    Dead(String),
}

/// Notes what became, by now, of a delivery that was leased until `leased_until`; `false` where the lease ran out and another has
/// taken it since, whose word then counts.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn settle(
    c: &mut Conn,
    delivery: &Delivery,
    leased_until: UtcTime,
    sent: &Sent,
    wall: UtcTime,
) -> Result<bool, StoreError> {
    let own = deliveries::table
        .filter(deliveries::id.eq(delivery.id.0))
        .filter(deliveries::status.eq("leased"))
        .filter(deliveries::leased_until.eq(leased_until.as_micros()));
    let row = diesel::update(own);
    let tried = (
        deliveries::attempts.eq(delivery.attempts + 1),
        deliveries::leased_until.eq(None::<i64>),
    );
    let settled = match sent {
        Sent::Done => row.set((tried, deliveries::status.eq("done"))).execute(c)?,
        Sent::Again(at, error) => row
            .set((
                tried,
                deliveries::status.eq("due"),
                deliveries::next_at.eq(at.as_micros()),
                deliveries::waits_since.eq(wall.as_micros()),
                deliveries::last_error.eq(error),
            ))
            .execute(c)?,
        Sent::Dead(error) => row
            .set((
                tried,
                deliveries::status.eq("dead"),
                deliveries::last_error.eq(error),
            ))
            .execute(c)?,
    };
    Ok(settled == 1)
}

/// Makes a dead letter due again, with its tries forgotten; `false` where it is none.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn revive(c: &mut Conn, id: DeliveryId, wall: UtcTime) -> Result<bool, StoreError> {
    let dead = deliveries::table
        .filter(deliveries::id.eq(id.0))
        .filter(deliveries::status.eq("dead"));
    let due = (
        deliveries::status.eq("due"),
        deliveries::attempts.eq(0),
        deliveries::next_at.eq(wall.as_micros()),
        deliveries::waits_since.eq(wall.as_micros()),
    );
    Ok(diesel::update(dead).set(due).execute(c)? == 1)
}

/// Deliveries that were given up, newest first, each with its last error.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn dead(
    c: &mut Conn,
    tournament: &TournamentId,
    limit: i64,
) -> Result<Vec<(Delivery, String)>, StoreError> {
    let rows: Vec<(Row, Option<String>)> = deliveries::table
        .filter(deliveries::tournament_id.eq(tournament.as_str()))
        .filter(sql::<Bool>(DEAD))
        .order(deliveries::id.desc())
        .limit(limit)
        .select((columns::<Row>(), deliveries::last_error))
        .load(c)?;
    rows.into_iter()
        .map(|(row, error)| Ok((row.try_into()?, error.unwrap_or_default())))
        .collect()
}

/// How many deliveries wait, and how many were given up.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn backlog(c: &mut Conn) -> Result<(i64, i64), StoreError> {
    let open = deliveries::table
        .filter(sql::<Bool>(OPEN))
        .count()
        .get_result(c)?;
    let dead = deliveries::table
        .filter(sql::<Bool>(DEAD))
        .count()
        .get_result(c)?;
    Ok((open, dead))
}
