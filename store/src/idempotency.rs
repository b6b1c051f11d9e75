//! Idempotency keys: the committed outcome of a command, kept with what the command asked.

use std::collections::BTreeSet;

use diesel::prelude::*;
use domain::{TournamentId, UtcTime};
use serde::Serialize;

use crate::Conn;
use crate::dialect::Kind::{self, Text};
use crate::dialect::Written;
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
    Ok(find_all(c, &[scope])?.pop().map(|(_, used)| used))
}

/// Which of these keys were used, by their place in the list, and for what.
pub(crate) fn find_all(
    c: &mut Conn,
    scopes: &[&KeyScope],
) -> Result<Vec<(usize, Used)>, StoreError> {
    let keys: Vec<&String> = scopes.iter().map(|s| &s.key).collect();
    let callers: BTreeSet<&String> = scopes.iter().map(|s| &s.caller).collect();
    let operations: BTreeSet<&str> = scopes.iter().map(|s| s.operation).collect();
    let tournaments: BTreeSet<&str> = scopes.iter().map(|s| s.tournament.as_str()).collect();
    // Each member of the primary key is named, so that its index serves.
    let rows: Vec<(String, String, String, String, String, String)> = idempotency::table
        .filter(idempotency::caller.eq_any(callers))
        .filter(idempotency::operation.eq_any(operations))
        .filter(idempotency::tournament_id.eq_any(tournaments))
        .filter(idempotency::key.eq_any(keys))
        .select((
            idempotency::caller,
            idempotency::operation,
            idempotency::tournament_id,
            idempotency::key,
            idempotency::fingerprint,
            idempotency::outcome,
        ))
        .load(c)?;
    let place = |caller: &str, operation: &str, tournament: &str, key: &str| {
        scopes.iter().position(|s| {
            s.caller == caller
                && s.operation == operation
                && s.tournament.as_str() == tournament
                && s.key == key
        })
    };
    Ok(rows
        .into_iter()
        .filter_map(
            |(caller, operation, tournament, key, fingerprint, outcome)| {
                let used = Used {
                    fingerprint,
                    outcome,
                };
                Some((place(&caller, &operation, &tournament, &key)?, used))
            },
        )
        .collect())
}

/// A key that was used, to be written in the transaction of the use.
#[derive(Serialize)]
pub(crate) struct NewKey {
    caller: String,
    operation: &'static str,
    tournament_id: String,
    key: String,
    fingerprint: String,
    outcome: String,
    created_at: i64,
}

impl NewKey {
    pub(crate) fn of(scope: &KeyScope, used: &Used, at: UtcTime) -> NewKey {
        NewKey {
            caller: scope.caller.clone(),
            operation: scope.operation,
            tournament_id: scope.tournament.to_string(),
            key: scope.key.clone(),
            fingerprint: used.fingerprint.clone(),
            outcome: used.outcome.clone(),
            created_at: at.as_micros(),
        }
    }
}

impl Written for NewKey {
    const TABLE: &'static str = "idempotency";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("caller", Text),
        ("operation", Text),
        ("tournament_id", Text),
        ("key", Text),
        ("fingerprint", Text),
        ("outcome", Text),
        ("created_at", Kind::Big),
    ];
}
