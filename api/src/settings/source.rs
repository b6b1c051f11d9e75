//! Where settings come from: their defaults, then the file, then the environment.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use super::Fault;
use super::keys::{self, KEYS, Key};

/// A setting as somebody wrote it.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub items: Vec<String>,
    pub place: String,
}

/// Every setting that somebody wrote, and what cannot be understood.
#[derive(Default)]
pub(super) struct Source {
    pub values: BTreeMap<&'static str, Raw>,
    pub faults: Vec<Fault>,
}

impl Source {
    /// Reads the file, if one is named, and then the environment over it.
    pub(super) fn read(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Source {
        let mut source = Source::default();
        if let Some(path) = file {
            source.read_file(path);
        }
        source.read_environment(environment);
        source
    }

    fn read_file(&mut self, path: &Path) {
        let place = path.display().to_string();
        let table = std::fs::read_to_string(path)
            .map_err(|error| error.to_string())
            .and_then(|text| {
                text.parse::<Table>()
                    .map_err(|error| error.to_string().trim_end().replace('\n', " "))
            });
        match table {
            Ok(table) => self.read_table("", &table, &place),
            Err(reason) => self.faults.push(Fault::new(place, reason)),
        }
    }

    fn read_table(&mut self, above: &str, table: &Table, place: &str) {
        for (name, value) in table {
            let path = if above.is_empty() {
                name.clone()
            } else {
                format!("{above}.{name}")
            };
            match (keys::find(&path), value) {
                (Some(key), _) => self.take(key, value, place),
                (None, Value::Table(inner))
                    if KEYS.iter().any(|k| k.name.starts_with(&format!("{path}."))) =>
                {
                    self.read_table(&path, inner, place);
                }
                (None, _) => self.faults.push(Fault::new(
                    path,
                    format!("there is no such setting (in {place})"),
                )),
            }
        }
    }

    fn take(&mut self, key: &'static Key, value: &Value, place: &str) {
        let one = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Integer(number) => Some(number.to_string()),
            _ => None,
        };
        let items = match value {
            Value::Array(values) if key.list => values.iter().map(one).collect(),
            other => one(other).map(|text| vec![text]),
        };
        match items {
            Some(items) => {
                let place = place.to_owned();
                self.values.insert(key.name, Raw { items, place });
            }
            None => {
                let wanted = if key.list {
                    "a list of texts"
                } else {
                    "a text or a whole number"
                };
                self.faults.push(Fault::new(
                    key.name,
                    format!("must be {wanted} (in {place})"),
                ));
            }
        }
    }

    fn read_environment(&mut self, environment: impl Iterator<Item = (String, String)>) {
        for (variable, text) in environment.filter(|(v, _)| v.starts_with("ENROC_")) {
            if let Some(key) = KEYS.iter().find(|key| key.variable() == variable) {
                let items = if key.list {
                    text.split(',')
                        .map(|item| item.trim().to_owned())
                        .filter(|item| !item.is_empty())
                        .collect()
                } else {
                    vec![text]
                };
                self.values.insert(
                    key.name,
                    Raw {
                        items,
                        place: variable,
                    },
                );
            } else if !OTHERS.iter().any(|other| variable.starts_with(other)) {
                self.faults.push(Fault::new(
                    variable,
                    "there is no such setting (in the environment)",
                ));
            }
        }
    }
}

/// Variables of ours that are no settings.
const OTHERS: &[&str] = &["ENROC_CONFIG", "ENROC_TEST_", "ENROC_BENCH_"];
