//! Which migrations a database has, and bringing it up to date.

use std::collections::BTreeSet;

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::migration::{Migration, MigrationSource};
use diesel::sqlite::SqliteConnection;
use diesel::{Connection, QueryableByName, RunQueryDsl, sql_query, sql_types};
use migrations::{MigrationHarness, POSTGRES, SQLITE};

use crate::conn::{Address, Role};
use crate::{Conn, Settings, StoreError};

/// Any number that no other program on the server uses: "enroc" in ASCII.
const ADVISORY_LOCK: &str = "SELECT pg_advisory_lock(435761868643)";
const ADVISORY_UNLOCK: &str = "SELECT pg_advisory_unlock(435761868643)";

/// Diesel's own way of reading the list makes its table first, which a server's other nodes need not see happen and a
/// standby refuses.
const PG_MIGRATED: &str = "SELECT COUNT(to_regclass('__diesel_schema_migrations')) AS n";
const SQLITE_MIGRATED: &str =
    "SELECT COUNT(*) AS n FROM sqlite_schema WHERE name = '__diesel_schema_migrations'";
const VERSIONS: &str = "SELECT version FROM __diesel_schema_migrations";
const SQLITE_DANGLING: &str = "SELECT COUNT(*) AS n FROM pragma_foreign_key_check";

/// Runs the migrations that the database lacks, in order, and returns their versions. Two at once are safe: the second
/// waits and finds nothing to do.
///
/// # Errors
/// [`StoreError::Schema`] when a newer program has been here; [`StoreError::Broken`] when a migration fails.
pub fn migrate(settings: &Settings) -> Result<Vec<String>, StoreError> {
    let address = Address::parse(&settings.url)?;
    match Conn::open(&address, Role::Migrator)? {
        Conn::Pg(mut conn) => {
            conn.batch_execute(ADVISORY_LOCK)?;
            let done = run_pending(&mut conn, &POSTGRES);
            conn.batch_execute(ADVISORY_UNLOCK)?;
            done
        }
        Conn::Sqlite(mut conn) => migrate_sqlite(&mut conn),
    }
}

/// SQLite migrates; PostgreSQL, which other nodes may be using, is only looked at.
pub(crate) fn at_start(address: &Address) -> Result<(), StoreError> {
    let mut conn = Conn::open(address, Role::Migrator)?;
    match &mut conn {
        Conn::Sqlite(conn) => migrate_sqlite(conn).map(drop),
        Conn::Pg(_) => has_ours(&mut conn),
    }
}

/// Whether a database has exactly this program's migrations; it is only looked at.
///
/// # Errors
/// [`StoreError::Schema`] where it has not.
pub(crate) fn has_ours(conn: &mut Conn) -> Result<(), StoreError> {
    match conn {
        Conn::Pg(conn) => compare(conn, PG_MIGRATED, &POSTGRES),
        Conn::Sqlite(conn) => compare(conn, SQLITE_MIGRATED, &SQLITE),
    }
}

fn compare<DB, C>(
    conn: &mut C,
    migrated: &str,
    source: &impl MigrationSource<DB>,
) -> Result<(), StoreError>
where
    DB: diesel::backend::Backend,
    C: Connection<Backend = DB>,
    for<'a> diesel::query_builder::SqlQuery:
        diesel::query_dsl::LoadQuery<'a, C, Count> + diesel::query_dsl::LoadQuery<'a, C, Applied>,
{
    let ours = in_order(source)?;
    let has = if count(conn, migrated)? == 0 {
        BTreeSet::new()
    } else {
        let rows = sql_query(VERSIONS).load::<Applied>(conn)?;
        rows.into_iter().map(|row| row.version).collect()
    };
    let (behind, ahead) = (lacking(&has, &ours), beyond(&has, &ours));
    if behind.is_empty() && ahead.is_empty() {
        Ok(())
    } else {
        Err(StoreError::Schema { behind, ahead })
    }
}

/// All in one transaction, which is also the lock against another process. Foreign keys are off meanwhile, as SQLite
/// asks of whoever rebuilds a table, and checked before the commit; a start that has nothing to migrate does not look at
/// every row.
fn migrate_sqlite(conn: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE")?;
    let done = run_pending(conn, &SQLITE).and_then(|done| {
        if done.is_empty() || count(conn, SQLITE_DANGLING)? == 0 {
            Ok(done)
        } else {
            Err(StoreError::broken("a migration left dangling references"))
        }
    });
    if done.is_ok() {
        AnsiTransactionManager::commit_transaction(conn)?;
    } else {
        AnsiTransactionManager::rollback_transaction(conn)?;
    }
    done
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = sql_types::BigInt)]
    n: i64,
}

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = sql_types::Text)]
    version: String,
}

fn count<C>(conn: &mut C, query: &str) -> Result<i64, StoreError>
where
    C: Connection,
    for<'a> diesel::query_builder::SqlQuery: diesel::query_dsl::LoadQuery<'a, C, Count>,
{
    Ok(sql_query(query).get_result::<Count>(conn)?.n)
}

fn run_pending<DB, C>(
    conn: &mut C,
    source: &impl MigrationSource<DB>,
) -> Result<Vec<String>, StoreError>
where
    DB: diesel::backend::Backend,
    C: Connection<Backend = DB> + MigrationHarness<DB>,
{
    let ours = in_order(source)?;
    let has = applied(conn)?;
    let ahead = beyond(&has, &ours);
    if !ahead.is_empty() {
        return Err(StoreError::Schema {
            behind: Vec::new(),
            ahead,
        });
    }
    ours.iter()
        .filter(|m| !has.contains(&version(m.as_ref())))
        .map(|m| {
            let done = conn.run_migration(m.as_ref()).map_err(StoreError::Broken)?;
            Ok(done.to_string())
        })
        .collect()
}

type Migrations<DB> = [Box<dyn Migration<DB>>];

fn in_order<DB: diesel::backend::Backend>(
    source: &impl MigrationSource<DB>,
) -> Result<Vec<Box<dyn Migration<DB>>>, StoreError> {
    let mut ours = source.migrations().map_err(StoreError::Broken)?;
    ours.sort_by_key(|m| version(m.as_ref()));
    Ok(ours)
}

fn applied<DB, C>(conn: &mut C) -> Result<BTreeSet<String>, StoreError>
where
    DB: diesel::backend::Backend,
    C: Connection<Backend = DB> + MigrationHarness<DB>,
{
    let versions = conn.applied_migrations().map_err(StoreError::Broken)?;
    Ok(versions.iter().map(ToString::to_string).collect())
}

fn version<DB: diesel::backend::Backend>(migration: &dyn Migration<DB>) -> String {
    migration.name().version().to_string()
}

/// Versions that the database lacks.
fn lacking<DB: diesel::backend::Backend>(
    has: &BTreeSet<String>,
    ours: &Migrations<DB>,
) -> Vec<String> {
    ours.iter()
        .map(|m| version(m.as_ref()))
        .filter(|v| !has.contains(v))
        .collect()
}

/// Versions that the database has and the program does not know.
fn beyond<DB: diesel::backend::Backend>(
    has: &BTreeSet<String>,
    ours: &Migrations<DB>,
) -> Vec<String> {
    let known: BTreeSet<String> = ours.iter().map(|m| version(m.as_ref())).collect();
    has.difference(&known).cloned().collect()
}
