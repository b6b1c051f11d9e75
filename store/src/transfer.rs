//! A whole desk from an SQLite file into an empty PostgreSQL database: every table that there is, in the order of their
//! references, in one transaction.

use std::collections::BTreeSet;

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::pg::PgConnection;
use diesel::sqlite::SqliteConnection;
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};

use crate::conn::{Address, Role};
use crate::{Conn, Settings, StoreError, backup, migrate};

/// Rows that share a statement.
const PAGE: i64 = 1_000;

const TABLES: &str = "
    SELECT name FROM sqlite_schema
    WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '__diesel*' ORDER BY name";
const REFERS_TO: &str =
    "SELECT DISTINCT \"table\" AS name FROM pragma_foreign_key_list(?) WHERE \"table\" <> ?";
const COLUMNS: &str = "SELECT name FROM pragma_table_info(?) ORDER BY cid";

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = sql_types::Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = sql_types::BigInt)]
    n: i64,
}

/// Rows of a table as a JSON array of objects, and the `rowid` of the last.
#[derive(QueryableByName)]
struct Page {
    #[diesel(sql_type = sql_types::Nullable<sql_types::BigInt>)]
    last: Option<i64>,
    #[diesel(sql_type = sql_types::BigInt)]
    n: i64,
    #[diesel(sql_type = sql_types::Nullable<sql_types::Text>)]
    rows: Option<String>,
}

/// Copies every row of an SQLite file, which nobody else may have open, into a PostgreSQL database, which must be empty.
/// Both must have this program's schema. All or nothing: the tables are counted on both sides before the commit.
/// `progress` hears how many rows are done of how many. Answers how many there are.
///
/// # Errors
/// [`StoreError::Busy`] where the file is in use, [`StoreError::TargetInUse`] where the target is; [`StoreError::Schema`];
/// [`StoreError::Occupied`] where the target is not empty; [`StoreError::Broken`] where a row does not fit.
pub fn copy(
    from: &Settings,
    to: &Settings,
    progress: impl Fn(u64, u64),
) -> Result<u64, StoreError> {
    let mut from = backup::open(from, Role::Sole)?;
    let mut to = Conn::open(&Address::parse(&to.url)?, Role::Writer)?;
    migrate::has_ours(&mut from)?;
    migrate::has_ours(&mut to)?;
    let (Conn::Sqlite(from), Conn::Pg(to)) = (&mut from, &mut to) else {
        return Err(StoreError::Address("it must be a postgres:// one"));
    };
    let tables = in_order(from)?;
    // Dropped uncommitted, the connection takes everything back.
    AnsiTransactionManager::begin_transaction_sql(to, "BEGIN")?;
    let all = tables.iter().map(|t| quoted(t)).collect::<Vec<_>>();
    let lock = format!("LOCK TABLE {} IN EXCLUSIVE MODE", all.join(", "));
    to.batch_execute(&lock)
        .map_err(|error| match StoreError::from(error) {
            StoreError::Busy => StoreError::TargetInUse,
            other => other,
        })?;
    let mut total = 0;
    for table in &tables {
        if pg_count(to, table)? > 0 {
            return Err(StoreError::Occupied(table.clone()));
        }
        total += sqlite_count(from, table)?;
    }
    let (mut done, total) = (0, total.unsigned_abs());
    progress(done, total);
    for table in &tables {
        copy_table(from, to, table, |rows| {
            done += rows;
            progress(done, total);
        })?;
        let (here, there) = (sqlite_count(from, table)?, pg_count(to, table)?);
        if here != there {
            let told = format!("{table} has {here} rows, and {there} arrived");
            return Err(StoreError::broken(told));
        }
    }
    // The server plans by what it knows of the tables, and would look by itself only later.
    to.batch_execute(&format!("ANALYZE {}", all.join(", ")))?;
    AnsiTransactionManager::commit_transaction(to)?;
    Ok(done)
}

/// The tables, each after those that it refers to.
fn in_order(from: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let mut waiting = Vec::new();
    for Name { name } in sql_query(TABLES).load::<Name>(from)? {
        let refers: Vec<Name> = sql_query(REFERS_TO)
            .bind::<sql_types::Text, _>(&name)
            .bind::<sql_types::Text, _>(&name)
            .load(from)?;
        let refers: BTreeSet<String> = refers.into_iter().map(|r| r.name).collect();
        waiting.push((name, refers));
    }
    let mut ordered: Vec<String> = Vec::new();
    while !waiting.is_empty() {
        let ready = waiting
            .iter()
            .position(|(_, refers)| refers.iter().all(|table| ordered.contains(table)));
        let Some(ready) = ready else {
            return Err(StoreError::broken("tables refer to each other in a circle"));
        };
        ordered.push(waiting.remove(ready).0);
    }
    Ok(ordered)
}

fn copy_table(
    from: &mut SqliteConnection,
    to: &mut PgConnection,
    table: &str,
    mut progress: impl FnMut(u64),
) -> Result<(), StoreError> {
    let columns: Vec<Name> = sql_query(COLUMNS)
        .bind::<sql_types::Text, _>(table)
        .load(from)?;
    let fields: Vec<String> = columns
        .iter()
        .map(|c| format!("'{}', {}", c.name, quoted(&c.name)))
        .collect();
    let table = quoted(table);
    let read = format!(
        "SELECT MAX(place) AS last, COUNT(*) AS n, '[' || group_concat(made) || ']' AS rows FROM
         (SELECT rowid AS place, json_object({}) AS made FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {PAGE})",
        fields.join(", ")
    );
    let write = format!(
        "INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(CAST(NULL AS {table}), CAST($1 AS jsonb))"
    );
    let mut after = i64::MIN;
    loop {
        let page: Page = sql_query(&read)
            .bind::<sql_types::BigInt, _>(after)
            .get_result(from)?;
        let (Some(last), Some(rows)) = (page.last, page.rows) else {
            return Ok(());
        };
        sql_query(&write)
            .bind::<sql_types::Text, _>(rows)
            .execute(to)?;
        after = last;
        progress(page.n.unsigned_abs());
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn count_of(table: &str) -> String {
    format!("SELECT COUNT(*) AS n FROM {}", quoted(table))
}

fn sqlite_count(conn: &mut SqliteConnection, table: &str) -> Result<i64, StoreError> {
    Ok(sql_query(count_of(table)).get_result::<Count>(conn)?.n)
}

fn pg_count(conn: &mut PgConnection, table: &str) -> Result<i64, StoreError> {
    Ok(sql_query(count_of(table)).get_result::<Count>(conn)?.n)
}
