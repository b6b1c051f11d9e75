//! What comes back when an entry ends. The order is normative in `docs/refunds.md`.

use domain::{RefundAsk, RefundCause, RefundMethod, RefundPart, RefundQuote, Text};

use crate::clauses::{RefundClause, RefundTier};
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
        RefundCause::Finished => "finished",
        RefundCause::Player if !ask.approved => "before_approval",
        RefundCause::Player => return by_clause(regulation, ask),
    };
    whole(fixed(regulation, rule, Vec::new(), ask.paid, 0))
}

/// The better of two versions of a regulation for the payer: the one frozen at registration, and the present one where that
/// still has the currency. A credit is no better than money.
#[must_use]
pub fn better_refund(frozen: &Regulation, present: &Regulation, ask: &RefundAsk) -> RefundQuote {
    let (before, now) = (refund(frozen, ask), refund(present, ask));
    let priced_there = present.currencies.contains(&ask.currency);
    let credit = |quote: &RefundQuote| quote.method == RefundMethod::Credit;
    let as_good = credit(&before) || !credit(&now);
    if priced_there && as_good && now.refund > before.refund {
        now
    } else {
        before
    }
}

/// Article and sentence of a rule that a refund was decided by; none where the regulation does not have it.
#[must_use]
pub fn refund_clause(regulation: &Regulation, rule: &str) -> Option<(String, Text)> {
    let clause = &regulation.refund;
    let tier = rule.strip_prefix("cancellation.");
    if let Some(id) = tier {
        let tier = clause.tiers.iter().find(|tier| tier.id == id)?;
        return Some((tier.article.clone(), tier.text.clone()));
    }
    let fixed = FIXED.iter().find(|fixed| **fixed == rule)?;
    Some((clause.article.clone(), sentences::fixed(fixed)))
}

/// Rules that decide without a tier.
const FIXED: [&str; 9] = [
    "organiser",
    "rejected",
    "no_seat",
    "price",
    "staff",
    "finished",
    "before_approval",
    NO_CLAUSE,
    TOO_LATE,
];
const NO_CLAUSE: &str = "no_clause";
const TOO_LATE: &str = "too_late";

/// The rows that tiers name go by those tiers, each as far as what was paid reaches; the rest, which is the entry fee with its
/// reductions, by the tiers that name none.
fn by_clause(regulation: &Regulation, ask: &RefundAsk) -> RefundQuote {
    let tiers = &regulation.refund.tiers;
    let mut left = ask.paid;
    let mut named: Vec<Decided<'_>> = Vec::new();
    for (row, paid) in &ask.rows {
        let paid = (*paid).min(left);
        if paid <= 0 || !tiers.iter().any(|tier| decides(tier, Some(row), ask)) {
            continue;
        }
        left -= paid;
        let rule = rule_of(regulation, Some(row), paid, ask);
        match named.iter_mut().find(|other| other.rule.is(rule)) {
            Some(other) => {
                other.rows.push(row.clone());
                other.paid += paid;
            }
            None => named.push(Decided {
                rows: vec![row.clone()],
                paid,
                rule,
            }),
        }
    }
    let fee = Decided {
        rows: Vec::new(),
        paid: left,
        rule: rule_of(regulation, None, left, ask),
    };
    let mut quote = whole(fee.part(regulation, ask));
    if named.is_empty() {
        return quote;
    }
    let of_fee = quote.clone().by_rule().into_iter().filter(|_| left > 0);
    let named = named.into_iter().map(|own| own.part(regulation, ask));
    quote.parts = of_fee.chain(named).collect();
    quote.refund = quote.parts.iter().map(|part| part.refund).sum();
    quote.kept = quote.parts.iter().map(|part| part.kept).sum();
    quote
}

/// What decides about a sum that was paid for a row, or for the entry: the tier of those who have no proof, or the one whose proof was
/// seen where that gives more.
fn rule_of<'r>(
    regulation: &'r Regulation,
    row: Option<&'r str>,
    paid: i64,
    ask: &'r RefundAsk,
) -> Rule<'r> {
    let clause = &regulation.refund;
    let currency = regulation.vocabulary.place_of(ask.currency);
    let back = |tier: Option<&RefundTier>| tier.map_or(0, |tier| paid - kept(tier, currency, paid));
    let (plain, proved) = (tier_of(clause, row, ask), proved(clause, row, ask));
    let tier = match proved {
        Some(proved) if back(Some(proved)) > back(plain) => Some(proved),
        _ => plain,
    };
    let any = clause.tiers.iter().any(|tier| decides(tier, row, ask));
    let otherwise = if any { TOO_LATE } else { NO_CLAUSE };
    tier.map_or(Rule::Fixed(otherwise), Rule::Tier)
}

/// Whether a tier is about a row of an entry of this section; about the entry fee where no row is said.
fn decides(tier: &RefundTier, row: Option<&str>, ask: &RefundAsk) -> bool {
    let of_section = |section| tier.sections.contains(section);
    if !tier.sections.is_empty() && !ask.section.as_ref().is_some_and(of_section) {
        return false;
    }
    match row {
        Some(row) => tier.of.iter().any(|named| **named == *row),
        None => tier.of.is_empty(),
    }
}

/// The tiers about a row, or about the entry fee, whose window holds.
fn open<'r>(
    clause: &'r RefundClause,
    row: Option<&'r str>,
    ask: &'r RefundAsk,
) -> impl Iterator<Item = &'r RefundTier> + Clone {
    let own = clause.tiers.iter();
    own.filter(move |tier| decides(tier, row, ask) && tier.requested.holds(ask.requested_at))
}

/// The tier that decides for who has no proof: the first of the kind that is wanted, money or credit, else the first.
pub(crate) fn tier_of<'r>(
    clause: &'r RefundClause,
    row: Option<&'r str>,
    ask: &'r RefundAsk,
) -> Option<&'r RefundTier> {
    let mut plain = open(clause, row, ask).filter(|tier| tier.proof.is_none());
    let wanted = |tier: &&RefundTier| (tier.method == RefundMethod::Credit) == ask.credit;
    let found = plain.clone().find(wanted);
    found.or_else(|| plain.next())
}

/// The tier whose proof was seen.
pub(crate) fn proved<'r>(
    clause: &'r RefundClause,
    row: Option<&'r str>,
    ask: &'r RefundAsk,
) -> Option<&'r RefundTier> {
    let seen = ask.proof.as_deref()?;
    let mut open = open(clause, row, ask);
    open.find(|tier| tier.proof.is_some() && tier.id == seen)
}

/// What was paid for some rows, and what decides about it.
struct Decided<'r> {
    rows: Vec<String>,
    paid: i64,
    rule: Rule<'r>,
}

/// A tier, or what holds where none does.
#[derive(Clone, Copy)]
enum Rule<'r> {
    Tier(&'r RefundTier),
    /// Everything is kept.
    Fixed(&'static str),
}

impl Rule<'_> {
    fn is(self, other: Rule<'_>) -> bool {
        match (self, other) {
            (Rule::Tier(one), Rule::Tier(other)) => one.id == other.id,
            (Rule::Fixed(one), Rule::Fixed(other)) => one == other,
            _ => false,
        }
    }
}

impl Decided<'_> {
    fn part(self, regulation: &Regulation, ask: &RefundAsk) -> RefundPart {
        let tier = match self.rule {
            Rule::Fixed(rule) => return fixed(regulation, rule, self.rows, self.paid, self.paid),
            Rule::Tier(tier) => tier,
        };
        let currency = regulation.vocabulary.place_of(ask.currency);
        let kept = kept(tier, currency, self.paid);
        RefundPart {
            rows: self.rows,
            refund: self.paid - kept,
            kept,
            method: tier.method,
            rule: format!("cancellation.{}", tier.id),
            article: tier.article.clone(),
            text: tier.text.clone(),
        }
    }
}

/// The share and the fixed sum, at least the minimum, at most what was paid; an exact half goes to the payer.
pub(crate) fn kept(tier: &RefundTier, currency: u8, paid: i64) -> i64 {
    let share = tier.keep_share.of_half_down(paid, 1);
    let asked = share.saturating_add(tier.keep_amount.of(currency));
    let asked = asked.max(tier.keep_least.of(currency));
    asked.min(paid)
}

fn fixed(
    regulation: &Regulation,
    rule: &'static str,
    rows: Vec<String>,
    paid: i64,
    kept: i64,
) -> RefundPart {
    RefundPart {
        rows,
        refund: paid - kept,
        kept,
        method: regulation.refund.method,
        rule: rule.to_owned(),
        article: regulation.refund.article.clone(),
        text: sentences::fixed(rule),
    }
}

fn whole(part: RefundPart) -> RefundQuote {
    RefundQuote {
        refund: part.refund,
        kept: part.kept,
        method: part.method,
        rule: part.rule,
        article: part.article,
        text: part.text,
        parts: Vec::new(),
    }
}
