//! Entries, their entrants, and the seats they take.

use std::collections::BTreeMap;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::{Entrant, EntryId, FactName, Line, OrderId, SectionId, Status, TournamentId, UtcTime};
use serde::Serialize;

use crate::counts::Counts;
use crate::dialect::Kind::{self, Big, Text};
use crate::dialect::{Written, among, columns};
use crate::error::{StoreError, stored};
use crate::schema::{entrants, entries};
use crate::{Conn, Db};

/// Said literally, as it stands in the partial index: SQLite uses that index for nothing else.
const LIVE: &str =
    "identity IS NOT NULL AND status IN ('waitlisted', 'held', 'pending_approval', 'confirmed')";

/// One entrant in one section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which one.
    pub id: EntryId,
    /// Of which tournament.
    pub tournament: TournamentId,
    /// Of which order.
    pub order: OrderId,
    /// Per tournament, in the order of the form, never changed, never reused.
    pub form_number: i64,
    /// None until the organiser places it.
    pub section: Option<SectionId>,
    /// Where it stands.
    pub status: Status,
    /// Minor units of the order's currency.
    pub price: i64,
    /// Declared facts that lowered the price and wait for somebody to check them.
    pub to_check: Vec<FactName>,
    /// Somebody approved it, or nobody has to.
    pub approved: bool,
    /// Somebody has to approve it though the regulation asks for no approval in general.
    pub needs_approval: bool,
    /// Keyed hash of who it is; none where nobody can be told apart.
    pub identity: Option<String>,
    /// The group that an entrant is of, as a keyed hash: of a team its institution, by which promotions find it; of a player the
    /// club or federation, where prices count its members, or the person, where promotions join one's entries.
    pub institution: Option<String>,
    /// What its price is made of since it changed; none while its lines are those of the order's quote.
    pub lines: Option<Vec<Line>>,
    /// By which it is in line for a seat: when its money arrived, where the regulation lets it wait; when it was registered
    /// where it costs nothing. None where it does not wait, or has not paid.
    pub waiting_since: Option<UtcTime>,
}

#[derive(Queryable, Selectable, Serialize)]
#[diesel(table_name = entries, check_for_backend(Db))]
pub(crate) struct Row {
    pub id: i64,
    tournament_id: String,
    order_id: i64,
    form_number: i64,
    section: Option<String>,
    status: String,
    price: i64,
    to_check: String,
    approved: bool,
    needs_approval: bool,
    identity: Option<String>,
    institution: Option<String>,
    lines: Option<String>,
    waiting_since: Option<i64>,
}

impl TryFrom<Row> for Entry {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Entry {
            id: EntryId(row.id),
            tournament: stored("entries.tournament_id", row.tournament_id.parse())?,
            order: OrderId(row.order_id),
            form_number: row.form_number,
            section: stored(
                "entries.section",
                row.section.map(|s| s.parse()).transpose(),
            )?,
            status: Status::from_word(&row.status)
                .ok_or_else(|| StoreError::unreadable("entries.status"))?,
            price: row.price,
            to_check: stored("entries.to_check", serde_json::from_str(&row.to_check))?,
            approved: row.approved,
            needs_approval: row.needs_approval,
            identity: row.identity,
            institution: row.institution,
            lines: stored(
                "entries.lines",
                row.lines
                    .map(|text| serde_json::from_str(&text))
                    .transpose(),
            )?,
            waiting_since: row.waiting_since.map(UtcTime::from_micros),
        })
    }
}

impl TryFrom<&Entry> for Row {
    type Error = StoreError;

    fn try_from(entry: &Entry) -> Result<Self, StoreError> {
        Ok(Row {
            id: entry.id.0,
            tournament_id: entry.tournament.to_string(),
            order_id: entry.order.0,
            form_number: entry.form_number,
            section: entry.section.as_ref().map(ToString::to_string),
            status: entry.status.as_str().to_owned(),
            price: entry.price,
            to_check: stored("entries.to_check", serde_json::to_string(&entry.to_check))?,
            approved: entry.approved,
            needs_approval: entry.needs_approval,
            identity: entry.identity.clone(),
            institution: entry.institution.clone(),
            lines: stored(
                "entries.lines",
                entry.lines.as_ref().map(serde_json::to_string).transpose(),
            )?,
            waiting_since: entry.waiting_since.map(UtcTime::as_micros),
        })
    }
}

impl Written for Row {
    const TABLE: &'static str = "entries";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("id", Big),
        ("tournament_id", Text),
        ("order_id", Big),
        ("form_number", Big),
        ("section", Text),
        ("status", Text),
        ("price", Big),
        ("to_check", Text),
        ("approved", Kind::Bool),
        ("needs_approval", Kind::Bool),
        ("identity", Text),
        ("institution", Text),
        ("lines", Text),
        ("waiting_since", Big),
    ];
}

/// The entrant of a new entry, to be written.
#[derive(Serialize)]
pub(crate) struct NewEntrant {
    entry_id: i64,
    tournament_id: String,
    facts: String,
}

impl NewEntrant {
    pub(crate) fn of(entry: &Entry, entrant: &Entrant) -> Result<NewEntrant, StoreError> {
        Ok(NewEntrant {
            entry_id: entry.id.0,
            tournament_id: entry.tournament.to_string(),
            facts: stored("entrants.facts", serde_json::to_string(entrant))?,
        })
    }
}

impl Written for NewEntrant {
    const TABLE: &'static str = "entrants";
    const COLUMNS: &'static [(&'static str, Kind)] =
        &[("entry_id", Big), ("tournament_id", Text), ("facts", Text)];
}

/// Writes down an entrant's facts as staff corrected them; those that were priced stay.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn correct_entrant(c: &mut Conn, entry: EntryId, entrant: &Entrant) -> Result<(), StoreError> {
    let facts = stored("entrants.corrected", serde_json::to_string(entrant))?;
    diesel::update(entrants::table.find(entry.0))
        .set(entrants::corrected.eq(Some(facts)))
        .execute(c)?;
    Ok(())
}

pub(crate) fn load(rows: Vec<Row>) -> Result<Vec<Entry>, StoreError> {
    rows.into_iter().map(Entry::try_from).collect()
}

/// One entry, if there is such.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(c: &mut Conn, id: EntryId) -> Result<Option<Entry>, StoreError> {
    let row = entries::table
        .find(id.0)
        .select(columns::<Row>())
        .first::<Row>(c)
        .optional()?;
    row.map(Entry::try_from).transpose()
}

/// The entries of an order, in form order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_order(c: &mut Conn, order: OrderId) -> Result<Vec<Entry>, StoreError> {
    of_orders(c, &[order])
}

/// The entries of these orders, in form order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_orders(c: &mut Conn, orders: &[OrderId]) -> Result<Vec<Entry>, StoreError> {
    load(
        entries::table
            .filter(among(entries::order_id, orders.iter().map(|order| order.0)))
            .order(entries::form_number)
            .select(columns::<Row>())
            .load(c)?,
    )
}

/// The statuses of an entry that goes on.
pub(crate) fn live() -> Vec<&'static str> {
    let live = Status::ALL.into_iter().filter(|status| status.is_live());
    live.map(Status::as_str).collect()
}

/// How many live entries there are of a group, leaving one out.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn count_of_institution(
    c: &mut Conn,
    tournament: &TournamentId,
    institution: &str,
    but: Option<EntryId>,
) -> Result<i64, StoreError> {
    Ok(entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .filter(
            entries::institution
                .eq(institution)
                .and(entries::status.eq_any(live()))
                .and(entries::id.ne(but.map_or(0, |entry| entry.0))),
        )
        .count()
        .get_result(c)?)
}

/// How many live entries of a group came after a form.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn count_of_institution_after(
    c: &mut Conn,
    tournament: &TournamentId,
    institution: &str,
    form_number: i64,
) -> Result<i64, StoreError> {
    Ok(entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .filter(
            entries::institution
                .eq(institution)
                .and(entries::status.eq_any(live()))
                .and(entries::form_number.gt(form_number)),
        )
        .count()
        .get_result(c)?)
}

/// The live entries of an institution, in form order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn live_of_institution(
    c: &mut Conn,
    tournament: &TournamentId,
    institution: &str,
) -> Result<Vec<Entry>, StoreError> {
    load(
        entries::table
            .filter(entries::tournament_id.eq(tournament.as_str()))
            .filter(
                entries::institution
                    .eq(institution)
                    .and(entries::status.eq_any(live())),
            )
            .order(entries::form_number)
            .select(columns::<Row>())
            .load(c)?,
    )
}

/// The live entries with these identities, in form order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn live_with_identities(
    c: &mut Conn,
    tournament: &TournamentId,
    identities: &[String],
) -> Result<Vec<Entry>, StoreError> {
    load(
        entries::table
            .filter(entries::tournament_id.eq(tournament.as_str()))
            .filter(entries::identity.eq_any(identities).and(sql::<Bool>(LIVE)))
            .order(entries::form_number)
            .select(columns::<Row>())
            .load(c)?,
    )
}

/// Which of these identities have a live entry in the tournament.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn live_identities(
    c: &mut Conn,
    tournament: &TournamentId,
    identities: &[String],
) -> Result<Vec<String>, StoreError> {
    let found: Vec<Option<String>> = entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .filter(entries::identity.eq_any(identities).and(sql::<Bool>(LIVE)))
        .select(entries::identity)
        .load(c)?;
    Ok(found.into_iter().flatten().collect())
}

/// The largest form number of a tournament; 0 where it has none.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn last_form(c: &mut Conn, tournament: &TournamentId) -> Result<i64, StoreError> {
    let last = entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .filter(entries::form_number.gt(0))
        .order(entries::form_number.desc())
        .select(entries::form_number)
        .first(c)
        .optional()?;
    Ok(last.unwrap_or(0))
}

/// Counts the entries of a tournament anew, as an audit does; [`crate::tournaments::Tournament::counts`] is kept.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn counts(c: &mut Conn, tournament: &TournamentId) -> Result<Counts, StoreError> {
    let rows: Vec<(Option<String>, String, i64)> = entries::table
        .filter(entries::tournament_id.eq(tournament.as_str()))
        .group_by((entries::section, entries::status))
        .select((entries::section, entries::status, diesel::dsl::count_star()))
        .load(c)?;
    let read = rows.into_iter().map(|(section, status, count)| {
        let section = stored("entries.section", section.map(|s| s.parse()).transpose())?;
        let status =
            Status::from_word(&status).ok_or_else(|| StoreError::unreadable("entries.status"))?;
        Ok((section, status, count))
    });
    Ok(Counts::of(read.collect::<Result<Vec<_>, StoreError>>()?))
}

/// The entrant of an entry, as staff corrected the facts if they did; none where the person was erased.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn entrant(c: &mut Conn, entry: EntryId) -> Result<Option<Entrant>, StoreError> {
    read_entrant(c, entry, |facts, corrected| corrected.or(facts))
}

/// The entrant of an entry with the facts that were priced; none where the person was erased.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn priced_entrant(c: &mut Conn, entry: EntryId) -> Result<Option<Entrant>, StoreError> {
    read_entrant(c, entry, |facts, _| facts)
}

/// The entrants of these entries, as staff corrected the facts if they did; none of persons who were erased.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn entrants_of(
    c: &mut Conn,
    entries: &[EntryId],
) -> Result<BTreeMap<EntryId, Entrant>, StoreError> {
    let rows: Vec<(i64, Option<String>, Option<String>)> = entrants::table
        .filter(among(entrants::entry_id, entries.iter().map(|id| id.0)))
        .select((entrants::entry_id, entrants::facts, entrants::corrected))
        .load(c)?;
    let read = rows.into_iter().filter_map(|(id, facts, corrected)| {
        let text = corrected.or(facts)?;
        let entrant = stored("entrants.facts", serde_json::from_str(&text));
        Some(entrant.map(|entrant| (EntryId(id), entrant)))
    });
    read.collect()
}

fn read_entrant(
    c: &mut Conn,
    entry: EntryId,
    choose: impl Fn(Option<String>, Option<String>) -> Option<String>,
) -> Result<Option<Entrant>, StoreError> {
    let row: Option<(Option<String>, Option<String>)> = entrants::table
        .find(entry.0)
        .select((entrants::facts, entrants::corrected))
        .first(c)
        .optional()?;
    row.and_then(|(facts, corrected)| choose(facts, corrected))
        .map(|text| stored("entrants.facts", serde_json::from_str(&text)))
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_names_the_states_that_are_meant_and_no_other() {
        for status in Status::ALL {
            let named = LIVE.contains(&format!("'{status}'"));
            assert_eq!(named, status.is_live(), "{status}");
        }
    }
}
