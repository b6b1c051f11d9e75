//! The fee table as a poster shows it: rows by sections.

mod written;

use domain::{Currency, SectionId, Text};

use crate::Regulation;
use crate::fees::{Change, Off, Price, Same};
use crate::sentences;

/// A fee table.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FeeTable {
    /// The currencies of the sums; where there are several, each sum has its own behind it.
    pub currencies: Vec<Currency>,
    /// The columns: sections that have fees.
    pub sections: Vec<SectionId>,
    /// Base fees, then reductions and charges, then promotions.
    pub rows: Vec<FeeRow>,
}

/// One row of it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FeeRow {
    /// The row's id in the regulation.
    pub rule: String,
    /// Its article.
    pub article: String,
    /// What it is, for people.
    pub text: Text,
    /// For each column what the poster shows (`65.00`, `-5.00`, `-10 %`, `+12.00 ×` as often as was answered, `*` for a sum agreed one by one, `= 140.00` for
    /// all entries of a promotion together), `None` where the row has nothing to say.
    pub cells: Vec<Option<String>>,
}

/// The table of a regulation.
#[must_use]
pub fn fee_table(regulation: &Regulation) -> FeeTable {
    let columns: Vec<usize> = (0..regulation.sections.len())
        .filter(|section| regulation.sections[*section].has_fees)
        .collect();
    let sum = |amount: i64, place: u8| sum(regulation, amount, place);
    let cells = |cell: &dyn Fn(usize) -> Option<String>| -> Vec<Option<String>> {
        columns.iter().map(|section| cell(*section)).collect()
    };
    // Fees that have no text of their own are told apart by their rows.
    let plain = |text: &Text| *text == sentences::entry_fee();
    let fees = &regulation.fees.rows;
    let alike = fees.iter().filter(|row| plain(&row.text)).count() > 1;
    let fees = fees.iter().map(|row| FeeRow {
        rule: row.id.to_string(),
        article: row.article.to_string(),
        text: match alike && plain(&row.text) {
            true => sentences::of_row(&row.text, &row.id),
            false => row.text.clone(),
        },
        cells: cells(&|section| {
            row.amounts[section].map(|price| match price {
                Price::Fixed(amount) => sum(amount, row.currency),
                Price::Agreed => "*".to_owned(),
            })
        }),
    });
    let adjustments = regulation.fees.adjustments().map(|row| FeeRow {
        rule: row.id.to_string(),
        article: row.article.to_string(),
        text: row.text.clone(),
        cells: cells(&|section| {
            row.changes[section].map(|change| {
                let cell = changed(change, &|amount| {
                    sum(amount, row.currency.unwrap_or_default())
                });
                match row.times {
                    Some(_) => format!("{cell} ×"),
                    None => cell,
                }
            })
        }),
    });
    let promotions = regulation.fees.promotions.iter().map(|row| FeeRow {
        rule: row.id.to_string(),
        article: row.article.to_string(),
        text: row.text.clone(),
        cells: cells(&|section| {
            let reaches = row.sections.contains(&section);
            let sum = |amount| sum(amount, row.currency.unwrap_or_default());
            reaches.then(|| match row.same {
                Same::Institution { together, .. } => format!("= {}", sum(together)),
                Same::Person { off, .. } => match off {
                    Off::Together(together) => format!("= {}", sum(together)),
                    Off::Last(change) => changed(change, &sum),
                },
            })
        }),
    });
    FeeTable {
        currencies: regulation.currencies.clone(),
        rows: fees.chain(adjustments).chain(promotions).collect(),
        sections: columns
            .iter()
            .map(|section| regulation.sections[*section].id.clone())
            .collect(),
    }
}

fn changed(change: Change, sum: &dyn Fn(i64) -> String) -> String {
    match change {
        Change::Amount(amount) => {
            let sign = if amount > 0 { "+" } else { "" };
            format!("{sign}{}", sum(amount))
        }
        Change::Share(points) => share(points),
    }
}

/// A sum in units with its decimals, without the currency where there is only one.
fn sum(regulation: &Regulation, amount: i64, place: u8) -> String {
    let shown = regulation.money(amount, place).to_string();
    if regulation.currencies.len() > 1 {
        return shown;
    }
    shown.split(' ').next().unwrap_or_default().to_owned()
}

fn share(points: i32) -> String {
    let sign = if points < 0 { '-' } else { '+' };
    let (whole, part) = (points.unsigned_abs() / 100, points.unsigned_abs() % 100);
    match part {
        0 => format!("{sign}{whole} %"),
        part => format!("{sign}{whole}.{part:02} %"),
    }
}
