//! Uniqueness taken away from a database, to see what stands without it.

use diesel::connection::SimpleConnection;
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};

use crate::conn::{Address, Role};
use crate::{Conn, Engine, Settings};

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = sql_types::Text)]
    text: String,
}

/// Drops what keeps the rows of a table unique: an index by its name, or a constraint as the migrations write it. The table
/// must be empty.
///
/// # Panics
/// Where there is no such thing.
pub fn drop_unique(settings: &Settings, table: &str, unique: &str) {
    let address = Address::parse(&settings.url).expect("an address");
    let mut conn = Conn::open(&address, Role::Migrator).expect("a connection");
    let statements = match conn.engine() {
        _ if !unique.contains('(') => format!("DROP INDEX {unique}"),
        Engine::Postgres => drop_constraint(&mut conn, table, unique),
        Engine::Sqlite => make_anew(&mut conn, table, unique),
    };
    conn.batch_execute(&statements).expect("it is dropped");
}

/// With the references to it.
fn drop_constraint(conn: &mut Conn, table: &str, unique: &str) -> String {
    let named = format!(
        "SELECT conname AS text FROM pg_constraint
         WHERE conrelid = '{table}'::regclass AND pg_get_constraintdef(oid) = '{unique}'"
    );
    let name = read(conn, &named)
        .pop()
        .expect("a constraint that is there");
    format!("ALTER TABLE {table} DROP CONSTRAINT {name} CASCADE")
}

/// SQLite cannot drop a constraint, nor keep a reference to what is not unique any more.
fn make_anew(conn: &mut Conn, table: &str, unique: &str) -> String {
    let columns = unique.find('(').map_or("", |begins| &unique[begins..]);
    let reference = format!("REFERENCES {table} {columns}");
    let referring = format!(
        "SELECT name AS text FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%{reference}%'"
    );
    let mut statements = lacking(conn, table, unique, unique);
    for other in read(conn, &referring) {
        statements += &lacking(conn, &other, "FOREIGN KEY", &reference);
    }
    statements
}

/// A table and its indexes, made anew without the clause that begins and ends so.
fn lacking(conn: &mut Conn, table: &str, begins: &str, ends: &str) -> String {
    let schema = format!(
        "SELECT sql AS text FROM sqlite_schema WHERE tbl_name = '{table}' AND sql IS NOT NULL ORDER BY type DESC"
    );
    let mut made = read(conn, &schema);
    let end = made[0].find(ends).expect("a clause that is there") + ends.len();
    let begin = made[0][..end].rfind(begins).expect("where it begins");
    let comma = made[0][..begin].rfind(',').expect("columns before it");
    made[0].replace_range(comma..end, "");
    format!("DROP TABLE {table}; {}; ", made.join("; "))
}

fn read(conn: &mut Conn, query: &str) -> Vec<String> {
    let rows: Vec<Found> = sql_query(query).load(conn).expect("the schema is read");
    rows.into_iter().map(|row| row.text).collect()
}
