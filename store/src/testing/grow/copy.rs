//! One more of every order: what each cell of each row is then.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use domain::{OrderId, OrderReference};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use super::Row;
use crate::StoreError;
use crate::counts::Counts;

/// What belongs to orders, each table after those that it refers to.
pub const TABLES: [&str; 12] = [
    "orders",
    "contacts",
    "entries",
    "entrants",
    "payments",
    "refunds",
    "journal",
    "ledger",
    "idempotency",
    "gateway_events",
    "byes",
    "deliveries",
];

/// Any odd number: multiplied with it, every number below 2^40 is another one below 2^40, and they look random.
const SCATTER: u64 = 0x5_deec_e66d;
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The orders as they stand, and the tournaments that they are of.
pub struct Original {
    tables: Vec<(&'static str, Vec<Row>)>,
    islands: BTreeMap<String, Island>,
    subscribers: Vec<Row>,
    /// Which order has a reference.
    references: HashMap<String, u64>,
    /// All ids lie within so much.
    span: i64,
}

/// A tournament.
struct Island {
    counts: String,
    forms: i64,
    last_journal: i64,
    /// Rows of the journal that are of no order; they are the first.
    fixed: i64,
    /// Which row of orders a number is, from 1.
    rows: BTreeMap<i64, i64>,
}

impl Original {
    /// Reads what there is, if it can be multiplied.
    pub fn of(
        tables: Vec<(&'static str, Vec<Row>)>,
        tournaments: &[Row],
        subscribers: Vec<Row>,
    ) -> Result<Original, StoreError> {
        let rows = |name: &str| {
            let found = tables.iter().find(|(table, _)| *table == name);
            found.map(|(_, rows)| rows.as_slice()).unwrap_or_default()
        };
        let mut islands = BTreeMap::new();
        for tournament in tournaments {
            let island = Island::of(tournament, rows("journal"))?;
            islands.insert(text(tournament, "id").to_owned(), island);
        }
        for subscriber in &subscribers {
            let island = islands.get(text(subscriber, "tournament_id"));
            if island.is_none_or(|island| number(subscriber, "cursor") != island.last_journal) {
                return Err(StoreError::broken("a subscriber has not read everything"));
            }
        }
        let references = rows("orders").iter().map(|order| text(order, "reference"));
        let references = (0..)
            .zip(references)
            .map(|(n, r)| (r.to_owned(), n))
            .collect();
        let ids = tables.iter().flat_map(|(_, rows)| rows);
        let ids = ids.filter_map(|row| row.get("id")?.as_i64());
        let (least, most) = ids.fold((i64::MAX, 0), |(least, most), id| {
            (least.min(id), most.max(id))
        });
        Ok(Original {
            span: most - least.min(most) + 1,
            tables,
            islands,
            subscribers,
            references,
        })
    }

    /// The rows of one copy as JSON, with their columns, table by table; the first copy is the oldest.
    pub fn copy(&self, copy: i64, times: i64) -> Vec<(&'static str, Vec<&String>, String)> {
        let copy = Copy {
            original: self,
            number: copy,
            earlier: (times - 1 - copy) * self.span,
        };
        let mut made = Vec::new();
        for (table, rows) in &self.tables {
            if let Some(first) = rows.first() {
                let rows = Value::Array(copy.rows(table, rows));
                made.push((*table, first.keys().collect(), rows.to_string()));
            }
        }
        made
    }

    /// What brings the tournaments' rows and the subscribers to where they are then.
    pub fn totals(&self, times: i64) -> Result<Vec<String>, StoreError> {
        let mut totals = Vec::new();
        for (id, island) in &self.islands {
            let counts = Counts::read(&island.counts)?;
            let counts = counts
                .iter()
                .map(|(section, status, n)| (section.clone(), status, n * times));
            let counts = Counts::of(counts).text()?;
            let (forms, last) = (island.forms * times, island.last_journal(times));
            totals.push(format!(
                "UPDATE tournaments SET last_form = {forms}, last_journal = {last}, counts = '{counts}' WHERE id = '{id}'"
            ));
        }
        for subscriber in &self.subscribers {
            let (tournament, name) = (text(subscriber, "tournament_id"), text(subscriber, "name"));
            let last = self.islands[tournament].last_journal(times);
            totals.push(format!(
                "UPDATE subscribers SET cursor = {last} WHERE tournament_id = '{tournament}' AND name = '{name}'"
            ));
        }
        Ok(totals)
    }
}

impl Island {
    fn of(tournament: &Row, journal: &[Row]) -> Result<Island, StoreError> {
        let id = text(tournament, "id");
        let of_it = journal
            .iter()
            .filter(|row| text(row, "tournament_id") == id);
        let (of_orders, others): (Vec<&Row>, Vec<&Row>) =
            of_it.partition(|row| row["order_id"].is_i64());
        let mut numbers: Vec<i64> = of_orders.iter().map(|row| number(row, "number")).collect();
        numbers.sort_unstable();
        let fixed = i64::try_from(others.len()).map_err(StoreError::broken)?;
        if others.iter().any(|row| number(row, "number") > fixed) {
            return Err(StoreError::broken(format!(
                "{id}: the journal has rows of no order between the others"
            )));
        }
        Ok(Island {
            counts: text(tournament, "counts").to_owned(),
            forms: number(tournament, "last_form"),
            last_journal: number(tournament, "last_journal"),
            fixed,
            rows: numbers.into_iter().zip(1..).collect(),
        })
    }

    fn last_journal(&self, times: i64) -> i64 {
        self.fixed + times * self.rows_of_orders()
    }

    fn rows_of_orders(&self) -> i64 {
        self.rows.len().try_into().unwrap_or(0)
    }
}

/// One of many.
struct Copy<'a> {
    original: &'a Original,
    number: i64,
    /// By how much its ids are less.
    earlier: i64,
}

impl Copy<'_> {
    fn rows(&self, table: &str, rows: &[Row]) -> Vec<Value> {
        let rows = rows
            .iter()
            .filter(|row| table != "journal" || row["order_id"].is_i64());
        let cells = |row: &Row| {
            let island = row.get("tournament_id").and_then(Value::as_str);
            let island = island.and_then(|id| self.original.islands.get(id));
            let cells = row
                .iter()
                .map(|(column, value)| (column.clone(), self.cell(island, (table, column), value)));
            Value::Object(cells.collect())
        };
        rows.map(cells).collect()
    }

    fn cell(&self, island: Option<&Island>, (table, column): (&str, &str), value: &Value) -> Value {
        match (column, value, island) {
            ("id" | "order_id" | "entry_id" | "payment_id" | "lane", Value::Number(id), _) => {
                json!(id.as_i64().unwrap_or(0) - self.earlier)
            }
            ("form_number", Value::Number(form), Some(island)) => {
                json!(form.as_i64().unwrap_or(0) + self.number * island.forms)
            }
            ("number" | "journal_number", Value::Number(number), Some(island)) => {
                let row = number.as_i64().and_then(|number| island.rows.get(&number));
                json!(
                    island.fixed
                        + self.number * island.rows_of_orders()
                        + row.copied().unwrap_or(0)
                )
            }
            ("identity" | "institution" | "key", Value::String(text), _) => json!(self.anew(text)),
            ("reference", Value::String(text), _) if table == "orders" => {
                json!(self.reference(text))
            }
            ("reference" | "intent" | "slip_number" | "object", Value::String(text), _) => {
                self.marked(text)
            }
            ("id", Value::String(text), _) => self.marked(text),
            (_, Value::String(text), Some(island)) => json!(self.document(text, island)),
            _ => value.clone(),
        }
    }

    /// What somebody else made up: its own, and this copy's.
    fn marked(&self, text: &str) -> Value {
        json!(format!("{text}_{}", self.number))
    }

    /// What looks random: as long, and another for each copy.
    fn anew(&self, text: &str) -> String {
        let mut seed = DefaultHasher::new();
        (text, self.number).hash(&mut seed);
        let mut random = StdRng::seed_from_u64(seed.finish());
        let letter = |_| char::from(LETTERS[random.random_range(0..LETTERS.len())]);
        (0..text.len()).map(letter).collect()
    }

    fn reference(&self, text: &str) -> String {
        let orders = self.original.references.len() as u64;
        let serial = self
            .original
            .references
            .get(text)
            .map(|n| n + self.number.unsigned_abs() * orders);
        serial.map_or_else(
            || text.to_owned(),
            |n| OrderReference::from_random(n.wrapping_mul(SCATTER)).to_string(),
        )
    }

    /// A text that may name ids, form numbers and a reference.
    fn document(&self, text: &str, island: &Island) -> String {
        let text = self.ids(text);
        let form = |digits: &str| {
            let form: Option<i64> = digits.parse().ok();
            form.map(|form| (form + self.number * island.forms).to_string())
        };
        let text = replaced(&text, "\"form_number\":", |c| c.is_ascii_digit(), form);
        replaced(
            &text,
            "\"reference\":\"",
            |c| c != '"',
            |known| Some(self.reference(known)),
        )
    }

    fn ids(&self, text: &str) -> String {
        let mut made = text.to_owned();
        for kind in ["ord_", "ent_", "pay_", "ref_"] {
            made = replaced(
                &made,
                kind,
                |c| c.is_ascii_alphanumeric(),
                |digits| {
                    let OrderId(id) = format!("ord_{digits}").parse().ok()?;
                    let moved = OrderId(id - self.earlier).to_string();
                    Some(moved.trim_start_matches("ord_").to_owned())
                },
            );
        }
        made
    }
}

/// A text with another value behind each place where a name stands, where there is one.
fn replaced(
    text: &str,
    name: &str,
    of_value: impl Fn(char) -> bool,
    other: impl Fn(&str) -> Option<String>,
) -> String {
    let mut parts = text.split(name);
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c| !of_value(c)).unwrap_or(part.len());
        let (value, rest) = part.split_at(end);
        made.push_str(name);
        made.push_str(other(value).as_deref().unwrap_or(value));
        made.push_str(rest);
    }
    made
}

fn text<'r>(row: &'r Row, column: &str) -> &'r str {
    row.get(column).and_then(Value::as_str).unwrap_or_default()
}

fn number(row: &Row, column: &str) -> i64 {
    row.get(column).and_then(Value::as_i64).unwrap_or_default()
}
