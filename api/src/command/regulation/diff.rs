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
        print(&told.prices);
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

fn print(found: &Diff) {
    for section in &found.gone {
        say!("section {section} is gone");
    }
    for section in &found.new {
        say!("section {section} is new");
    }
    for currency in &found.gone_currencies {
        say!("no prices in {currency} any more");
    }
    for currency in &found.new_currencies {
        say!("new prices in {currency}");
    }
    for one in &found.differences {
        let told = |outcome| told(outcome, one.currency);
        say!(
            "{}: {} -> {}",
            one.section,
            told(&one.before),
            told(&one.after)
        );
        say!("    for example: {}", one.example);
    }
    for one in &found.promotions {
        say!("{}", told_of(one));
    }
    for section in &found.not_proved {
        say!("section {section}: not proved: more classes of entrants than were looked at");
    }
    if is_same(found) {
        say!("nobody's price changes");
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

pub(super) fn told_of(promotion: &PromotionChange) -> String {
    let PromotionChange { id, before, after } = promotion;
    let [before, after] = [before, after].map(|said| said.as_deref().unwrap_or("none"));
    format!("promotion {id}: {before} -> {after}")
}

pub(super) fn told(outcome: &Outcome, currency: Currency) -> String {
    match outcome {
        Outcome::Closed => "closed".to_owned(),
        Outcome::Refused => "not admitted".to_owned(),
        Outcome::NoPrice => "no price".to_owned(),
        Outcome::Price { total, rows } => {
            format!("{} ({})", Money::new(*total, currency), rows.join(", "))
        }
    }
}
