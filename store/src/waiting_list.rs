//! The waiting list: first those whose money waits with them, in the order in which it arrived; then the others, in form order.

use diesel::dsl::{min, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::{Status, TournamentId, UtcTime};

use crate::dialect::columns;
use crate::entries::{self as rows, Entry, Row};
use crate::error::StoreError;
use crate::schema::entries;
use crate::{Conn, Db, tournaments};

/// Said literally, as it stands in the partial indexes: SQLite uses those for nothing else.
const WAITING: &str = "status = 'waitlisted'";
/// Likewise.
const PAID: &str = "status = 'waitlisted' AND waiting_since IS NOT NULL";
const UNPAID: &str = "status = 'waitlisted' AND waiting_since IS NULL";

/// Those in line after one of them, or from its head: at most so many, and the rest of the last one's order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn after(
    c: &mut Conn,
    tournament: &TournamentId,
    last: Option<&Entry>,
    limit: i64,
) -> Result<Vec<Entry>, StoreError> {
    let unpaid = last.filter(|entry| entry.waiting_since.is_none());
    let mut found = match unpaid {
        Some(_) => Vec::new(),
        None => paid_after(c, tournament, last, limit)?,
    };
    if found.is_empty() {
        let after = unpaid.map_or(0, |entry| entry.form_number);
        found = unpaid_after(c, tournament, after, limit)?;
    }
    if let Some((order, last)) = found.last().map(|last| (last.order, last.form_number)) {
        let rest = rows::of_order(c, order)?.into_iter();
        found.extend(rest.filter(|e| e.status == Status::Waitlisted && e.form_number > last));
    }
    Ok(found)
}

fn paid_after(
    c: &mut Conn,
    tournament: &TournamentId,
    last: Option<&Entry>,
    limit: i64,
) -> Result<Vec<Entry>, StoreError> {
    let since = last.and_then(|entry| entry.waiting_since);
    let since = since.map_or(i64::MIN, UtcTime::as_micros);
    let number = last.map_or(0, |entry| entry.form_number);
    let later = entries::waiting_since.gt(since);
    let line = entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .filter(sql::<Bool>(PAID))
        .filter(entries::waiting_since.ge(since))
        .filter(later.or(entries::form_number.gt(number).nullable()))
        .order((entries::waiting_since, entries::form_number))
        .limit(limit)
        .select(columns::<Row>());
    rows::load(line.load(c)?)
}

fn unpaid_after(
    c: &mut Conn,
    tournament: &TournamentId,
    number: i64,
    limit: i64,
) -> Result<Vec<Entry>, StoreError> {
    let line = entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .filter(entries::form_number.gt(number))
        .filter(sql::<Bool>(UNPAID))
        .order(entries::form_number)
        .limit(limit)
        .select(columns::<Row>());
    rows::load(line.load(c)?)
}

/// The place of a waiting entry among those that wait for the same section, from 1; `None` where it does not wait.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn place(c: &mut Conn, entry: &Entry) -> Result<Option<usize>, StoreError> {
    if entry.status != Status::Waitlisted {
        return Ok(None);
    }
    let ahead = match entry.waiting_since {
        Some(since) => ahead_of_paid(c, entry, since)?,
        None => ahead_of_unpaid(c, entry)?,
    };
    Ok(usize::try_from(ahead.max(0)).ok().map(|ahead| ahead + 1))
}

fn ahead_of_paid(c: &mut Conn, entry: &Entry, since: UtcTime) -> Result<i64, StoreError> {
    let since = since.as_micros();
    let earlier = entries::waiting_since.lt(since);
    let ahead = in_line(entry, PAID)
        .filter(entries::waiting_since.le(since))
        .filter(earlier.or(entries::form_number.lt(entry.form_number).nullable()));
    Ok(ahead.count().get_result(c)?)
}

/// Counted from the end that is nearer: how many wait in all stands with the tournament.
fn ahead_of_unpaid(c: &mut Conn, entry: &Entry) -> Result<i64, StoreError> {
    let Some(tournament) = tournaments::find(c, &entry.tournament)? else {
        return Ok(0);
    };
    let number = entry.form_number;
    let first = in_line(entry, WAITING).select(min(entries::form_number));
    let first: Option<i64> = first.get_result(c)?;
    let with_lower = if number - first.unwrap_or(number) <= tournament.last_form - number {
        let lower = in_line(entry, WAITING).filter(entries::form_number.lt(number));
        lower.count().get_result(c)?
    } else {
        let higher = in_line(entry, WAITING).filter(entries::form_number.gt(number));
        let higher: i64 = higher.count().get_result(c)?;
        let section = entry.section.as_ref();
        let waiting = tournament.counts.of_section(section, Status::Waitlisted);
        waiting - 1 - higher
    };
    let overtakers = in_line(entry, PAID).filter(entries::form_number.gt(number));
    let overtakers: i64 = overtakers.count().get_result(c)?;
    Ok(with_lower + overtakers)
}

/// Those of this kind that wait for the section of an entry.
fn in_line<'e>(entry: &'e Entry, kind: &str) -> entries::BoxedQuery<'e, Db> {
    let line = entries::table
        .filter(entries::tournament_id.eq(entry.tournament.as_str()))
        .filter(sql::<Bool>(kind))
        .into_boxed();
    match &entry.section {
        Some(section) => line.filter(entries::section.eq(section.as_str())),
        None => line.filter(entries::section.is_null()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literals_name_the_state_that_is_meant() {
        assert_eq!(WAITING, format!("status = '{}'", Status::Waitlisted));
        for half in [PAID, UNPAID] {
            assert!(half.starts_with(WAITING), "{half}");
        }
    }
}
