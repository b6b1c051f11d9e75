//! The journal: append-only, gap-free, in commit order, per tournament.

use diesel::prelude::*;
use domain::{Actor, Event, OrderId, Recorded, TournamentId, UtcTime};
use serde::Serialize;

use crate::change::Stamp;
use crate::dialect::Kind::{self, Big, Text};
use crate::dialect::{Written, columns};
use crate::error::{StoreError, stored};
use crate::schema::journal;
use crate::{Conn, Db};

#[derive(Queryable, Selectable)]
#[diesel(table_name = journal, check_for_backend(Db))]
struct Row {
    number: i64,
    at: i64,
    order_id: Option<i64>,
    actor: String,
    reason: String,
    data: String,
}

impl TryFrom<Row> for Recorded {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Recorded {
            number: row.number,
            at: UtcTime::from_micros(row.at),
            order: row.order_id.map(OrderId),
            actor: stored("journal.actor", serde_json::from_str::<Actor>(&row.actor))?,
            reason: row.reason,
            event: stored("journal.data", serde_json::from_str::<Event>(&row.data))?,
        })
    }
}

/// A row to be appended.
#[derive(Clone, Serialize)]
pub(crate) struct NewRow {
    pub tournament_id: String,
    pub number: i64,
    at: i64,
    wall_at: i64,
    order_id: Option<i64>,
    kind: String,
    actor: String,
    reason: String,
    data: String,
}

impl NewRow {
    pub(crate) fn of(
        tournament: &TournamentId,
        number: i64,
        order: Option<OrderId>,
        stamp: &Stamp,
        event: &Event,
    ) -> Result<NewRow, StoreError> {
        let data = stored("journal.data", serde_json::to_value(event))?;
        let kind = data.get("kind").and_then(|k| k.as_str());
        Ok(NewRow {
            tournament_id: tournament.to_string(),
            number,
            at: stamp.at.as_micros(),
            wall_at: stamp.wall.as_micros(),
            order_id: order.map(|o| o.0),
            kind: kind.unwrap_or_default().to_owned(),
            actor: stored("journal.actor", serde_json::to_string(&stamp.actor))?,
            reason: stamp.reason.clone(),
            data: data.to_string(),
        })
    }

    /// Whether exactly this row stands in the journal: its number is given once, so then its transaction committed.
    pub(crate) fn stands(&self, c: &mut Conn) -> Result<bool, StoreError> {
        let found: Option<(i64, Option<i64>, String)> = journal::table
            .find((&self.tournament_id, self.number))
            .select((journal::wall_at, journal::order_id, journal::data))
            .first(c)
            .optional()?;
        Ok(found.is_some_and(|(wall_at, order, data)| {
            wall_at == self.wall_at && order == self.order_id && data == self.data
        }))
    }
}

impl Written for NewRow {
    const TABLE: &'static str = "journal";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("tournament_id", Text),
        ("number", Big),
        ("at", Big),
        ("wall_at", Big),
        ("order_id", Big),
        ("kind", Text),
        ("actor", Text),
        ("reason", Text),
        ("data", Text),
    ];
}

/// Rows after a number, at most `limit`, in order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn after(
    c: &mut Conn,
    tournament: &TournamentId,
    number: i64,
    limit: i64,
) -> Result<Vec<Recorded>, StoreError> {
    let rows = journal::table
        .filter(
            journal::tournament_id
                .eq(tournament.as_str())
                .and(journal::number.gt(number)),
        )
        .order(journal::number)
        .limit(limit)
        .select(columns::<Row>())
        .load::<Row>(c)?;
    rows.into_iter().map(Recorded::try_from).collect()
}

/// One row.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(
    c: &mut Conn,
    tournament: &TournamentId,
    number: i64,
) -> Result<Option<Recorded>, StoreError> {
    let row = journal::table
        .find((tournament.as_str(), number))
        .select(columns::<Row>())
        .first::<Row>(c)
        .optional()?;
    row.map(Recorded::try_from).transpose()
}

/// Everything that happened to one order, in order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_order(c: &mut Conn, order: OrderId) -> Result<Vec<Recorded>, StoreError> {
    let rows = journal::table
        .filter(journal::order_id.eq(order.0))
        .order(journal::number)
        .select(columns::<Row>())
        .load::<Row>(c)?;
    rows.into_iter().map(Recorded::try_from).collect()
}
