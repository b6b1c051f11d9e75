//! A table and the row that is written to it again and again, each time with what is an order's own.

use crate::rows::Row;
use crate::statement::Bind;

/// The ids of these orders come after all that the service gave.
const IDS: i64 = 1 << 62;

/// What no two orders share.
pub struct Own<'a> {
    number: i64,
    tournament: &'a str,
    /// Form and journal number; none where the statement takes them by itself.
    numbers: Option<(i64, i64)>,
}

impl Own<'_> {
    /// Of the order of this number.
    pub fn of(number: i64, tournament: &str, numbers: Option<(i64, i64)>) -> Own<'_> {
        Own {
            number,
            tournament,
            numbers,
        }
    }
}

/// A table, and its row.
pub struct Table {
    pub name: &'static str,
    columns: Vec<(String, Bind)>,
    /// The column whose value is taken from the tournament's row, and what it is called there.
    numbered: Option<(&'static str, &'static str)>,
}

impl Table {
    /// This row of it.
    pub fn of(name: &'static str, row: Row) -> Table {
        let columns = row
            .iter()
            .map(|(column, value)| (column.clone(), value.into()));
        Table {
            name,
            columns: columns.collect(),
            numbered: None,
        }
    }

    /// The same, with a column that comes from one of the tournament's row.
    pub fn numbered(mut self, column: &'static str, taken: &'static str) -> Table {
        self.numbered = Some((column, taken));
        self
    }

    /// Inserts a row whose every value is bound.
    pub fn insert_values(&self) -> String {
        let values = vec!["?"; self.columns.len()].join(", ");
        format!("{} VALUES ({values})", self.insert())
    }

    /// Inserts a row whose number comes from the row `the_taken`.
    pub fn insert_from_taken(&self) -> String {
        let values = self.columns.iter().map(|(column, _)| match self.numbered {
            Some((numbered, taken)) if numbered == column => taken,
            _ => "?",
        });
        let values: Vec<&str> = values.collect();
        format!(
            "{} SELECT {} FROM the_taken",
            self.insert(),
            values.join(", ")
        )
    }

    fn insert(&self) -> String {
        let columns: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        format!("INSERT INTO {} ({})", self.name, columns.join(", "))
    }

    /// The values of an order, in the order of the columns.
    pub fn binds<'a>(&'a self, own: &'a Own<'_>) -> impl Iterator<Item = Bind> + 'a {
        let id = IDS + own.number;
        self.columns.iter().filter_map(move |(column, bind)| {
            Some(match (column.as_str(), own.numbers) {
                ("id" | "order_id" | "entry_id", _) => Bind::Number(id),
                ("tournament_id", _) => Bind::Text(own.tournament.to_owned()),
                ("reference" | "identity" | "key", _) => bind.like(own.number),
                ("form_number", Some((form, _))) => Bind::Number(form),
                ("number", Some((_, journal))) => Bind::Number(journal),
                ("form_number" | "number", None) => return None,
                _ => bind.clone(),
            })
        })
    }
}

impl Bind {
    /// A text as long as this one, another for each number.
    fn like(&self, number: i64) -> Bind {
        match self {
            Bind::Text(text) => Bind::Text(format!("{number:0>width$}", width = text.len())),
            other => other.clone(),
        }
    }
}
