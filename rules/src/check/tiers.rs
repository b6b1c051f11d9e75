//! The tiers of the refund clause: such as nobody reaches, such as give more later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::{RefundAsk, RefundCause, SectionId, UtcTime};

use super::money::Sums;
use super::{Finding, Severity, dates, example, find, show};
use crate::Regulation;
use crate::clauses::RefundTier;
use crate::refund::{kept, proved, tier_of};

/// Tiers of the refund clause that no instant falls into.
pub(super) fn idle(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let tiers = &regulation.refund.tiers;
    let lines = wishes(regulation);
    let reached: BTreeSet<usize> = lines
        .iter()
        .flat_map(|wish| in_force(regulation, wish).into_iter().flatten())
        .collect();
    for (place, tier) in tiers.iter().enumerate() {
        if !reached.contains(&place) {
            let (line, row) = (tier.line, Some(tier.id.as_str()));
            find(findings, Severity::Error, "dead_row", line, row);
        }
    }
}

impl Sums<'_, '_> {
    /// Goes through the stretches of time between the ends of the tiers, and compares each with the one before it for every
    /// sum that an entry may have cost: what is kept is a broken line of the sum, so its corners decide.
    pub(super) fn refunds(&mut self) {
        let tiers = &self.regulation.refund.tiers;
        let starts = stretches(self.regulation);
        let mut told = BTreeSet::new();
        let of = wishes(self.regulation);
        let of = of.iter().map(|wish| in_force(self.regulation, wish));
        let of: Vec<_> = of.collect();
        let pairs = of
            .iter()
            .flat_map(|of| of.windows(2).zip(starts.iter().skip(1)));
        for (pair, at) in pairs {
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

/// What tiers tell apart, but for the instant: which row it is about, none for the entry fee, and what is asked for.
struct Wish {
    section: Option<SectionId>,
    row: Option<Arc<str>>,
    credit: bool,
    proof: Option<String>,
}

/// All that the tiers of a file can tell apart.
fn wishes(regulation: &Regulation) -> Vec<Wish> {
    let tiers = &regulation.refund.tiers;
    let named: BTreeSet<&Arc<str>> = tiers.iter().flat_map(|tier| &tier.of).collect();
    let rows: Vec<Option<&Arc<str>>> = std::iter::once(None)
        .chain(named.into_iter().map(Some))
        .collect();
    let proofs = tiers.iter().filter(|tier| tier.proof.is_some());
    let proofs = proofs.map(|tier| Some(&tier.id));
    let proofs: Vec<Option<&String>> = std::iter::once(None).chain(proofs).collect();
    let named: BTreeSet<&SectionId> = tiers.iter().flat_map(|tier| &tier.sections).collect();
    let sections: Vec<Option<&SectionId>> = std::iter::once(None)
        .chain(named.into_iter().map(Some))
        .collect();
    let mut wishes = Vec::new();
    for section in sections {
        for row in &rows {
            for proof in &proofs {
                wishes.extend([false, true].map(|credit| Wish {
                    section: section.cloned(),
                    row: row.cloned(),
                    credit,
                    proof: proof.cloned(),
                }));
            }
        }
    }
    wishes
}

/// The place of the tier that decides, in each stretch of time.
fn in_force(regulation: &Regulation, wish: &Wish) -> Vec<Option<usize>> {
    let clause = &regulation.refund;
    let found = |at: UtcTime| {
        let ask = RefundAsk {
            paid: 0,
            currency: regulation.currency(),
            requested_at: at,
            cause: RefundCause::Player,
            approved: true,
            section: wish.section.clone(),
            rows: BTreeMap::new(),
            credit: wish.credit,
            proof: wish.proof.clone(),
        };
        let row = wish.row.as_deref();
        let tier = proved(clause, row, &ask).or_else(|| tier_of(clause, row, &ask))?;
        clause
            .tiers
            .iter()
            .position(|other| std::ptr::eq(other, tier))
    };
    stretches(regulation).into_iter().map(found).collect()
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
