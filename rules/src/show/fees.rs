//! Base fees, and adjustments stage by stage.

use super::{Page, words};
use crate::fees::{Change, Choice, Combine, Of, Price, Stage};
use crate::sums::Sums;

impl Page<'_> {
    pub(super) fn fees(&mut self) {
        let fees = &self.regulation.fees;
        let chosen = match fees.choose {
            Choice::Lowest => "the lowest",
            Choice::First => "the first",
            Choice::Only => "the only",
        };
        let mark = self.file.mark(&["fees", "choose"]);
        let title = format!("fees: {chosen} row that applies{mark}");
        self.title_of("fees", title);
        for (place, row) in fees.rows.iter().enumerate() {
            let sums = self.by_section(&row.amounts, |price| match price {
                Price::Fixed(sum) => self.sum(*sum, row.currency),
                Price::Agreed => "as agreed".to_owned(),
            });
            let when = self.words.when(&row.when);
            let ends = self.ended(row.ends);
            let trust = words::trust(row.trust);
            let unsaid = self.file.of_row(&["fees", "row", &place.to_string()]);
            self.line(&row.id, format!("{sums}{when}{trust}{ends}{unsaid}"));
            self.beside(&row.article, [&row.text]);
        }
        let unit = self.sums(&fees.unit);
        let path = ["fees", "round_to"];
        self.line_of(&path, "a percentage comes to a multiple of", unit);
        for (place, stage) in fees.stages.iter().enumerate() {
            self.stage(place, stage);
        }
        self.promotions();
    }

    fn stage(&mut self, place: usize, stage: &Stage) {
        if stage.adjustments.is_empty() {
            return;
        }
        let place = place.to_string();
        let mark = |key: &str| self.file.mark(&["stage", &place, key]);
        let combine = match stage.combine {
            Combine::Sum => "all that apply add up",
            Combine::Best => "the best for the payer counts",
            Combine::Last => "the last that applies counts",
        };
        let of = match stage.of {
            Of::Base => "of the base fee",
            Of::Running => "of what it has come to",
        };
        let (combined, shares) = (mark("combine"), mark("of"));
        self.title_of(
            &stage.id,
            format!(
                "{}: {combine}{combined}, percentages {of}{shares}",
                stage.id
            ),
        );
        if stage.least.iter().any(Option::is_some) {
            let least = self.by_section(&stage.least, |sums| self.sums(sums));
            self.line("takes nothing off below", least);
        }
        for row in &stage.adjustments {
            let changes = self.by_section(&row.changes, |change| match change {
                Change::Amount(sum) => self.sum(*sum, row.currency.unwrap_or_default()),
                Change::Share(points) => self.share(*points, row.currency),
            });
            let times = self.words.times(row.times);
            let back = words::deposit(row.comes_back);
            let when = self.words.when(&row.when);
            let ends = self.ended(row.ends);
            let trust = words::trust(row.trust);
            let place = row.bit.trailing_zeros().to_string();
            let unsaid = self.file.of_row(&["adjust", &place]);
            self.line(
                &row.id,
                format!("{changes}{times}{when}{trust}{back}{ends}{unsaid}"),
            );
            self.beside(&row.article, [&row.text]);
        }
    }

    fn ended(&self, ends: u64) -> String {
        let rows = self.regulation.fees.adjustments();
        let rows = rows.filter(|row| row.bit & ends != 0);
        let ids: Vec<&str> = rows.map(|row| &*row.id).collect();
        if ids.is_empty() {
            return String::new();
        }
        format!("; ends {}", ids.join(", "))
    }

    /// One value where all sections with fees have the same, else each by its section.
    fn by_section<T: PartialEq>(&self, values: &[Option<T>], say: impl Fn(&T) -> String) -> String {
        let sections = self.regulation.sections.iter().zip(values);
        let mut priced = sections.clone().filter(|(section, _)| section.has_fees);
        if let Some((_, Some(first))) = priced.next()
            && priced.all(|(_, value)| value.as_ref() == Some(first))
        {
            return say(first);
        }
        let said = sections.filter_map(|(section, value)| {
            let value = value.as_ref()?;
            Some(format!("{} {}", section.id, say(value)))
        });
        said.collect::<Vec<String>>().join(", ")
    }

    pub(super) fn sum(&self, minor: i64, place: u8) -> String {
        self.regulation.money(minor, place).to_string()
    }

    /// A sum in each currency.
    pub(super) fn sums(&self, sums: &Sums) -> String {
        let places = self.regulation.currency_places();
        let said = places.map(|place| self.sum(sums.of(place), place));
        said.collect::<Vec<String>>().join(" or ")
    }

    pub(super) fn share(&self, points: i32, place: Option<u8>) -> String {
        let said = words::share(points);
        match place {
            Some(place) => format!("{said} in {}", self.regulation.money(0, place).currency),
            None => said,
        }
    }
}
