//! Invitation codes: a keyed hash, a limit of uses, and a row for each use.

use diesel::prelude::*;
use domain::{Currency, EntryId, TournamentId, UtcTime};
use serde::Serialize;

use crate::Conn;
use crate::dialect::{Kind, Written};
use crate::error::{StoreError, stored};
use crate::guard::{Guard, under_lock};
use crate::schema::{code_uses, codes};

/// A code as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// Keyed hash of the code.
    pub hash: String,
    /// What the organiser calls it.
    pub label: String,
    /// How many entries may use it.
    pub uses: i32,
    /// The price that was agreed with whom it was given to, minor units.
    pub agreed_price: Option<i64>,
    /// The currency of that price; none for the first of the regulation.
    pub currency: Option<Currency>,
}

/// Writes a new code.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn insert(
    c: &mut Conn,
    tournament: &TournamentId,
    code: &Code,
    at: UtcTime,
) -> Result<(), StoreError> {
    diesel::insert_into(codes::table)
        .values((
            codes::tournament_id.eq(tournament.as_str()),
            codes::hash.eq(&code.hash),
            codes::label.eq(&code.label),
            codes::uses.eq(code.uses),
            codes::agreed_price.eq(code.agreed_price),
            codes::currency.eq(code.currency.map(Currency::code)),
            codes::created_at.eq(at.as_micros()),
        ))
        .execute(c)?;
    Ok(())
}

/// A code and how many entries use it now.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(
    c: &mut Conn,
    tournament: &TournamentId,
    hash: &str,
) -> Result<Option<(Code, i64)>, StoreError> {
    let row: Option<(String, i32, Option<i64>, Option<String>)> = codes::table
        .find((tournament.as_str(), hash))
        .select((
            codes::label,
            codes::uses,
            codes::agreed_price,
            codes::currency,
        ))
        .first(c)
        .optional()?;
    let Some((label, uses, agreed_price, currency)) = row else {
        return Ok(None);
    };
    let currency = currency.map(|code| stored("codes.currency", code.parse()));
    let used: i64 = code_uses::table
        .filter(
            code_uses::tournament_id
                .eq(tournament.as_str())
                .and(code_uses::hash.eq(hash)),
        )
        .count()
        .get_result(c)?;
    Ok(Some((
        Code {
            hash: hash.to_owned(),
            label,
            uses,
            agreed_price,
            currency: currency.transpose()?,
        },
        under_lock(Guard::Code, used),
    )))
}

/// Whether a price was agreed with somebody who was given a code.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn have_prices(c: &mut Conn, tournament: &TournamentId) -> Result<bool, StoreError> {
    let priced: Option<String> = codes::table
        .filter(codes::tournament_id.eq(tournament.as_str()))
        .filter(codes::agreed_price.is_not_null())
        .select(codes::hash)
        .first(c)
        .optional()?;
    Ok(priced.is_some())
}

/// The use of a code by an entry, to be written.
#[derive(Serialize)]
pub(crate) struct NewUse {
    pub entry_id: i64,
    pub tournament_id: String,
    pub hash: String,
}

impl Written for NewUse {
    const TABLE: &'static str = "code_uses";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("entry_id", Kind::Big),
        ("tournament_id", Kind::Text),
        ("hash", Kind::Text),
    ];
}

/// Gives back the use of an entry that ended.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn give_back(c: &mut Conn, entry: EntryId) -> Result<(), StoreError> {
    diesel::delete(code_uses::table.find(entry.0)).execute(c)?;
    Ok(())
}
