//! Byes that entrants asked for.

use diesel::prelude::*;
use domain::{ByePoints, ByeRequest, EntryId, TournamentId, UtcTime};

use crate::Conn;
use crate::error::StoreError;
use crate::schema::byes;

/// A bye and what became of it: `asked`, `granted` or `refused`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bye {
    /// Round and points.
    pub request: ByeRequest,
    /// The arbiter's word.
    pub status: String,
}

/// The byes of an entry, by round.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_entry(c: &mut Conn, entry: EntryId) -> Result<Vec<Bye>, StoreError> {
    let rows: Vec<(i32, String, String)> = byes::table
        .filter(byes::entry_id.eq(entry.0))
        .order(byes::round)
        .select((byes::round, byes::points, byes::status))
        .load(c)?;
    rows.into_iter()
        .map(|(round, points, status)| {
            let points = if points == "half" {
                ByePoints::Half
            } else {
                ByePoints::Zero
            };
            let round = u32::try_from(round).map_err(|_| StoreError::unreadable("byes.round"))?;
            Ok(Bye {
                request: ByeRequest { round, points },
                status,
            })
        })
        .collect()
}

/// Writes a bye that was asked for; one that the arbiter refused before may be asked again.
///
/// # Errors
/// [`StoreError::Duplicate`] where that round was asked off already.
pub fn insert(
    c: &mut Conn,
    tournament: &TournamentId,
    entry: EntryId,
    bye: ByeRequest,
    at: UtcTime,
) -> Result<(), StoreError> {
    let round = i32::try_from(bye.round).map_err(|_| StoreError::unreadable("byes.round"))?;
    let points = match bye.points {
        ByePoints::Half => "half",
        ByePoints::Zero => "zero",
    };
    let refused = byes::table
        .find((entry.0, round))
        .filter(byes::status.eq("refused"));
    diesel::delete(refused).execute(c)?;
    diesel::insert_into(byes::table)
        .values((
            byes::entry_id.eq(entry.0),
            byes::round.eq(round),
            byes::tournament_id.eq(tournament.as_str()),
            byes::points.eq(points),
            byes::status.eq("asked"),
            byes::asked_at.eq(at.as_micros()),
        ))
        .execute(c)?;
    Ok(())
}

/// Notes the arbiter's word on every bye of an entry that was only asked for; how many there were.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn decide(c: &mut Conn, entry: EntryId, granted: bool) -> Result<usize, StoreError> {
    let asked = byes::table.filter(byes::entry_id.eq(entry.0).and(byes::status.eq("asked")));
    let word = if granted { "granted" } else { "refused" };
    Ok(diesel::update(asked)
        .set(byes::status.eq(word))
        .execute(c)?)
}
