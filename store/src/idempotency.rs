//! Idempotency keys: the committed outcome of a command, kept with what the command asked.

use diesel::prelude::*;
use domain::{TournamentId, UtcTime};

use crate::Conn;
use crate::error::StoreError;
use crate::schema::idempotency;

/// Where a key counts: caller, operation and tournament.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct KeyScope {
    /// A key's id, a hash of the payer's address, or `public`.
    pub caller: String,
    /// The use case.
    pub operation: &'static str,
    /// The tournament.
    pub tournament: TournamentId,
    /// The key itself.
    pub key: String,
}

/// What a key was used for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Used {
    /// Keyed hash of the parsed request.
    pub fingerprint: String,
    /// The outcome, as JSON of the use case.
    pub outcome: String,
}

/// What this key was used for, if it was.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(c: &mut Conn, scope: &KeyScope) -> Result<Option<Used>, StoreError> {
    let row: Option<(String, String)> = idempotency::table
        .find((
            &scope.caller,
            scope.operation,
            scope.tournament.as_str(),
            &scope.key,
        ))
        .select((idempotency::fingerprint, idempotency::outcome))
        .first(c)
        .optional()?;
    Ok(row.map(|(fingerprint, outcome)| Used {
        fingerprint,
        outcome,
    }))
}

/// Writes what a key was used for, in the transaction of the use.
///
/// # Errors
/// [`StoreError::Duplicate`] where another request with this key committed first.
pub fn insert(c: &mut Conn, scope: &KeyScope, used: &Used, at: UtcTime) -> Result<(), StoreError> {
    diesel::insert_into(idempotency::table)
        .values((
            idempotency::caller.eq(&scope.caller),
            idempotency::operation.eq(scope.operation),
            idempotency::tournament_id.eq(scope.tournament.as_str()),
            idempotency::key.eq(&scope.key),
            idempotency::fingerprint.eq(&used.fingerprint),
            idempotency::outcome.eq(&used.outcome),
            idempotency::created_at.eq(at.as_micros()),
        ))
        .execute(c)?;
    Ok(())
}
