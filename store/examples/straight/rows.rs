//! The rows of an order that the service wrote, as they are, column by column.

use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};
use serde_json::{Map, Value};
use store::Conn;

use crate::Result;

/// A row: its columns with their values.
pub type Row = Map<String, Value>;

/// The rows of one order.
pub struct Template {
    pub tournament: Row,
    pub order: Row,
    pub contact: Row,
    pub entry: Row,
    pub entrant: Row,
    pub journal: Row,
    pub key: Row,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = sql_types::Text)]
    text: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = sql_types::BigInt)]
    n: i64,
}

impl Template {
    /// The first order of a tournament.
    pub fn read(conn: &mut Conn, tournament: &str) -> Result<Template> {
        let here = format!("tournament_id = '{tournament}'");
        let order = row(conn, "orders", &format!("{here} ORDER BY id"))?;
        let of_order = format!("order_id = {}", order["id"]);
        let entry = row(conn, "entries", &of_order)?;
        Ok(Template {
            tournament: row(conn, "tournaments", &format!("id = '{tournament}'"))?,
            contact: row(conn, "contacts", &of_order)?,
            entrant: row(conn, "entrants", &format!("entry_id = {}", entry["id"]))?,
            journal: row(
                conn,
                "journal",
                &format!("{of_order} AND kind = 'order_registered'"),
            )?,
            key: row(conn, "idempotency", &here)?,
            order,
            entry,
        })
    }
}

/// How many orders the database has.
pub fn count(conn: &mut Conn) -> Result<i64> {
    let query = sql_query("SELECT COUNT(*) AS n FROM orders");
    let found: Count = match conn {
        Conn::Pg(conn) => query.get_result(conn)?,
        Conn::Sqlite(conn) => query.get_result(conn)?,
    };
    Ok(found.n)
}

/// The first row of a table that stands there.
fn row(conn: &mut Conn, table: &str, condition: &str) -> Result<Row> {
    let lost = |error| format!("{table}: {condition}: {error}");
    let found: Found = match conn {
        Conn::Pg(conn) => sql_query(format!(
            "SELECT row_to_json(a)::text AS text FROM {table} a WHERE {condition} LIMIT 1"
        ))
        .get_result(conn)
        .map_err(lost)?,
        Conn::Sqlite(conn) => {
            let columns: Found = sql_query(format!(
                "SELECT group_concat('''' || name || ''', ' || name) AS text FROM pragma_table_info('{table}')"
            ))
            .get_result(conn)
            .map_err(lost)?;
            sql_query(format!(
                "SELECT json_object({}) AS text FROM {table} WHERE {condition} LIMIT 1",
                columns.text
            ))
            .get_result(conn)
            .map_err(lost)?
        }
    };
    Ok(serde_json::from_str(&found.text)?)
}
