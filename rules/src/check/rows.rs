//! What the walk over the entrants of each section tells of rows: holes, rows that never apply or never matter, rows that
//! overlap where the file says that one applies.

use std::collections::{BTreeMap, BTreeSet};

use super::purse::Purse;
use super::reach::{Reached, cost, somebody};
use super::{Finding, Severity, example, find, show};
use crate::Regulation;
use crate::conditions::{Condition, Trust, View};
use crate::walk::ground::{Ground, is_sampled};
use crate::walk::{Large, Seen, walk};

/// What was looked at.
pub(super) struct Looked {
    pub classes: u64,
    /// For each currency of the file one for each section.
    pub sections: Vec<Vec<OfSection>>,
}

/// What entries to a section come to in one currency.
#[derive(Clone, Default)]
pub(super) struct OfSection {
    /// Every total with somebody who pays it and the place of the row of its base; none where the section has no fees.
    pub totals: BTreeMap<i64, (View, usize)>,
    /// Whether there is no other total.
    pub is_proved: bool,
}

pub(super) fn check(regulation: &Regulation, classes: u32, findings: &mut Vec<Finding>) -> Looked {
    let sections = regulation.sections.iter();
    let priced = sections.filter(|section| section.has_fees).count();
    let mut looking = Looking {
        regulation,
        budget: classes,
        purse: Purse::of(priced * regulation.currencies.len()),
        findings,
        grounds: Vec::new(),
        is_proved: true,
        rows: BTreeSet::new(),
        adjustments: BTreeSet::new(),
        overlaps: BTreeMap::new(),
        large: BTreeMap::new(),
        fitting: BTreeSet::new(),
        looked: Looked {
            classes: 0,
            sections: vec![Vec::new(); regulation.currencies.len()],
        },
    };
    for section in 0..regulation.sections.len() {
        looking.section(section);
    }
    looking.large();
    looking.overlaps();
    looking.sampled();
    // A row that was not seen is dead only where everything was looked at.
    if looking.is_proved {
        looking.unseen();
    }
    looking.looked
}

struct Looking<'r, 'f> {
    regulation: &'r Regulation,
    budget: u32,
    purse: Purse,
    findings: &'f mut Vec<Finding>,
    /// The sections that have fees, in each currency.
    grounds: Vec<Ground<'r>>,
    is_proved: bool,
    /// Rows and adjustments that mattered somewhere, by their place.
    rows: BTreeSet<usize>,
    adjustments: BTreeSet<usize>,
    /// Each with the section of somebody it happens to.
    overlaps: BTreeMap<(usize, usize), (usize, View)>,
    large: BTreeMap<usize, (usize, Large)>,
    fitting: BTreeSet<usize>,
    looked: Looked,
}

impl<'r> Looking<'r, '_> {
    fn section(&mut self, section: usize) {
        let of_section = &self.regulation.sections[section];
        let (line, id) = (of_section.line, of_section.id.as_str());
        if !of_section.has_fees {
            if !self.regulation.closed_sections.contains(&section) {
                let code = "section_without_fees";
                find(self.findings, Severity::Warning, code, line, Some(id));
            }
            for sections in &mut self.looked.sections {
                sections.push(OfSection::default());
            }
            return;
        }
        let (mut hole, mut stopped, mut anybody) = (None, None, false);
        for (number, currency) in self.regulation.currency_places().enumerate() {
            let ground = Ground::of(self.regulation, section, currency);
            let seen: Seen = walk(&ground, self.budget, self.purse.share());
            self.purse.spend(seen.work);
            self.grounds.push(ground);
            self.looked.classes += u64::from(seen.classes);
            self.rows.extend(seen.rows);
            self.adjustments.extend(seen.adjustments);
            for (both, view) in seen.overlaps {
                self.overlaps.entry(both).or_insert((section, view));
            }
            for (place, large) in seen.large {
                self.large.entry(place).or_insert((section, large));
            }
            self.fitting.extend(seen.fitting);
            self.looked.sections[number].push(OfSection {
                totals: seen.totals,
                is_proved: seen.stopped.is_none(),
            });
            hole = hole.or(seen.hole);
            stopped = stopped.or(seen.stopped);
            anybody |= seen.anybody;
        }
        if let Some(view) = &hole {
            self.tell(Severity::Error, "hole", (line, id), (section, view));
        }
        if let Some(view) = &stopped {
            self.is_proved = false;
            self.tell(Severity::Warning, "not_proved", (line, id), (section, view));
        } else if !anybody {
            let code = "nobody_admitted";
            find(self.findings, Severity::Error, code, line, Some(id));
        }
    }

    fn tell(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: (usize, &str),
        (section, view): (usize, &View),
    ) {
        let somebody = example::of(self.regulation, section, view);
        show(self.findings, severity, code, at, somebody);
    }

    /// Reductions that take more than there is: of every base that they are made of, or only of some. A total is never below zero
    /// anyway, so that only the first is wrong for sure.
    fn large(&mut self) {
        let fees = &self.regulation.fees;
        for (place, (section, large)) in std::mem::take(&mut self.large) {
            let Some(row) = fees.adjustments().nth(place) else {
                continue;
            };
            let (severity, code) = if self.is_proved && !self.fitting.contains(&place) {
                (Severity::Error, "reduction_too_large")
            } else {
                (Severity::Warning, "reduction_cut")
            };
            let said = |minor| {
                self.regulation
                    .money(minor, large.view.currency)
                    .to_string()
            };
            let (taken, there) = (said(large.taken), said(large.there));
            let base = &fees.rows[large.row].id;
            let who = example::of(self.regulation, section, &large.view);
            let who = format!("{taken} off {there} of {base}: {who}");
            show(self.findings, severity, code, (row.line, &row.id), who);
        }
    }

    /// Pairs of rows of which somebody has both.
    fn overlaps(&mut self) {
        let rows = &self.regulation.fees.rows;
        for ((earlier, later), (section, view)) in std::mem::take(&mut self.overlaps) {
            let (earlier, later) = (&rows[earlier], &rows[later]);
            let who = example::of(self.regulation, section, &view);
            let who = format!("{} and {}: {who}", earlier.id, later.id);
            let at = (later.line, &*later.id);
            show(self.findings, Severity::Error, "rows_overlap", at, who);
        }
    }

    /// Sums that are multiplied by more answers than were looked at.
    fn sampled(&mut self) {
        for row in self.regulation.fees.adjustments() {
            if is_sampled(self.regulation, row) {
                let (line, id) = (row.line, Some(&*row.id));
                find(self.findings, Severity::Warning, "not_proved", line, id);
            }
        }
    }

    /// Rows that no class ended with: whether anybody has them at all.
    fn unseen(&mut self) {
        let fees = &self.regulation.fees;
        let all = fees.rows.len() + fees.adjustments().count();
        self.purse = Purse::of(all - self.rows.len() - self.adjustments.len());
        for (place, row) in fees.rows.iter().enumerate() {
            if !self.rows.contains(&place) {
                let priced = |ground: &Ground<'_>| {
                    row.currency == ground.currency && row.amounts[ground.section].is_some()
                };
                let when = (&row.when, row.trust);
                self.idle("never_chosen", (row.line, &row.id), priced, when);
            }
        }
        for (place, row) in fees.adjustments().enumerate() {
            if !self.adjustments.contains(&place) {
                let priced = |ground: &Ground<'_>| {
                    row.is_in(ground.currency) && row.changes[ground.section].is_some()
                };
                let when = (&row.when, row.trust);
                self.idle("never_counts", (row.line, &row.id), priced, when);
            }
        }
    }

    fn idle(
        &mut self,
        code: &'static str,
        at: (usize, &str),
        priced: impl Fn(&Ground<'_>) -> bool,
        when: (&Condition, Trust),
    ) {
        match self.reach(priced, &[when], at) {
            Some(Some((section, view))) => {
                self.tell(Severity::Warning, code, at, (section, &view));
            }
            Some(None) => {
                let (line, id) = at;
                find(self.findings, Severity::Error, "dead_row", line, Some(id));
            }
            None => {}
        }
    }

    /// Somebody in one of these sections for whom all of this holds, if there is. Where the budget runs out before that is
    /// known, it is told, and there is no answer.
    fn reach(
        &mut self,
        priced: impl Fn(&Ground<'_>) -> bool,
        wanted: &[(&Condition, Trust)],
        at: (usize, &str),
    ) -> Option<Option<(usize, View)>> {
        let (mut work, share) = (0, self.purse.share());
        let mut found = Some(None);
        for ground in self.grounds.iter().filter(|ground| priced(ground)) {
            let cost = cost(ground, wanted);
            let left = (share.saturating_sub(work) / cost).min(self.budget.into());
            let classes = u32::try_from(left).unwrap_or(self.budget);
            let mut left = classes;
            let reached = somebody(ground, wanted, &mut left);
            let looked = u64::from(classes - left);
            self.looked.classes += looked;
            work += looked * cost;
            found = match reached {
                Reached::Somebody(view) => Some(Some((ground.section, *view))),
                Reached::Nobody => continue,
                Reached::Stopped(view) => {
                    let who = example::of(self.regulation, ground.section, &view);
                    show(self.findings, Severity::Warning, "not_proved", at, who);
                    None
                }
            };
            break;
        }
        self.purse.spend(work);
        found
    }
}
