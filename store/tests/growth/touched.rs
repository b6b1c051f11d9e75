//! PostgreSQL plans by what it knows of the rows, so there it is counted how many each question touches among many.

use std::collections::BTreeMap;

use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};
use store::{Conn, Lane, StoreError};

use crate::questions::{QUESTIONS, unreadable};
use crate::{SMALL, many};

/// A page of fifty, and what belongs to each of its rows, is far from this; a table is far beyond it.
const MOST: i64 = 300;
/// A statement is planned for its values five times, and then perhaps once for all.
const TIMES: usize = 7;

#[derive(QueryableByName)]
struct Read {
    #[diesel(sql_type = sql_types::Text)]
    name: String,
    #[diesel(sql_type = sql_types::BigInt)]
    rows: i64,
}

/// Rows of each table that this transaction has read so far.
fn read(conn: &mut Conn) -> BTreeMap<String, i64> {
    let Conn::Pg(conn) = conn else { unreachable!() };
    let read: Vec<Read> = sql_query(
        "SELECT relname::text AS name, seq_tup_read + COALESCE(idx_tup_fetch, 0) AS rows FROM pg_stat_xact_user_tables",
    )
    .load(conn)
    .unwrap();
    read.into_iter()
        .map(|table| (table.name, table.rows))
        .collect()
}

#[test]
fn postgres_looks_at_no_more_rows_than_it_needs() {
    store::testing::on_postgres(|database| {
        let store = database.store();
        async move {
            let fill = |conn: &mut Conn| {
                many::fill(conn, many::ORDERS);
                Ok::<_, StoreError>(())
            };
            store.write(Lane::Desk, fill).await.unwrap();
            let look = |conn: &mut Conn| {
                let mut wrong = Vec::new();
                for (name, question) in QUESTIONS {
                    for time in 1..=TIMES {
                        let before = read(conn);
                        question(conn).or_else(unreadable).unwrap();
                        for (table, rows) in read(conn) {
                            let rows = rows - before.get(&table).copied().unwrap_or(0);
                            if rows > MOST && !SMALL.contains(&table.as_str()) {
                                wrong.push(format!("{name}, time {time}: {rows} rows of {table}"));
                            }
                        }
                    }
                }
                assert!(wrong.is_empty(), "{}", wrong.join("\n"));
                Ok::<_, StoreError>(())
            };
            store.write(Lane::Desk, look).await.unwrap();
        }
    });
}
