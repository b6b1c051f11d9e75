//! SQLite plans without looking at the rows: what it would do is the same for an empty file and for a full one.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use diesel::connection::{Connection, InstrumentationEvent};
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};
use store::{Conn, Lane, StoreError};

use crate::questions::QUESTIONS;
use crate::{SMALL, many};

/// Columns that very many rows share.
const SHARED: [&str; 9] = [
    "tournament_id",
    "account",
    "subscriber",
    "status",
    "caller",
    "operation",
    "section",
    "method",
    "kind",
];

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = sql_types::Text)]
    detail: String,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = sql_types::Text)]
    name: String,
}

/// Indexes that have only some of the rows: those that are open, wait or failed.
fn partial(conn: &mut Conn) -> BTreeSet<String> {
    let Conn::Sqlite(conn) = conn else {
        unreachable!()
    };
    let names: Vec<Name> = sql_query(
        "SELECT i.name FROM sqlite_schema t, pragma_index_list(t.name) i WHERE t.type = 'table' AND i.partial",
    )
    .load(conn)
    .unwrap();
    names.into_iter().map(|index| index.name).collect()
}

fn plan(conn: &mut Conn, statement: &str) -> Vec<String> {
    let Conn::Sqlite(conn) = conn else {
        unreachable!()
    };
    let steps: Vec<Step> = sql_query(format!("EXPLAIN QUERY PLAN {statement}"))
        .load(conn)
        .unwrap();
    steps.into_iter().map(|step| step.detail).collect()
}

/// What is wrong with a plan, if it is.
fn looks_at_too_much(plan: &[String], limited: bool, partial: &BTreeSet<String>) -> bool {
    let sorts = plan.iter().any(|step| step.contains("FOR ORDER BY"));
    plan.iter().any(|step| {
        let words: Vec<&str> = step.split(' ').collect();
        let (what, table) = (words[0], words.get(1).copied().unwrap_or_default());
        let index = words.iter().skip_while(|word| **word != "INDEX").nth(1);
        if SMALL.contains(&table) || index.is_some_and(|index| partial.contains(*index)) {
            return false;
        }
        match what {
            "SCAN" => true,
            "SEARCH" => {
                let terms = step.split_once('(').map_or("", |(_, terms)| terms);
                let terms: Vec<&str> = terms.trim_end_matches(')').split(" AND ").collect();
                let of_few = |term: &&str| {
                    term.split_once('=')
                        .is_some_and(|(column, _)| !SHARED.contains(&column))
                };
                let from_there_on = terms.last().is_some_and(|term| term.contains(['<', '>']));
                let ends = limited || terms.len() > 2;
                !(terms.iter().any(of_few) || from_there_on && ends && !sorts)
            }
            _ => false,
        }
    })
}

/// The statements of each question, as they are prepared.
fn statements(conn: &mut Conn) -> Vec<(&'static str, String)> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::clone(&heard);
    conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            let said = query.to_string();
            let statement = said.split(" -- binds").next().unwrap_or_default();
            hearing.lock().unwrap().push(statement.to_owned());
        }
    });
    let mut all = Vec::new();
    for (name, question) in QUESTIONS {
        // What it answers does not matter here.
        drop(question(conn));
        all.extend(
            heard
                .lock()
                .unwrap()
                .drain(..)
                .map(|statement| (*name, statement)),
        );
    }
    all
}

#[test]
fn sqlite_looks_at_no_more_rows_than_it_needs() {
    store::testing::on_sqlite(|database| {
        let store = database.store();
        async move {
            let look = |conn: &mut Conn| {
                many::fill(conn, 1);
                let (partial, mut wrong) = (partial(conn), Vec::new());
                let statements = statements(conn);
                assert!(statements.len() > QUESTIONS.len());
                for (name, statement) in statements {
                    let plan = plan(conn, &statement);
                    let limited = statement.contains(" LIMIT ");
                    if looks_at_too_much(&plan, limited, &partial) {
                        wrong.push(format!("{name}: {}\n  {statement}", plan.join("; ")));
                    }
                }
                assert!(wrong.is_empty(), "{}", wrong.join("\n"));
                Ok::<_, StoreError>(())
            };
            store.write(Lane::Desk, look).await.unwrap();
        }
    });
}

#[test]
fn what_looks_at_too_much_is_seen() {
    let partial = BTreeSet::from(["deliveries_open".to_owned()]);
    for (plan, limited, wrong) in [
        ("SCAN deliveries", false, true),
        ("SCAN deliveries USING INDEX deliveries_open", false, false),
        ("SCAN tournaments", false, false),
        (
            "SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)",
            false,
            false,
        ),
        (
            "SEARCH orders USING INDEX orders_by_tournament (tournament_id=?)",
            true,
            true,
        ),
        (
            "SEARCH orders USING INDEX orders_by_tournament (tournament_id=? AND id>?)",
            true,
            false,
        ),
        (
            "SEARCH orders USING INDEX orders_by_tournament (tournament_id=? AND id>?)",
            false,
            true,
        ),
        (
            "SEARCH ledger USING INDEX a (tournament_id=? AND journal_number>? AND journal_number<?)",
            false,
            false,
        ),
        (
            "SEARCH entries USING INDEX entries_by_order (order_id=?)",
            false,
            false,
        ),
    ] {
        let found = looks_at_too_much(&[plan.to_owned()], limited, &partial);
        assert_eq!(found, wrong, "{plan}");
    }
    let sorted = [
        "SEARCH orders USING INDEX orders_by_tournament (tournament_id=? AND id>?)".to_owned(),
        "USE TEMP B-TREE FOR ORDER BY".to_owned(),
    ];
    assert!(looks_at_too_much(&sorted, true, &partial));
}
