//! Conditions, instants and figures in plain English.

use std::fmt::Display;

use domain::{SectionId, Sex, Text, Title, UtcTime};

use crate::Regulation;
use crate::conditions::{ANY_LICENCE, Answered, Condition, Range, Test, Trust, title_bit};
use crate::terms::{GroupedBy, QuestionKind, Window};
use crate::view::level_bit;

/// Says what a regulation means by its conditions.
pub(super) struct Words<'r> {
    pub regulation: &'r Regulation,
}

impl Words<'_> {
    /// Nothing for a condition that always holds, else what it asks for.
    pub(super) fn when(&self, condition: &Condition) -> String {
        match condition {
            Condition::All(parts) if parts.is_empty() => String::new(),
            condition => format!(", for: {}", self.condition(condition)),
        }
    }

    pub(super) fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Test(test) => self.test(test),
            Condition::Not(inner) => format!("not ({})", self.condition(inner)),
            Condition::All(parts) if parts.is_empty() => "everybody".to_owned(),
            Condition::All(parts) => self.joined(parts, " and "),
            Condition::Any(parts) => self.joined(parts, " or "),
        }
    }

    fn joined(&self, parts: &[Condition], word: &str) -> String {
        let said = parts.iter().map(|part| match part {
            Condition::All(inner) | Condition::Any(inner) if inner.len() > 1 => {
                format!("({})", self.condition(part))
            }
            part => self.condition(part),
        });
        said.collect::<Vec<String>>().join(word)
    }

    fn test(&self, test: &Test) -> String {
        let words = &self.regulation.vocabulary;
        let named = |bits: u64, names: Vec<&str>| {
            let held = names.into_iter().enumerate();
            let held = held.filter(|(place, _)| bits & (1 << place) != 0);
            held.map(|(_, name)| name).collect::<Vec<_>>().join(" or ")
        };
        match test {
            Test::Rating(bounds) => format!("rating {}", range(bounds)),
            Test::Unrated(true) => "unrated".to_owned(),
            Test::Unrated(false) => "rated".to_owned(),
            Test::Born {
                ages: Some(ages),
                days,
            } => format!("age {} ({})", range(ages), born(days)),
            Test::Born { days, .. } => born(days),
            Test::Title(bits) => format!("title {}", titles(*bits)),
            Test::Licence(ANY_LICENCE) => "any licence in force".to_owned(),
            Test::Licence(bits) => {
                let codes = words.licences.iter().map(|code| code.as_str()).collect();
                format!("licence {}", named(*bits, codes))
            }
            Test::Federation(bits) => {
                let codes = words.federations.iter().map(|code| code.as_str()).collect();
                format!("federation {}", named(*bits, codes))
            }
            Test::Club(bits) => {
                let clubs = words.clubs.iter().map(String::as_str).collect();
                format!("club {}", named(*bits, clubs))
            }
            Test::Sex(Sex::Female) => "women".to_owned(),
            Test::Sex(Sex::Male) => "men".to_owned(),
            Test::Disability(wanted) => yes(*wanted, "a recognised disability"),
            Test::Invited(wanted) => yes(*wanted, "invited"),
            Test::Code(bits) => {
                let codes = words.codes.iter().map(String::as_str).collect();
                format!("with the code {}", named(*bits, codes))
            }
            Test::Previous(wanted) => yes(*wanted, "of an earlier edition"),
            Test::Agreed(wanted) => yes(*wanted, "an agreed price"),
            Test::Registered(window) => format!("entered {}", self.window(window)),
            Test::Paid(window) => format!("paid {}", self.window(window)),
            Test::Received(window) => format!("money received {}", self.window(window)),
            Test::Players(bounds) => format!("players {}", range(bounds)),
            Test::Girls(bounds) => format!("girls {}", range(bounds)),
            Test::Levels(bits) => {
                use domain::Level::{Initial, Primary, Secondary};
                let levels = [
                    (Initial, "initial"),
                    (Primary, "primary"),
                    (Secondary, "secondary"),
                ];
                let levels = levels.map(|(level, name)| (bits & level_bit(level) != 0, name));
                format!("pupils of {}", those(&levels, "no level"))
            }
            Test::Coach(wanted) => yes(*wanted, "a coach"),
            Test::Members(group, bounds) => {
                format!("members of the {} {}", group_of(*group), range(bounds))
            }
            Test::Place(group, bounds) => {
                let group = group.map_or("order", group_of);
                format!("place in the {group} {}", range(bounds))
            }
            Test::InOrder(bounds) => format!("entries in the order {}", range(bounds)),
            Test::First(place) => {
                let limit = words.limits.get(usize::from(*place));
                format!("among the first {}", limit.map_or(0, |limit| limit.first))
            }
            Test::Answer(place, answered) => self.answer(*place, *answered),
        }
    }

    /// By whose answer a sum is multiplied.
    pub fn times(&self, question: Option<u8>) -> String {
        let questions = &self.regulation.vocabulary.questions;
        let question = question.and_then(|place| questions.get(usize::from(place)));
        question.map_or_else(String::new, |question| format!(" times {}", question.id))
    }

    fn answer(&self, place: u8, answered: Answered) -> String {
        let questions = &self.regulation.vocabulary.questions;
        let Some(question) = questions.get(usize::from(place)) else {
            return String::new();
        };
        match (answered, &question.kind) {
            (Answered::Yes(wanted), _) => yes(wanted, &question.id),
            (Answered::Number(bounds), _) => format!("{} {}", question.id, range(&bounds)),
            (Answered::OneOf(bits), QuestionKind::Choice(choices)) => {
                let chosen = choices.iter().enumerate();
                let chosen = chosen.filter(|(place, _)| bits & (1 << place) != 0);
                let chosen: Vec<&str> = chosen.map(|(_, choice)| choice.id.as_str()).collect();
                format!("{} {}", question.id, chosen.join(" or "))
            }
            (Answered::OneOf(_), _) => question.id.clone(),
        }
    }

    /// The last second inside, in the venue's time.
    pub(super) fn before(&self, end: UtcTime) -> String {
        format!("until {}", self.instant(end.plus_seconds(-1)))
    }

    pub(super) fn window(&self, window: &Window) -> String {
        match (window.from, window.before) {
            (None, None) => "at any time".to_owned(),
            (Some(from), None) => format!("from {}", self.instant(from)),
            (None, Some(end)) => self.before(end),
            (Some(from), Some(end)) => format!("from {} {}", self.instant(from), self.before(end)),
        }
    }

    pub(super) fn instant(&self, at: UtcTime) -> String {
        let zone = self.regulation.time_zone.clone();
        at.timestamp().to_zoned(zone).datetime().to_string()
    }
}

fn yes(wanted: bool, what: &str) -> String {
    if wanted {
        what.to_owned()
    } else {
        format!("not {what}")
    }
}

fn range(range: &Range<i32>) -> String {
    match (range.from, range.to) {
        (Some(from), Some(to)) if from == to => from.to_string(),
        (Some(from), Some(to)) => format!("{from} to {to}"),
        (Some(from), None) => format!("{from} or more"),
        (None, Some(to)) => format!("{to} or less"),
        (None, None) => "any".to_owned(),
    }
}

fn born(days: &Range<jiff::civil::Date>) -> String {
    match (days.from, days.to) {
        (Some(from), Some(to)) => format!("born {from} to {to}"),
        (Some(from), None) => format!("born {from} or later"),
        (None, Some(to)) => format!("born {to} or before"),
        (None, None) => "born at any time".to_owned(),
    }
}

fn titles(bits: u16) -> String {
    use Title::{Cm, Fm, Gm, Im, Wcm, Wfm, Wgm, Wim};
    let all = [Gm, Im, Fm, Cm, Wgm, Wim, Wfm, Wcm];
    let held = all
        .iter()
        .filter(|title| bits & title_bit(Some(**title)) != 0);
    let mut names: Vec<String> = held.map(ToString::to_string).collect();
    if bits & title_bit(None) != 0 {
        names.push("none".to_owned());
    }
    names.join(" or ")
}

/// Sections by their names.
pub(super) fn sections(ids: &[SectionId]) -> String {
    if ids.is_empty() {
        return "all sections".to_owned();
    }
    let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
    ids.join(", ")
}

/// Those that are so.
pub(super) fn those(all: &[(bool, &str)], none: &str) -> String {
    let on: Vec<&str> = all
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, name)| *name)
        .collect();
    if on.is_empty() {
        return none.to_owned();
    }
    on.join(", ")
}

/// Nothing for facts on the entrant's word.
pub(super) fn trust(trust: Trust) -> &'static str {
    match trust {
        Trust::Declared => "",
        Trust::Listed => " (as a list says)",
        Trust::Checked => " (as staff have checked)",
    }
}

/// Signed basis points as a percentage.
pub(super) fn share(points: i32) -> String {
    let sign = if points < 0 { "-" } else { "" };
    let (whole, part) = (points.unsigned_abs() / 100, points.unsigned_abs() % 100);
    match part {
        0 => format!("{sign}{whole} %"),
        part => format!("{sign}{whole}.{part:02} %"),
    }
}

pub(super) fn duration(seconds: i64) -> String {
    match seconds {
        days if days % 86_400 == 0 => count(days / 86_400, "day"),
        hours if hours % 3_600 == 0 => count(hours / 3_600, "hour"),
        seconds => count(seconds / 60, "minute"),
    }
}

/// So many of these.
pub(super) fn count<T: PartialEq + From<u8> + Display>(number: T, what: &str) -> String {
    let plural = if number == T::from(1) { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn group_of(group: GroupedBy) -> &'static str {
    match group {
        GroupedBy::Club => "club",
        GroupedBy::Federation => "federation",
        GroupedBy::Institution => "institution",
    }
}

/// That a row is a deposit, where it is one.
pub(super) fn deposit(comes_back: bool) -> &'static str {
    match comes_back {
        true => "; comes back to who has finished",
        false => "",
    }
}

/// A sentence behind a colon, if there is one.
pub(super) fn after(text: &Text) -> String {
    if text.en.is_empty() {
        return String::new();
    }
    format!(": {}", text.en)
}

/// An article, and sentences in each of their languages; nothing where there are none.
pub(super) fn beside<'t>(article: &str, texts: impl IntoIterator<Item = &'t Text>) -> String {
    let article = (!article.is_empty()).then(|| format!("article {article}"));
    let texts = texts.into_iter().filter(|text| **text != Text::default());
    let texts = texts.map(|text| {
        let (ca, es, en) = (&text.ca, &text.es, &text.en);
        if ca == es && es == en {
            format!("“{en}”")
        } else {
            format!("“{ca}”, “{es}”, “{en}”")
        }
    });
    article
        .into_iter()
        .chain(texts)
        .collect::<Vec<String>>()
        .join("; ")
}
