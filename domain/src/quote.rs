//! A quote: the priced lines of an order at an instant.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Currency, Entrant, EntryId, FactName, Grade, SectionId, Text, TournamentId, UtcTime};

/// Which version of which regulation was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RegulationRef {
    /// The tournament, which is the regulation's `id`.
    pub tournament: TournamentId,
    /// The published number, from 1.
    pub version: i32,
    /// SHA-256 of the file, in hexadecimal.
    pub hash: Arc<str>,
    /// Version of the regulation language.
    pub language: u32,
}

/// One entry that somebody asks about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryRequest {
    /// The section; none where the organiser is to place the entrant.
    pub section: Option<SectionId>,
    /// Who enters.
    #[serde(flatten)]
    pub entrant: Entrant,
}

/// An entry that stands already: promotions may reach it, and its people may not enter twice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Which one.
    pub entry: EntryId,
    /// Its section.
    pub section: Option<SectionId>,
    /// Who.
    pub entrant: Entrant,
    /// What its order was charged for it, all its lines together, in minor units.
    pub price: i64,
    /// The currency of its order; none for the first of the regulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// Promotions that it serves already.
    pub promotions: Vec<String>,
}

/// The instants that a row of a regulation may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instants {
    /// Of the form.
    pub registered: UtcTime,
    /// Of the payment: the charge was made, or the day on the slip began.
    pub paid: UtcTime,
    /// Of the money's arrival on the organiser's account; never before it was paid.
    pub received: UtcTime,
}

impl Instants {
    /// Those of a form; what is not said of the payment is as if it were paid with the form, or arrived as it was paid.
    #[must_use]
    pub fn of(registered: UtcTime, paid: Option<UtcTime>, received: Option<UtcTime>) -> Instants {
        let paid = paid.unwrap_or(registered);
        Instants {
            registered,
            paid,
            received: received.map_or(paid, |received| received.max(paid)),
        }
    }
}

/// What is asked of the rules engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct QuoteRequest {
    /// The instant of the form.
    pub at: UtcTime,
    /// The instant of the payment; that of the form where none is said.
    #[serde(default)]
    pub paid_at: Option<UtcTime>,
    /// The instant at which the money arrives; that of the payment where none is said.
    #[serde(default)]
    pub received_at: Option<UtcTime>,
    /// The currency in which it is to be priced; none for the first of the regulation in which every entry has a price.
    #[serde(default)]
    pub currency: Option<Currency>,
    /// What one payer would enter at once.
    pub entries: Vec<EntryRequest>,
    /// What stands already in the tournament and matters here (same institution, same people).
    #[serde(default)]
    pub standing: Vec<Standing>,
    /// How many of each limited row are taken already; none of a row that is not named.
    #[serde(default)]
    pub taken: Taken,
    /// Who stands beside them already, where a price goes by how many they are.
    #[serde(default)]
    pub others: Others,
}

/// How many live entries stand beside those that a quote is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Others {
    /// Of each club, federation or institution, as the regulation groups entrants, by its name or its code.
    #[serde(default)]
    pub by_group: BTreeMap<String, u32>,
    /// In the same order.
    #[serde(default)]
    pub in_order: u32,
    /// Of those of each group, how many came after them: the others came before.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub later_by_group: BTreeMap<String, u32>,
    /// Of those in the same order, likewise.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub later_in_order: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Others {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_group.is_empty() && self.in_order == 0
    }
}

/// How many of each limited row are taken, by its id.
pub type Taken = BTreeMap<String, u32>;

impl QuoteRequest {
    /// The instants that rows may name.
    #[must_use]
    pub fn instants(&self) -> Instants {
        Instants::of(self.at, self.paid_at, self.received_at)
    }
}

/// What kind of line it is; the order in which lines are made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of docs/pricing.md")]
pub enum LineKind {
    Base,
    Adjustment,
    AddOn,
    Promotion,
}

/// One priced line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Position in the request's `entries`.
    pub entry: usize,
    /// What kind of line.
    pub kind: LineKind,
    /// The row of the regulation that made it.
    pub rule: Arc<str>,
    /// The article it comes from, as the regulation cites it.
    pub article: Arc<str>,
    /// What it is, for people.
    pub text: Text,
    /// Minor units of the quote's currency, negative for a reduction.
    pub amount: i64,
    /// The standing entry that a promotion reaches, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<EntryId>,
}

/// Why something is refused: a stable code, the field it is about, and a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// Stable code, `snake_case` (`rating_too_high`).
    pub code: String,
    /// The field of the request (`entries[0].entrant.rating`).
    pub field: String,
    /// The article of the regulation.
    pub article: String,
    /// The sentence.
    pub text: Text,
}

/// A limited thing that a quote asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// Position in the request's `entries`.
    pub entry: usize,
    /// The row that is limited.
    pub rule: String,
    /// How many of it there are.
    pub limit: u32,
}

/// A fact that the quote read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FactUse {
    /// Position in the request's `entries`.
    pub entry: usize,
    /// Which fact.
    pub fact: FactName,
    /// Its value as text.
    pub value: String,
    /// How sure it is.
    pub grade: Grade,
}

/// What one entry of the order comes to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryQuote {
    /// The section asked for.
    pub section: Option<SectionId>,
    /// Sum of its lines, minor units, never below zero.
    pub total: i64,
    /// Declared facts that lowered the total: somebody has to check them.
    pub to_check: Vec<FactName>,
    /// Waits for approval: declared facts brought it to zero, the regulation asks for approval, or it has no section.
    pub needs_approval: bool,
}

/// The answer of the rules engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Quote {
    /// Under which rules.
    pub regulation: RegulationRef,
    /// The instant of the form that it is for.
    pub at: UtcTime,
    /// The instant of the payment that it is for, where the request said one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_at: Option<UtcTime>,
    /// The instant of the money's arrival that it is for, where the request said one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_at: Option<UtcTime>,
    /// Whether this order would be taken.
    pub eligible: bool,
    /// Why not: all reasons, in the order of the entries.
    pub reasons: Vec<Reason>,
    /// Currency of every amount.
    pub currency: Currency,
    /// Sum of the entries, minor units; zero where not eligible.
    pub total: i64,
    /// One for each entry asked about.
    pub entries: Vec<EntryQuote>,
    /// The priced lines, in order.
    pub lines: Vec<Line>,
    /// Limited things asked for.
    pub claims: Vec<Claim>,
    /// How many of each limited row were taken already.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub taken: Taken,
    /// Who stood beside them already.
    #[serde(default, skip_serializing_if = "Others::is_empty")]
    pub others: Others,
    /// Facts that were read.
    pub facts: Vec<FactUse>,
    /// Until when this price may be registered, and paid where a row goes by the payment: the next instant at which a row
    /// or the window changes; open-ended where nothing does.
    pub valid_until: Option<UtcTime>,
}
