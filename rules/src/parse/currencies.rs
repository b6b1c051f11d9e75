//! The currencies of a file, and what is said in one of them or in each.

use domain::{Currency, Money};
use toml::de::DeValue;

use super::amounts::{self, Sections};
use super::reader::Item;
use super::table::Table;
use crate::sums::{CURRENCIES, Sums};

/// The currencies of the file, in its order, each with its place in the vocabulary.
#[derive(Clone)]
pub(super) struct Currencies {
    pub first: (u8, Currency),
    others: Vec<(u8, Currency)>,
}

impl Currencies {
    /// `currency` and `currencies`; one that is in the vocabulary already stays where it is.
    pub(super) fn read(top: &mut Table<'_, '_>, named: &mut Vec<Currency>) -> Option<Currencies> {
        let first: Currency = top.required("currency")?.parsed()?;
        let mut all = Currencies {
            first: (place(named, first)?, first),
            others: Vec::new(),
        };
        for item in top.members("currencies") {
            let other: Currency = item.parsed()?;
            if all.list().contains(&other) {
                return item.refuse(&format!("{other} is named twice"));
            }
            if all.list().len() == CURRENCIES {
                return item.refuse(&format!("a file may have {CURRENCIES} currencies"));
            }
            all.others.push((place(named, other)?, other));
        }
        Some(all)
    }

    fn each(&self) -> impl Iterator<Item = (u8, Currency)> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    pub(super) fn list(&self) -> Vec<Currency> {
        self.each().map(|(_, currency)| currency).collect()
    }

    /// `currency = "EUR"` of a row; none where it says nothing.
    pub(super) fn named(&self, table: &mut Table<'_, '_>) -> Option<Option<(u8, Currency)>> {
        let Some(item) = table.get("currency") else {
            return Some(None);
        };
        let asked: Currency = item.parsed()?;
        let found = self.each().find(|(_, currency)| *currency == asked);
        match found {
            Some(found) => Some(Some(found)),
            None => item.refuse(&format!(
                "{asked} is no currency of this file: {}",
                self.codes()
            )),
        }
    }

    /// The currency of a row of sums: the first where it says nothing.
    pub(super) fn of_row(&self, table: &mut Table<'_, '_>) -> Option<(u8, Currency)> {
        Some(self.named(table)?.unwrap_or(self.first))
    }

    /// A sum that is not negative, or a table with one in each currency. In a file with several only nothing is the same in all.
    pub(super) fn sums(&self, item: &Item<'_, '_>) -> Option<Sums> {
        let mut sums = Sums::default();
        if !matches!(item.value(), DeValue::Table(_)) {
            let (place, currency) = self.first;
            let sum = amounts::fee(item, currency)?;
            if sum != 0 && !self.others.is_empty() {
                return item.refuse(&format!("expected a sum in each of {}", self.codes()));
            }
            sums.set(place, sum);
            return Some(sums);
        }
        let mut table = item.table()?;
        let all = self.each().map(|(place, currency)| {
            let sum = table.required(currency.code());
            (place, sum.and_then(|sum| amounts::fee(&sum, currency)))
        });
        let all: Vec<(u8, Option<i64>)> = all.collect();
        table.done();
        for (place, sum) in all {
            sums.set(place, sum?);
        }
        Some(sums)
    }

    /// Sums for each section: for all of them, or a table by section.
    pub(super) fn sums_of_each(
        &self,
        sections: &Sections,
        item: &Item<'_, '_>,
    ) -> Option<Vec<Option<Sums>>> {
        let named = |key: &str| self.each().any(|(_, currency)| currency.code() == key);
        let by_currency = match item.value() {
            DeValue::Table(_) => item.table()?.all().iter().any(|(key, _)| named(key)),
            _ => false,
        };
        if by_currency {
            return Some(vec![Some(self.sums(item)?); sections.ids.len()]);
        }
        sections.each(item, |item| self.sums(item))
    }

    pub(super) fn money(&self, sums: Sums) -> Vec<Money> {
        let each = self.each();
        each.map(|(place, currency)| Money::new(sums.of(place), currency))
            .collect()
    }

    fn codes(&self) -> String {
        let codes: Vec<&str> = self.each().map(|(_, currency)| currency.code()).collect();
        codes.join(", ")
    }
}

fn place(named: &mut Vec<Currency>, currency: Currency) -> Option<u8> {
    let place = named.iter().position(|name| *name == currency);
    let place = place.unwrap_or_else(|| {
        named.push(currency);
        named.len() - 1
    });
    u8::try_from(place).ok()
}
