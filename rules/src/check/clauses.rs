//! Capacity, byes, ids, signs, doubtful dates, how money goes back: what needs no walk over entrants.

use std::collections::BTreeSet;

use domain::RefundMethod;

use super::{Finding, Severity, find};
use crate::Regulation;
use crate::conditions::{Answered, Test};
use crate::fees::{CHARGES, Change, REDUCTIONS};
use crate::regulation::DoubtKind;
use crate::terms::CapacityRule;

pub(super) fn check(regulation: &Regulation, findings: &mut Vec<Finding>) {
    seats(regulation, findings);
    implied(regulation, findings);
    by_card(regulation, findings);
    byes(regulation, findings);
    ids(regulation, findings);
    signs(regulation, findings);
    unanswered(regulation, findings);
    for doubt in &regulation.doubts {
        let (severity, code) = match doubt.kind {
            DoubtKind::RepeatedTime => (Severity::Warning, "repeated_time"),
            DoubtKind::SkippedTime => (Severity::Warning, "skipped_time"),
            DoubtKind::Weekday => (Severity::Error, "wrong_weekday"),
            DoubtKind::AgesFar => (Severity::Warning, "ages_far_from_play"),
            DoubtKind::RefundByCard => (Severity::Warning, "refund_by_no_card"),
            DoubtKind::EmptyText => (Severity::Warning, "text_empty"),
            DoubtKind::Article { .. } => continue,
        };
        find(findings, severity, code, doubt.line, None);
    }
}

fn seats(regulation: &Regulation, findings: &mut Vec<Finding>) {
    for rule in &regulation.capacity {
        if rule.seats == Some(0) {
            find(findings, Severity::Error, "no_seats", rule.line, None);
        }
        if let (Some(seats), Some(warn_at)) = (rule.seats, rule.warn_at)
            && warn_at > seats
        {
            let code = "warned_after_full";
            find(findings, Severity::Error, code, rule.line, None);
        }
    }
}

/// Figures that never count, since another one is never above them: of the same sections or more, and no larger. Otherwise a
/// section may be in several, and all of them hold.
fn implied(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let rules = &regulation.capacity;
    for (place, rule) in rules.iter().enumerate() {
        let never_counts = rules.iter().enumerate().any(|(other, tighter)| {
            other != place && within(rule, tighter) && (other < place || !within(tighter, rule))
        });
        if never_counts {
            find(
                findings,
                Severity::Warning,
                "seats_implied",
                rule.line,
                None,
            );
        }
    }
}

/// Whether a figure, and what it warns at, is never reached before another one is.
fn within(rule: &CapacityRule, other: &CapacityRule) -> bool {
    let mut sections = rule.sections.iter();
    let covered = other.sections.is_empty()
        || !rule.sections.is_empty() && sections.all(|id| other.sections.contains(id));
    let (seats, least) = match (rule.seats, other.seats) {
        (Some(seats), Some(least)) => (seats, least),
        // What the organiser sets is one figure for all that say so.
        (None, None) => (u32::MAX, u32::MAX),
        _ => return false,
    };
    covered && least <= seats && rule.warn_at.is_none_or(|at| at >= least)
}

/// Money that goes back by card where none comes by card.
fn by_card(regulation: &Regulation, findings: &mut Vec<Finding>) {
    if regulation.entry.methods.card {
        return;
    }
    let clause = &regulation.refund;
    let tiers = clause.tiers.iter();
    let by_card =
        tiers.filter(|tier| tier.method == RefundMethod::Card && tier.method != clause.method);
    for tier in by_card {
        let row = Some(tier.id.as_str());
        find(
            findings,
            Severity::Warning,
            "refund_by_no_card",
            tier.line,
            row,
        );
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

/// Conditions of entry that want an answer to a question which nobody has to answer: who leaves it out is kept out. No answer is no,
/// where that is what is asked.
fn unanswered(regulation: &Regulation, findings: &mut Vec<Finding>) {
    for row in &regulation.admissions {
        let mut tests = Vec::new();
        row.needs.tests(&mut tests);
        let left_out = tests.into_iter().find_map(|test| match test {
            Test::Answer(place, Answered::Number(_) | Answered::OneOf(_)) => {
                let question = regulation.vocabulary.questions.get(usize::from(*place));
                question.filter(|question| !question.required)
            }
            _ => None,
        });
        if let Some(question) = left_out {
            let (line, row) = (row.line, Some(question.id.as_str()));
            find(findings, Severity::Warning, "answer_left_out", line, row);
        }
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
