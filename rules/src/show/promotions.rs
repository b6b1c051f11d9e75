//! Prices for several entries together.

use super::{Page, words};
use crate::fees::{Change, Off, Same};

impl Page<'_> {
    pub(super) fn promotions(&mut self) {
        let promotions = &self.regulation.fees.promotions;
        if !promotions.is_empty() {
            self.title("promotions");
        }
        for (place, row) in promotions.iter().enumerate() {
            let ids = row.sections.iter();
            let ids: Vec<&str> = ids
                .map(|place| self.regulation.sections[*place].id.as_str())
                .collect();
            let sum = |minor: i64| self.sum(minor, row.currency.unwrap_or_default());
            let said = match &row.same {
                Same::Institution { shared, together } => format!(
                    "{} for one in {} of the same institution with {shared} players in both",
                    sum(*together),
                    ids.join(" and one in "),
                ),
                Same::Person { when, trust, off } => {
                    let ids = ids.join(" and ");
                    let price = match off {
                        Off::Together(together) => {
                            format!("{} for one player in {ids}", sum(*together))
                        }
                        Off::Last(Change::Amount(amount)) => {
                            format!("{} for the last of one player in {ids}", sum(*amount))
                        }
                        Off::Last(Change::Share(points)) => format!(
                            "{} for the last of one player in {ids}",
                            self.share(*points, row.currency),
                        ),
                    };
                    let when = self.words.when(when);
                    let trust = words::trust(*trust);
                    let unsaid = self.file.of_row(&["promotion", &place.to_string()]);
                    format!("{price}{when}{trust}{unsaid}")
                }
            };
            self.line(&row.id, said);
        }
    }
}
