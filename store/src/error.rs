//! What can go wrong in the store, and the one translation from Diesel's errors.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use domain::{Kind, Problem, Slug};

pub(crate) type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A row that must be there is not. Rows that may be missing come as `Option`.
    #[error("a row that must exist does not")]
    NotFound,
    /// A unique key is taken. Which one follows from the operation: SQLite does not name the constraint.
    #[error("the row is there already")]
    Duplicate,
    /// Another transaction is in the way; the same thing may succeed a moment later.
    #[error("the database is busy")]
    Busy,
    /// The lane of the write door, or the line for a reader, is full.
    #[error("too many are waiting for the database")]
    Overloaded,
    /// The database cannot be reached, or the connection was lost before the commit: nothing happened.
    #[error("the database cannot be reached")]
    Unreachable(#[source] Cause),
    /// The connection was lost while committing: it happened or it did not. Look the command up by its id.
    #[error("the connection was lost during the commit, whose outcome is unknown")]
    InDoubt(#[source] Cause),
    /// The database's migrations are not this program's.
    #[error("{}", schema_sentence(behind, ahead))]
    Schema {
        /// Versions that this program has and the database lacks.
        behind: Vec<String>,
        /// Versions that the database has and this program does not know.
        ahead: Vec<String>,
    },
    /// The database's URL is not one that Enroc takes.
    #[error("the database URL is refused: {0}")]
    Address(&'static str),
    /// A table that must be empty has rows.
    #[error("the table {0} has rows already; the database must be empty")]
    Occupied(String),
    /// Somebody writes to the database that is to be filled.
    #[error("the database that is copied into is in use")]
    TargetInUse,
    /// A row changed between the reading and the guarded write.
    #[error("the row changed meanwhile")]
    Raced,
    /// Postings of one journal row that do not sum to zero: a bug of ours, stopped before it is written.
    #[error("the postings do not sum to zero")]
    Unbalanced,
    /// A stored value that this program cannot read.
    #[error("{0} holds a value that cannot be read")]
    Unreadable(&'static str, #[source] Option<Cause>),
    /// The disk has no room: nothing happened, and nothing will until somebody makes some.
    #[error("the database's disk is full")]
    Full(#[source] Cause),
    /// Anything else: a bug of ours, a damaged file.
    #[error("the database failed")]
    Broken(#[source] Cause),
}

impl StoreError {
    /// Wraps a failure that no caller can do anything about.
    pub fn broken(cause: impl Into<Cause>) -> Self {
        StoreError::Broken(cause.into())
    }

    /// A stored value that is none of the words its column may hold.
    #[must_use]
    pub fn unreadable(column: &'static str) -> Self {
        StoreError::Unreadable(column, None)
    }

    /// Makes more errors of a passing kind, for others that met the same.
    pub(crate) fn of_the_same_kind(&self) -> impl Fn() -> StoreError + use<> {
        let (busy, said) = (matches!(self, StoreError::Busy), self.to_string());
        move || {
            if busy {
                StoreError::Busy
            } else {
                StoreError::Unreachable(said.clone().into())
            }
        }
    }

    /// Whether nothing has happened and the same closure may run again.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, StoreError::Busy | StoreError::Unreachable(_))
    }
}

/// A value read from (or made for) a column, with the column named where that fails.
pub(crate) fn stored<T, E: Into<Cause>>(
    column: &'static str,
    value: Result<T, E>,
) -> Result<T, StoreError> {
    value.map_err(|cause| StoreError::Unreadable(column, Some(cause.into())))
}

fn schema_sentence(behind: &[String], ahead: &[String]) -> String {
    let mut sentence = String::from("the database's schema is not this program's:");
    if !behind.is_empty() {
        sentence += &format!(" it lacks {} (run `enroc migrate`)", behind.join(", "));
    }
    if !ahead.is_empty() {
        sentence += &format!(" it has {}, made by a newer Enroc", ahead.join(", "));
    }
    sentence
}

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::NotFound => StoreError::NotFound,
            DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => {
                StoreError::Duplicate
            }
            ref busy if is_busy(busy) => StoreError::Busy,
            ref full if says(full, &FULL) => StoreError::Full(Box::new(error)),
            // What stood at this address writes elsewhere now: the next connection may find it.
            ref standby if says(standby, &READ_ONLY) => StoreError::Unreachable(Box::new(error)),
            DieselError::DatabaseError(DatabaseErrorKind::ClosedConnection, _) => {
                StoreError::Unreachable(Box::new(error))
            }
            other => StoreError::broken(other),
        }
    }
}

/// Whether another transaction was in the way. Diesel has a kind for a serialization failure only; SQLite's `SQLITE_BUSY`
/// and `SQLITE_LOCKED` and PostgreSQL's 55P03 and 40P01 come as text.
pub(crate) fn is_busy(error: &DieselError) -> bool {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => true,
        other => says(
            other,
            &[
                "database is locked",
                "database table is locked",
                "database schema is locked",
                "canceling statement due to lock timeout",
                "deadlock detected",
            ],
        ),
    }
}

/// SQLite's `SQLITE_FULL`; PostgreSQL's 53100, which names the file first.
const FULL: [&str; 2] = ["database or disk is full", "No space left on device"];
/// PostgreSQL's 25006, as a standby answers that is asked to write.
const READ_ONLY: [&str; 1] = ["in a read-only transaction"];

/// Whether an error for which Diesel has no kind of its own says one of these.
fn says(error: &DieselError, texts: &[&str]) -> bool {
    match error {
        DieselError::DatabaseError(
            DatabaseErrorKind::Unknown | DatabaseErrorKind::ReadOnlyTransaction,
            said,
        ) => texts.iter().any(|text| said.message().contains(text)),
        _ => false,
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let slug = match error {
            StoreError::Duplicate | StoreError::Raced => Slug::Raced,
            StoreError::Busy | StoreError::Overloaded => Slug::Overload,
            StoreError::Unreachable(_) | StoreError::InDoubt(_) | StoreError::Full(_) => {
                Slug::DatabaseDown
            }
            StoreError::NotFound
            | StoreError::Schema { .. }
            | StoreError::Address(_)
            | StoreError::Occupied(_)
            | StoreError::TargetInUse
            | StoreError::Unbalanced
            | StoreError::Unreadable(..)
            | StoreError::Broken(_) => Slug::Internal,
        };
        let retry_after = (slug.kind() == Kind::Overload).then(|| rand::random_range(1..=5));
        Problem {
            retry_after,
            source: Some(Box::new(error)),
            ..Problem::new(slug)
        }
    }
}
