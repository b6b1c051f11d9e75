//! Dates out of order, capacity, refunds, byes, ids, signs, articles: what needs no walk over entrants.

use std::collections::BTreeSet;

use super::{Finding, Limits, Severity, find};
use crate::Regulation;
use crate::fees::{CHARGES, Change, Price, REDUCTIONS};
use crate::refund::kept;
use crate::regulation::DoubtKind;

pub(super) fn check(regulation: &Regulation, limits: &Limits, findings: &mut Vec<Finding>) {
    dates(regulation, findings);
    seats_and_money(regulation, limits, findings);
    refunds(regulation, findings);
    byes(regulation, findings);
    ids(regulation, findings);
    signs(regulation, findings);
    for doubt in &regulation.doubts {
        let (severity, code) = match doubt.kind {
            DoubtKind::RepeatedTime => (Severity::Warning, "repeated_time"),
            DoubtKind::SkippedTime => (Severity::Warning, "skipped_time"),
            DoubtKind::Weekday => (Severity::Error, "wrong_weekday"),
        };
        find(findings, severity, code, doubt.line, None);
    }
    let rows = regulation.fees.rows.iter();
    let rows = rows.map(|row| (&row.id, &row.article, row.line));
    let adjustments = regulation.fees.adjustments();
    for (id, article, line) in rows.chain(adjustments.map(|row| (&row.id, &row.article, row.line)))
    {
        if article.is_empty() {
            find(
                findings,
                Severity::Warning,
                "article_missing",
                line,
                Some(id),
            );
        }
    }
}

fn dates(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let line = regulation.entry.line;
    let window = regulation.entry.window;
    let over = regulation
        .play
        .last
        .tomorrow()
        .and_then(|day| day.to_zoned(regulation.time_zone.clone()))
        .map(|midnight| midnight.timestamp().into());
    if let (Some(opens), Some(closes)) = (window.from, window.before)
        && opens >= closes
    {
        find(findings, Severity::Error, "opens_after_closes", line, None);
    }
    if let Some(closes) = window.before {
        if over.is_ok_and(|over| closes > over) {
            find(findings, Severity::Error, "closes_after_play", line, None);
        } else if closes > regulation.play.begins {
            find(
                findings,
                Severity::Warning,
                "closes_after_start",
                line,
                None,
            );
        }
    }
    if let (Some(opens), Some(pay_by)) = (window.from, regulation.entry.pay_by)
        && pay_by <= opens
    {
        find(findings, Severity::Error, "pay_by_before_opens", line, None);
    }
}

fn seats_and_money(regulation: &Regulation, limits: &Limits, findings: &mut Vec<Finding>) {
    for rule in &regulation.capacity {
        if let (Some(seats), Some(warn_at)) = (rule.seats, rule.warn_at)
            && warn_at > seats
        {
            find(
                findings,
                Severity::Error,
                "warned_after_full",
                rule.line,
                None,
            );
        }
    }
    let methods = &regulation.entry.methods;
    if !(methods.card || methods.transfer || methods.slip) {
        find(
            findings,
            Severity::Error,
            "no_way_to_pay",
            methods.line,
            None,
        );
    }
    for promotion in &regulation.fees.promotions {
        let dearest = |section: usize| {
            let rows = regulation.fees.rows.iter();
            rows.filter_map(|row| match row.amounts[section]? {
                Price::Fixed(sum) => Some(sum),
                Price::Agreed => None,
            })
            .max()
            .unwrap_or(0)
        };
        let (line, row) = (promotion.line, Some(&*promotion.id));
        let single = dearest(promotion.sections.0) + dearest(promotion.sections.1);
        if promotion.together >= single {
            find(findings, Severity::Warning, "promotion_idle", line, row);
        }
        if methods.card && (1..limits.minimum_charge).contains(&promotion.together) {
            find(findings, Severity::Error, "total_too_small", line, row);
        }
    }
}

/// Compares the tiers in the order of their ends on a sum that shows the minor units, and on a small one.
fn refunds(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let mut tiers: Vec<_> = regulation.refund.tiers.iter().collect();
    tiers.sort_by_key(|tier| {
        tier.requested
            .before
            .map_or(i64::MAX, |end| end.as_micros())
    });
    for pair in tiers.windows(2) {
        let grows = [100_001, 1_001]
            .iter()
            .any(|paid| kept(pair[1], *paid) < kept(pair[0], *paid));
        if grows {
            let (line, row) = (pair[1].line, Some(pair[1].id.as_str()));
            find(findings, Severity::Warning, "refund_grows", line, row);
        }
    }
}

/// Rounds that byes name and nobody plays.
fn byes(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let clause = &regulation.byes;
    let rounds = regulation.sections.iter().map(|section| section.rounds);
    let rounds = rounds.max().unwrap_or(0);
    let asked = clause.rules.iter().map(|rule| (rule.rounds.1, rule.line));
    let left_out = clause
        .unpaired
        .iter()
        .map(|pair| (pair.bye_in.max(pair.leaves_out), pair.line));
    for (_, line) in asked.chain(left_out).filter(|(round, _)| *round > rounds) {
        find(findings, Severity::Error, "bye_round_unknown", line, None);
    }
}

/// Rows of one kind that share an id: a consent given, an appeal made or a tier applied would not say which.
fn ids(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let consents = regulation.consents.iter().map(|row| (&row.id, row.line));
    let appeals = regulation.appeals.iter().map(|row| (&row.id, row.line));
    let tiers = regulation.refund.tiers.iter();
    let tiers = tiers.map(|row| (&row.id, row.line));
    for rows in [
        consents.collect(),
        appeals.collect(),
        tiers.collect::<Vec<_>>(),
    ] {
        let mut seen = BTreeSet::new();
        for (id, line) in rows {
            if !seen.insert(id) {
                find(findings, Severity::Error, "id_twice", line, Some(id));
            }
        }
    }
}

/// Reductions that add and charges that take away, in the stages that are called so.
fn signs(regulation: &Regulation, findings: &mut Vec<Finding>) {
    for stage in &regulation.fees.stages {
        for row in &stage.adjustments {
            let amounts = row.changes.iter().flatten().map(|change| match change {
                Change::Amount(amount) => *amount,
                Change::Share(points) => i64::from(*points),
            });
            let (least, most) = amounts.fold((0, 0), |(least, most), amount| {
                (amount.min(least), amount.max(most))
            });
            let code = match stage.id.as_str() {
                REDUCTIONS if most > 0 => "reduction_raises",
                CHARGES if least < 0 => "charge_reduces",
                _ => continue,
            };
            find(findings, Severity::Error, code, row.line, Some(&row.id));
        }
    }
}
