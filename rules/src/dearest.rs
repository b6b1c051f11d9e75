//! What an entrant would pay who could claim nothing: for each section, currency and stretch of time the facts that cost
//! most. Against it a quote tells which declared facts lowered its total.

use domain::{FactName, Instants, UtcTime};

use crate::boundaries::{Boundaries, stretch};
use crate::classes::{Classes, sizes_of};
use crate::conditions::{Condition, FactSet, Trust};
use crate::fees::{Adjustment, Change, Combine, Fees, Same, Stage};
use crate::price::amount;
use crate::view::{View, Vocabulary};

/// The dearest facts by stretch of time and section.
#[derive(Clone, Debug)]
pub(crate) struct Dearest {
    /// Instants at which a row begins or ends to apply.
    pub boundaries: Boundaries,
    /// Sizes of groups and orders from which a row begins or ends to apply.
    pub sizes: Vec<u32>,
    /// Facts that prices depend on.
    pub reads: FactSet,
    /// Questions by whose answers something is ordered.
    pub ordered: FactSet,
    /// How many currencies there are.
    currencies: usize,
    /// By stretch of the form, of the payment and of the arrival, then by currency, then by section.
    views: Vec<Vec<View>>,
}

impl Dearest {
    pub(crate) fn of(fees: &Fees, vocabulary: &Vocabulary, sections: usize) -> Dearest {
        let boundaries = Boundaries::of(fees.conditions());
        let classes = Classes::of(fees.conditions(), vocabulary);
        let searches = vocabulary.currencies.len() * boundaries.stretches();
        let mut purse = Purse::of(fees, sections, searches);
        let conditions = (0..).zip(&vocabulary.currencies).map(|(currency, _)| {
            let conditions = fees.conditions_in(currency);
            let conditions = conditions.map(|one| (one, one.reads()));
            conditions.collect::<Vec<_>>()
        });
        let conditions: Vec<_> = conditions.collect();
        let mut views = Vec::new();
        for registered in starts(&boundaries.registered) {
            for paid in starts(&boundaries.paid) {
                for received in starts(&boundaries.received) {
                    let at = Instants {
                        registered,
                        paid,
                        received,
                    };
                    for (currency, conditions) in (0..).zip(&conditions) {
                        let mut search = Search {
                            fees,
                            conditions,
                            classes: &classes,
                            left: purse.take(),
                            reached: false,
                            best: vec![None; sections],
                        };
                        views.push(search.of(currency, at));
                        purse.left += search.left;
                    }
                }
            }
        }
        Dearest {
            sizes: sizes_of(fees.conditions()),
            boundaries,
            reads: fees.reads(),
            ordered: ordered(fees),
            currencies: vocabulary.currencies.len(),
            views,
        }
    }

    /// The facts that cost most in a section in this currency at these instants.
    pub(crate) fn view(&self, section: usize, currency: u8, at: Instants) -> Option<&View> {
        let Boundaries {
            registered,
            paid,
            received,
        } = &self.boundaries;
        let place = stretch(registered, at.registered);
        let place = place * (paid.len() + 1) + stretch(paid, at.paid);
        let place = place * (received.len() + 1) + stretch(received, at.received);
        let place = place * self.currencies + usize::from(currency);
        self.views.get(place)?.get(section)
    }
}

/// Questions by which something is ordered and nothing claimed: a sum is multiplied by the answer, or they are read only by rows that
/// add to the price of who answers so. Who orders nothing claims nothing.
fn ordered(fees: &Fees) -> FactSet {
    let multiplied = fees.adjustments().filter_map(|row| row.times);
    let multiplied = multiplied.fold(FactSet::EMPTY, |all, question| {
        all.union(FactSet::of_question(question))
    });
    // A charge that ends another, or takes its place, may lower the price, and one that others end goes by what those go by; one
    // that goes by other facts too makes a claim of them.
    let ends = fees.rows.iter().map(|row| row.ends);
    let ended = ends.chain(fees.adjustments().map(|row| row.ends));
    let ended = ended.fold(0, |all, ends| all | ends);
    let asked = FactSet::of(FactName::Answers).union(FactSet::GIVEN);
    let adds = |stage: &Stage, row: &Adjustment| {
        let mut changes = row.changes.iter().flatten();
        let none_less = changes.all(|change| match change {
            Change::Amount(amount) => *amount >= 0,
            Change::Share(points) => *points >= 0,
        });
        let alone = row.when.reads().without(asked).is_empty();
        let free = (row.ends | row.bit & ended) == 0;
        none_less && alone && free && stage.combine == Combine::Sum
    };
    let (mut ordered, mut claimed) = (FactSet::EMPTY, FactSet::EMPTY);
    let mut others = Vec::new();
    for stage in &fees.stages {
        for row in &stage.adjustments {
            if adds(stage, row) {
                row.when.asks(false, (&mut ordered, &mut claimed));
            } else {
                others.push(&row.when);
            }
        }
    }
    let promoted = fees.promotions.iter().filter_map(|row| match &row.same {
        Same::Person { when, .. } => Some(when),
        Same::Institution { .. } => None,
    });
    let rows = fees.rows.iter().map(|row| &row.when);
    for when in rows.chain(others).chain(promoted) {
        claimed = claimed.union(when.reads());
    }
    ordered.without(claimed).union(multiplied)
}

/// The first instant of each stretch.
fn starts(boundaries: &[UtcTime]) -> impl Iterator<Item = UtcTime> {
    let first = UtcTime::from_micros(i64::MIN);
    std::iter::once(first).chain(boundaries.iter().copied())
}

/// How many classes are looked at in one stretch and currency; past it the dearest one found so far counts.
const BUDGET: usize = 20_000;
/// How much is looked at for a whole file, in rows and in what conditions say.
const WORK: usize = 20_000_000;

/// What all searches together may still look at.
struct Purse {
    left: usize,
    searches: usize,
}

impl Purse {
    fn of(fees: &Fees, sections: usize, searches: usize) -> Purse {
        let said: usize = fees.conditions().map(Condition::says).sum();
        let rows = fees.rows.len() + fees.adjustments().count();
        Purse {
            left: WORK / (said + rows * sections).max(1),
            searches,
        }
    }

    /// The budget of the next search: an equal share of what there is. What one leaves the later ones have.
    fn take(&mut self) -> usize {
        let share = (self.left / self.searches.max(1)).min(BUDGET);
        self.searches = self.searches.saturating_sub(1);
        self.left = self.left.saturating_sub(share);
        share
    }
}

/// Depth first over the classes, splitting only on a fact that an undecided row still mentions. No section splits otherwise than
/// another, so that one search is for all.
struct Search<'f> {
    fees: &'f Fees,
    /// Each with the facts that it reads.
    conditions: &'f [(&'f Condition, FactSet)],
    classes: &'f Classes,
    left: usize,
    /// Whether it came to a class: to one it comes whatever is left.
    reached: bool,
    /// For each section.
    best: Vec<Option<(i64, View)>>,
}

impl Search<'_> {
    /// The dearest of each section.
    fn of(&mut self, currency: u8, at: Instants) -> Vec<View> {
        let mut nobody = View::nobody(at.registered);
        (nobody.at, nobody.currency) = (at, currency);
        // Nobody claims an invitation, an agreed price or a free place here; the instants are given.
        nobody.spent = u8::MAX;
        nobody.known[0] = FactSet::GIVEN
            .union(FactSet::of(FactName::Invited))
            .union(FactSet::of(FactName::AgreedPrice));
        self.split(&nobody, 0);
        let best = std::mem::take(&mut self.best).into_iter();
        best.map(|best| best.map_or_else(|| View::nobody(at.registered), |(_, view)| view))
            .collect()
    }

    /// Conditions before `from` are decided, and stay so whatever else is known.
    fn split(&mut self, view: &View, from: usize) {
        if self.left == 0 && self.reached {
            return;
        }
        self.left = self.left.saturating_sub(1);
        let conditions = self.conditions.iter().enumerate().skip(from);
        let mut open = conditions.filter_map(|(place, (condition, reads))| {
            let missing = reads.without(view.known[0]);
            let is_open = !missing.is_empty() && condition.holds(view, Trust::Declared).is_none();
            is_open.then_some((place, missing))
        });
        let next = open.next().and_then(|(place, facts)| {
            let mut by_fact = self.classes.by_fact.iter();
            let (of, values) = by_fact.find(|(of, _)| facts.has(*of))?;
            Some((place, of, values))
        });
        let Some((place, of, values)) = next else {
            self.leaf(view);
            return;
        };
        for value in values {
            let mut class = view.with(*of, value);
            class.known[0] = class.known[0].union(*of);
            self.split(&class, place);
        }
    }

    fn leaf(&mut self, view: &View) {
        let mut view = *view;
        view.known[0] = FactSet::ALL;
        self.reached = true;
        for (section, best) in self.best.iter_mut().enumerate() {
            if let Some(amount) = amount(self.fees, section, &view)
                && best.is_none_or(|(most, _)| amount > most)
            {
                *best = Some((amount, view));
            }
        }
    }
}
