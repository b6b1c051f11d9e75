//! What has to be known of an entrant before a section has one answer for them.

use crate::Regulation;
use crate::admit::admitted;
use crate::conditions::{Condition, FactSet, View};

/// Whether a class of entrants has one answer.
pub(crate) enum Undecided {
    /// Not admitted: no price is needed.
    Refused,
    /// On these facts.
    On(FactSet),
    /// Everything that matters is known.
    No,
}

/// What is still open for a class in a section.
pub(crate) fn undecided(regulation: &Regulation, section: usize, view: &View) -> Undecided {
    let fees = &regulation.fees;
    let missing = |condition: &Condition| condition.reads().without(view.known[0]);
    for row in &regulation.admissions {
        if !row.covers(section) || admitted(row, view) {
            continue;
        }
        let when = row.when.holds(view, row.trust);
        let needs = row.needs.holds(view, row.trust);
        match (when, needs) {
            (Some(true), Some(false)) => return Undecided::Refused,
            (None, _) => return Undecided::On(missing(&row.when)),
            (_, _) => return Undecided::On(missing(&row.needs)),
        }
    }
    let rows = fees.rows.iter();
    let rows = rows.filter(|row| row.currency == view.currency && row.amounts[section].is_some());
    let rows = rows.map(|row| (&row.when, row.trust));
    let adjustments = fees.adjustments();
    let adjustments = adjustments.filter(|row| row.changes[section].is_some());
    let adjustments = adjustments.filter(|row| row.is_in(view.currency));
    let adjustments = adjustments.map(|row| (&row.when, row.trust));
    for (condition, trust) in rows.chain(adjustments) {
        if condition.holds(view, trust).is_none() {
            return Undecided::On(missing(condition));
        }
    }
    Undecided::No
}
