//! What an entrant would pay who could claim nothing: for each section and each stretch of time the facts that cost
//! most. Against it a quote tells which declared facts lowered its total.

use domain::{FactName, Instants, UtcTime};

use crate::classes::{Boundaries, Classes, stretch};
use crate::conditions::{FactSet, Trust};
use crate::fees::Fees;
use crate::price::amount;
use crate::view::{View, Vocabulary};

/// The dearest facts by stretch of time and section.
#[derive(Clone, Debug)]
pub(crate) struct Dearest {
    /// Instants at which a row begins or ends to apply.
    pub boundaries: Boundaries,
    /// Facts that prices depend on.
    pub reads: FactSet,
    /// By stretch of the form, of the payment and of the arrival, then by section.
    views: Vec<Vec<View>>,
}

impl Dearest {
    pub(crate) fn of(fees: &Fees, vocabulary: &Vocabulary, sections: usize) -> Dearest {
        let boundaries = Boundaries::of(fees.conditions());
        let classes = Classes::of(fees.conditions(), vocabulary);
        let mut views = Vec::new();
        for registered in starts(&boundaries.registered) {
            for paid in starts(&boundaries.paid) {
                for received in starts(&boundaries.received) {
                    let at = Instants {
                        registered,
                        paid,
                        received,
                    };
                    let of_sections = 0..sections;
                    views.push(
                        of_sections
                            .map(|section| search(fees, &classes, section, at))
                            .collect(),
                    );
                }
            }
        }
        Dearest {
            boundaries,
            reads: fees.reads(),
            views,
        }
    }

    /// The facts that cost most in a section at these instants.
    pub(crate) fn view(&self, section: usize, at: Instants) -> Option<&View> {
        let Boundaries {
            registered,
            paid,
            received,
        } = &self.boundaries;
        let place = stretch(registered, at.registered);
        let place = place * (paid.len() + 1) + stretch(paid, at.paid);
        let place = place * (received.len() + 1) + stretch(received, at.received);
        self.views.get(place)?.get(section)
    }
}

/// The first instant of each stretch.
fn starts(boundaries: &[UtcTime]) -> impl Iterator<Item = UtcTime> {
    let first = UtcTime::from_micros(i64::MIN);
    std::iter::once(first).chain(boundaries.iter().copied())
}

/// How many classes are looked at; past it the dearest one found so far counts.
const BUDGET: u32 = 20_000;

/// Depth first over the classes, splitting only on a fact that an undecided row still mentions.
fn search(fees: &Fees, classes: &Classes, section: usize, at: Instants) -> View {
    let mut search = Search {
        fees,
        classes,
        section,
        left: BUDGET,
        best: None,
    };
    let mut nobody = View::nobody(at.registered);
    nobody.at = at;
    // Nobody claims an invitation, an agreed price or a free place here; the instants are given.
    nobody.spent = u8::MAX;
    nobody.known[0] = FactSet::GIVEN
        .union(FactSet::of(FactName::Invited))
        .union(FactSet::of(FactName::AgreedPrice));
    search.split(&nobody);
    search
        .best
        .map_or_else(|| View::nobody(at.registered), |(_, view)| view)
}

struct Search<'f> {
    fees: &'f Fees,
    classes: &'f Classes,
    section: usize,
    left: u32,
    best: Option<(i64, View)>,
}

impl Search<'_> {
    fn split(&mut self, view: &View) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let undecided = self.fees.conditions().find(|condition| {
            let decided = condition.holds(view, Trust::Declared).is_some();
            !decided && !condition.reads().without(view.known[0]).is_empty()
        });
        let facts = undecided.map(|condition| condition.reads().without(view.known[0]));
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
