//! How many entries of each section stand in each state: kept with the tournament's row.

use std::collections::BTreeMap;

use domain::{SectionId, Status};

use crate::error::{StoreError, stored};

/// Entries by section and state; every entry is in it once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts(BTreeMap<(Option<SectionId>, Status), i64>);

impl Counts {
    pub(crate) fn read(text: &str) -> Result<Counts, StoreError> {
        let rows: Vec<(Option<SectionId>, Status, i64)> =
            stored("tournaments.counts", serde_json::from_str(text))?;
        Ok(Counts::of(rows))
    }

    pub(crate) fn text(&self) -> Result<String, StoreError> {
        let rows: Vec<(&Option<SectionId>, Status, i64)> = self.iter().collect();
        stored("tournaments.counts", serde_json::to_string(&rows))
    }

    /// From counted rows.
    #[must_use]
    pub fn of(rows: impl IntoIterator<Item = (Option<SectionId>, Status, i64)>) -> Counts {
        let mut counts = Counts::default();
        for (section, status, count) in rows {
            counts.add(section, status, count);
        }
        counts
    }

    pub(crate) fn add(&mut self, section: Option<SectionId>, status: Status, more: i64) {
        let key = (section, status);
        let count = self.0.get(&key).copied().unwrap_or(0) + more;
        if count == 0 {
            self.0.remove(&key);
        } else {
            self.0.insert(key, count);
        }
    }

    /// Sections and states that have entries, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (&Option<SectionId>, Status, i64)> {
        self.0
            .iter()
            .map(|((section, status), count)| (section, *status, *count))
    }

    /// How many of a section stand in a state.
    #[must_use]
    pub fn of_section(&self, section: Option<&SectionId>, status: Status) -> i64 {
        let count = self.0.get(&(section.cloned(), status));
        count.copied().unwrap_or(0)
    }

    /// How many stand in a state, whatever their section.
    #[must_use]
    pub fn in_state(&self, status: Status) -> i64 {
        self.iter()
            .filter(|(_, s, _)| *s == status)
            .map(|(.., n)| n)
            .sum()
    }
}
