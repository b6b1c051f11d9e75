//! Answers of the rules engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{
    ByeAnswer, Claim, Currency, EntryId, EntryQuote, FactName, FactUse, Line, LineKind, Quote,
    Reason, RefundMethod, RefundQuote, RegulationRef, SectionId, Text, TournamentId, UtcTime,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::entrant::{Eyes, GradeOut};
use super::money::MoneyOut;
use crate::wire::OthersIn;

/// One sentence in Catalan, Spanish and English.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextOut {
    /// Catalan.
    pub ca: String,
    /// Spanish.
    pub es: String,
    /// English.
    pub en: String,
}

/// Which version of which regulation was read.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegulationOut {
    /// The tournament, which is the regulation's `id`.
    #[schema(value_type = String)]
    pub tournament: TournamentId,
    /// The published number, from 1.
    pub version: i32,
    /// SHA-256 of the file, in hexadecimal.
    #[schema(value_type = String)]
    pub hash: Arc<str>,
    /// Version of the regulation language.
    pub language: u32,
}

impl From<RegulationRef> for RegulationOut {
    fn from(reference: RegulationRef) -> Self {
        RegulationOut {
            tournament: reference.tournament,
            version: reference.version,
            hash: reference.hash,
            language: reference.language,
        }
    }
}

/// Why something is refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReasonOut {
    /// Stable code.
    #[schema(example = "rating_too_high")]
    pub code: String,
    /// The field of the request.
    #[schema(example = "entries[0].entrant.rating")]
    pub field: String,
    /// The article of the regulation.
    pub article: String,
    /// The sentence.
    #[schema(value_type = TextOut)]
    pub text: Text,
}

impl From<Reason> for ReasonOut {
    fn from(reason: Reason) -> Self {
        ReasonOut {
            code: reason.code,
            field: reason.field,
            article: reason.article,
            text: reason.text,
        }
    }
}

/// One priced line.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineOut {
    /// Position in the request's `entries`, from 0.
    pub entry: usize,
    /// `base`, `adjustment`, `add_on` or `promotion`.
    #[schema(value_type = String)]
    pub kind: LineKind,
    /// The row of the regulation that made it.
    #[schema(value_type = String)]
    pub rule: Arc<str>,
    /// The article it comes from.
    #[schema(value_type = String)]
    pub article: Arc<str>,
    /// What it is.
    #[schema(value_type = TextOut)]
    pub text: Text,
    /// Its sum; negative for a reduction.
    pub amount: MoneyOut,
    /// The standing entry (`ent_…`) that a promotion reaches.
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<EntryId>,
}

impl LineOut {
    pub(super) fn of(line: Line, currency: Currency) -> Self {
        LineOut {
            entry: line.entry,
            kind: line.kind,
            rule: line.rule,
            article: line.article,
            text: line.text,
            amount: MoneyOut::of(line.amount, currency),
            with: line.with,
        }
    }
}

/// A limited thing that the quote asks for.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClaimOut {
    /// Position in the request's `entries`, from 0.
    pub entry: usize,
    /// The row that is limited.
    pub rule: String,
    /// How many of it there are.
    pub limit: u32,
}

impl From<Claim> for ClaimOut {
    fn from(claim: Claim) -> Self {
        ClaimOut {
            entry: claim.entry,
            rule: claim.rule,
            limit: claim.limit,
        }
    }
}

/// A fact that the quote read.
#[derive(Debug, Serialize, ToSchema)]
pub struct FactUseOut {
    /// Position in the request's `entries`, from 0.
    pub entry: usize,
    /// Which fact.
    #[schema(value_type = String)]
    pub fact: FactName,
    /// Its value as text.
    pub value: String,
    /// How sure it is.
    pub grade: GradeOut,
}

impl From<FactUse> for FactUseOut {
    fn from(used: FactUse) -> Self {
        FactUseOut {
            entry: used.entry,
            fact: used.fact,
            value: used.value,
            grade: GradeOut::of(used.grade, Eyes::Staff),
        }
    }
}

/// What one entry comes to.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryQuoteOut {
    /// The section asked for.
    #[schema(value_type = Option<String>)]
    pub section: Option<SectionId>,
    /// Sum of its lines, never below zero.
    pub total: MoneyOut,
    /// Declared facts that lowered the total: somebody has to check them.
    #[schema(value_type = Vec<String>)]
    pub to_check: Vec<FactName>,
    /// Whether it waits for approval.
    pub needs_approval: bool,
}

impl EntryQuoteOut {
    fn of(entry: EntryQuote, currency: Currency) -> Self {
        EntryQuoteOut {
            section: entry.section,
            total: MoneyOut::of(entry.total, currency),
            to_check: entry.to_check,
            needs_approval: entry.needs_approval,
        }
    }
}

/// The priced lines of an order at an instant.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuoteOut {
    /// Under which rules.
    pub regulation: RegulationOut,
    /// The instant of the form that it is for.
    #[schema(value_type = String, format = DateTime)]
    pub at: UtcTime,
    /// The instant of the payment that it is for, where the request said one.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_at: Option<UtcTime>,
    /// The instant of the money's arrival that it is for, where the request said one.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_at: Option<UtcTime>,
    /// Whether this order would be taken.
    pub eligible: bool,
    /// Why not: all reasons, in the order of the entries.
    pub reasons: Vec<ReasonOut>,
    /// Sum of the entries; zero where not eligible.
    pub total: MoneyOut,
    /// One for each entry asked about.
    pub entries: Vec<EntryQuoteOut>,
    /// The priced lines, in order.
    pub lines: Vec<LineOut>,
    /// Limited things asked for.
    pub claims: Vec<ClaimOut>,
    /// How many of each limited row were taken already.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub taken: BTreeMap<String, u32>,
    /// Who stood beside them already, where a price goes by how many they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<OthersIn>,
    /// Facts that were read.
    pub facts: Vec<FactUseOut>,
    /// Until when this price may be registered, and paid where a row goes by the payment.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub valid_until: Option<UtcTime>,
}

impl From<Quote> for QuoteOut {
    fn from(quote: Quote) -> Self {
        let currency = quote.currency;
        QuoteOut {
            regulation: quote.regulation.into(),
            at: quote.at,
            paid_at: quote.paid_at,
            received_at: quote.received_at,
            eligible: quote.eligible,
            reasons: quote.reasons.into_iter().map(ReasonOut::from).collect(),
            total: MoneyOut::of(quote.total, currency),
            entries: quote
                .entries
                .into_iter()
                .map(|entry| EntryQuoteOut::of(entry, currency))
                .collect(),
            lines: quote
                .lines
                .into_iter()
                .map(|line| LineOut::of(line, currency))
                .collect(),
            claims: quote.claims.into_iter().map(ClaimOut::from).collect(),
            taken: quote.taken,
            others: (!quote.others.is_empty()).then_some(OthersIn {
                by_group: quote.others.by_group,
                in_order: quote.others.in_order,
                later_by_group: quote.others.later_by_group,
                later_in_order: quote.others.later_in_order,
            }),
            facts: quote.facts.into_iter().map(FactUseOut::from).collect(),
            valid_until: quote.valid_until,
        }
    }
}

/// Who would be let in.
#[derive(Debug, Serialize, ToSchema)]
pub struct EligibilityOut {
    /// Under which rules.
    pub regulation: RegulationOut,
    /// Whether this order would be taken.
    pub eligible: bool,
    /// Why not: all reasons, in the order of the entries.
    pub reasons: Vec<ReasonOut>,
}

/// What comes back when an entry ends: `refund` and `kept` are together what was paid.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundQuoteOut {
    /// Goes back.
    pub refund: MoneyOut,
    /// The organiser keeps.
    pub kept: MoneyOut,
    /// `card`, `transfer` or `credit`.
    #[schema(value_type = String)]
    pub method: RefundMethod,
    /// The row that decided.
    pub rule: String,
    /// Its article.
    pub article: String,
    /// What it says.
    #[schema(value_type = TextOut)]
    pub text: Text,
    /// What it is made of, where the clause decides about single rows; the fields above are then those of the entry fee, but for
    /// the sums.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RefundPartOut>,
}

/// What one row of the clause decides of a refund.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundPartOut {
    /// The rows of the regulation that it decides about; none for the entry fee.
    pub rows: Vec<String>,
    /// Goes back.
    pub refund: MoneyOut,
    /// The organiser keeps.
    pub kept: MoneyOut,
    /// `card`, `transfer` or `credit`.
    #[schema(value_type = String)]
    pub method: RefundMethod,
    /// The row that decided.
    pub rule: String,
    /// Its article.
    pub article: String,
    /// What it says.
    #[schema(value_type = TextOut)]
    pub text: Text,
}

impl RefundQuoteOut {
    pub(in crate::rest) fn of(quote: RefundQuote, currency: Currency) -> Self {
        RefundQuoteOut {
            refund: MoneyOut::of(quote.refund, currency),
            kept: MoneyOut::of(quote.kept, currency),
            method: quote.method,
            rule: quote.rule,
            article: quote.article,
            text: quote.text,
            parts: quote
                .parts
                .into_iter()
                .map(|part| RefundPartOut {
                    rows: part.rows,
                    refund: MoneyOut::of(part.refund, currency),
                    kept: MoneyOut::of(part.kept, currency),
                    method: part.method,
                    rule: part.rule,
                    article: part.article,
                    text: part.text,
                })
                .collect(),
        }
    }
}

/// Whether byes may be asked for; the arbiter still decides.
#[derive(Debug, Serialize, ToSchema)]
pub struct ByeAnswerOut {
    /// Whether they may be asked for.
    pub allowed: bool,
    /// Why not.
    pub reasons: Vec<ReasonOut>,
    /// Rounds in which the entrant is not paired besides those asked for.
    pub unpaired: Vec<u32>,
}

impl From<ByeAnswer> for ByeAnswerOut {
    fn from(answer: ByeAnswer) -> Self {
        ByeAnswerOut {
            allowed: answer.allowed,
            reasons: answer.reasons.into_iter().map(ReasonOut::from).collect(),
            unpaired: answer.unpaired,
        }
    }
}
