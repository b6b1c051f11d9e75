//! Many orders out of few: every order that a service wrote, and all that belongs to it, again and again under ids,
//! numbers and references of its own, as if the same had come in as often before. To see how a desk ages.

mod copy;

use std::sync::mpsc::sync_channel;
use std::thread;

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};
use serde_json::{Map, Value};

use crate::conn::{Address, Role};
use crate::error::stored;
use crate::{Conn, Settings, StoreError};
use copy::{Original, TABLES};

/// A row: its columns with their values.
type Row = Map<String, Value>;

/// What is lost if the machine stops in the middle is made again.
const SQLITE_FAST: &str = "PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;";
const POSTGRES_FAST: &str =
    "SET synchronous_commit = off; SET idle_in_transaction_session_timeout = 0;";

#[derive(QueryableByName)]
struct Text {
    #[diesel(sql_type = sql_types::Text)]
    text: String,
}

/// Makes every order of a database into so many, the one that was there being the latest. Nobody may be connected, the
/// subscribers must have read everything, and no code may be used. `progress` hears how often all orders stand.
///
/// Forms, journal and counts go on without a gap. The figures for seats stay, and are to be set anew where they are the
/// organiser's.
///
/// # Errors
/// [`StoreError`] where the database fails, or has what cannot be multiplied.
pub fn grow(
    settings: &Settings,
    times: i64,
    mut progress: impl FnMut(i64),
) -> Result<(), StoreError> {
    let mut conn = Conn::open(&Address::parse(&settings.url)?, Role::Copier)?;
    conn.batch_execute(match conn {
        Conn::Sqlite(_) => SQLITE_FAST,
        Conn::Pg(_) => POSTGRES_FAST,
    })?;
    let mut tables = Vec::new();
    for table in TABLES {
        tables.push((table, read(&mut conn, table)?));
    }
    let tournaments = read(&mut conn, "tournaments")?;
    let original = Original::of(tables, &tournaments, read(&mut conn, "subscribers")?)?;
    together(&mut conn, |conn| {
        for table in TABLES.into_iter().rev() {
            let of_orders = if table == "journal" {
                " WHERE order_id IS NOT NULL"
            } else {
                ""
            };
            conn.batch_execute(&format!("DELETE FROM {table}{of_orders}"))?;
        }
        Ok(())
    })?;
    thread::scope(|scope| {
        let (made, copies) = sync_channel(2);
        let original = &original;
        scope.spawn(move || (0..times).try_for_each(|copy| made.send(original.copy(copy, times))));
        for (done, copy) in (1..).zip(copies) {
            together(&mut conn, |conn| {
                let mut tables = copy.iter();
                tables.try_for_each(|(table, columns, rows)| write(conn, table, columns, rows))
            })?;
            progress(done);
        }
        Ok::<_, StoreError>(())
    })?;
    together(&mut conn, |conn| {
        let totals = original.totals(times)?;
        Ok(conn.batch_execute(&totals.join(";\n"))?)
    })?;
    // The server would look at its tables by itself a little later.
    Ok(conn.batch_execute(match conn {
        Conn::Sqlite(_) => "PRAGMA wal_checkpoint(TRUNCATE)",
        Conn::Pg(_) => "VACUUM ANALYZE",
    })?)
}

/// In one transaction, which is taken back with its connection where it fails.
fn together(
    conn: &mut Conn,
    f: impl FnOnce(&mut Conn) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => AnsiTransactionManager::begin_transaction_sql(c, "BEGIN IMMEDIATE")?,
        Conn::Pg(c) => AnsiTransactionManager::begin_transaction_sql(c, "BEGIN")?,
    }
    f(conn)?;
    Ok(<Conn as diesel::Connection>::TransactionManager::commit_transaction(conn)?)
}

/// The rows of a table.
fn read(conn: &mut Conn, table: &str) -> Result<Vec<Row>, StoreError> {
    let found: Text = match conn {
        Conn::Pg(c) => sql_query(format!(
            "SELECT COALESCE(json_agg(t)::text, '[]') AS text FROM {table} t"
        ))
        .get_result(c)?,
        Conn::Sqlite(c) => {
            let columns: Text = sql_query(format!(
                "SELECT group_concat('''' || name || ''', ' || name) AS text FROM pragma_table_info('{table}')"
            ))
            .get_result(c)?;
            sql_query(format!(
                "SELECT COALESCE('[' || group_concat(json_object({})) || ']', '[]') AS text FROM {table}",
                columns.text
            ))
            .get_result(c)?
        }
    };
    stored("a row", serde_json::from_str(&found.text))
}

/// Adds rows, as JSON, to a table by one statement.
fn write(conn: &mut Conn, table: &str, columns: &[&String], rows: &str) -> Result<(), StoreError> {
    match conn {
        Conn::Pg(c) => sql_query(format!(
            "INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(CAST(NULL AS {table}), CAST($1 AS jsonb))"
        ))
        .bind::<sql_types::Text, _>(rows)
        .execute(c)?,
        Conn::Sqlite(c) => {
            let comma = |each: &dyn Fn(&String) -> String| {
                let each: Vec<String> = columns.iter().map(|name| each(name)).collect();
                each.join(", ")
            };
            sql_query(format!(
                "INSERT INTO {table} ({}) SELECT {} FROM json_each(?)",
                comma(&String::clone),
                comma(&|name| format!("value ->> '$.{name}'"))
            ))
            .bind::<sql_types::Text, _>(rows)
            .execute(c)?
        }
    };
    Ok(())
}
