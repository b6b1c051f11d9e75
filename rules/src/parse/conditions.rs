//! Reads conditions: a name of `[who]`, or a table whose keys must all hold.

use std::collections::BTreeMap;

use domain::{Federation, Level, Licence, Sex, Title, fold_name};
use jiff::civil::Date;
use jiff::{Span, ToSpan};
use toml::de::DeValue;

use super::instants::{self, Clockwork};
use super::keys::{FACTS, suggestion};
use super::limits;
use super::reader::Item;
use super::table::Table;
use crate::conditions::{ANY_LICENCE, Condition, Range, Test, title_bit};
use crate::terms::GroupedBy;
use crate::view::{CODES, Vocabulary, level_bit};

/// What conditions may refer to.
pub(super) struct Scope {
    pub clock: Clockwork,
    pub vocabulary: Vocabulary,
    /// The day on which ages count.
    pub ages_on: Option<Date>,
    pub who: BTreeMap<String, Condition>,
    /// What the conditions of the file may still say.
    pub left: usize,
}

const TITLES: [(&str, Option<Title>); 9] = [
    ("GM", Some(Title::Gm)),
    ("IM", Some(Title::Im)),
    ("FM", Some(Title::Fm)),
    ("CM", Some(Title::Cm)),
    ("WGM", Some(Title::Wgm)),
    ("WIM", Some(Title::Wim)),
    ("WFM", Some(Title::Wfm)),
    ("WCM", Some(Title::Wcm)),
    ("none", None),
];

/// Ratings, ages and counts are below it.
const FIGURES: i64 = 10_000;

const GROUPS: [(&str, GroupedBy); 3] = [
    ("club", GroupedBy::Club),
    ("federation", GroupedBy::Federation),
    ("institution", GroupedBy::Institution),
];

const LEVELS: [(&str, Level); 3] = [
    ("initial", Level::Initial),
    ("primary", Level::Primary),
    ("secondary", Level::Secondary),
];

impl Scope {
    pub(super) fn condition(&mut self, item: &Item<'_, '_>) -> Option<Condition> {
        if let DeValue::String(name) = item.value() {
            let Some(known) = self.who.get(name.as_ref()) else {
                return item.refuse(&format!("there is no `{name}` in [who] before this"));
            };
            let says = if self.left == 0 { 1 } else { known.says() };
            self.say(item, says)?;
            return self.who.get(name.as_ref()).cloned();
        }
        let mut table = item.table()?;
        let mut parts = Vec::new();
        let mut faulty = false;
        for (key, value) in table.all() {
            match self.part(&key, &value) {
                Some(part) => parts.push(part),
                None => faulty = true,
            }
        }
        if faulty {
            return None;
        }
        if parts.is_empty() {
            return item.refuse("a condition names at least one fact");
        }
        if parts.len() == 1 {
            return parts.pop();
        }
        Some(Condition::All(parts))
    }

    /// Counts what a condition says; nothing where it is too much.
    fn say(&mut self, item: &Item<'_, '_>, says: usize) -> Option<()> {
        match self.left.checked_sub(says) {
            Some(left) => {
                self.left = left;
                Some(())
            }
            None => {
                // However little comes after it.
                self.left = 0;
                item.refuse(&format!(
                    "the conditions of a file may say {} things, each name of [who] as many as it stands for",
                    limits::CONDITIONS
                ))
            }
        }
    }

    fn part(&mut self, key: &str, item: &Item<'_, '_>) -> Option<Condition> {
        self.say(item, 1)?;
        match key {
            "any" => Some(Condition::Any(self.list(item)?)),
            "all" => Some(Condition::All(self.list(item)?)),
            "not" => Some(Condition::Not(Box::new(self.condition(item)?))),
            "answer" => self.answer(item),
            _ => self.test(key, item).map(Condition::Test),
        }
    }

    fn list(&mut self, item: &Item<'_, '_>) -> Option<Vec<Condition>> {
        let members = item.members();
        if members.is_empty() {
            return item.refuse("expected at least one condition");
        }
        let read: Vec<_> = members
            .iter()
            .map(|member| self.condition(member))
            .collect();
        read.into_iter().collect()
    }

    fn test(&mut self, key: &str, item: &Item<'_, '_>) -> Option<Test> {
        Some(match key {
            "rating" => Test::Rating(range(item, FIGURES)?),
            "unrated" => Test::Unrated(item.boolean()?),
            "age" => self.age(item)?,
            "born" => Test::Born {
                days: born(item)?,
                ages: None,
            },
            "title" => Test::Title(titles(item)?),
            "licence" => Test::Licence(self.licences(item)?),
            "federation" => {
                let named = &mut self.vocabulary.federations;
                Test::Federation(codes(item, named, |code| code.parsed::<Federation>())?)
            }
            "club" => {
                let named = &mut self.vocabulary.clubs;
                Test::Club(codes(item, named, |club| club.string().map(fold_name))?)
            }
            "sex" => Test::Sex(item.word(&[("m", Sex::Male), ("f", Sex::Female)])?),
            "disability" => Test::Disability(item.boolean()?),
            "invited" => Test::Invited(item.boolean()?),
            "code" => {
                let named = &mut self.vocabulary.codes;
                Test::Code(codes(item, named, |label| {
                    label.string().map(str::to_owned)
                })?)
            }
            "previous_participant" => Test::Previous(item.boolean()?),
            "agreed_price" => Test::Agreed(item.boolean()?),
            "registered" => Test::Registered(self.clock.window(item)?),
            "members" => self.members(item)?,
            "in_order" => Test::InOrder(range(item, FIGURES)?),
            "place" => self.place(item)?,
            "paid" => Test::Paid(self.clock.window(item)?),
            "received" => Test::Received(self.clock.window(item)?),
            "players" => Test::Players(range(item, FIGURES)?),
            "girls" => Test::Girls(range(item, FIGURES)?),
            "levels" => Test::Levels(item.some()?.iter().try_fold(0, |bits, level| {
                Some(bits | level_bit(level.word(&LEVELS)?))
            })?),
            "coach" => Test::Coach(item.boolean()?),
            _ => {
                let near = suggestion(key, FACTS);
                return item.refuse(&format!("there is no such fact in language 1{near}"));
            }
        })
    }

    /// `{ of = "club", from = 4 }`: bounds of how many there are of a club, a federation or an institution.
    fn members(&mut self, item: &Item<'_, '_>) -> Option<Test> {
        let mut table = item.table()?;
        let of = table.required("of")?;
        let group = of.word(&GROUPS)?;
        self.group(&of, group)?;
        let bounds = range_of(item, &mut table, FIGURES)?;
        table.done();
        Some(Test::Members(group, bounds))
    }

    /// `{ of = "order", from = 3 }`: bounds of the entry's place in its order, or among its group, from 1.
    fn place(&mut self, item: &Item<'_, '_>) -> Option<Test> {
        let mut table = item.table()?;
        let of = table.required("of")?;
        let group = match of.value() {
            DeValue::String(word) if word == "order" => None,
            _ => Some(of.word(&GROUPS)?),
        };
        if let Some(group) = group {
            self.group(&of, group)?;
        }
        let bounds = range_of(item, &mut table, FIGURES)?;
        table.done();
        Some(Test::Place(group, bounds))
    }

    /// A group whose members the file counts.
    fn group(&mut self, of: &Item<'_, '_>, group: GroupedBy) -> Option<()> {
        let known = *self.vocabulary.grouped_by.get_or_insert(group);
        if known != group {
            return of.refuse("a file counts the members of one kind of group only");
        }
        Some(())
    }

    fn licences(&mut self, item: &Item<'_, '_>) -> Option<u64> {
        match item.value() {
            DeValue::String(word) if word == "any" => Some(ANY_LICENCE),
            _ => codes(item, &mut self.vocabulary.licences, |code| {
                code.parsed::<Licence>()
            }),
        }
    }

    /// `{ under, from, to, above, on }` in completed years on a day.
    fn age(&mut self, item: &Item<'_, '_>) -> Option<Test> {
        let mut table = item.table()?;
        let on = match table.get("on") {
            Some(day) => self.clock.ages_on(&day)?,
            None => match self.ages_on {
                Some(day) => day,
                None => {
                    return item
                        .refuse("no day is said on which ages count: [ages] on, or `on` here");
                }
            },
        };
        let ages = range_of(item, &mut table, FIGURES)?;
        table.done();
        let years_before = |years: i32| {
            let years = Span::new().try_years(years).ok()?;
            on.checked_sub(years).ok()
        };
        let too_old = || item.refuse("nobody was born so long ago");
        // Who has had the nth birthday was born on the day n years before, or earlier.
        let days = Range {
            from: match ages.to {
                Some(to) => {
                    let last = years_before(to + 1).or_else(too_old)?;
                    last.checked_add(1.day()).ok()
                }
                None => None,
            },
            to: match ages.from {
                Some(from) => Some(years_before(from).or_else(too_old)?),
                None => None,
            },
        };
        Some(Test::Born {
            days,
            ages: Some(ages),
        })
    }
}

fn titles(item: &Item<'_, '_>) -> Option<u16> {
    if matches!(item.value(), DeValue::String(word) if word == "any") {
        return Some(
            TITLES[..8]
                .iter()
                .fold(0, |bits, title| bits | title_bit(title.1)),
        );
    }
    item.some()?.iter().try_fold(0, |bits, title| {
        Some(bits | title_bit(title.word(&TITLES)?))
    })
}

/// One code or a list of codes, as bits by their position in the vocabulary.
fn codes<T: PartialEq>(
    item: &Item<'_, '_>,
    named: &mut Vec<T>,
    read: impl Fn(&Item<'_, '_>) -> Option<T>,
) -> Option<u64> {
    let mut bits = 0;
    for member in item.some()? {
        let code = read(&member)?;
        let place = named.iter().position(|name| *name == code);
        let place = place.unwrap_or_else(|| {
            named.push(code);
            named.len() - 1
        });
        if place >= CODES {
            return member.refuse(&format!("a file may name {CODES} of these"));
        }
        bits |= 1 << place;
    }
    Some(bits)
}

/// A number below `figures`, or `{ under, from, to, above }`.
pub(super) fn range(item: &Item<'_, '_>, figures: i64) -> Option<Range<i32>> {
    if let DeValue::Integer(_) = item.value() {
        let number = i32::try_from(item.integer(0..figures)?).ok();
        return Some(Range {
            from: number,
            to: number,
        });
    }
    let mut table = item.table()?;
    let range = range_of(item, &mut table, figures)?;
    table.done();
    Some(range)
}

fn range_of(item: &Item<'_, '_>, table: &mut Table<'_, '_>, figures: i64) -> Option<Range<i32>> {
    let mut bound = |key: &str, shift: i32| {
        let Some(item) = table.get(key) else {
            return Some(None);
        };
        let number = i32::try_from(item.integer(0..figures)?).ok()?;
        Some(Some(number + shift))
    };
    let (from, above) = (bound("from", 0)?, bound("above", 1)?);
    let (to, under) = (bound("to", 0)?, bound("under", -1)?);
    if from.is_some() && above.is_some() || to.is_some() && under.is_some() {
        return item.refuse("from and above, or to and under, cannot stand together");
    }
    match (from.or(above), to.or(under)) {
        (None, None) => item.refuse("expected under, from, to or above with a whole number"),
        (Some(from), Some(to)) if from > to => item.refuse("nothing lies in this range"),
        (from, to) => Some(Range { from, to }),
    }
}

/// `{ from, to }` in years or days of birth, both inclusive, or `{ before, after }`, both strict.
fn born(item: &Item<'_, '_>) -> Option<Range<Date>> {
    let mut table = item.table()?;
    let mut edge = |key: &str, last: bool, shift: i64| {
        let Some(value) = table.get(key) else {
            return Some(None);
        };
        let day = match value.value() {
            DeValue::Integer(_) => {
                let year = i16::try_from(value.integer(1_900..2_100)?).ok()?;
                let (month, day) = if last { (12, 31) } else { (1, 1) };
                Date::new(year, month, day).ok()?
            }
            _ => instants::date(&value)?,
        };
        match day.checked_add(shift.days()) {
            Ok(day) => Some(Some(day)),
            Err(_) => value.refuse("no calendar goes so far"),
        }
    };
    let (from, after) = (edge("from", false, 0)?, edge("after", true, 1)?);
    let (to, before) = (edge("to", true, 0)?, edge("before", false, -1)?);
    table.done();
    if from.is_some() && after.is_some() || to.is_some() && before.is_some() {
        return item.refuse("from and after, or to and before, cannot stand together");
    }
    match (from.or(after), to.or(before)) {
        (None, None) => item.refuse("expected from, to, before or after with a year or a date"),
        (Some(from), Some(to)) if from > to => item.refuse("nobody was born in this range"),
        (from, to) => Some(Range { from, to }),
    }
}
