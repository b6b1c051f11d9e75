//! What comes back when an entry ends.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Currency, RefundMethod, SectionId, Text, UtcTime};

/// Why money goes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundCause {
    /// The player leaves.
    Player,
    /// The organiser cancels the entry, or the tournament.
    Organiser,
    /// The entry was refused.
    Rejected,
    /// The money came when there was no seat for it, twice, or wrong.
    NoSeat,
    /// A promotion or a move between sections made the price smaller.
    Price,
    /// The staff decided a sum.
    Staff,
    /// The entrant has finished, and a deposit comes back.
    Finished,
}

/// What is asked of the refund clause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefundAsk {
    /// What was paid for what ends, less what goes on costing: minor units, not negative.
    pub paid: i64,
    /// The currency in which it was paid.
    pub currency: Currency,
    /// When it is asked for.
    pub requested_at: UtcTime,
    /// Who ends it.
    pub cause: RefundCause,
    /// Whether the arbiter had approved the entry already.
    pub approved: bool,
    /// The section that the entry is of: a clause may have tiers for some.
    #[serde(default)]
    pub section: Option<SectionId>,
    /// What of it was paid for single rows, by their ids, in minor units: a clause may have tiers for some of them.
    #[serde(default)]
    pub rows: BTreeMap<String, i64>,
    /// Whether the payer would rather have a credit than money, where the clause gives one.
    #[serde(default)]
    pub credit: bool,
    /// The tier whose proof the organiser has seen.
    #[serde(default)]
    pub proof: Option<String>,
}

/// The answer: `refund + kept = paid`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefundQuote {
    /// Goes back, minor units.
    pub refund: i64,
    /// The organiser keeps, minor units.
    pub kept: i64,
    /// How it goes back.
    pub method: RefundMethod,
    /// The row that decided (`cancellation.half`, `organiser`, `before_approval`, `no_clause`).
    pub rule: String,
    /// Its article.
    pub article: String,
    /// What it says.
    pub text: Text,
    /// What this is made of, where tiers decide about single rows: each is in the sums above, whose rule is that of the entry fee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RefundPart>,
}

/// What one tier decides of a refund: `refund + kept` was paid for its rows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefundPart {
    /// The rows that the tier names; none for the entry fee.
    pub rows: Vec<String>,
    /// Goes back, minor units.
    pub refund: i64,
    /// The organiser keeps, minor units.
    pub kept: i64,
    /// How it goes back.
    pub method: RefundMethod,
    /// The row of the clause that decided.
    pub rule: String,
    /// Its article.
    pub article: String,
    /// What it says.
    pub text: Text,
}

impl RefundQuote {
    /// What each rule decides: the parts, or the whole as one.
    #[must_use]
    pub fn by_rule(self) -> Vec<RefundPart> {
        if !self.parts.is_empty() {
            return self.parts;
        }
        vec![RefundPart {
            rows: Vec::new(),
            refund: self.refund,
            kept: self.kept,
            method: self.method,
            rule: self.rule,
            article: self.article,
            text: self.text,
        }]
    }
}
