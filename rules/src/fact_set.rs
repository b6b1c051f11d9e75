//! Sets of what a condition may read: facts, the organiser's questions, and what is given with the question to the engine.

use domain::FactName;

/// How many questions a regulation may ask.
pub(crate) const QUESTIONS: usize = 24;
/// How many limited rows a regulation may have.
pub(crate) const LIMITS: usize = 8;
/// Where the bits of the limited rows begin.
const FIRST_LIMIT: u32 = 16;
/// Where the bits of the questions begin.
const FIRST_QUESTION: u32 = 32;

/// A set of facts; each of the organiser's questions is one by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FactSet(u64);

impl FactSet {
    pub(crate) const EMPTY: FactSet = FactSet(0);
    pub(crate) const ALL: FactSet = FactSet(u64::MAX);
    /// The instant of the form, which is no fact of the entrant.
    pub(crate) const REGISTERED: FactSet = FactSet(1 << 31);
    /// The instant of the payment.
    pub(crate) const PAID: FactSet = FactSet(1 << 30);
    /// The instant at which the money arrives.
    pub(crate) const RECEIVED: FactSet = FactSet(1 << 29);
    /// Whether there is anything left of each limited row.
    pub(crate) const LIMITS: FactSet = FactSet(((1 << LIMITS) - 1) << FIRST_LIMIT);
    /// How many there are of the entrant's group.
    pub(crate) const MEMBERS: FactSet = FactSet(1 << 24);
    /// How many entries the order has.
    pub(crate) const IN_ORDER: FactSet = FactSet(1 << 25);
    /// The entry's place among its group.
    pub(crate) const PLACE: FactSet = FactSet(1 << 26);
    /// Its place in the order.
    pub(crate) const PLACE_IN_ORDER: FactSet = FactSet(1 << 27);
    /// Either.
    pub(crate) const PLACES: FactSet = FactSet::PLACE.union(FactSet::PLACE_IN_ORDER);
    /// How many others there are, and who came before.
    pub(crate) const OTHERS: FactSet = FactSet::MEMBERS
        .union(FactSet::IN_ORDER)
        .union(FactSet::PLACES);
    /// What no entrant says: it is given with the question.
    pub(crate) const GIVEN: FactSet = FactSet::INSTANTS
        .union(FactSet::LIMITS)
        .union(FactSet::OTHERS);
    /// Those of the money.
    pub(crate) const OF_MONEY: FactSet = FactSet::PAID.union(FactSet::RECEIVED);
    /// What is known only after the form.
    pub(crate) const LATER: FactSet = FactSet::OF_MONEY.union(FactSet::OTHERS);
    /// Every instant.
    pub(crate) const INSTANTS: FactSet = FactSet::REGISTERED.union(FactSet::OF_MONEY);

    /// All questions together are the fact `answers`.
    pub(crate) const fn of(fact: FactName) -> FactSet {
        match fact {
            FactName::Answers => FactSet(((1 << QUESTIONS) - 1) << FIRST_QUESTION),
            fact => FactSet(1 << fact as u32),
        }
    }

    pub(crate) const fn of_limit(place: u8) -> FactSet {
        FactSet(1 << (FIRST_LIMIT + place as u32))
    }

    pub(crate) const fn of_question(place: u8) -> FactSet {
        FactSet(1 << (FIRST_QUESTION + place as u32))
    }

    pub(crate) const fn union(self, other: FactSet) -> FactSet {
        FactSet(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: FactSet) -> FactSet {
        FactSet(self.0 & !other.0)
    }

    pub(crate) const fn both(self, other: FactSet) -> FactSet {
        FactSet(self.0 & other.0)
    }

    pub(crate) const fn has(self, other: FactSet) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn names(self) -> impl Iterator<Item = FactName> {
        let answers = FactSet::of(FactName::Answers);
        let asked = u64::from(!self.both(answers).is_empty()) << FactName::Answers as u32;
        let mut left = self.without(answers).0 | asked;
        std::iter::from_fn(move || {
            let fact = FactName::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(*fact)
        })
    }

    /// The questions in it.
    pub(crate) fn questions(self) -> impl Iterator<Item = u8> {
        (0..QUESTIONS as u8).filter(move |place| self.has(FactSet::of_question(*place)))
    }
}
