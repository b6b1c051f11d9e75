//! Sums: what the gateway can charge, promotions that take nothing off, refunds that grow.

use std::collections::BTreeSet;

use domain::Currency;

use super::rows::OfSection;
use super::{Finding, Limits, Severity, example, find, show, tiers};
use crate::Regulation;
use crate::fees::Promotion;

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
        };
        costs_something |= money.totals().next().is_some();
        money.charges();
        for promotion in &regulation.fees.promotions {
            if promotion.currency == money.currency {
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

    /// Two entries are paired whenever each was entered, so that any total of the one may meet any of the other.
    fn promotion(&mut self, promotion: &Promotion) {
        let (one, other) = promotion.sections;
        let (one, other) = (&self.sections[one], &self.sections[other]);
        let at = (promotion.line, &*promotion.id);
        if one.totals.is_empty() || other.totals.is_empty() {
            return;
        }
        let most = |of: &OfSection| of.totals.keys().next_back().copied().unwrap_or(0);
        let single = most(one).saturating_add(most(other));
        if promotion.together >= single {
            if one.is_proved && other.is_proved {
                let who = format!("at most {} one by one", self.said(single));
                show(self.findings, Severity::Warning, "promotion_idle", at, who);
            }
            return;
        }
        // The later one is asked for what the earlier one, or nobody, has paid less than both cost.
        let paid = [(one, other), (other, one)]
            .into_iter()
            .flat_map(|(earlier, later)| {
                let most = most(later);
                let left = earlier
                    .totals
                    .keys()
                    .map(|paid| (promotion.together - paid).max(0));
                left.filter(move |left| *left < most)
            });
        let asked = std::iter::once(promotion.together).chain(paid);
        let wrong = asked.filter_map(|asked| Some((self.uncharged(asked)?, asked)));
        if let Some((code, asked)) = wrong.min() {
            let who = format!("{} for the later of the two", self.said(asked));
            show(self.findings, Severity::Error, code, at, who);
        }
    }

    /// The least that is paid for an entry that costs something.
    pub fn least_paid(&self) -> Option<i64> {
        let single = self.totals().min()?;
        let promotions = self.regulation.fees.promotions.iter();
        let promotions = promotions.filter(|promotion| promotion.currency == self.currency);
        let paired = promotions.filter_map(|promotion| {
            let (one, other) = promotion.sections;
            let most = |section: usize| self.sections[section].totals.keys().next_back().copied();
            let left = promotion.together - most(one)?.max(most(other)?);
            (left > 0).then_some(left)
        });
        Some(paired.fold(single, i64::min))
    }
}
