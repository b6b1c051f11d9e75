//! Turns what was written into values, and notes every fault on the way.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::Fault;
use super::keys;
use super::source::Source;

pub(super) struct Reader {
    source: Source,
}

impl Reader {
    pub(super) fn new(source: Source) -> Reader {
        Reader { source }
    }

    /// Notes that a setting is wrong. The value of a secret is never repeated.
    pub(super) fn fault(&mut self, name: &'static str, reason: impl Display) {
        let place = match self.source.values.get(name) {
            Some(raw) => format!(" (from {})", raw.place),
            None if keys::find(name).is_some_and(|key| key.default.is_some()) => {
                " (the default)".to_owned()
            }
            None => String::new(),
        };
        let reason = format!("{reason}{place}");
        self.source.faults.push(Fault::new(name, reason));
    }

    /// What was written, or the default; nothing where both are empty.
    pub(super) fn optional(&self, name: &'static str) -> Option<String> {
        let written = self
            .source
            .values
            .get(name)
            .and_then(|raw| raw.items.first().cloned());
        let default = || {
            keys::find(name)
                .and_then(|key| key.default)
                .map(str::to_owned)
        };
        written
            .or_else(default)
            .filter(|text| !text.trim().is_empty())
    }

    pub(super) fn list(&self, name: &'static str) -> Vec<String> {
        match self.source.values.get(name) {
            Some(raw) => raw.items.clone(),
            None => keys::find(name)
                .and_then(|key| key.default)
                .map(str::to_owned)
                .into_iter()
                .collect(),
        }
    }

    pub(super) fn required(&mut self, name: &'static str) -> String {
        let found = self.optional(name);
        if found.is_none() {
            self.fault(name, "is missing");
        }
        found.unwrap_or_default()
    }

    /// Parses a setting that has a default; notes a fault and answers nothing where it cannot be read.
    pub(super) fn parsed<T: FromStr>(&mut self, name: &'static str, wanted: &str) -> Option<T> {
        let text = self.required(name);
        let value = text.parse().ok();
        if value.is_none() && !text.is_empty() {
            let shown = keys::find(name)
                .filter(|key| !key.secret)
                .map(|_| format!("`{text}` "));
            self.fault(
                name,
                format!("{}is not {wanted}", shown.unwrap_or_default()),
            );
        }
        value
    }

    pub(super) fn number(&mut self, name: &'static str, range: RangeInclusive<u32>) -> u32 {
        let wanted = format!("a whole number from {} to {}", range.start(), range.end());
        match self.parsed::<u32>(name, &wanted) {
            Some(number) if range.contains(&number) => number,
            Some(number) => {
                self.fault(name, format!("`{number}` is not {wanted}"));
                *range.start()
            }
            None => *range.start(),
        }
    }

    /// Pairs `left=right` of a list.
    pub(super) fn pairs(&mut self, name: &'static str, wanted: &str) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for item in self.list(name) {
            match item.split_once('=') {
                Some((left, right)) if !left.trim().is_empty() && !right.trim().is_empty() => {
                    pairs.push((left.trim().to_owned(), right.trim().to_owned()));
                }
                _ => self.fault(name, format!("every item is {wanted}")),
            }
        }
        pairs
    }

    pub(super) fn into_faults(self) -> Vec<Fault> {
        self.source.faults
    }
}
