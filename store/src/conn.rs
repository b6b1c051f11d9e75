//! One connection, whichever engine is behind it: opened by the scheme of its URL, set up the same way every time.

#![expect(
    clippy::disallowed_methods,
    reason = "the one place that opens connections, by scheme"
)]

use diesel::connection::{Connection, SimpleConnection};
use diesel::pg::PgConnection;
use diesel::sqlite::SqliteConnection;

use diesel::{QueryableByName, RunQueryDsl, sql_query};

use crate::StoreError;

/// A connection to SQLite or to PostgreSQL.
#[derive(diesel::MultiConnection)]
pub enum Conn {
    /// PostgreSQL.
    Pg(PgConnection),
    /// SQLite.
    Sqlite(SqliteConnection),
}

/// The backend of [`Conn`], for `check_for_backend(Db)` and for conversions of columns.
pub type Db = MultiBackend;

/// Which of the two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// The default: a file in the data folder.
    Sqlite,
    /// Grown up: any number of processes on one server.
    Postgres,
}

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Reader,
    Writer,
    Migrator,
    /// Reads an SQLite file into another one: `VACUUM INTO` is refused under `query_only`.
    Copier,
    /// Has an SQLite file to itself for as long as it lives; `StoreError::Busy` where anybody has it open.
    Sole,
}

/// Where the database is. Has no `Debug`: a URL may hold a password.
#[derive(Clone)]
pub(crate) enum Address {
    Postgres(String),
    Sqlite(String),
}

const SQLITE_SETUP: &str = "
    PRAGMA busy_timeout = 5000;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -1024;
    PRAGMA trusted_schema = OFF;
";

/// Before anything else: on a file in WAL mode only the first access can take the lock that all who have it open share.
const SQLITE_SOLE: &str = "PRAGMA locking_mode = EXCLUSIVE;";

const SQLITE_WRITER: &str =
    "PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -4096;";

/// A commit that is answered is on the server's disk, whatever the role or the database would rather have; what is stronger
/// than that is left. Messages in English where the role may ask for them: a deadlock and a lock timeout reach us as text only.
const POSTGRES_SETUP: &str = "
    SET TIME ZONE 'UTC';
    SET application_name = 'enroc';
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '30s';
    SET tcp_user_timeout = '15s';
    SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') IN ('off', 'local');
    DO $$ BEGIN SET lc_messages = 'C'; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;
";

/// A writer's transaction never waits for anything but the database: one that is idle so long belongs to a process that is
/// frozen, and its tournament is wanted by the others. They go on trying for longer than this.
const POSTGRES_WRITER: &str = "SET idle_in_transaction_session_timeout = '4s'";

/// A reader's own transactions are read-only: that says nothing.
const POSTGRES_TAKES_WRITES: &str = "
    SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS writes";

#[derive(QueryableByName)]
struct Takes {
    #[diesel(sql_type = diesel::sql_types::Bool)]
    writes: bool,
}

impl Address {
    /// Reads `postgres://…`, `postgresql://…` or `sqlite:PATH`; anything else would become a file by a typo.
    ///
    /// # Errors
    /// [`StoreError::Address`] says what is wrong, without the URL, which may hold a password.
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Address::Postgres(url.to_owned()));
        }
        let Some(path) = url.strip_prefix("sqlite:") else {
            return Err(StoreError::Address(
                "the scheme must be postgres://, postgresql:// or sqlite:",
            ));
        };
        if path.is_empty() {
            return Err(StoreError::Address("sqlite: needs the path of a file"));
        }
        if path.starts_with(":memory:") || path.starts_with("file:") {
            return Err(StoreError::Address(
                "sqlite: takes the path of a file; in memory every connection would be another database",
            ));
        }
        if path.starts_with("//") && !path.starts_with("///") {
            return Err(StoreError::Address(
                "sqlite: takes a path, not a host: sqlite:relative or sqlite:/absolute",
            ));
        }
        Ok(Address::Sqlite(path.to_owned()))
    }

    pub(crate) fn engine(&self) -> Engine {
        match self {
            Address::Postgres(_) => Engine::Postgres,
            Address::Sqlite(_) => Engine::Sqlite,
        }
    }
}

impl Conn {
    /// Opens a connection and sets it up for its role.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`] if it cannot be opened, any other if the set-up fails.
    pub(crate) fn open(address: &Address, role: Role) -> Result<Conn, StoreError> {
        let lost = |e: diesel::ConnectionError| StoreError::Unreachable(Box::new(e));
        match address {
            Address::Postgres(url) => {
                let mut conn = PgConnection::establish(url).map_err(lost)?;
                conn.batch_execute(POSTGRES_SETUP)?;
                match role {
                    Role::Reader => conn.batch_execute("SET statement_timeout = '30s'")?,
                    Role::Migrator => conn.batch_execute("SET lock_timeout = 0")?,
                    Role::Writer => conn.batch_execute(POSTGRES_WRITER)?,
                    Role::Copier | Role::Sole => {}
                }
                Ok(Conn::Pg(conn))
            }
            Address::Sqlite(path) => {
                make_file(path)?;
                let mut conn = SqliteConnection::establish(path).map_err(lost)?;
                if role == Role::Sole {
                    conn.batch_execute(SQLITE_SOLE)?;
                }
                conn.batch_execute(SQLITE_SETUP)?;
                match role {
                    Role::Reader => conn.batch_execute("PRAGMA query_only = ON")?,
                    Role::Migrator => {
                        conn.batch_execute(SQLITE_WRITER)?;
                        conn.batch_execute("PRAGMA foreign_keys = OFF")?;
                    }
                    Role::Writer => conn.batch_execute(SQLITE_WRITER)?,
                    Role::Copier => {}
                    Role::Sole => conn.batch_execute("BEGIN EXCLUSIVE; COMMIT")?,
                }
                Ok(Conn::Sqlite(conn))
            }
        }
    }

    /// Whether what stands behind it takes writes: a standby answers, and does not.
    ///
    /// # Errors
    /// Where it does not answer.
    pub fn takes_writes(&mut self) -> Result<bool, StoreError> {
        match self {
            Conn::Sqlite(_) => Ok(true),
            Conn::Pg(conn) => {
                let answer = sql_query(POSTGRES_TAKES_WRITES).get_result::<Takes>(conn)?;
                Ok(answer.writes)
            }
        }
    }

    /// Which engine is behind it.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match self {
            Conn::Pg(_) => Engine::Postgres,
            Conn::Sqlite(_) => Engine::Sqlite,
        }
    }
}

/// Makes an SQLite file that is not there yet, for its owner alone: names and addresses are in it. SQLite gives the files
/// beside it the same mode.
fn make_file(path: &str) -> Result<(), StoreError> {
    let path = path.strip_prefix("//").unwrap_or(path);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::Unreachable(Box::new(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_three_schemes_are_taken() {
        for url in [
            "postgres://enroc@localhost/desk",
            "postgresql://localhost/desk",
            "sqlite:desk.db",
            "sqlite:/var/lib/enroc/desk.db",
            "sqlite:///var/lib/enroc/desk.db",
        ] {
            assert!(Address::parse(url).is_ok(), "{url}");
        }
        for url in [
            "",
            "desk.db",
            "postgress://localhost/desk",
            "mysql://localhost/desk",
            "sqlite3:desk.db",
            "sqlite:",
            "sqlite::memory:",
            "sqlite:file:desk.db?mode=memory",
            "sqlite://desk.db",
        ] {
            assert!(Address::parse(url).is_err(), "{url}");
        }
    }
}
