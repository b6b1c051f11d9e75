//! What comes back when an entry ends.

use serde::{Deserialize, Serialize};

use crate::{Currency, RefundMethod, Text, UtcTime};

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
}
