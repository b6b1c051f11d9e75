//! Answers as people type them, each taken into the draft or told why not.

use std::str::FromStr;

use api::wire::LONGEST_TEXT;
use domain::{BasisPoints, Currency, Money, SectionId, Title, is_name, is_one_line};
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use rules::{Cancel, Draft, DraftSection, Early, Juniors, Less};

use super::usual_fee;

pub const NONE: &str = "none";
pub const ORGANISER: &str = "organiser";

type Answer<T = ()> = Result<T, String>;

pub fn name(draft: &mut Draft, answer: &str) -> Answer {
    if !is_name(answer) || !is_one_line(answer) {
        return Err("one line with a letter or a digit in it".to_owned());
    }
    if answer.chars().count() > LONGEST_TEXT {
        return Err(format!("at most {LONGEST_TEXT} characters"));
    }
    answer.clone_into(&mut draft.name);
    Ok(())
}

pub fn first(draft: &mut Draft, answer: &str) -> Answer {
    draft.begin_on(day(answer)?);
    Ok(())
}

pub fn last(draft: &mut Draft, answer: &str) -> Answer {
    let last = day(answer)?;
    if last < draft.first {
        return Err(format!("play begins on {}", draft.first));
    }
    draft.end_on(last);
    Ok(())
}

pub fn zone(draft: &mut Draft, answer: &str) -> Answer {
    let zone = TimeZone::get(answer).ok();
    let zone = zone.filter(|zone| zone.iana_name().is_some());
    draft.zone = zone.ok_or("there is no such IANA time zone; write it as Europe/Madrid")?;
    Ok(())
}

pub fn begins(draft: &mut Draft, answer: &str) -> Answer {
    let time = Time::strptime("%H:%M", answer);
    draft.begins = time.map_err(|_| "expected a time such as 16:30")?;
    Ok(())
}

pub fn rounds(draft: &mut Draft, answer: &str) -> Answer {
    draft.rounds = number(answer, 1, 99)?;
    Ok(())
}

pub fn currency(draft: &mut Draft, answer: &str) -> Answer {
    let currency: Currency = answer.parse().map_err(said)?;
    draft.currency = currency;
    for section in &mut draft.sections {
        section.fee = usual_fee(currency);
    }
    Ok(())
}

pub fn sections(draft: &mut Draft, answer: &str) -> Answer {
    let fee = usual_fee(draft.currency);
    let mut sections: Vec<DraftSection> = Vec::new();
    for word in words(answer) {
        let (id, limit) = match word.split_once(':') {
            Some((id, limit)) => (id, Some(number(limit, 1, 9_999)?)),
            None => (word, None),
        };
        let id: SectionId = id
            .parse()
            .map_err(|_| "a section is named in letters, digits, - and _".to_owned())?;
        if sections.iter().any(|section| section.id == id) {
            return Err(format!("{id} is there twice"));
        }
        let under = limit;
        sections.push(DraftSection { id, under, fee });
    }
    if sections.is_empty() {
        return Err("expected at least one section, such as A".to_owned());
    }
    draft.sections = sections;
    Ok(())
}

/// Whether every flag with a section in it names one that there is.
pub fn known(flags: &[String], ids: &[String]) -> Answer {
    let named = flags.iter().filter_map(|flag| flag.split_once(':'));
    let mut strange = named.filter(|(id, _)| !ids.iter().any(|known| known == id));
    match strange.next() {
        Some((id, sum)) => Err(format!("--fee {id}:{sum}: there is no section {id}")),
        None => Ok(()),
    }
}

/// The sum that flags give for a section: its own, or else the one for all.
pub fn fee_of<'f>(flags: &'f [String], id: &str) -> Option<&'f str> {
    let own = flags.iter().rev().find_map(|flag| {
        let (of, sum) = flag.split_once(':')?;
        (of == id).then_some(sum)
    });
    own.or_else(|| {
        flags
            .iter()
            .rev()
            .find(|flag| !flag.contains(':'))
            .map(String::as_str)
    })
}

pub fn fee(draft: &mut Draft, place: usize, answer: &str) -> Answer {
    draft.sections[place].fee = sum(draft, answer)?;
    Ok(())
}

pub fn closes(draft: &mut Draft, answer: &str) -> Answer {
    let closes = day(answer)?;
    if closes > draft.first {
        return Err(format!("play begins on {}", draft.first));
    }
    draft.closes = closes;
    Ok(())
}

pub fn early(draft: &mut Draft, answer: &str, such_as: &str) -> Answer {
    let Some((until, less)) = pair(answer, such_as)? else {
        draft.early = None;
        return Ok(());
    };
    let (until, less) = (day(until)?, sum(draft, less)?);
    if until >= draft.closes {
        return Err(format!(
            "entry ends on {}, which must be later",
            draft.closes
        ));
    }
    takes_something(draft, less > 0)?;
    draft.early = Some(Early { until, less });
    Ok(())
}

pub fn juniors(draft: &mut Draft, answer: &str) -> Answer {
    let Some((age, less)) = pair(answer, "16 50% or 16 10")? else {
        draft.juniors = None;
        return Ok(());
    };
    let under = number(age, 1, 99)?;
    let (less, some) = match less.strip_suffix('%') {
        Some(share) => {
            let share = percent(share)?;
            (Less::Share(share), share.0 > 0)
        }
        None => {
            let sum = sum(draft, less)?;
            (Less::Sum(sum), sum > 0)
        }
    };
    takes_something(draft, some)?;
    draft.juniors = Some(Juniors { under, less });
    Ok(())
}

pub fn titled(draft: &mut Draft, answer: &str) -> Answer {
    draft.free.clear();
    if answer.eq_ignore_ascii_case(NONE) {
        return Ok(());
    }
    for word in words(answer) {
        let title: Title = word
            .to_ascii_uppercase()
            .parse()
            .map_err(|_| format!("{word} is none of: GM, IM, FM, CM, WGM, WIM, WFM, WCM"))?;
        if !draft.free.contains(&title) {
            draft.free.push(title);
        }
    }
    takes_something(draft, true)
}

pub fn seats(draft: &mut Draft, answer: &str) -> Answer {
    draft.seats = match answer.eq_ignore_ascii_case(ORGANISER) {
        true => None,
        false => Some(number(answer, 1, 1_000_000)?),
    };
    Ok(())
}

pub fn pay(draft: &mut Draft, answer: &str) -> Answer {
    (draft.card, draft.transfer) = (false, false);
    for word in words(answer) {
        match word.to_ascii_lowercase().as_str() {
            "card" => draft.card = true,
            "transfer" => draft.transfer = true,
            _ => return Err(format!("{word} is none of: card, transfer")),
        }
    }
    Ok(())
}

pub fn cancel(draft: &mut Draft, answer: &str, such_as: &str) -> Answer {
    let Some((until, keep)) = pair(answer, such_as)? else {
        draft.cancel = None;
        return Ok(());
    };
    let until = day(until)?;
    if until > draft.last {
        return Err(format!("play is over on {}", draft.last));
    }
    let keep = keep
        .strip_suffix('%')
        .ok_or("expected a percentage such as 50%")?;
    let keep = percent(keep)?;
    draft.cancel = Some(Cancel { until, keep });
    Ok(())
}

fn takes_something(draft: &Draft, some: bool) -> Answer {
    if draft.costs_nothing() {
        return Err("nobody pays, so there is nothing to take off".to_owned());
    }
    if some {
        return Ok(());
    }
    Err("it takes nothing off; write none".to_owned())
}

fn words(answer: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c == ',' || c.is_whitespace();
    answer.split(ends).filter(|word| !word.is_empty())
}

/// Two words with a blank or a colon between them; nothing for `none`.
fn pair<'a>(answer: &'a str, such_as: &str) -> Answer<Option<(&'a str, &'a str)>> {
    if answer.eq_ignore_ascii_case(NONE) {
        return Ok(None);
    }
    let mut words = answer
        .split(|c: char| c == ':' || c.is_whitespace())
        .filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next()) {
        (Some(first), Some(second), None) => Ok(Some((first, second))),
        _ => Err(format!("expected two things, such as {such_as}, or none")),
    }
}

fn day(answer: &str) -> Answer<Date> {
    let day = Date::strptime("%Y-%m-%d", answer).ok();
    let day = day.filter(|day| (1_900..2_200).contains(&day.year()));
    day.ok_or_else(|| "expected a day such as 2027-07-03".to_owned())
}

/// A sum, its currency behind it or not.
fn sum(draft: &Draft, answer: &str) -> Answer<i64> {
    let currency = draft.currency;
    let digits = answer.strip_suffix(currency.code()).unwrap_or(answer);
    let sum = Money::typed(digits, currency);
    sum.map(|sum| sum.amount)
        .ok_or_else(|| format!("expected a sum in {currency} such as 60 or, with cents, 45.50"))
}

/// Digits before a `%`, with two decimals at most.
fn percent(digits: &str) -> Answer<BasisPoints> {
    let (whole, part) = digits
        .trim()
        .split_once(['.', ','])
        .unwrap_or((digits.trim(), ""));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let points = match !whole.is_empty() && plain(whole) && plain(part) && part.len() <= 2 {
        true => format!("{whole}{part:0<2}").parse().ok().map(BasisPoints),
        false => None,
    };
    points
        .filter(|points| *points <= BasisPoints::WHOLE)
        .ok_or_else(|| "expected a percentage from 0% to 100%".to_owned())
}

fn number<T: FromStr + PartialOrd + std::fmt::Display>(answer: &str, from: T, to: T) -> Answer<T> {
    match answer.parse() {
        Ok(number) if from <= number && number <= to => Ok(number),
        _ => Err(format!("expected a whole number from {from} to {to}")),
    }
}

fn said(why: impl std::fmt::Display) -> String {
    why.to_string()
}
