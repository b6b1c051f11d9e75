//! Differences of one kind told as one, with an example as ordinary as there is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::{Currency, FactName};
use jiff::ToSpan;

use super::{Difference, Outcome};
use crate::Regulation;
use crate::check::example;
use crate::conditions::{FactSet, View};
use crate::view::OTHER;

/// What a regulation says of a class, with what each line comes to.
pub(super) struct Answer {
    pub outcome: Outcome,
    lines: Vec<(String, i64)>,
}

impl Answer {
    pub(super) fn without_price(outcome: Outcome) -> Answer {
        let lines = Vec::new();
        Answer { outcome, lines }
    }

    pub(super) fn of_price(total: i64, lines: Vec<(String, i64)>) -> Answer {
        let rows = lines.iter().map(|(rule, _)| rule.clone()).collect();
        let outcome = Outcome::Price { total, rows };
        Answer { outcome, lines }
    }

    /// The rows of which the other one has no such line.
    fn only(&self, other: &Answer) -> Vec<String> {
        let lines = self.lines.iter().filter(|line| !other.lines.contains(line));
        lines.map(|(rule, _)| rule.clone()).collect()
    }
}

/// What makes differences alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    /// Without sum and rows.
    outcomes: [Outcome; 2],
    gone: Vec<String>,
    new: Vec<String>,
    by: i64,
}

impl Kind {
    fn of(before: &Answer, after: &Answer) -> Kind {
        let outcomes = [before, after].map(|answer| match &answer.outcome {
            Outcome::Price { .. } => Outcome::Price {
                total: 0,
                rows: Vec::new(),
            },
            other => other.clone(),
        });
        match (&before.outcome, &after.outcome) {
            (Outcome::Price { total, .. }, Outcome::Price { total: then, .. }) => Kind {
                outcomes,
                gone: before.only(after),
                new: after.only(before),
                by: then - total,
            },
            // Whatever they paid or would pay: who is let in is one thing.
            _ => Kind {
                outcomes,
                gone: Vec::new(),
                new: Vec::new(),
                by: 0,
            },
        }
    }
}

struct Group {
    before: Outcome,
    after: Outcome,
    example: View,
    oddity: u32,
    classes: u64,
}

/// The differences of a section in one currency.
#[derive(Default)]
pub(super) struct Groups(BTreeMap<Kind, Group>);

impl Groups {
    pub(super) fn add(
        &mut self,
        regulation: &Regulation,
        before: Answer,
        after: Answer,
        view: &View,
    ) {
        let oddity = oddity(regulation, view);
        let kind = Kind::of(&before, &after);
        let known = self.0.remove(&kind);
        let classes = known.as_ref().map_or(1, |known| known.classes + 1);
        let group = Group {
            before: before.outcome,
            after: after.outcome,
            example: *view,
            oddity,
            classes,
        };
        let group = match known {
            Some(known) if known.oddity <= oddity => Group { classes, ..known },
            _ => group,
        };
        self.0.insert(kind, group);
    }

    /// Those of ordinary entrants first, of them those of most classes.
    pub(super) fn told(
        self,
        regulation: &Regulation,
        section: usize,
        currency: Currency,
    ) -> impl Iterator<Item = Difference> {
        let mut groups: Vec<(Kind, Group)> = self.0.into_iter().collect();
        groups.sort_by_key(|(_, group)| (group.oddity, Reverse(group.classes)));
        groups.into_iter().map(move |(kind, group)| Difference {
            section: regulation.sections[section].id.clone(),
            currency,
            gone_rows: kind.gone,
            new_rows: kind.new,
            before: group.before,
            after: group.after,
            example: example::of(regulation, section, &group.example),
            classes: group.classes,
        })
    }
}

/// How far somebody is from an adult of whom there is nothing to say.
fn oddity(regulation: &Regulation, view: &View) -> u32 {
    let known = view.known[0];
    let born_by = |years: i32| {
        let day = regulation.play.first.checked_sub(years.years());
        day.is_ok_and(|day| view.birth <= day)
    };
    let of_age = match known.has(FactSet::of(FactName::BirthDate)) {
        true if born_by(65) => 1,
        true if !born_by(18) => 3,
        _ => 0,
    };
    let answered = known
        .questions()
        .filter(|place| view.answers.to(*place) > 0);
    let has = [
        view.title.is_some(),
        view.disability,
        view.invited,
        view.code != OTHER,
        view.agreed.is_some(),
        view.previous,
        view.club != OTHER,
        view.spent != 0,
        view.members > 1,
        view.in_order > 1,
    ];
    let has = has.into_iter().filter(|has| *has).count() + answered.count();
    of_age + u32::try_from(has).unwrap_or(u32::MAX)
}
