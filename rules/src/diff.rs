//! What changes between two regulations: what they say, clause by clause; and whose price, by the same walk over classes of
//! entrants as `check`, through both at once.

mod clauses;

mod promotions;

use std::collections::BTreeMap;

use domain::{Currency, SectionId};
use serde::Serialize;

pub use self::promotions::PromotionChange;
use crate::boundaries::Boundaries;
use crate::check::{Limits, example};
use crate::classes::Classes;
use crate::conditions::{FactSet, View};
use crate::price;
use crate::regulation::{Regulation, RegulationError};
use crate::undecided::{Undecided, undecided};
use crate::walk::ground::fixed;

pub use clauses::{ClauseChange, clauses};

/// What two regulations say of one class of entrants in one section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// In which section.
    pub section: SectionId,
    /// In which currency the sums are.
    pub currency: Currency,
    /// What the first one says.
    pub before: Outcome,
    /// What the second one says.
    pub after: Outcome,
    /// Somebody it happens to.
    pub example: String,
}

/// What a regulation says of an entrant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// It takes no entries at this instant.
    Closed,
    /// It does not admit them.
    Refused,
    /// It admits them and has no price in this currency.
    NoPrice,
    /// What they pay.
    Price {
        /// Minor units.
        total: i64,
        /// The rows that make it, in the order of the lines.
        rows: Vec<String>,
    },
}

/// All that is different.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diff {
    /// By section and currency, in the order of the first regulation.
    pub differences: Vec<Difference>,
    /// Sections that only the first one has.
    pub gone: Vec<SectionId>,
    /// Sections that only the second one has.
    pub new: Vec<SectionId>,
    /// Currencies that only the first one has.
    pub gone_currencies: Vec<Currency>,
    /// Currencies that only the second one has.
    pub new_currencies: Vec<Currency>,
    /// Promotions that they say otherwise.
    pub promotions: Vec<PromotionChange>,
    /// Sections with more classes of entrants than were looked at: there may be more differences.
    pub not_proved: Vec<SectionId>,
}

/// Why two regulations cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// They have no currency in common.
    #[error("one is in {0}, the other in {1}")]
    Currencies(Currency, Currency),
    /// Together they name more than the engine tells apart.
    #[error("together they name too much: {0}")]
    TooMuch(RegulationError),
}

/// Compares what two regulations charge whom.
///
/// # Errors
/// [`DiffError`] where there is nothing to compare.
pub fn diff(before: &Regulation, after: &Regulation, limits: &Limits) -> Result<Diff, DiffError> {
    let only = |of: &Regulation, other: &Regulation| -> Vec<Currency> {
        let all = of.currencies.iter().copied();
        all.filter(|currency| !other.currencies.contains(currency))
            .collect()
    };
    let (gone_currencies, new_currencies) = (only(before, after), only(after, before));
    if gone_currencies.len() == before.currencies.len() {
        return Err(DiffError::Currencies(before.currency(), after.currency()));
    }
    let version = after.reference.version;
    let words = before.vocabulary.clone();
    let after = Regulation::parse_in("the second", &after.source, version, words)
        .map_err(DiffError::TooMuch)?;
    let only = |of: &Regulation, other: &Regulation| -> Vec<SectionId> {
        let ids = of.sections().map(|section| section.id.clone());
        ids.filter(|id| other.section(id).is_none()).collect()
    };
    let mut found = Diff {
        differences: Vec::new(),
        gone: only(before, &after),
        new: only(&after, before),
        gone_currencies,
        new_currencies,
        promotions: promotions::changed(before, &after),
        not_proved: Vec::new(),
    };
    for (place, section) in before.sections().enumerate() {
        let Some(other) = after.section_position(&section.id) else {
            continue;
        };
        let both = before.currencies.iter();
        let both = both.filter(|currency| after.currencies.contains(currency));
        for (number, currency) in both.enumerate() {
            let mut walk = Walk::new(before, &after, [place, other], limits.classes);
            walk.run(*currency);
            walk.tell(&section.id, *currency, number == 0, &mut found);
        }
    }
    Ok(found)
}

struct Walk<'r> {
    sides: [&'r Regulation; 2],
    sections: [usize; 2],
    classes: Classes,
    left: u32,
    stopped: bool,
    /// Somebody for each pair of outcomes.
    found: BTreeMap<(Outcome, Outcome), View>,
}

impl<'r> Walk<'r> {
    fn new(
        before: &'r Regulation,
        after: &'r Regulation,
        sections: [usize; 2],
        left: u32,
    ) -> Walk<'r> {
        let sides = [before, after];
        let conditions = || {
            sides.iter().zip(sections).flat_map(|(side, section)| {
                let rows = side
                    .admissions
                    .iter()
                    .filter(move |row| row.covers(section));
                let needs = rows.flat_map(|row| [&row.when, &row.needs]);
                side.fees.conditions().chain(needs)
            })
        };
        let windows = sides.iter().flat_map(|side| {
            let window = side.entry.window;
            [window.from, window.before]
        });
        let boundaries = Boundaries::of(conditions());
        let mut instants = boundaries.registered.clone();
        instants.extend(windows.flatten());
        instants.sort_unstable();
        instants.dedup();
        if let Some(first) = instants.first() {
            instants.insert(0, first.plus_seconds(-1));
        }
        Walk {
            sides,
            sections,
            classes: Classes::of(conditions(), &after.vocabulary).during(&instants, &boundaries),
            left,
            stopped: false,
            found: BTreeMap::new(),
        }
    }

    fn run(&mut self, currency: Currency) {
        let [_, after] = self.sides;
        let mut nobody = View::nobody(self.sides[0].play.begins);
        nobody.known[0] = self.fixed();
        nobody.currency = after.vocabulary.place_of(currency);
        self.split(&nobody);
    }

    /// Who is let in and when does not go by the currency, and is told with the first one only.
    fn tell(self, section: &SectionId, currency: Currency, first: bool, diff: &mut Diff) {
        if self.stopped && diff.not_proved.last() != Some(section) {
            diff.not_proved.push(section.clone());
        }
        let [_, after] = self.sides;
        let is_price = |outcome: &Outcome| matches!(outcome, Outcome::Price { .. });
        let found = self.found.iter();
        let found =
            found.filter(|((before, later), _)| first || is_price(before) || is_price(later));
        let told = found.map(|((before, later), view)| Difference {
            section: section.clone(),
            currency,
            before: before.clone(),
            after: later.clone(),
            example: example::of(after, self.sections[1], view),
        });
        diff.differences.extend(told);
    }

    /// What is the same for all entrants, where both are for the same kind of them.
    fn fixed(&self) -> FactSet {
        let [before, after] = [0, 1].map(|side| {
            let section = self.sections[side];
            self.sides[side].sections[section].kind
        });
        if before == after {
            fixed(before)
        } else {
            FactSet::EMPTY
        }
    }

    fn split(&mut self, view: &View) {
        if self.left == 0 {
            self.stopped = true;
            return;
        }
        self.left -= 1;
        // When one enters matters always: a window may have moved.
        if !view.known[0].has(FactSet::REGISTERED) {
            return self.split_on(view, FactSet::REGISTERED);
        }
        for (side, section) in self.sides.into_iter().zip(self.sections) {
            if !side.entry.window.holds(view.at.registered) {
                continue;
            }
            if let Undecided::On(facts) = undecided(side, section, view) {
                return self.split_on(view, facts);
            }
        }
        let [before, after] = [0, 1].map(|side| self.outcome(side, view));
        if before != after {
            self.found.entry((before, after)).or_insert(*view);
        }
    }

    fn split_on(&mut self, view: &View, facts: FactSet) {
        let mut by_fact = self.classes.by_fact.iter();
        let Some((of, values)) = by_fact.find(|(of, _)| facts.has(*of)).cloned() else {
            // A fact without classes, such as a roster: nothing can be said about it.
            self.stopped = true;
            return;
        };
        for value in &values {
            let mut class = view.with(of, value);
            class.known[0] = class.known[0].union(of);
            if class.may_be() {
                self.split(&class);
            }
        }
    }

    fn outcome(&self, side: usize, view: &View) -> Outcome {
        let (regulation, section) = (self.sides[side], self.sections[side]);
        if !regulation.entry.window.holds(view.at.registered) {
            return Outcome::Closed;
        }
        if let Undecided::Refused = undecided(regulation, section, view) {
            return Outcome::Refused;
        }
        let mut rows = Vec::new();
        let tell = |piece: price::Piece<'_>| rows.push(piece.rule.to_string());
        match price::price(&regulation.fees, section, view, tell) {
            Some(total) => Outcome::Price { total, rows },
            None => Outcome::NoPrice,
        }
    }
}
