//! Sums: what the gateway can charge, promotions that take nothing off, refunds that grow.

use std::collections::BTreeSet;

use domain::{Currency, UtcTime};

use super::rows::OfSection;
use super::{Finding, Limits, Severity, dates, example, find, show};
use crate::Regulation;
use crate::clauses::RefundTier;
use crate::fees::Promotion;
use crate::refund::kept;

/// `sections` are those of each currency, `limits` what the gateway can charge in it.
pub(super) fn check(
    regulation: &Regulation,
    limits: &dyn Fn(Currency) -> Limits,
    sections: &[Vec<OfSection>],
    findings: &mut Vec<Finding>,
) {
    idle_tiers(regulation, findings);
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

/// Tiers of the refund clause that no instant falls into.
fn idle_tiers(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let tiers = &regulation.refund.tiers;
    let starts = stretches(regulation);
    let of: Vec<_> = starts.iter().map(|at| in_force(tiers, *at)).collect();
    for (place, tier) in tiers.iter().enumerate() {
        if !of.contains(&Some(place)) {
            let (line, row) = (tier.line, Some(tier.id.as_str()));
            find(findings, Severity::Error, "dead_row", line, row);
        }
    }
}

/// Those of one currency.
struct Sums<'r, 'f> {
    regulation: &'r Regulation,
    currency: u8,
    limits: Limits,
    sections: &'r [OfSection],
    findings: &'f mut Vec<Finding>,
}

impl Sums<'_, '_> {
    fn said(&self, minor: i64) -> String {
        self.regulation.money(minor, self.currency).to_string()
    }

    /// Every total above nothing.
    fn totals(&self) -> impl Iterator<Item = i64> {
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

    /// Goes through the stretches of time between the ends of the tiers, and compares each with the one before it for every
    /// sum that an entry may have cost: what is kept is a broken line of the sum, so its corners decide.
    fn refunds(&mut self) {
        let tiers = &self.regulation.refund.tiers;
        let starts = stretches(self.regulation);
        let of: Vec<_> = starts.iter().map(|at| in_force(tiers, *at)).collect();
        let mut told = BTreeSet::new();
        for (pair, at) in of.windows(2).zip(starts.iter().skip(1)) {
            let (before, Some(place)) = (pair[0].map(|before| &tiers[before]), pair[1]) else {
                continue;
            };
            let after = &tiers[place];
            let Some((paid, first, then)) = self.more_later(before, after) else {
                continue;
            };
            if told.insert(place) {
                let until = example::local(self.regulation, at.plus_seconds(-1));
                let [paid, first, then] = [paid, first, then].map(|sum| self.said(sum));
                let who = format!("of {paid} paid, {first} until {until}, {then} after it");
                let at = (after.line, after.id.as_str());
                show(self.findings, Severity::Warning, "refund_grows", at, who);
            }
        }
    }

    /// A sum of which more comes back by the later tier: what was paid, and what comes back by either.
    fn more_later(
        &self,
        before: Option<&RefundTier>,
        after: &RefundTier,
    ) -> Option<(i64, i64, i64)> {
        let (least, most) = (self.least_paid()?, self.totals().max()?);
        let back = |tier: Option<&RefundTier>, paid| {
            tier.map_or(0, |tier| paid - kept(tier, self.currency, paid))
        };
        let tiers = before.into_iter().chain([after]);
        let corners = tiers.flat_map(|tier| corners(tier, self.currency));
        let mut paid: Vec<i64> = corners
            .filter(|paid| (least..=most).contains(paid))
            .collect();
        paid.extend([least, most]);
        let compared = paid
            .into_iter()
            .map(|paid| (paid, back(before, paid), back(Some(after), paid)));
        compared.rev().find(|(_, first, then)| first < then)
    }

    /// The least that is paid for an entry that costs something.
    fn least_paid(&self) -> Option<i64> {
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

/// The first instant of each stretch between the ends of the tiers, from when entry opens until play is over.
fn stretches(regulation: &Regulation) -> Vec<UtcTime> {
    let tiers = regulation.refund.tiers.iter();
    let ends = tiers.flat_map(|tier| [tier.requested.from, tier.requested.before]);
    let ends: BTreeSet<UtcTime> = ends.flatten().collect();
    let Some(first) = ends.first() else {
        return Vec::new();
    };
    let opens = regulation.entry.window.from;
    let start = opens.unwrap_or(first.plus_seconds(-1));
    let over = dates::over(regulation);
    let later = ends.iter().copied().filter(|end| *end > start);
    let later = later.filter(|end| over.is_none_or(|over| *end < over));
    std::iter::once(start).chain(later).collect()
}

/// The place of the first tier of the file whose window holds.
fn in_force(tiers: &[RefundTier], at: UtcTime) -> Option<usize> {
    tiers.iter().position(|tier| tier.requested.holds(at))
}

/// Sums paid around which a tier begins or ends to keep its least, or all.
fn corners(tier: &RefundTier, currency: u8) -> Vec<i64> {
    const WHOLE: i64 = 10_000;
    let (share, amount, least) = (
        i64::from(tier.keep_share.0),
        tier.keep_amount.of(currency),
        tier.keep_least.of(currency),
    );
    let mut corners = vec![least, amount];
    if share > 0 {
        corners.push((least - amount).saturating_mul(WHOLE) / share);
    }
    if share < WHOLE {
        corners.push(amount.saturating_mul(WHOLE) / (WHOLE - share));
    }
    corners
        .iter()
        .flat_map(|sum| [sum - 1, *sum, sum + 1])
        .collect()
}
