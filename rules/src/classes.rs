//! The classes between the boundaries that conditions name: one value of a fact for each.

use std::collections::BTreeSet;

use domain::{FactName, Sex, Title, UtcTime};
use jiff::ToSpan;
use jiff::civil::Date;

use crate::boundaries::Boundaries;
use crate::conditions::{ANY_LICENCE, Answered, Condition, Test, Vocabulary};
use crate::terms::QuestionKind;
use crate::view::{FactSet, OTHER, OTHER_LICENCE, UNANSWERED, View};

/// For each fact that the conditions read, one representative of each of its classes.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    pub by_fact: Vec<(FactSet, Vec<View>)>,
}

impl Classes {
    pub(crate) fn of<'c>(
        conditions: impl Iterator<Item = &'c Condition>,
        vocabulary: &Vocabulary,
    ) -> Classes {
        let mut tests = Vec::new();
        for condition in conditions {
            condition.tests(&mut tests);
        }
        let reading = |facts: FactSet| -> Vec<&Test> {
            let tests = tests.iter().copied();
            tests.filter(|test| test.reads() == facts).collect()
        };
        let facts = FactName::ALL.into_iter().map(|fact| {
            let facts = FactSet::of(fact);
            (facts, representatives(fact, &reading(facts)))
        });
        let questions = (0..).zip(&vocabulary.questions).map(|(place, question)| {
            let facts = FactSet::of_question(place);
            (facts, answers(place, &question.kind, &reading(facts)))
        });
        let limits = (0..).zip(&vocabulary.limits).map(|(place, _)| {
            let facts = FactSet::of_limit(place);
            (facts, left_or_spent(place, &reading(facts)))
        });
        let others = [
            FactSet::MEMBERS,
            FactSet::IN_ORDER,
            FactSet::PLACE,
            FactSet::PLACE_IN_ORDER,
        ];
        let others = others.map(|facts| (facts, sizes(&reading(facts))));
        let by_fact = facts.chain(questions).chain(limits).chain(others);
        Classes {
            by_fact: by_fact.filter(|(_, values)| !values.is_empty()).collect(),
        }
    }

    /// With these instants of the form, and one of each stretch between the boundaries of payment and arrival.
    pub(crate) fn during(mut self, registered: &[UtcTime], boundaries: &Boundaries) -> Classes {
        let first = registered.first().copied();
        let stretches = |ends: &[UtcTime]| -> Vec<UtcTime> {
            let first = ends.first().copied().into_iter().chain(first).min();
            let before = first.map(|first| first.plus_seconds(-1));
            before.into_iter().chain(ends.iter().copied()).collect()
        };
        let kinds = [
            (FactSet::REGISTERED, registered.to_vec()),
            (FactSet::PAID, stretches(&boundaries.paid)),
            (FactSet::RECEIVED, stretches(&boundaries.received)),
        ];
        for (kind, instants) in kinds {
            let view = |at: &UtcTime| View::nobody(*at);
            self.by_fact
                .push((kind, instants.iter().map(view).collect()));
        }
        self
    }
}

fn representatives(fact: FactName, tests: &[&Test]) -> Vec<View> {
    if tests.is_empty() {
        return Vec::new();
    }
    let nobody = View::nobody(UtcTime::from_micros(0));
    match fact {
        FactName::Rating => ratings(tests)
            .into_iter()
            .map(|rating| View { rating, ..nobody })
            .collect(),
        FactName::BirthDate => births(tests)
            .into_iter()
            .map(|birth| View { birth, ..nobody })
            .collect(),
        FactName::Title => titles(tests)
            .into_iter()
            .map(|title| View { title, ..nobody })
            .collect(),
        FactName::Licences => licences(tests)
            .into_iter()
            .map(|licences| View { licences, ..nobody })
            .collect(),
        FactName::Federation => places(tests)
            .into_iter()
            .map(|federation| View {
                federation,
                ..nobody
            })
            .collect(),
        FactName::Club => places(tests)
            .into_iter()
            .map(|club| View { club, ..nobody })
            .collect(),
        FactName::Sex => [Sex::Male, Sex::Female]
            .map(|sex| View { sex, ..nobody })
            .into(),
        FactName::Disability => [false, true]
            .map(|disability| View {
                disability,
                ..nobody
            })
            .into(),
        FactName::Invited => invitations(tests),
        FactName::PreviousParticipant => [false, true]
            .map(|previous| View { previous, ..nobody })
            .into(),
        FactName::AgreedPrice => [None, Some(0)]
            .map(|agreed| View { agreed, ..nobody })
            .into(),
        FactName::Coach => [false, true].map(|coach| View { coach, ..nobody }).into(),
        FactName::Roster => rosters(tests),
        FactName::Institution | FactName::Answers => Vec::new(),
    }
}

/// Sizes of groups and orders from which a condition begins or ends to hold.
pub(crate) fn sizes_of<'c>(conditions: impl Iterator<Item = &'c Condition>) -> Vec<u32> {
    let mut tests = Vec::new();
    for condition in conditions {
        condition.tests(&mut tests);
    }
    first_sizes(&tests)
}

fn first_sizes(tests: &[&Test]) -> Vec<u32> {
    let mut starts = BTreeSet::new();
    for test in tests {
        if let Test::Members(_, range) | Test::InOrder(range) | Test::Place(_, range) = test {
            starts.extend([1]);
            starts.extend(range.from);
            starts.extend(range.to.map(|to| to + 1));
        }
    }
    let sizes = starts.into_iter().filter(|size| *size > 0);
    sizes.filter_map(|size| u32::try_from(size).ok()).collect()
}

/// The smallest group of each size that a condition tells apart.
fn sizes(tests: &[&Test]) -> Vec<View> {
    let view = |size| View {
        members: size,
        in_order: size,
        place: size,
        place_in_order: size,
        ..View::nobody(UtcTime::from_micros(0))
    };
    first_sizes(tests).into_iter().map(view).collect()
}

/// A team of each size, with each number of girls and each mix of levels that conditions tell apart.
fn rosters(tests: &[&Test]) -> Vec<View> {
    let (mut players, mut girls) = (BTreeSet::from([0, 1]), BTreeSet::from([0]));
    let mut by_levels = false;
    for test in tests {
        let (starts, range) = match test {
            Test::Players(range) => (&mut players, range),
            Test::Girls(range) => (&mut girls, range),
            Test::Levels(_) => {
                by_levels = true;
                continue;
            }
            _ => continue,
        };
        starts.extend(range.from);
        starts.extend(range.to.map(|to| to + 1));
    }
    // A team of only girls is as large as there are girls.
    players.extend(girls.iter().copied());
    let nobody = View::nobody(UtcTime::from_micros(0));
    let mut found = Vec::new();
    for players in players {
        for girls in girls.iter().copied().filter(|girls| *girls <= players) {
            let mixes = match (players, by_levels) {
                (0, _) => 0..=0,
                (_, true) => 1..=7,
                (_, false) => 1..=1,
            };
            let count = |number: i32| number.unsigned_abs();
            let mixes = mixes.filter(|levels: &u8| levels.count_ones() <= count(players));
            found.extend(mixes.map(|levels| View {
                players: count(players),
                girls: count(girls),
                levels,
                ..nobody
            }));
        }
    }
    found
}

fn left_or_spent(place: u8, tests: &[&Test]) -> Vec<View> {
    if tests.is_empty() {
        return Vec::new();
    }
    let nobody = View::nobody(UtcTime::from_micros(0));
    [0, 1 << place].map(|spent| View { spent, ..nobody }).into()
}

/// No answer, and one answer of each kind that no condition tells apart.
fn answers(place: u8, kind: &QuestionKind, tests: &[&Test]) -> Vec<View> {
    if tests.is_empty() {
        return Vec::new();
    }
    let answered = tests.iter().filter_map(|test| match test {
        Test::Answer(_, answered) => Some(*answered),
        _ => None,
    });
    let mut values = BTreeSet::new();
    match kind {
        QuestionKind::YesNo => values.extend([0, 1]),
        QuestionKind::Number { from, to } => {
            // The most that can be answered, as a sum may be multiplied by it.
            values.extend([UNANSWERED, *from, *to]);
            for range in answered {
                if let Answered::Number(range) = range {
                    values.extend(range.from);
                    values.extend(range.to.map(|end| end + 1));
                }
            }
            values.retain(|value| *value == UNANSWERED || (*from..=*to).contains(value));
        }
        QuestionKind::Choice(choices) => {
            let count = i32::try_from(choices.len()).unwrap_or(i32::MAX);
            values.extend(UNANSWERED..count);
        }
    }
    let nobody = View::nobody(UtcTime::from_micros(0));
    let view = |value| {
        let mut view = nobody;
        view.answers.0[usize::from(place)] = value;
        view
    };
    values.into_iter().map(view).collect()
}

/// None, and the lowest rating of each band.
fn ratings(tests: &[&Test]) -> Vec<Option<u16>> {
    let mut starts = BTreeSet::from([1]);
    for test in tests {
        if let Test::Rating(range) = test {
            starts.extend(range.from);
            starts.extend(range.to.map(|to| to + 1));
        }
    }
    let rated = starts
        .into_iter()
        .filter_map(|start| u16::try_from(start).ok());
    std::iter::once(None).chain(rated.map(Some)).collect()
}

/// The first day of each stretch between the days of birth that are named.
fn births(tests: &[&Test]) -> Vec<Date> {
    let mut starts = BTreeSet::from([Date::constant(1900, 1, 1)]);
    for test in tests {
        if let Test::Born { days, .. } = test {
            starts.extend(days.from);
            starts.extend(days.to.and_then(|to| to.checked_add(1.day()).ok()));
        }
    }
    starts.into_iter().collect()
}

/// None, and one title of each kind that no condition tells apart.
fn titles(tests: &[&Test]) -> Vec<Option<Title>> {
    use crate::conditions::title_bit;
    let mut seen = BTreeSet::new();
    let every = [
        None,
        Some(Title::Gm),
        Some(Title::Im),
        Some(Title::Fm),
        Some(Title::Cm),
        Some(Title::Wgm),
        Some(Title::Wim),
        Some(Title::Wfm),
        Some(Title::Wcm),
    ];
    let kind = |title: &Option<Title>| -> Vec<bool> {
        let bit = title_bit(*title);
        tests
            .iter()
            .map(|test| matches!(test, Test::Title(titles) if titles & bit != 0))
            .collect()
    };
    every
        .into_iter()
        .filter(|title| seen.insert(kind(title)))
        .collect()
}

/// Every combination of the licences named while they are few; else none, each alone, and all.
fn licences(tests: &[&Test]) -> Vec<u64> {
    const FEW: usize = 6;
    let mut named = 0;
    let mut any = false;
    for test in tests {
        match test {
            Test::Licence(ANY_LICENCE) => any = true,
            Test::Licence(bits) => named |= bits,
            _ => {}
        }
    }
    let mut bits: Vec<u64> = (0..60)
        .map(|place| 1 << place)
        .filter(|bit| named & bit != 0)
        .collect();
    if any {
        bits.push(OTHER_LICENCE);
    }
    if bits.len() <= FEW {
        return (0..1u64 << bits.len())
            .map(|choice| {
                let held = bits.iter().enumerate();
                held.filter(|(place, _)| choice & (1 << place) != 0)
                    .fold(0, |all, (_, bit)| all | bit)
            })
            .collect();
    }
    let all = bits.iter().fold(0, |all, bit| all | bit);
    std::iter::once(0).chain(bits).chain([all]).collect()
}

/// Nobody invited, somebody who is, and who has each code that is named.
fn invitations(tests: &[&Test]) -> Vec<View> {
    let nobody = View::nobody(UtcTime::from_micros(0));
    let named = tests.iter().fold(0, |named, test| match test {
        Test::Code(bits) => named | bits,
        _ => named,
    });
    let codes = (0..60).filter(|place| named & (1u64 << place) != 0);
    let codes = codes.map(|code| View { code, ..nobody });
    [false, true]
        .map(|invited| View { invited, ..nobody })
        .into_iter()
        .chain(codes)
        .collect()
}

/// Each federation or club that is named, and one that is not.
fn places(tests: &[&Test]) -> Vec<u8> {
    let named = tests.iter().fold(0, |named, test| match test {
        Test::Federation(bits) | Test::Club(bits) => named | bits,
        _ => named,
    });
    let listed = (0..60).filter(|place| named & (1 << place) != 0);
    std::iter::once(OTHER).chain(listed).collect()
}
