//! What an entrant would pay who could claim nothing: for each section, currency and stretch of time the facts that cost
//! most. Against it a quote tells which declared facts lowered its total.

use domain::{FactName, Instants, UtcTime};

use crate::boundaries::{Boundaries, stretch};
use crate::classes::{Classes, sizes_of};
use crate::conditions::{Condition, FactSet, Trust};
use crate::fees::Fees;
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
    /// Questions by whose answers sums are multiplied.
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
        let mut purse = Purse::of(
            fees,
            sections * vocabulary.currencies.len() * boundaries.stretches(),
        );
        let mut search = |place, at| {
            let budget = purse.take();
            let (view, left) = search(fees, &classes, place, at, budget);
            purse.left += left;
            view
        };
        let mut views = Vec::new();
        for registered in starts(&boundaries.registered) {
            for paid in starts(&boundaries.paid) {
                for received in starts(&boundaries.received) {
                    let at = Instants {
                        registered,
                        paid,
                        received,
                    };
                    for (currency, _) in (0..).zip(&vocabulary.currencies) {
                        let of = |section| search((section, currency), at);
                        views.push((0..sections).map(of).collect());
                    }
                }
            }
        }
        Dearest {
            sizes: sizes_of(fees.conditions()),
            boundaries,
            reads: fees.reads(),
            ordered: fees
                .adjustments()
                .filter_map(|row| row.times)
                .fold(FactSet::EMPTY, |all, question| {
                    all.union(FactSet::of_question(question))
                }),
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

/// The first instant of each stretch.
fn starts(boundaries: &[UtcTime]) -> impl Iterator<Item = UtcTime> {
    let first = UtcTime::from_micros(i64::MIN);
    std::iter::once(first).chain(boundaries.iter().copied())
}

/// How many classes are looked at in one section, stretch and currency; past it the dearest one found so far counts.
const BUDGET: usize = 20_000;
/// As many as lead to one class at least: each fact is split on once.
const LEAST: usize = 64;
/// How much is looked at for a whole file, in rows and in what conditions say.
const WORK: usize = 40_000_000;

/// What all searches together may still look at.
struct Purse {
    left: usize,
    searches: usize,
}

impl Purse {
    fn of(fees: &Fees, searches: usize) -> Purse {
        let said: usize = fees.conditions().map(Condition::says).sum();
        Purse {
            left: WORK / (said + fees.rows.len()).max(1),
            searches,
        }
    }

    /// The budget of the next search: an equal share of what there is. What one leaves the later ones have.
    fn take(&mut self) -> usize {
        let share = (self.left / self.searches.max(1)).clamp(LEAST, BUDGET);
        self.searches = self.searches.saturating_sub(1);
        self.left = self.left.saturating_sub(share);
        share
    }
}

/// Depth first over the classes, splitting only on a fact that an undecided row still mentions; the dearest, and what is left
/// of the budget.
fn search(
    fees: &Fees,
    classes: &Classes,
    (section, currency): (usize, u8),
    at: Instants,
    budget: usize,
) -> (View, usize) {
    let conditions = fees.conditions_in(currency);
    let mut search = Search {
        fees,
        conditions: conditions.map(|one| (one, one.reads())).collect(),
        classes,
        section,
        left: budget,
        best: None,
    };
    let mut nobody = View::nobody(at.registered);
    (nobody.at, nobody.currency) = (at, currency);
    // Nobody claims an invitation, an agreed price or a free place here; the instants are given.
    nobody.spent = u8::MAX;
    nobody.known[0] = FactSet::GIVEN
        .union(FactSet::of(FactName::Invited))
        .union(FactSet::of(FactName::AgreedPrice));
    search.split(&nobody);
    let best = search.best.map(|(_, view)| view);
    (
        best.unwrap_or_else(|| View::nobody(at.registered)),
        search.left,
    )
}

struct Search<'f> {
    fees: &'f Fees,
    /// Each with the facts that it reads.
    conditions: Vec<(&'f Condition, FactSet)>,
    classes: &'f Classes,
    section: usize,
    left: usize,
    best: Option<(i64, View)>,
}

impl Search<'_> {
    fn split(&mut self, view: &View) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let open = self.conditions.iter().map(|(condition, reads)| {
            let missing = reads.without(view.known[0]);
            (condition, missing)
        });
        let facts = open
            .filter(|(_, missing)| !missing.is_empty())
            .find(|(condition, _)| condition.holds(view, Trust::Declared).is_none())
            .map(|(_, missing)| missing);
        let next = facts.and_then(|facts| {
            let mut by_fact = self.classes.by_fact.iter();
            by_fact.find(|(of, _)| facts.has(*of))
        });
        let Some((of, values)) = next else {
            self.leaf(view);
            return;
        };
        for value in values {
            let mut class = view.with(*of, value);
            class.known[0] = class.known[0].union(*of);
            self.split(&class);
        }
    }

    fn leaf(&mut self, view: &View) {
        let mut view = *view;
        view.known[0] = FactSet::ALL;
        let Some(amount) = amount(self.fees, self.section, &view) else {
            return;
        };
        if self.best.is_none_or(|(best, _)| amount > best) {
            self.best = Some((amount, view));
        }
    }
}
