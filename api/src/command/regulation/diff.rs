//! `enroc regulation diff`.

use std::path::Path;

use api::failure::Failure;
use api::say;
use domain::{Currency, Money};
use rules::check::Limits;
use rules::diff::{ClauseChange, Diff, Outcome, PromotionChange, clauses, diff};
use serde::Serialize;

use super::check::count;
use super::{print_json, read};

/// Kinds of differences that are shown.
const SHOWN: usize = 40;

/// Whose price changes, and what else the two say otherwise.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    prices: Diff,
    clauses: Vec<ClauseChange>,
}

pub fn run(before: &Path, after: &Path, json: bool) -> Result<(), Failure> {
    let (before, after) = (read(before)?, read(after)?);
    let prices = diff(&before, &after, &Limits::ANY_SUM).map_err(Failure::wrong)?;
    let told = Told {
        prices,
        clauses: clauses(&before, &after),
    };
    if json {
        print_json(&told)?;
    } else {
        print_prices(&told.prices, SHOWN, "`--json`", "");
        if !told.clauses.is_empty() {
            say!("\nWhat the second one says otherwise:");
            print_clauses(&told.clauses, "  ");
        }
    }
    verdict(&told)
}

fn verdict(told: &Told) -> Result<(), Failure> {
    let counts = [
        (told.prices.differences.len(), "price"),
        (told.clauses.len(), "clause"),
    ];
    let counts = counts.into_iter().filter(|(number, _)| *number > 0);
    let counts: Vec<String> = counts.map(|(number, what)| count(number, what)).collect();
    match counts[..] {
        [] if is_same(&told.prices) => Ok(()),
        [] => Err(Failure::wrong("not proved")),
        _ => Err(Failure::wrong(format!(
            "different: {}",
            counts.join(" and ")
        ))),
    }
}

/// Line by line: what was said, and what is said now.
pub(super) fn print_clauses(changes: &[ClauseChange], indent: &str) {
    for ClauseChange {
        part,
        name,
        before,
        after,
    } in changes
    {
        let of = if name.is_empty() { "" } else { ", " };
        say!("{indent}{part}{of}{name}:");
        if before == after {
            say!("{indent}    stands elsewhere, and the order counts");
            continue;
        }
        for (sign, said) in [("-", before), ("+", after)] {
            if let Some(said) = said {
                say!("{indent}    {sign} {said}");
            }
        }
    }
}

/// Whose price changes, at most so many kinds of it: `more` shows the others.
pub(super) fn print_prices(found: &Diff, most: usize, more: &str, indent: &str) {
    for section in &found.gone {
        say!("{indent}section {section} is gone");
    }
    for section in &found.new {
        say!("{indent}section {section} is new");
    }
    for currency in &found.gone_currencies {
        say!("{indent}no prices in {currency} any more");
    }
    for currency in &found.new_currencies {
        say!("{indent}new prices in {currency}");
    }
    for one in found.differences.iter().take(most) {
        let [before, after] = [&one.before, &one.after].map(|side| told(side, one.currency));
        say!("{indent}{}: {before} -> {after}", one.section);
        let alike = match one.classes {
            0 | 1 => String::new(),
            classes => format!("; and {} more like it", classes - 1),
        };
        say!("{indent}    for example: {}{alike}", one.example);
    }
    let left = found.differences.len().saturating_sub(most);
    if left > 0 {
        say!("{indent}and {left} more, which {more} shows");
    }
    for one in &found.promotions {
        say!("{indent}{}", told_of(one));
    }
    for section in &found.not_proved {
        say!("{indent}section {section}: not proved: more classes of entrants than were looked at");
    }
    if is_same(found) {
        say!("{indent}nobody's price changes");
    }
}

/// Whether everything was looked at, and nothing differs.
fn is_same(found: &Diff) -> bool {
    let sections = [&found.gone, &found.new, &found.not_proved];
    let currencies = [&found.gone_currencies, &found.new_currencies];
    found.differences.is_empty()
        && found.promotions.is_empty()
        && sections.iter().all(|ids| ids.is_empty())
        && currencies.iter().all(|codes| codes.is_empty())
}

fn told_of(promotion: &PromotionChange) -> String {
    let PromotionChange { id, before, after } = promotion;
    let [before, after] = [before, after].map(|said| said.as_deref().unwrap_or("none"));
    format!("promotion {id}: {before} -> {after}")
}

fn told(outcome: &Outcome, currency: Currency) -> String {
    match outcome {
        Outcome::Closed => "closed".to_owned(),
        Outcome::Refused => "not admitted".to_owned(),
        Outcome::NoPrice => "no price".to_owned(),
        Outcome::Price { total, rows } => {
            format!("{} ({})", Money::new(*total, currency), rows.join(", "))
        }
    }
}
