//! The questions in their order, and what each answer does to the draft.

mod read;

use api::failure::Failure;
use domain::{Currency, Money};
use jiff::ToSpan;
use jiff::civil::Date;

use super::asking::{Asking, Question};
use crate::cli::New;

/// A sum that an entry may well cost: a hundred times the least that a card is charged.
pub fn usual_fee(currency: Currency) -> i64 {
    let unit = 10i64.pow(currency.exponent());
    payments::stripe::minimum(currency).map_or(50 * unit, |least| 100 * least)
}

pub fn all(asking: &mut Asking, asked: &New) -> Result<(), Failure> {
    play(asking, asked)?;
    entry(asking, asked)?;
    if !asking.draft.costs_nothing() || reduced(asked) {
        reductions(asking, asked)?;
    }
    seats_and_money(asking, asked)
}

/// Whether a flag speaks of reductions, which is wrong where nobody pays, and then told.
fn reduced(asked: &New) -> bool {
    [&asked.early, &asked.juniors, &asked.titled]
        .iter()
        .any(|flag| flag.is_some())
}

fn play(asking: &mut Asking, asked: &New) -> Result<(), Failure> {
    let name = asking.draft.name.clone();
    let question = of("name", "Name of the tournament", name);
    asking.ask(&question, asked.name.as_deref(), read::name)?;
    let question = of("first", "First day of play", asking.draft.first);
    asking.ask(&question, asked.first.as_deref(), read::first)?;
    let question = of("last", "Last day of play", asking.draft.last);
    asking.ask(&question, asked.last.as_deref(), read::last)?;
    let zone = asking.draft.zone.iana_name().unwrap_or_default().to_owned();
    let question = of("zone", "Time zone of the venue", zone);
    asking.ask(&question, asked.zone.as_deref(), read::zone)?;
    let begins = asking.draft.begins.strftime("%H:%M").to_string();
    let question = of("begins", "Round one begins at", begins);
    asking.ask(&question, asked.begins.as_deref(), read::begins)?;
    let question = of("rounds", "How many rounds", asking.draft.rounds);
    asking.ask(&question, asked.rounds.as_deref(), read::rounds)?;
    let question = of("currency", "Currency", asking.draft.currency);
    asking.ask(&question, asked.currency.as_deref(), read::currency)
}

fn entry(asking: &mut Asking, asked: &New) -> Result<(), Failure> {
    let asks = "Sections, each with the rating that its players are under, if any (A B:1800)";
    let sections = (!asked.sections.is_empty()).then(|| asked.sections.join(" "));
    let question = of("section", asks, &asking.draft.sections[0].id);
    asking.ask(&question, sections.as_deref(), read::sections)?;

    let ids: Vec<String> = asking
        .draft
        .sections
        .iter()
        .map(|s| s.id.to_string())
        .collect();
    read::known(&asked.fees, &ids).map_err(Failure::broken)?;
    for (place, id) in ids.iter().enumerate() {
        let section = &asking.draft.sections[place];
        let fee = Money::new(section.fee, asking.draft.currency);
        let asks = format!("Fee of section {id}");
        let question = of("fee", &asks, fee);
        asking.ask(&question, read::fee_of(&asked.fees, id), |draft, answer| {
            read::fee(draft, place, answer)
        })?;
    }

    let question = of("closes", "Last day of entry", asking.draft.closes);
    asking.ask(&question, asked.closes.as_deref(), read::closes)
}

fn reductions(asking: &mut Asking, asked: &New) -> Result<(), Failure> {
    let day = before(asking.draft.closes, 30);
    let asks = format!("Reduction for early entry: its last day and how much ({day} 5), or none");
    let question = of("early", &asks, read::NONE);
    asking.ask(&question, asked.early.as_deref(), |draft, answer| {
        read::early(draft, answer, &format!("{day} 5"))
    })?;
    let asks = "Reduction for juniors: under which age and how much (16 50% or 16 10), or none";
    let question = of("juniors", asks, read::NONE);
    asking.ask(&question, asked.juniors.as_deref(), read::juniors)?;
    let question = of(
        "titled",
        "Titles that pay nothing (GM WGM), or none",
        read::NONE,
    );
    asking.ask(&question, asked.titled.as_deref(), read::titled)
}

fn seats_and_money(asking: &mut Asking, asked: &New) -> Result<(), Failure> {
    let asks = "How many may enter, or organiser to set it before entry opens";
    let question = of("seats", asks, read::ORGANISER);
    asking.ask(&question, asked.seats.as_deref(), read::seats)?;
    let question = of("pay", "How it is paid (card, transfer)", "card");
    asking.ask(&question, asked.pay.as_deref(), read::pay)?;
    if asking.draft.costs_nothing() && asked.cancel.is_none() {
        return Ok(());
    }
    let day = before(asking.draft.first, 21);
    let asks = format!(
        "Cancelling: the last day that money comes back, and how much is kept ({day} 50%), or none"
    );
    let question = of("cancel", &asks, read::NONE);
    asking.ask(&question, asked.cancel.as_deref(), |draft, answer| {
        read::cancel(draft, answer, &format!("{day} 50%"))
    })
}

fn of<'q>(flag: &'static str, asks: &'q str, default: impl ToString) -> Question<'q> {
    Question {
        flag,
        asks,
        default: default.to_string(),
    }
}

fn before(day: Date, days: i32) -> Date {
    day.saturating_sub(days.days())
}
