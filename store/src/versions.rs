//! The published versions of regulations: which there are, and who published each.

use diesel::prelude::*;
use domain::{Actor, TournamentId, UtcTime};

use crate::Conn;
use crate::error::{StoreError, stored};
use crate::schema::{journal, regulations, tournaments};

/// A published version, without its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Its number, from 1.
    pub version: i32,
    /// SHA-256 of the file.
    pub hash: String,
    /// Version of the regulation language.
    pub language: i32,
    /// When it was published, by the wall clock.
    pub published_at: UtcTime,
    /// Who published it.
    pub actor: Actor,
    /// Why, in that person's words; empty where it goes without saying.
    pub reason: String,
}

type Row = (i32, String, i32, i64, String, String);

impl TryFrom<Row> for Version {
    type Error = StoreError;

    fn try_from((version, hash, language, at, actor, reason): Row) -> Result<Self, StoreError> {
        Ok(Version {
            version,
            hash,
            language,
            published_at: UtcTime::from_micros(at),
            actor: stored("journal.actor", serde_json::from_str(&actor))?,
            reason,
        })
    }
}

/// The versions of a tournament after a number, at most `limit`, in order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn after(
    c: &mut Conn,
    tournament: &TournamentId,
    version: i32,
    limit: i64,
) -> Result<Vec<Version>, StoreError> {
    let told = journal::tournament_id
        .eq(regulations::tournament_id)
        .and(journal::number.eq(regulations::journal_number));
    let rows: Vec<Row> = regulations::table
        .inner_join(journal::table.on(told))
        .filter(
            regulations::tournament_id
                .eq(tournament.as_str())
                .and(regulations::version.gt(version)),
        )
        .order(regulations::version)
        .limit(limit)
        .select((
            regulations::version,
            regulations::hash,
            regulations::language,
            regulations::published_at,
            journal::actor,
            journal::reason,
        ))
        .load(c)?;
    rows.into_iter().map(Version::try_from).collect()
}

/// Every tournament with the version that new orders are priced under.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn newest(c: &mut Conn) -> Result<Vec<(TournamentId, i32)>, StoreError> {
    let rows: Vec<(String, i32)> = tournaments::table
        .order(tournaments::id)
        .select((tournaments::id, tournaments::version))
        .load(c)?;
    let read = rows
        .into_iter()
        .map(|(id, version)| Ok((stored("tournaments.id", id.parse())?, version)));
    read.collect()
}
