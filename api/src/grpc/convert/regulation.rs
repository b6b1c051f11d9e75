//! Texts of regulations, their versions, and what publishing one would change, as messages.

use domain::{Currency, SectionId};
use proto::registration::v1 as desk;
use proto::rules::v1 as engine;
use registration::{
    Example, FirstChange, Obstacle, Preview, SeatChange, Shift, TermChange, Touched,
};
use rules::check::Severity;
use rules::diff::{ClauseChange, Diff, Difference, Outcome, PromotionChange};
use store::tournaments::Published;
use store::versions::Version;

use super::journal::actor;
use super::rules::{money, sum, text, timestamp};
use crate::wire::Found;

fn reference(tournament: &str, version: &Version) -> engine::RegulationRef {
    engine::RegulationRef {
        tournament: tournament.to_owned(),
        version: version.version,
        hash: version.hash.clone(),
        language: u32::try_from(version.language).unwrap_or(0),
    }
}

pub fn findings(found: impl IntoIterator<Item = impl Into<Found>>) -> Vec<engine::Finding> {
    found.into_iter().map(|one| finding(one.into())).collect()
}

fn finding(found: Found) -> engine::Finding {
    let severity = match found.severity {
        Severity::Error => engine::Severity::Error,
        Severity::Warning => engine::Severity::Warning,
    };
    engine::Finding {
        severity: severity.into(),
        code: found.code.to_owned(),
        line: u32::try_from(found.line).unwrap_or(u32::MAX),
        row: found.row,
        message: Some(text(found.message)),
        example: found.example,
    }
}

/// A version with its text.
pub fn whole(tournament: &str, (version, published): (Version, Published)) -> engine::Regulation {
    engine::Regulation {
        regulation: Some(reference(tournament, &version)),
        source: published.source,
        published_at: Some(timestamp(version.published_at)),
    }
}

/// A version with who published it.
pub fn version(tournament: &str, version: Version) -> desk::RegulationVersion {
    desk::RegulationVersion {
        regulation: Some(reference(tournament, &version)),
        published_at: Some(timestamp(version.published_at)),
        actor: Some(actor(version.actor)),
        reason: version.reason,
    }
}

pub fn preview(preview: Preview, currency: Currency) -> desk::RegulationPreview {
    desk::RegulationPreview {
        same: preview.is_same(),
        publishable: preview.may_be_published(),
        replaces: preview.replaces,
        hash: preview.hash,
        findings: findings(preview.findings),
        obstacles: preview.obstacles.into_iter().map(obstacle).collect(),
        prices: preview.prices.map(prices),
        clauses: preview.clauses.into_iter().map(clause).collect(),
        terms: preview.terms.into_iter().map(term).collect(),
        seats: preview.seats.into_iter().map(seats).collect(),
        firsts: preview.firsts.into_iter().map(first).collect(),
        closes_entry: preview.closes_entry,
        touched: Some(touched(preview.touched, currency)),
    }
}

fn obstacle(obstacle: Obstacle) -> desk::Obstacle {
    desk::Obstacle {
        at: obstacle.at,
        rule: obstacle.rule.to_owned(),
        text: Some(text(obstacle.text)),
    }
}

fn names(sections: Vec<SectionId>) -> Vec<String> {
    sections.iter().map(ToString::to_string).collect()
}

fn codes(currencies: &[Currency]) -> Vec<String> {
    currencies.iter().map(ToString::to_string).collect()
}

fn prices(diff: Diff) -> desk::PriceChanges {
    let change = |one: Difference| desk::PriceChange {
        section: one.section.to_string(),
        before: Some(outcome(one.before, one.currency)),
        after: Some(outcome(one.after, one.currency)),
        example: one.example,
        currency: one.currency.to_string(),
        gone_rows: one.gone_rows,
        new_rows: one.new_rows,
        classes: i64::try_from(one.classes).unwrap_or(i64::MAX),
    };
    desk::PriceChanges {
        changes: diff.differences.into_iter().map(change).collect(),
        gone: names(diff.gone),
        new: names(diff.new),
        not_proved: names(diff.not_proved),
        gone_currencies: codes(&diff.gone_currencies),
        new_currencies: codes(&diff.new_currencies),
        promotions: diff.promotions.into_iter().map(promotion).collect(),
    }
}

fn promotion(change: PromotionChange) -> desk::PromotionChange {
    desk::PromotionChange {
        id: change.id,
        before: change.before,
        after: change.after,
    }
}

fn outcome(outcome: Outcome, currency: Currency) -> desk::PriceOutcome {
    use desk::price_outcome::{Closed, NoPrice, Outcome as Out, Price, Refused};
    let outcome = match outcome {
        Outcome::Closed => Out::Closed(Closed {}),
        Outcome::Refused => Out::Refused(Refused {}),
        Outcome::NoPrice => Out::NoPrice(NoPrice {}),
        Outcome::Price { total, rows } => Out::Price(Price {
            total: Some(sum(total, currency)),
            rows,
        }),
    };
    desk::PriceOutcome {
        outcome: Some(outcome),
    }
}

fn clause(change: ClauseChange) -> desk::ClauseChange {
    desk::ClauseChange {
        part: change.part,
        name: change.name,
        before: change.before,
        after: change.after,
    }
}

fn term(change: TermChange) -> desk::TermChange {
    desk::TermChange {
        term: change.term.to_owned(),
        before: change.before,
        after: change.after,
    }
}

fn seats(change: SeatChange) -> desk::SeatChange {
    desk::SeatChange {
        sections: names(change.sections),
        before: change.before,
        after: change.after,
    }
}

fn first(change: FirstChange) -> desk::FirstChange {
    desk::FirstChange {
        row: change.row,
        before: change.before,
        after: change.after,
        taken: change.taken,
    }
}

fn touched(touched: Touched, currency: Currency) -> desk::TouchedEntries {
    use desk::touched_entries::OfVersion;
    let versions = touched.versions.into_iter();
    let shift = |one| Some(shift(one, currency));
    desk::TouchedEntries {
        orders: touched.orders,
        entries: touched.entries,
        versions: versions
            .map(|(version, entries)| OfVersion { version, entries })
            .collect(),
        dearer: shift(touched.dearer),
        cheaper: shift(touched.cheaper),
        refused: shift(touched.refused),
        erased: touched.erased,
        refund_more: shift(touched.refund_more),
        refund_less: shift(touched.refund_less),
        refund_own: shift(touched.refund_own),
        waiting: touched.waiting,
        offered: touched.offered,
        held_past_pay_by: touched.held_past_pay_by,
        held_without_card: touched.held_without_card,
    }
}

fn shift(shift: Shift, currency: Currency) -> desk::Shift {
    let example = |one: Example| desk::shift::Example {
        entry: one.entry.to_string(),
        form_number: one.form_number,
        section: one.section.map(|id| id.to_string()),
        before: Some(money(one.before)),
        after: Some(money(one.after)),
    };
    desk::Shift {
        entries: shift.entries,
        sum: Some(money(shift.sum(currency))),
        sums: shift.sums.iter().copied().map(money).collect(),
        examples: shift.examples.into_iter().map(example).collect(),
    }
}
