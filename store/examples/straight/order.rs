//! One order, one transaction.

use std::sync::{Mutex, PoisonError};

use diesel::connection::SimpleConnection;
use serde::Deserialize;
use store::{Conn, Engine};

use crate::Result;
use crate::rows::Template;
use crate::statement::{self, Bind};
use crate::table::{Own, Table};

/// The tournament's row is locked and read by what writes it: whoever locks it first can do with no fewer round trips.
const TAKE: &str = "UPDATE tournaments SET last_form = last_form + 1, last_journal = last_journal + 1, counts = ? \
    WHERE id = ? AND (capacity IS NULL OR last_form < capacity) RETURNING last_form, last_journal";

/// How an order is written.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// Statement by statement; on PostgreSQL in seven round trips, BEGIN and COMMIT among them.
    Statements,
    /// All in one statement, which is its own transaction. Only PostgreSQL knows such.
    OneStatement,
}

/// A text, and the tables that it writes.
struct Insert {
    text: String,
    tables: Vec<Table>,
}

/// Orders that can be written.
pub struct Orders {
    tournaments: Vec<String>,
    counts: Bind,
    manner: Manner,
    inserts: Vec<Insert>,
    /// Who finds SQLite's lock taken sleeps, and would leave it free for a while; who waits for this loses nothing.
    writer: Mutex<()>,
}

impl Orders {
    /// Orders like this one, as an engine takes them.
    pub fn of(template: Template, tournaments: &[String], manner: Manner, on: Engine) -> Orders {
        let order = Table::of("orders", template.order);
        let contact = Table::of("contacts", template.contact);
        let entry = Table::of("entries", template.entry).numbered("form_number", "last_form");
        let entrant = Table::of("entrants", template.entrant);
        let journal = Table::of("journal", template.journal).numbered("number", "last_journal");
        let key = Table::of("idempotency", template.key);
        let inserts = match (manner, on) {
            (Manner::OneStatement, _) => vec![Insert::from_taken(vec![
                order, contact, entry, entrant, journal, key,
            ])],
            (Manner::Statements, Engine::Postgres) => vec![
                Insert::of(vec![order, contact]),
                Insert::of(vec![entry, entrant]),
                Insert::of(vec![journal]),
                Insert::of(vec![key]),
            ],
            (Manner::Statements, Engine::Sqlite) => {
                let tables = [order, contact, entry, entrant, journal, key].into_iter();
                tables.map(|table| Insert::of(vec![table])).collect()
            }
        };
        Orders {
            tournaments: tournaments.to_vec(),
            counts: Bind::from(&template.tournament["counts"]),
            manner,
            inserts,
            writer: Mutex::new(()),
        }
    }

    /// Writes the order of this number, to its tournament.
    pub fn write(&self, conn: &mut Conn, number: i64) -> Result {
        let turn = usize::try_from(number)? % self.tournaments.len();
        let tournament = self.tournaments[turn].as_str();
        let take = [self.counts.clone(), Bind::Text(tournament.to_owned())];
        if self.manner == Manner::OneStatement {
            let own = Own::of(number, tournament, None);
            let mut binds = take.to_vec();
            binds.extend(self.inserts[0].binds(&own));
            statement::execute(conn, 0, &self.inserts[0].text, &binds)?;
            return Ok(());
        }
        let one_writer = conn.engine() == Engine::Sqlite;
        let _turn = one_writer.then(|| self.writer.lock().unwrap_or_else(PoisonError::into_inner));
        conn.batch_execute(if one_writer {
            "BEGIN IMMEDIATE"
        } else {
            "BEGIN"
        })?;
        let numbers = statement::numbers(conn, TAKE, &take)?;
        let own = Own::of(number, tournament, Some(numbers));
        for (place, insert) in self.inserts.iter().enumerate() {
            statement::execute(conn, place, &insert.text, &insert.binds(&own))?;
        }
        Ok(conn.batch_execute("COMMIT")?)
    }
}

impl Insert {
    /// One statement that writes a row to each of these tables.
    fn of(tables: Vec<Table>) -> Insert {
        let parts = tables.iter().map(|t| (t.name, t.insert_values()));
        let text = joined(parts.collect());
        Insert { text, tables }
    }

    /// One statement that takes the numbers besides.
    fn from_taken(tables: Vec<Table>) -> Insert {
        let parts = tables.iter().map(|t| (t.name, t.insert_from_taken()));
        let take = ("taken", TAKE.to_owned());
        let text = joined(std::iter::once(take).chain(parts).collect());
        Insert { text, tables }
    }

    fn binds(&self, own: &Own<'_>) -> Vec<Bind> {
        self.tables
            .iter()
            .flat_map(|table| table.binds(own))
            .collect()
    }
}

/// Several statements as one: all but the last stand before it, under names that no table has.
fn joined(mut parts: Vec<(&str, String)>) -> String {
    let Some((_, last)) = parts.pop() else {
        return String::new();
    };
    let named: Vec<String> = parts
        .iter()
        .map(|(name, text)| format!("the_{name} AS ({text})"))
        .collect();
    if named.is_empty() {
        return last;
    }
    format!("WITH {} {last}", named.join(", "))
}
