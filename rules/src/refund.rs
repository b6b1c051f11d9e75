//! What comes back when an entry ends. The order is normative in `docs/refunds.md`.

use domain::{RefundAsk, RefundCause, RefundQuote, Text};

use crate::clauses::RefundTier;
use crate::regulation::Regulation;
use crate::sentences;

/// What comes back when an entry ends: `refund + kept = paid`.
#[must_use]
pub fn refund(regulation: &Regulation, ask: &RefundAsk) -> RefundQuote {
    let rule = match ask.cause {
        RefundCause::Organiser => "organiser",
        RefundCause::Rejected => "rejected",
        RefundCause::NoSeat => "no_seat",
        RefundCause::Price => "price",
        RefundCause::Staff => "staff",
        RefundCause::Player if !ask.approved => "before_approval",
        RefundCause::Player => return by_clause(regulation, ask),
    };
    answer(regulation, ask, rule, 0)
}

/// The better of two versions of a regulation for the payer: the one frozen at registration, and the present one where that
/// still has the currency.
#[must_use]
pub fn better_refund(frozen: &Regulation, present: &Regulation, ask: &RefundAsk) -> RefundQuote {
    let (before, now) = (refund(frozen, ask), refund(present, ask));
    let priced_there = present.currencies.contains(&ask.currency);
    if priced_there && now.refund > before.refund {
        now
    } else {
        before
    }
}

fn by_clause(regulation: &Regulation, ask: &RefundAsk) -> RefundQuote {
    let clause = &regulation.refund;
    if clause.tiers.is_empty() {
        return answer(regulation, ask, "no_clause", ask.paid);
    }
    let tier = clause
        .tiers
        .iter()
        .find(|tier| tier.requested.holds(ask.requested_at));
    match tier {
        None => answer(regulation, ask, "too_late", ask.paid),
        Some(tier) => RefundQuote {
            method: tier.method,
            rule: format!("cancellation.{}", tier.id),
            article: tier.article.clone(),
            text: tier.text.clone(),
            ..answer(
                regulation,
                ask,
                "",
                kept(tier, regulation.vocabulary.place_of(ask.currency), ask.paid),
            )
        },
    }
}

/// The share and the fixed sum, at least the minimum, at most what was paid; an exact half goes to the payer.
pub(crate) fn kept(tier: &RefundTier, currency: u8, paid: i64) -> i64 {
    let share = tier.keep_share.of_half_down(paid, 1);
    let asked = share.saturating_add(tier.keep_amount.of(currency));
    let asked = asked.max(tier.keep_least.of(currency));
    asked.min(paid)
}

fn answer(regulation: &Regulation, ask: &RefundAsk, rule: &'static str, kept: i64) -> RefundQuote {
    let text = if rule.is_empty() {
        Text::default()
    } else {
        sentences::fixed(rule)
    };
    RefundQuote {
        refund: ask.paid - kept,
        kept,
        method: regulation.refund.method,
        rule: rule.to_owned(),
        article: regulation.refund.article.clone(),
        text,
    }
}
