//! Prices for several entries together.

use super::{Page, words};
use crate::fees::{Change, Off, Promotion, Same};

impl Page<'_> {
    pub(super) fn promotions(&mut self) {
        let promotions = &self.regulation.fees.promotions;
        if !promotions.is_empty() {
            self.title("promotions");
        }
        for (place, row) in promotions.iter().enumerate() {
            let said = self.promotion(row);
            let unsaid = match row.same {
                Same::Institution { .. } => String::new(),
                Same::Person { .. } => self.file.of_row(&["promotion", &place.to_string()]),
            };
            self.line(&row.id, format!("{said}{unsaid}"));
            self.beside(&row.article, [&row.text]);
        }
    }

    pub(super) fn promotion(&self, row: &Promotion) -> String {
        let sections = row.sections.iter();
        let ids = sections.map(|place| self.regulation.sections[*place].id.as_str());
        let ids: Vec<&str> = ids.collect();
        let sum = |minor: i64| self.sum(minor, row.currency.unwrap_or_default());
        match &row.same {
            Same::Institution { shared, together } => format!(
                "{} for one in {} of the same institution with {shared} players in both",
                sum(*together),
                ids.join(" and one in "),
            ),
            Same::Person { when, trust, off } => {
                let price = match off {
                    Off::Together(together) => format!("{} for one player", sum(*together)),
                    Off::Last(Change::Amount(amount)) => {
                        format!("{} for the last of one player", sum(*amount))
                    }
                    Off::Last(Change::Share(points)) => {
                        let share = self.share(*points, row.currency);
                        format!("{share} for the last of one player")
                    }
                };
                let ids = ids.join(" and ");
                let (when, trust) = (self.words.when(when), words::trust(*trust));
                format!("{price} in {ids}{when}{trust}")
            }
        }
    }
}
