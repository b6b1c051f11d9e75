//! What an entrant would pay who could claim nothing: for each section and each stretch of time the facts that cost
//! most. Against it a quote tells which declared facts lowered its total.

use domain::{FactName, UtcTime};

use crate::classes::{Classes, boundaries};
use crate::conditions::FactSet;
use crate::fees::Fees;
use crate::price::amount;
use crate::view::View;

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
    pub(crate) fn of(fees: &Fees, sections: usize) -> Dearest {
        let boundaries = boundaries(fees.conditions());
        let classes = Classes::of(fees.conditions());
        let first = UtcTime::from_micros(i64::MIN);
        let views = std::iter::once(first)
            .chain(boundaries.iter().copied())
            .map(|at| {
                (0..sections)
                    .map(|section| climb(fees, &classes, section, at))
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

/// From somebody without any claim, each fact in turn is set to what costs most, until nothing costs more.
fn climb(fees: &Fees, classes: &Classes, section: usize, at: UtcTime) -> View {
    let mut dearest = View::nobody(at);
    for _ in 0..3 {
        for (fact, others) in &classes.by_fact {
            if matches!(fact, FactName::Invited | FactName::AgreedPrice) {
                continue;
            }
            for other in others {
                let changed = dearest.with(*fact, other);
                if amount(fees, section, &changed) > amount(fees, section, &dearest) {
                    dearest = changed;
                }
            }
        }
    }
    dearest
}
