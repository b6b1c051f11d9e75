//! `enroc regulation diff`.

use std::path::Path;

use api::failure::Failure;
use api::say;
use domain::{Currency, Money};
use rules::check::Limits;
use rules::diff::{Diff, Outcome, PromotionChange, diff};

use super::{print_json, read};

pub fn run(before: &Path, after: &Path, json: bool) -> Result<(), Failure> {
    let (before, after) = (read(before)?, read(after)?);
    let found = diff(&before, &after, &Limits::ANY_SUM).map_err(Failure::wrong)?;
    if json {
        print_json(&found)?;
    } else {
        print(&found);
    }
    match found.differences.len() {
        0 if is_same(&found) => Ok(()),
        0 if !found.not_proved.is_empty() => Err(Failure::wrong("not proved")),
        0 if !found.promotions.is_empty() => Err(Failure::wrong("the promotions differ")),
        0 if found.gone.is_empty() && found.new.is_empty() => {
            Err(Failure::wrong("the currencies differ"))
        }
        0 => Err(Failure::wrong("the sections differ")),
        1 => Err(Failure::wrong("1 difference")),
        count => Err(Failure::wrong(format!("{count} differences"))),
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
