//! Conditions: structured, so that a program can reason about them. Each compares facts with constants and is true,
//! false, or undecided where a fact is not known at the grade that is asked for.

use domain::{FactName, Sex, Title};
use jiff::civil::Date;

use crate::terms::{GroupedBy, Window};
pub(crate) use crate::view::{FactSet, Trust, UNANSWERED, View, Vocabulary};

/// A condition.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Test(Test),
}

/// Both ends inclusive; open where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range<T> {
    pub from: Option<T>,
    pub to: Option<T>,
}

impl<T: PartialOrd + Copy> Range<T> {
    pub(crate) fn holds(&self, value: T) -> bool {
        self.from.is_none_or(|from| from <= value) && self.to.is_none_or(|to| value <= to)
    }
}

/// One fact against constants.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Test {
    /// FIDE rating; an unrated player is below every limit.
    Rating(Range<i32>),
    /// Has no rating.
    Unrated(bool),
    /// Day of birth; `ages` is what the file said where it said it in years of age.
    Born {
        days: Range<Date>,
        ages: Option<Range<i32>>,
    },
    /// A bit for each title and one for none.
    Title(u16),
    /// At least one of these licences.
    Licence(u64),
    /// A bit for each federation that the file names.
    Federation(u64),
    Sex(Sex),
    Disability(bool),
    Invited(bool),
    /// A bit for each code that the file names.
    Code(u64),
    Previous(bool),
    Agreed(bool),
    /// A bit for each club that the file names.
    Club(u64),
    /// The instant of the form.
    Registered(Window),
    /// The instant of the payment.
    Paid(Window),
    /// The instant at which the money arrives.
    Received(Window),
    /// Size of the roster.
    Players(Range<i32>),
    /// Girls in the roster.
    Girls(Range<i32>),
    /// Levels that the pupils may attend.
    Levels(u8),
    /// A coach or delegate is named.
    Coach(bool),
    /// How many there are of the entrant's group, this one included.
    Members(GroupedBy, Range<i32>),
    /// How many entries the order has, this one included.
    InOrder(Range<i32>),
    /// The entry's place among its group, or in its order where no group is said, from 1.
    Place(Option<GroupedBy>, Range<i32>),
    /// Something is left of the limited row at this place.
    First(u8),
    /// What was answered to the question at this place.
    Answer(u8, Answered),
}

/// What an answer is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answered {
    /// Yes, or anything else.
    Yes(bool),
    /// A number in this range.
    Number(Range<i32>),
    /// A bit for each of these choices.
    OneOf(u64),
}

impl Answered {
    fn holds(self, answer: i32) -> bool {
        match self {
            Answered::Yes(wanted) => (answer == 1) == wanted,
            Answered::Number(range) => answer != UNANSWERED && range.holds(answer),
            Answered::OneOf(choices) => {
                u8::try_from(answer).is_ok_and(|place| in_set(choices, place))
            }
        }
    }
}

/// The bit of a title, and that of having none.
pub(crate) fn title_bit(title: Option<Title>) -> u16 {
    title.map_or(1 << 15, |title| 1 << title as u16)
}

/// Every licence.
pub(crate) const ANY_LICENCE: u64 = u64::MAX;

impl Condition {
    pub(crate) const ALWAYS: Condition = Condition::All(Vec::new());

    /// Whether it holds; `None` where facts that matter are not known at this grade.
    pub(crate) fn holds(&self, view: &View, trust: Trust) -> Option<bool> {
        match self {
            Condition::Test(test) => test.holds(view, trust),
            Condition::Not(inner) => inner.holds(view, trust).map(|held| !held),
            Condition::All(parts) => decide(parts, view, trust, false),
            Condition::Any(parts) => decide(parts, view, trust, true),
        }
    }

    /// The questions that it reads, into the set of those by which something is ordered, where it holds for an answer, or into that of
    /// those by which something is claimed, where it holds for a no, or for all but an answer.
    pub(crate) fn asks(&self, denied: bool, (ordered, claimed): (&mut FactSet, &mut FactSet)) {
        match self {
            Condition::Test(Test::Answer(place, answered)) => {
                let question = FactSet::of_question(*place);
                let set = match denied || *answered == Answered::Yes(false) {
                    true => claimed,
                    false => ordered,
                };
                *set = set.union(question);
            }
            Condition::Test(_) => {}
            Condition::Not(inner) => inner.asks(!denied, (ordered, claimed)),
            Condition::All(parts) | Condition::Any(parts) => {
                for part in parts {
                    part.asks(denied, (ordered, claimed));
                }
            }
        }
    }

    /// Every test in it.
    pub(crate) fn tests<'a>(&'a self, found: &mut Vec<&'a Test>) {
        match self {
            Condition::Test(test) => found.push(test),
            Condition::Not(inner) => inner.tests(found),
            Condition::All(parts) | Condition::Any(parts) => {
                for part in parts {
                    part.tests(found);
                }
            }
        }
    }

    /// How much it says: its comparisons, and what joins them.
    pub(crate) fn says(&self) -> usize {
        match self {
            Condition::Test(_) => 1,
            Condition::Not(inner) => 1 + inner.says(),
            Condition::All(parts) | Condition::Any(parts) => {
                1 + parts.iter().map(Condition::says).sum::<usize>()
            }
        }
    }

    /// Facts that it reads.
    pub(crate) fn reads(&self) -> FactSet {
        match self {
            Condition::Test(test) => test.reads().union(test.stands_on()),
            Condition::Not(inner) => inner.reads(),
            Condition::All(parts) | Condition::Any(parts) => {
                let facts = parts.iter().map(Condition::reads);
                facts.fold(FactSet::EMPTY, FactSet::union)
            }
        }
    }

    /// The tests because of which it does not hold. Of alternatives the first is told.
    pub(crate) fn failing<'a>(&'a self, view: &View, trust: Trust, found: &mut Vec<&'a Test>) {
        match self {
            _ if self.holds(view, trust) == Some(true) => {}
            Condition::Test(test) => found.push(test),
            Condition::Not(inner) => inner.tests(found),
            Condition::All(parts) => {
                for part in parts {
                    part.failing(view, trust, found);
                }
            }
            Condition::Any(parts) => {
                if let Some(first) = parts.first() {
                    first.failing(view, trust, found);
                }
            }
        }
    }
}

/// `any` decides on the first that holds, `all` on the first that does not.
fn decide(parts: &[Condition], view: &View, trust: Trust, decisive: bool) -> Option<bool> {
    let mut answer = Some(!decisive);
    for part in parts {
        match part.holds(view, trust) {
            Some(held) if held == decisive => return Some(decisive),
            Some(_) => {}
            None => answer = None,
        }
    }
    answer
}

impl Test {
    pub(crate) fn reads(&self) -> FactSet {
        FactSet::of(match self {
            Test::Rating(_) | Test::Unrated(_) => FactName::Rating,
            Test::Born { .. } => FactName::BirthDate,
            Test::Title(_) => FactName::Title,
            Test::Licence(_) => FactName::Licences,
            Test::Federation(_) => FactName::Federation,
            Test::Sex(_) => FactName::Sex,
            Test::Disability(_) => FactName::Disability,
            Test::Invited(_) | Test::Code(_) => FactName::Invited,
            Test::Previous(_) => FactName::PreviousParticipant,
            Test::Agreed(_) => FactName::AgreedPrice,
            Test::Club(_) => FactName::Club,
            Test::Registered(_) => return FactSet::REGISTERED,
            Test::Paid(_) => return FactSet::PAID,
            Test::Received(_) => return FactSet::RECEIVED,
            Test::Players(_) | Test::Girls(_) | Test::Levels(_) => FactName::Roster,
            Test::Coach(_) => FactName::Coach,
            Test::Members(..) => return FactSet::MEMBERS,
            Test::InOrder(_) => return FactSet::IN_ORDER,
            Test::Place(None, _) => return FactSet::PLACE_IN_ORDER,
            Test::Place(Some(_), _) => return FactSet::PLACE,
            Test::First(place) => return FactSet::of_limit(*place),
            Test::Answer(place, _) => return FactSet::of_question(*place),
        })
    }

    /// The fact of the entrant that it stands on, if it reads none itself: who is of a club is counted by it.
    fn stands_on(&self) -> FactSet {
        let (Test::Members(group, _) | Test::Place(Some(group), _)) = self else {
            return FactSet::EMPTY;
        };
        FactSet::of(match group {
            GroupedBy::Club => FactName::Club,
            GroupedBy::Federation => FactName::Federation,
            GroupedBy::Institution => FactName::Institution,
        })
    }

    pub(crate) fn holds(&self, view: &View, trust: Trust) -> Option<bool> {
        let facts = self.reads();
        if !view.known[0].has(facts) {
            return None;
        }
        // An invitation or an agreement that nobody checked is none.
        let checked = view.known[2].has(facts);
        if !matches!(self, Test::Invited(_) | Test::Code(_) | Test::Agreed(_))
            && trust != Trust::Declared
            && !view.known[trust as usize].has(facts.union(self.stands_on()))
        {
            return None;
        }
        Some(match self {
            Test::Rating(range) => range.holds(view.rating.map_or(-1, i32::from)),
            Test::Unrated(wanted) => view.rating.is_none() == *wanted,
            Test::Born { days, .. } => days.holds(view.birth),
            Test::Title(titles) => titles & title_bit(view.title) != 0,
            Test::Licence(licences) => licences & view.licences != 0,
            Test::Federation(named) => in_set(*named, view.federation),
            Test::Sex(sex) => view.sex == *sex,
            Test::Disability(wanted) => view.disability == *wanted,
            Test::Invited(wanted) => (checked && view.invited) == *wanted,
            Test::Code(named) => checked && in_set(*named, view.code),
            Test::Previous(wanted) => view.previous == *wanted,
            Test::Agreed(wanted) => (checked && view.agreed.is_some()) == *wanted,
            Test::Club(named) => in_set(*named, view.club),
            Test::Registered(window) => window.holds(view.at.registered),
            Test::Paid(window) => window.holds(view.at.paid),
            Test::Received(window) => window.holds(view.at.received),
            Test::Players(range) => range.holds(count(view.players)),
            Test::Girls(range) => range.holds(count(view.girls)),
            Test::Levels(allowed) => view.levels & !allowed == 0,
            Test::Coach(wanted) => view.coach == *wanted,
            Test::Members(_, range) => range.holds(count(view.members)),
            Test::InOrder(range) => range.holds(count(view.in_order)),
            Test::Place(None, range) => range.holds(count(view.place_in_order)),
            Test::Place(Some(_), range) => range.holds(count(view.place)),
            Test::First(place) => view.spent & (1 << place) == 0,
            Test::Answer(place, answered) => answered.holds(view.answers.to(*place)),
        })
    }
}

fn count(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn in_set(bits: u64, position: u8) -> bool {
    1u64.checked_shl(position.into())
        .is_some_and(|bit| bits & bit != 0)
}
