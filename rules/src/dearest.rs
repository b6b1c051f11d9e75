//! What an entrant would pay who could claim nothing: for each section and each stretch of time the facts that cost
//! most. Against it a quote tells which declared facts lowered its total.

use domain::{FactName, UtcTime};

use crate::classes::{Classes, boundaries};
use crate::conditions::{FactSet, Trust};
use crate::fees::Fees;
use crate::price::amount;
use crate::view::{View, Vocabulary};

/// The dearest facts by stretch of time and section.
#[derive(Clone, Debug)]
pub(crate) struct Dearest {
    /// Instants at which a row begins or ends to apply.
    pub boundaries: Vec<UtcTime>,
    /// Facts that prices depend on.
    pub reads: FactSet,
    /// By stretch, then by section.
    views: Vec<Vec<View>>,
}

impl Dearest {
    pub(crate) fn of(fees: &Fees, vocabulary: &Vocabulary, sections: usize) -> Dearest {
        let boundaries = boundaries(fees.conditions());
        let classes = Classes::of(fees.conditions(), vocabulary);
        let first = UtcTime::from_micros(i64::MIN);
        let views = std::iter::once(first)
            .chain(boundaries.iter().copied())
            .map(|at| {
                (0..sections)
                    .map(|section| search(fees, &classes, section, at))
                    .collect()
            })
            .collect();
        Dearest {
            boundaries,
            reads: fees.reads(),
            views,
        }
    }

    /// The facts that cost most in a section at an instant.
    pub(crate) fn view(&self, section: usize, at: UtcTime) -> Option<&View> {
        let stretch = self.boundaries.partition_point(|boundary| *boundary <= at);
        self.views.get(stretch)?.get(section)
    }
}

/// How many classes are looked at; past it the dearest one found so far counts.
const BUDGET: u32 = 20_000;

/// Depth first over the classes, splitting only on a fact that an undecided row still mentions.
fn search(fees: &Fees, classes: &Classes, section: usize, at: UtcTime) -> View {
    let mut search = Search {
        fees,
        classes,
        section,
        left: BUDGET,
        best: None,
    };
    let mut nobody = View::nobody(at);
    // Nobody claims an invitation or an agreed price here; the instant is given.
    nobody.known[0] = FactSet::INSTANT
        .union(FactSet::of(FactName::Invited))
        .union(FactSet::of(FactName::AgreedPrice));
    search.split(&nobody);
    search
        .best
        .map_or_else(|| View::nobody(at), |(_, view)| view)
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
