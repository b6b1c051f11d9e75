//! Sums that the smallest coin does not make up, where the file names it.

use super::{Finding, Severity, show};
use crate::Regulation;
use crate::fees::{Change, Off, Price, Same};

/// A row that has sums: where it stands, in which currency, and how much.
type Row<'r> = ((usize, &'r str), u8, Vec<i64>);

pub(super) fn check(regulation: &Regulation, findings: &mut Vec<Finding>) {
    for (at, currency, sums) in rows(regulation) {
        let unit = regulation.fees.unit.of(currency).max(1);
        if let Some(sum) = sums.into_iter().find(|sum| sum % unit != 0) {
            let said = |minor| regulation.money(minor, currency).to_string();
            let example = format!("{} by {}", said(sum), said(unit));
            show(findings, Severity::Warning, "sum_not_rounded", at, example);
        }
    }
}

fn rows(regulation: &Regulation) -> Vec<Row<'_>> {
    let fees = &regulation.fees;
    let rows = fees.rows.iter().map(|row| {
        let sums = row.amounts.iter().filter_map(|price| match price {
            Some(Price::Fixed(sum)) => Some(*sum),
            Some(Price::Agreed) | None => None,
        });
        ((row.line, &*row.id), row.currency, sums.collect())
    });
    let adjustments = fees.adjustments().map(|row| {
        let sums = row.changes.iter().filter_map(|change| match change {
            Some(Change::Amount(sum)) => Some(*sum),
            Some(Change::Share(_)) | None => None,
        });
        let currency = row.currency.unwrap_or_default();
        ((row.line, &*row.id), currency, sums.collect())
    });
    let promotions = fees.promotions.iter().filter_map(|row| {
        let sum = match &row.same {
            Same::Institution { together, .. } => *together,
            Same::Person { off, .. } => match off {
                Off::Together(sum) | Off::Last(Change::Amount(sum)) => *sum,
                Off::Last(Change::Share(_)) => return None,
            },
        };
        let currency = row.currency.unwrap_or_default();
        Some(((row.line, &*row.id), currency, vec![sum]))
    });
    let tiers = regulation.currency_places().flat_map(|currency| {
        let tiers = regulation.refund.tiers.iter();
        tiers.map(move |tier| {
            let sums = [tier.keep_amount, tier.keep_least].map(|sums| sums.of(currency));
            ((tier.line, tier.id.as_str()), currency, sums.into())
        })
    });
    rows.chain(adjustments)
        .chain(promotions)
        .chain(tiers)
        .collect()
}
