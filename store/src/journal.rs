//! The journal: append-only, gap-free, in commit order, per tournament.

use diesel::prelude::*;
use domain::{Actor, Event, OrderId, Recorded, TournamentId, UtcTime};

use crate::change::Stamp;
use crate::dialect::columns;
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

pub(crate) struct NewRow<'a> {
    pub tournament: &'a TournamentId,
    pub number: i64,
    pub order: Option<OrderId>,
    pub stamp: &'a Stamp,
    pub event: &'a Event,
}

pub(crate) fn insert(c: &mut Conn, row: &NewRow<'_>) -> Result<(), StoreError> {
    let data = stored("journal.data", serde_json::to_value(row.event))?;
    let kind = data
        .get("kind")
        .and_then(|k| k.as_str())
        .unwrap_or_default()
        .to_owned();
    diesel::insert_into(journal::table)
        .values((
            journal::tournament_id.eq(row.tournament.as_str()),
            journal::number.eq(row.number),
            journal::at.eq(row.stamp.at.as_micros()),
            journal::wall_at.eq(row.stamp.wall.as_micros()),
            journal::order_id.eq(row.order.map(|o| o.0)),
            journal::kind.eq(kind),
            journal::actor.eq(stored(
                "journal.actor",
                serde_json::to_string(&row.stamp.actor),
            )?),
            journal::reason.eq(&row.stamp.reason),
            journal::data.eq(data.to_string()),
        ))
        .execute(c)?;
    Ok(())
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
