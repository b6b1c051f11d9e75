//! Tournaments, their organisers and the published versions of their regulations.

use diesel::prelude::*;
use domain::{OrganiserId, TournamentId, UtcTime};

use crate::counts::Counts;
use crate::dialect::{LockRow, columns};
use crate::error::{StoreError, stored};
use crate::schema::{organisers, regulations, tournaments};
use crate::{Conn, Db};

/// A tournament's row: the one that every write locks first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// The `id` of its regulation.
    pub id: TournamentId,
    /// Who owns it.
    pub organiser: OrganiserId,
    /// The published version that new orders are priced under.
    pub version: i32,
    /// The figure that the text leaves to the organiser, once it is set.
    pub capacity: Option<i64>,
    /// The last form number given.
    pub last_form: i64,
    /// The last journal number given.
    pub last_journal: i64,
    /// When the organiser opened it.
    pub opened_at: Option<UtcTime>,
    /// Its entries by section and state.
    pub counts: Counts,
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = tournaments, check_for_backend(Db), treat_none_as_null = true)]
struct Row {
    id: String,
    organiser_id: i64,
    version: i32,
    capacity: Option<i64>,
    last_form: i64,
    last_journal: i64,
    opened_at: Option<i64>,
    counts: String,
}

impl TryFrom<Row> for Tournament {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Tournament {
            id: stored("tournaments.id", row.id.parse())?,
            organiser: OrganiserId(row.organiser_id),
            version: row.version,
            capacity: row.capacity,
            last_form: row.last_form,
            last_journal: row.last_journal,
            opened_at: row.opened_at.map(UtcTime::from_micros),
            counts: Counts::read(&row.counts)?,
        })
    }
}

impl TryFrom<&Tournament> for Row {
    type Error = StoreError;

    fn try_from(tournament: &Tournament) -> Result<Row, StoreError> {
        Ok(Row {
            id: tournament.id.to_string(),
            organiser_id: tournament.organiser.0,
            version: tournament.version,
            capacity: tournament.capacity,
            last_form: tournament.last_form,
            last_journal: tournament.last_journal,
            opened_at: tournament.opened_at.map(UtcTime::as_micros),
            counts: tournament.counts.text()?,
        })
    }
}

/// One tournament, if there is such.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(c: &mut Conn, id: &TournamentId) -> Result<Option<Tournament>, StoreError> {
    let row = tournaments::table
        .find(id.as_str())
        .select(columns::<Row>())
        .first::<Row>(c)
        .optional()?;
    row.map(Tournament::try_from).transpose()
}

/// The same, locked until the transaction ends.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn lock(c: &mut Conn, id: &TournamentId) -> Result<Option<Tournament>, StoreError> {
    let query = tournaments::table
        .filter(tournaments::id.eq(id.as_str()))
        .select(columns::<Row>());
    let row = LockRow(query).get_result::<Row>(c).optional()?;
    row.map(Tournament::try_from).transpose()
}

/// All tournaments, by id.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn all(c: &mut Conn) -> Result<Vec<Tournament>, StoreError> {
    let rows = tournaments::table
        .order(tournaments::id)
        .select(columns::<Row>())
        .load::<Row>(c)?;
    rows.into_iter().map(Tournament::try_from).collect()
}

/// Writes a new tournament.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn insert(c: &mut Conn, tournament: &Tournament, at: UtcTime) -> Result<(), StoreError> {
    let created = tournaments::created_at.eq(at.as_micros());
    diesel::insert_into(tournaments::table)
        .values((Row::try_from(tournament)?, created))
        .execute(c)?;
    Ok(())
}

/// Writes back a tournament that was locked.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn save(c: &mut Conn, tournament: &Tournament) -> Result<(), StoreError> {
    let row = Row::try_from(tournament)?;
    diesel::update(tournaments::table.find(tournament.id.as_str()))
        .set(&row)
        .execute(c)?;
    Ok(())
}

/// A published version of a regulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    /// Its number, from 1.
    pub version: i32,
    /// SHA-256 of the file.
    pub hash: String,
    /// The file itself.
    pub source: String,
}

/// One published version.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn published(
    c: &mut Conn,
    id: &TournamentId,
    version: i32,
) -> Result<Option<Published>, StoreError> {
    let row: Option<(i32, String, String)> = regulations::table
        .find((id.as_str(), version))
        .select((regulations::version, regulations::hash, regulations::source))
        .first(c)
        .optional()?;
    Ok(row.map(|(version, hash, source)| Published {
        version,
        hash,
        source,
    }))
}

/// Writes a new published version, of which a row of the journal tells; versions are never changed.
///
/// # Errors
/// [`StoreError`] when the database fails or the version is there already.
pub fn publish(
    c: &mut Conn,
    id: &TournamentId,
    published: &Published,
    language: i32,
    (at, journal_number): (UtcTime, i64),
) -> Result<(), StoreError> {
    diesel::insert_into(regulations::table)
        .values((
            regulations::tournament_id.eq(id.as_str()),
            regulations::version.eq(published.version),
            regulations::hash.eq(&published.hash),
            regulations::language.eq(language),
            regulations::source.eq(&published.source),
            regulations::published_at.eq(at.as_micros()),
            regulations::journal_number.eq(journal_number),
        ))
        .execute(c)?;
    Ok(())
}

/// The organiser of this slug, if there is one.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn organiser(c: &mut Conn, slug: &str) -> Result<Option<OrganiserId>, StoreError> {
    let id: Option<i64> = organisers::table
        .filter(organisers::slug.eq(slug))
        .select(organisers::id)
        .first(c)
        .optional()?;
    Ok(id.map(OrganiserId))
}

/// Writes a new organiser.
///
/// # Errors
/// [`StoreError`] when the database fails or the slug is taken.
pub fn insert_organiser(
    c: &mut Conn,
    id: OrganiserId,
    slug: &str,
    name: &str,
    at: UtcTime,
) -> Result<(), StoreError> {
    diesel::insert_into(organisers::table)
        .values((
            organisers::id.eq(id.0),
            organisers::slug.eq(slug),
            organisers::name.eq(name),
            organisers::created_at.eq(at.as_micros()),
        ))
        .execute(c)?;
    Ok(())
}
