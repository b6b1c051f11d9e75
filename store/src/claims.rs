//! Claims: which entries have a row of the regulation that only so many may have.

use diesel::prelude::*;
use domain::{EntryId, Taken, TournamentId};
use serde::Serialize;

use crate::Conn;
use crate::dialect::{Kind, Written};
use crate::error::StoreError;
use crate::guard::{Guard, under_lock};
use crate::schema::claims;

/// How many entries have each of these rows now.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn taken(c: &mut Conn, tournament: &TournamentId, rules: &[&str]) -> Result<Taken, StoreError> {
    let mut taken = Taken::new();
    for rule in rules {
        let count: i64 = claims::table
            .filter(
                claims::tournament_id
                    .eq(tournament.as_str())
                    .and(claims::rule.eq(*rule)),
            )
            .count()
            .get_result(c)?;
        taken.insert((*rule).to_owned(), u32::try_from(count).unwrap_or(u32::MAX));
    }
    Ok(under_lock(Guard::Claim, taken))
}

/// The limited rows that an entry has.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_entry(c: &mut Conn, entry: EntryId) -> Result<Vec<String>, StoreError> {
    Ok(claims::table
        .filter(claims::entry_id.eq(entry.0))
        .select(claims::rule)
        .load(c)?)
}

/// Gives back what an entry has, so that others may have it.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn give_back(c: &mut Conn, entry: EntryId) -> Result<(), StoreError> {
    diesel::delete(claims::table.filter(claims::entry_id.eq(entry.0))).execute(c)?;
    Ok(())
}

/// A claim of an entry, to be written.
#[derive(Serialize)]
pub(crate) struct NewClaim {
    pub entry_id: i64,
    pub rule: String,
    pub tournament_id: String,
}

impl Written for NewClaim {
    const TABLE: &'static str = "claims";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("entry_id", Kind::Big),
        ("rule", Kind::Text),
        ("tournament_id", Kind::Text),
    ];
}
