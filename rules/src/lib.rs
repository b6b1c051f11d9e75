//! The rules engine, pure: a regulation, facts and an instant go in; a quote, the reasons of a refusal, a refund or an
//! answer about byes comes out. No clock, no disk, no randomness.
//!
//! `docs/pricing.md` and `docs/refunds.md` are normative; their tables are tests of this crate.
#![warn(missing_docs)]

pub mod batch;
pub mod check;
mod regulation;
pub mod table;
mod terms;

use domain::{
    ByeAnswer, ByeRequest, Entrant, EntryId, Quote, QuoteRequest, Reason, RefundAsk, RefundMethod,
    RefundQuote, SectionId, Text, UtcTime,
};

pub use regulation::{Fault, Regulation, RegulationError};
pub use terms::{
    Appeal, Approval, CapacityRule, Consent, Effective, EntrantKind, IdentityScope, Ordering,
    OrganiserRights, PaymentMethods, Section, Window,
};

/// Prices an order at an instant, or says why it would not be taken.
#[must_use]
pub fn quote(regulation: &Regulation, request: &QuoteRequest) -> Quote {
    Quote {
        regulation: regulation.reference().clone(),
        at: request.at,
        eligible: false,
        reasons: eligibility(regulation, request),
        currency: regulation.currency(),
        total: 0,
        entries: Vec::new(),
        lines: Vec::new(),
        claims: Vec::new(),
        facts: Vec::new(),
        valid_until: None,
    }
}

/// Every reason for which an order would not be taken at an instant; none where it would.
#[must_use]
pub fn eligibility(regulation: &Regulation, request: &QuoteRequest) -> Vec<Reason> {
    let _ = (regulation, request);
    Vec::new()
}

/// What comes back when an entry ends.
#[must_use]
pub fn refund(regulation: &Regulation, ask: &RefundAsk) -> RefundQuote {
    let _ = regulation;
    RefundQuote {
        refund: ask.paid,
        kept: 0,
        method: RefundMethod::Card,
        rule: String::new(),
        article: String::new(),
        text: Text::default(),
    }
}

/// Whether an entrant of a section may ask for these byes; those already granted are passed with the new ones.
#[must_use]
pub fn byes(regulation: &Regulation, section: &SectionId, asked: &[ByeRequest]) -> ByeAnswer {
    let _ = (regulation, section, asked);
    ByeAnswer {
        allowed: false,
        reasons: Vec::new(),
        unpaired: Vec::new(),
    }
}

/// An entry that remains when others leave, with its frozen facts.
#[derive(Clone, Copy, Debug)]
pub struct Remaining<'a> {
    /// Which one.
    pub entry: EntryId,
    /// The instant of its form: the price is that of this instant.
    pub at: UtcTime,
    /// Its section.
    pub section: Option<&'a SectionId>,
    /// Its frozen facts.
    pub entrant: &'a Entrant,
}

/// What an entry that remains costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemainingPrice {
    /// Which one.
    pub entry: EntryId,
    /// Minor units; `None` where the regulation gives it no price.
    pub total: Option<i64>,
    /// Promotions that it serves.
    pub promotions: Vec<String>,
}

/// What entries cost among themselves, each at the instant of its own form, in the order given (form order): after one
/// leaves, the promotions that no longer hold are gone from it. What was paid for all, less the sum of this, is the
/// basis of the refund.
#[must_use]
pub fn remaining_price(regulation: &Regulation, remaining: &[Remaining<'_>]) -> Vec<RemainingPrice> {
    let _ = regulation;
    remaining
        .iter()
        .map(|entry| RemainingPrice {
            entry: entry.entry,
            total: None,
            promotions: Vec::new(),
        })
        .collect()
}
