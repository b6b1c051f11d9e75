//! Sums: what the gateway can charge, promotions that take nothing off, refunds that grow.

use std::collections::BTreeSet;

use domain::Currency;

use super::packages::{self, Asked};
use super::rows::OfSection;
use super::{Finding, Limits, Severity, example, find, show, tiers};
use crate::Regulation;
use crate::fees::{Promotion, Same};

/// `sections` are those of each currency, `limits` what the gateway can charge in it.
pub(super) fn check(
    regulation: &Regulation,
    limits: &dyn Fn(Currency) -> Limits,
    sections: &[Vec<OfSection>],
    findings: &mut Vec<Finding>,
) {
    tiers::idle(regulation, findings);
    let mut costs_something = false;
    for (currency, sections) in regulation.currencies.iter().zip(sections) {
        let mut money = Sums {
            regulation,
            currency: regulation.vocabulary.place_of(*currency),
            limits: limits(*currency),
            sections,
            findings,
            least: None,
        };
        costs_something |= money.totals().next().is_some();
        money.charges();
        for promotion in &regulation.fees.promotions {
            if promotion.is_in(money.currency) {
                money.promotion(promotion);
            }
        }
        money.refunds();
    }
    let methods = &regulation.entry.methods;
    if !(methods.card || methods.transfer || methods.slip) && costs_something {
        let line = methods.line;
        find(findings, Severity::Error, "no_way_to_pay", line, None);
    }
}

/// Those of one currency.
pub(super) struct Sums<'r, 'f> {
    pub regulation: &'r Regulation,
    pub currency: u8,
    limits: Limits,
    sections: &'r [OfSection],
    pub findings: &'f mut Vec<Finding>,
    /// The least that is paid for the later entry of a promotion.
    least: Option<i64>,
}

impl Sums<'_, '_> {
    pub fn said(&self, minor: i64) -> String {
        self.regulation.money(minor, self.currency).to_string()
    }

    /// Every total above nothing.
    pub fn totals(&self) -> impl Iterator<Item = i64> {
        let totals = self.sections.iter().flat_map(|section| &section.totals);
        totals.map(|(total, _)| *total).filter(|total| *total > 0)
    }

    fn uncharged(&self, total: i64) -> Option<&'static str> {
        let limits = &self.limits;
        if !self.regulation.entry.methods.card || total == 0 {
            None
        } else if total < limits.minimum_charge {
            Some("total_too_small")
        } else if total > limits.maximum_charge {
            Some("total_too_large")
        } else if total % limits.charge_step != 0 {
            Some("total_too_fine")
        } else {
            None
        }
    }

    /// Once for each row of a base.
    fn charges(&mut self) {
        let mut told = BTreeSet::new();
        for (section, of_section) in self.sections.iter().enumerate() {
            for (total, (view, place)) in &of_section.totals {
                let Some(code) = self.uncharged(*total) else {
                    continue;
                };
                if told.insert((code, *place)) {
                    let row = &self.regulation.fees.rows[*place];
                    let who = example::of(self.regulation, section, view);
                    let who = format!("{} of {who}", self.said(*total));
                    show(
                        self.findings,
                        Severity::Error,
                        code,
                        (row.line, &row.id),
                        who,
                    );
                }
            }
        }
    }

    /// Entries are joined whenever each was entered, so that any total of the one may meet any of the other.
    fn promotion(&mut self, promotion: &Promotion) {
        let at = (promotion.line, &*promotion.id);
        let sections = promotion.sections.iter();
        let of: Vec<&OfSection> = sections.map(|place| &self.sections[*place]).collect();
        if of.iter().any(|of| of.totals.is_empty()) {
            return;
        }
        let found = match &promotion.same {
            Same::Institution { together, .. } => teams(*together, &of),
            Same::Person { .. } => {
                let budget = self.limits.classes;
                packages::asked(
                    self.regulation,
                    (self.currency, budget),
                    self.sections,
                    promotion,
                )
            }
        };
        if !found.is_proved {
            let (line, row) = at;
            find(
                self.findings,
                Severity::Warning,
                "not_proved",
                line,
                Some(row),
            );
        } else if found.asked.is_empty() && of.iter().all(|of| of.is_proved) {
            let who = format!("at most {} one by one", self.said(found.most));
            show(self.findings, Severity::Warning, "promotion_idle", at, who);
        }
        let wrong = found.asked.iter();
        let wrong = wrong.filter_map(|asked| Some((self.uncharged(*asked)?, *asked)));
        if let Some((code, asked)) = wrong.min() {
            let who = format!("{} for the later entry", self.said(asked));
            show(self.findings, Severity::Error, code, at, who);
        }
        let paid = found.asked.into_iter().filter(|asked| *asked > 0);
        self.least = self.least.into_iter().chain(paid).min();
    }

    /// The least that is paid for an entry that costs something.
    pub fn least_paid(&self) -> Option<i64> {
        let single = self.totals().min()?;
        Some(self.least.map_or(single, |least| least.min(single)))
    }
}

/// What the later one of two teams is asked for: what the earlier one, or nobody, has paid less than both cost.
fn teams(together: i64, of: &[&OfSection]) -> Asked {
    let most = |of: &OfSection| of.totals.keys().next_back().copied().unwrap_or(0);
    let single = of.iter().map(|of| most(of)).fold(0, i64::saturating_add);
    let mut asked = BTreeSet::new();
    if together < single {
        asked.insert(together);
        for (earlier, later) in [(of[0], of[1]), (of[1], of[0])] {
            let left = earlier.totals.keys().map(|paid| (together - paid).max(0));
            asked.extend(left.filter(|left| *left < most(later)));
        }
    }
    Asked {
        asked,
        most: single,
        is_proved: true,
    }
}
