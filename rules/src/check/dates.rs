//! Dates out of order: of entry, payment and play, of windows that rows name, of refunds.

use domain::UtcTime;

use super::{Finding, Severity, find};
use crate::Regulation;
use crate::conditions::{Condition, Test};
use crate::fees::Same;
use crate::terms::Window;

pub(super) fn check(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let over = over(regulation);
    entry(regulation, over, findings);
    for (condition, line, row) in conditions(regulation) {
        if beyond(regulation, over, condition) {
            let code = "window_beyond_entry";
            find(findings, Severity::Warning, code, line, row);
        }
    }
    for tier in &regulation.refund.tiers {
        let Window { from, before } = tier.requested;
        let late = |at: Option<UtcTime>| at.zip(over).is_some_and(|(at, over)| at > over);
        if late(from) || late(before) {
            let (line, row) = (tier.line, Some(tier.id.as_str()));
            find(findings, Severity::Warning, "refund_after_play", line, row);
        }
    }
}

/// The first instant after the last day of play.
pub(super) fn over(regulation: &Regulation) -> Option<UtcTime> {
    let tomorrow = regulation.play.last.tomorrow().ok()?;
    let midnight = tomorrow.to_zoned(regulation.time_zone.clone()).ok()?;
    Some(midnight.timestamp().into())
}

fn entry(regulation: &Regulation, over: Option<UtcTime>, findings: &mut Vec<Finding>) {
    let line = regulation.entry.line;
    let Window { from, before } = regulation.entry.window;
    let pay_by = regulation.entry.pay_by;
    let later = |one: Option<UtcTime>, other: Option<UtcTime>| {
        one.zip(other).is_some_and(|(one, other)| one > other)
    };
    let mut tell = |wrong: bool, severity, code| {
        if wrong {
            find(findings, severity, code, line, None);
        }
        wrong
    };
    let opens = from.map(|from| from.plus_seconds(1));
    tell(later(opens, before), Severity::Error, "opens_after_closes");
    if !tell(later(before, over), Severity::Error, "closes_after_play") {
        let begun = later(before, Some(regulation.play.begins));
        tell(begun, Severity::Warning, "closes_after_start");
    }
    if !tell(later(opens, pay_by), Severity::Error, "pay_by_before_opens") {
        let code = "pay_by_before_closes";
        tell(later(before, pay_by), Severity::Warning, code);
    }
    tell(later(pay_by, over), Severity::Warning, "pay_by_after_play");
}

/// Every condition of the file with its line and its row.
fn conditions(regulation: &Regulation) -> Vec<(&Condition, usize, Option<&str>)> {
    let rows = regulation.fees.rows.iter();
    let rows = rows.map(|row| (&row.when, row.line, Some(&*row.id)));
    let adjustments = regulation.fees.adjustments();
    let adjustments = adjustments.map(|row| (&row.when, row.line, Some(&*row.id)));
    let promotions = regulation.fees.promotions.iter();
    let promotions = promotions.filter_map(|row| match &row.same {
        Same::Person { when, .. } => Some((when, row.line, Some(&*row.id))),
        Same::Institution { .. } => None,
    });
    let admissions = regulation.admissions.iter();
    let admissions =
        admissions.flat_map(|row| [&row.when, &row.needs].map(|part| (part, row.line, None)));
    let rows = rows.chain(adjustments).chain(promotions);
    rows.chain(admissions).collect()
}

/// Whether it names an instant at which no entry is taken, or money no more: it cannot mean what it says.
fn beyond(regulation: &Regulation, over: Option<UtcTime>, condition: &Condition) -> bool {
    let mut tests = Vec::new();
    condition.tests(&mut tests);
    let taken = regulation.entry.window;
    tests.into_iter().any(|test| {
        let (window, allowed) = match test {
            Test::Registered(window) => (window, taken),
            Test::Paid(window) => {
                let before = regulation.entry.pay_by.or(over);
                (window, Window { from: None, before })
            }
            Test::Received(window) => {
                let before = over;
                (window, Window { from: None, before })
            }
            _ => return false,
        };
        let mut ends = [window.from, window.before].into_iter().flatten();
        ends.any(|end| {
            allowed.from.is_some_and(|from| end < from)
                || allowed.before.is_some_and(|before| end > before)
        })
    })
}
