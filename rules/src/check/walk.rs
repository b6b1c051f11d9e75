//! The walk over the classes of entrants: depth first, splitting only on a fact that an undecided condition still
//! mentions. Teams are walked without their conditions of entry, since no fee reads a roster.

use std::collections::BTreeMap;

use domain::{LineKind, UtcTime};

use super::{Finding, Limits, Severity, example, find};
use crate::Regulation;
use crate::classes::{Boundaries, Classes};
use crate::conditions::{Condition, FactSet, View};
use crate::fees::Of;
use crate::price;
use crate::undecided::{Undecided, undecided};

pub(super) fn check(regulation: &Regulation, limits: &Limits, findings: &mut Vec<Finding>) {
    let mut seen = Seen::new(regulation);
    let mut proved = true;
    for (section, of_section) in regulation.sections.iter().enumerate() {
        if !of_section.has_fees {
            if !regulation.closed_sections.contains(&section) {
                let id = Some(of_section.id.as_str());
                find(
                    findings,
                    Severity::Warning,
                    "section_without_fees",
                    of_section.line,
                    id,
                );
            }
            continue;
        }
        proved &= Walk::new(regulation, limits, section, &mut seen).run(findings);
    }
    // A row that was not seen is dead only where everything was looked at.
    if proved {
        seen.report(regulation, findings);
    }
}

/// Which rows were seen to apply, and to matter.
struct Seen {
    rows: Vec<(bool, bool)>,
    adjustments: Vec<(bool, bool)>,
}

impl Seen {
    fn new(regulation: &Regulation) -> Seen {
        Seen {
            rows: vec![(false, false); regulation.fees.rows.len()],
            adjustments: vec![(false, false); regulation.fees.adjustments().count()],
        }
    }

    fn report(&self, regulation: &Regulation, findings: &mut Vec<Finding>) {
        let rows = regulation.fees.rows.iter().map(|row| (&row.id, row.line));
        for ((id, line), seen) in rows.zip(&self.rows) {
            match seen {
                (false, _) => find(findings, Severity::Error, "dead_row", line, Some(id)),
                (_, false) => find(findings, Severity::Warning, "never_chosen", line, Some(id)),
                _ => {}
            }
        }
        let rows = regulation.fees.adjustments();
        for (row, seen) in rows.zip(&self.adjustments) {
            let (line, id) = (row.line, Some(&*row.id));
            match seen {
                (false, _) => find(findings, Severity::Error, "dead_row", line, id),
                (_, false) => find(findings, Severity::Warning, "never_counts", line, id),
                _ => {}
            }
        }
    }
}

struct Walk<'r, 's> {
    regulation: &'r Regulation,
    section: usize,
    minimum_charge: i64,
    left: u32,
    classes: Classes,
    seen: &'s mut Seen,
    anybody: bool,
    hole: Option<View>,
    small: Option<(View, String, usize)>,
    /// Reductions that take more than there is, by their line, each with its row and somebody.
    large: BTreeMap<usize, (View, &'r str)>,
    /// Where the budget ran out.
    stopped: Option<View>,
}

impl<'r, 's> Walk<'r, 's> {
    fn new(
        regulation: &'r Regulation,
        limits: &Limits,
        section: usize,
        seen: &'s mut Seen,
    ) -> Self {
        let admissions = regulation.admissions.iter();
        let admissions = admissions.filter(|row| row.covers(section));
        let admissions: Vec<&Condition> =
            admissions.flat_map(|row| [&row.when, &row.needs]).collect();
        let conditions = || {
            regulation
                .fees
                .conditions()
                .chain(admissions.iter().copied())
        };
        let boundaries = Boundaries::of(conditions());
        Walk {
            regulation,
            section,
            minimum_charge: if regulation.entry.methods.card {
                limits.minimum_charge
            } else {
                0
            },
            left: limits.classes,
            classes: Classes::of(conditions(), &regulation.vocabulary)
                .during(&instants(regulation, &boundaries.registered), &boundaries),
            seen,
            anybody: false,
            hole: None,
            small: None,
            large: BTreeMap::new(),
            stopped: None,
        }
    }

    /// Whether everything was looked at.
    fn run(mut self, findings: &mut Vec<Finding>) -> bool {
        let mut nobody = View::nobody(self.regulation.play.begins);
        nobody.known[0] = FactSet::EMPTY;
        self.split(&nobody);
        let of_section = &self.regulation.sections[self.section];
        let (id, at) = (of_section.id.as_str(), of_section.line);
        let mut tell = |severity, code, line, row: &str, view: Option<&View>| {
            find(findings, severity, code, line, Some(row));
            if let (Some(view), Some(finding)) = (view, findings.last_mut()) {
                finding.example = Some(example::of(self.regulation, self.section, view));
            }
        };
        if let Some(view) = &self.hole {
            tell(Severity::Error, "hole", at, id, Some(view));
        }
        if let Some((view, row, line)) = &self.small {
            tell(Severity::Error, "total_too_small", *line, row, Some(view));
        }
        for (line, (view, row)) in &self.large {
            tell(
                Severity::Error,
                "reduction_too_large",
                *line,
                row,
                Some(view),
            );
        }
        match &self.stopped {
            Some(view) => tell(Severity::Warning, "not_proved", at, id, Some(view)),
            None if !self.anybody => tell(Severity::Error, "nobody_admitted", at, id, None),
            None => {}
        }
        self.stopped.is_none()
    }

    fn split(&mut self, view: &View) {
        if self.stopped.is_some() {
            return;
        }
        if self.left == 0 {
            self.stopped = Some(*view);
            return;
        }
        self.left -= 1;
        match undecided(self.regulation, self.section, view) {
            Undecided::Refused => {}
            Undecided::On(facts) => self.split_on(view, facts),
            Undecided::No => self.leaf(view),
        }
    }

    fn split_on(&mut self, view: &View, facts: FactSet) {
        let next = self.classes.by_fact.iter().find(|(of, _)| facts.has(*of));
        if let Some((of, values)) = next.cloned() {
            for value in &values {
                let mut class = view.with(of, value);
                class.known[0] = class.known[0].union(of);
                if class.may_be() {
                    self.split(&class);
                }
            }
        } else {
            // A fact without classes, such as a roster: nothing can be said about it.
            self.stopped = Some(*view);
        }
    }

    fn leaf(&mut self, view: &View) {
        self.anybody = true;
        let fees = &self.regulation.fees;
        let chosen = price::base(fees, self.section, view);
        for (row, seen) in fees.rows.iter().zip(&mut self.seen.rows) {
            let applies = price::row_sum(row, self.section, view).is_some()
                && row.when.holds(view, row.trust) == Some(true);
            seen.0 |= applies;
            seen.1 |= chosen.is_some_and(|(base, _)| base.id == row.id);
        }
        let mut told = Vec::new();
        let total = price::price(fees, self.section, view, |piece| {
            if piece.kind == LineKind::Adjustment {
                told.push((&**piece.rule, piece.amount));
            }
        });
        for (row, seen) in fees.adjustments().zip(&mut self.seen.adjustments) {
            seen.0 |= price::applies(row, self.section, view);
            seen.1 |= told.iter().any(|(id, _)| **id == *row.id);
        }
        match (total, chosen) {
            (Some(total), Some((row, base))) => {
                self.too_large(view, base, &told);
                if (1..self.minimum_charge).contains(&total) && self.small.is_none() {
                    self.small = Some((*view, row.id.to_string(), row.line));
                }
            }
            _ => {
                self.hole.get_or_insert(*view);
            }
        }
    }
}

impl<'r> Walk<'r, '_> {
    /// Notes each reduction that alone takes more than its stage begins with. Several that come to more together are what
    /// "never below zero" is for.
    fn too_large(&mut self, view: &View, base: i64, told: &[(&'r str, i64)]) {
        let mut running = base;
        for stage in &self.regulation.fees.stages {
            let start = running;
            for row in &stage.adjustments {
                let Some((_, amount)) = told.iter().find(|(id, _)| **id == *row.id) else {
                    continue;
                };
                running += amount;
                let Some(change) = row.changes[self.section] else {
                    continue;
                };
                let of = match stage.of {
                    Of::Base => base,
                    Of::Running => start,
                };
                let change = price::multiplied(row, change, view);
                if start > 0 && -price::delta(change, of, 1) > start {
                    self.large.entry(row.line).or_insert((*view, &row.id));
                }
            }
        }
    }
}

/// One instant of each stretch of the entry window between the instants that rows name.
fn instants(regulation: &Regulation, boundaries: &[UtcTime]) -> Vec<UtcTime> {
    let window = regulation.entry.window;
    let end = window.before.unwrap_or(regulation.play.begins);
    let first = boundaries.first().copied().unwrap_or(end).min(end);
    let start = window.from.unwrap_or(first.plus_seconds(-1));
    let later = boundaries.iter().copied().filter(|at| *at > start);
    let inside = later.filter(|at| window.holds(*at));
    std::iter::once(start).chain(inside).collect()
}
