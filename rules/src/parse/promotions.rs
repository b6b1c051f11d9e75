//! `[[promotion]]`.

use domain::Text;

use super::amounts;
use super::prices::{Prices, id, trust};
use super::reader::Item;
use super::table::Table;
use crate::conditions::{FactSet, Test};
use crate::fees::{Change, Fees, Off, Promotion, Same};
use crate::sentences;
use crate::terms::{EntrantKind, GroupedBy, IdentityScope};

impl Prices<'_> {
    /// A promotion of a file that has these fees besides.
    pub(super) fn promotion(&mut self, mut table: Table<'_, '_>, fees: &Fees) -> Option<Promotion> {
        let (reader, line) = (table.reader, table.line);
        let item = table.required("sections")?;
        let sections = self.sections.positions(&item)?;
        let mut sorted = sections.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < sections.len() {
            return item.refuse("expected different sections");
        }
        if sections.len() < 2 {
            return item.refuse("expected at least two sections");
        }
        let same = table.required("same")?;
        let (currency, same) = match same.word(&[("institution", false), ("person", true)])? {
            false => self.of_institution(&mut table, &item, sections.len())?,
            true => self.of_person(&mut table, &same, &sections, fees)?,
        };
        let id = id(&mut table)?;
        let fallback = match same {
            Same::Institution { .. } => Text::default(),
            Same::Person { .. } => sentences::package(&id),
        };
        let promotion = Promotion {
            id: id.into(),
            article: table.article().into(),
            text: table.text(fallback),
            sections,
            currency,
            same,
            line,
        };
        table.done();
        if promotion
            .sections
            .iter()
            .any(|section| fees.goes_on(*section))
        {
            let reason =
                "a price that goes by the payment or by others cannot have a [[promotion]]";
            reader.fault(line, reason);
        }
        Some(promotion)
    }

    fn of_institution(
        &mut self,
        table: &mut Table<'_, '_>,
        sections: &Item<'_, '_>,
        count: usize,
    ) -> Option<(Option<u8>, Same)> {
        if count != 2 {
            return sections.refuse("expected two sections");
        }
        for key in ["when", "accepts", "amount", "percent"] {
            if let Some(item) = table.get(key) {
                return item.refuse("only a promotion with same = \"person\" has it");
            }
        }
        let (place, currency) = self.currencies.of_row(table)?;
        let same = Same::Institution {
            shared: table.required("shared_players")?.count()? as usize,
            together: amounts::fee(&table.required("together")?, currency)?,
        };
        Some((Some(place), same))
    }

    fn of_person(
        &mut self,
        table: &mut Table<'_, '_>,
        same: &Item<'_, '_>,
        sections: &[usize],
        fees: &Fees,
    ) -> Option<(Option<u8>, Same)> {
        if let Some(item) = table.get("shared_players") {
            return item.refuse("only a promotion with same = \"institution\" has it");
        }
        if self.identity == Some(IdentityScope::Tournament) {
            return same.refuse(
                "nobody is in two sections as long as [entry] does not say once_per = \"section\"",
            );
        }
        let mut kinds = sections.iter().map(|section| self.sections.kinds[*section]);
        if kinds.any(|kind| kind == EntrantKind::Team) {
            return same.refuse("a section of teams has no persons");
        }
        if counts_players(fees) {
            return same
                .refuse("it cannot stand in one file with members of a club or a federation");
        }
        let condition = table.get("when");
        let when = self.when(table, "when")?;
        if let Some(item) = condition
            && !when.reads().both(FactSet::LATER).is_empty()
        {
            return item.refuse("a promotion goes neither by the payment nor by others");
        }
        let trust = trust(table)?;
        let (currency, off) = self.off(table)?;
        Some((currency, Same::Person { when, trust, off }))
    }

    /// What it takes off, and in which currency, where not in all.
    fn off(&self, table: &mut Table<'_, '_>) -> Option<(Option<u8>, Off)> {
        let named = self.currencies.named(table)?;
        let (place, currency) = named.unwrap_or(self.currencies.first);
        match ["together", "amount", "percent"].map(|key| table.get(key)) {
            [Some(item), None, None] => {
                Some((Some(place), Off::Together(amounts::fee(&item, currency)?)))
            }
            [None, Some(item), None] => {
                let amount = amounts::money(&item, currency)?;
                let off = Off::Last(Change::Amount(below_zero(&item, amount)?));
                Some((Some(place), off))
            }
            [None, None, Some(item)] => {
                let share = amounts::percent(&item)?;
                let off = Off::Last(Change::Share(below_zero(&item, share)?));
                Some((named.map(|(place, _)| place), off))
            }
            _ => {
                let reason = format!(
                    "{}: expected one of together, amount or percent",
                    table.name
                );
                table.reader.fault(table.line, reason);
                None
            }
        }
    }
}

fn below_zero<T: PartialOrd + Default>(item: &Item<'_, '_>, off: T) -> Option<T> {
    if off < T::default() {
        return Some(off);
    }
    item.refuse("a promotion takes off: write it below zero")
}

/// Whether a price counts the members of a club or a federation: players are found by that then, and not by who they are.
fn counts_players(fees: &Fees) -> bool {
    let mut tests = Vec::new();
    for condition in fees.conditions() {
        condition.tests(&mut tests);
    }
    let of_players = [GroupedBy::Club, GroupedBy::Federation];
    tests
        .iter()
        .any(|test| matches!(test, Test::Members(of, _) if of_players.contains(of)))
}
