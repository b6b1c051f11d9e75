//! What is asked of the clauses about refunds and byes.

use std::collections::BTreeMap;
use std::fmt::Display;

use domain::{ByePoints, ByeRequest, Problem, RefundAsk, RefundCause, SectionId, UtcTime};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ask::{each, instant, sum};
use super::entrant::MoneyIn;
use super::faults::{At, Faults, Rule};
use super::grades::Word;

/// What the refund clause is asked.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefundQuoteIn {
    /// What was paid for what ends, less what goes on costing; not negative.
    pub paid: Option<MoneyIn>,
    /// When it is asked for, RFC 3339; none for now. Needs a key with the role rules.
    pub requested_at: Option<String>,
    /// `player`, `organiser`, `rejected`, `no_seat`, `price`, `staff` or `finished`; none for the player.
    pub cause: Option<String>,
    /// Whether the arbiter had approved the entry already.
    #[serde(default)]
    pub approved: bool,
    /// The section that the entry is of; a clause may have terms of its own for some.
    pub section: Option<String>,
    /// What of it was paid for single rows, by their ids, in minor units; a clause may have terms of their own for some.
    #[serde(default)]
    pub rows: BTreeMap<String, i64>,
    /// Whether the payer would rather have a credit than money, where the clause gives one.
    #[serde(default)]
    pub credit: bool,
    /// The tier of the clause whose proof the organiser has seen.
    pub proof: Option<String>,
}

impl RefundQuoteIn {
    /// What is asked of the rules engine.
    ///
    /// # Errors
    /// [`domain::Slug::InvalidFields`] with every field; [`domain::Slug::Unauthenticated`] or [`domain::Slug::Denied`] where
    /// one is not for this caller to fill.
    pub fn read(
        self,
        word: Word,
        now: UtcTime,
        regulation: &Regulation,
    ) -> Result<RefundAsk, Problem> {
        let mut faults = Faults::default();
        let paid = sum(&mut faults, "paid", self.paid, regulation.currencies());
        let requested_at = instant(&mut faults, "requested_at", self.requested_at, word, now);
        let cause = match self.cause.as_deref() {
            None | Some("player") => Some(RefundCause::Player),
            Some("organiser") => Some(RefundCause::Organiser),
            Some("rejected") => Some(RefundCause::Rejected),
            Some("no_seat") => Some(RefundCause::NoSeat),
            Some("price") => Some(RefundCause::Price),
            Some("staff") => Some(RefundCause::Staff),
            Some("finished") => Some(RefundCause::Finished),
            Some(_) => {
                faults.add("cause", Rule::UnknownValue);
                None
            }
        };
        let section: Option<SectionId> = self
            .section
            .and_then(|id| faults.parsed("section", &id, Rule::NotAnId));
        let proof = self.proof.filter(|proof| !proof.is_empty());
        let asks = |proof: &String| regulation.proofs().any(|(tier, _)| tier == proof);
        if !proof.iter().all(asks) {
            faults.add("proof", Rule::UnknownValue);
        }
        for (row, paid) in &self.rows {
            if *paid < 0 {
                faults.add(format_args!("rows.{row}"), Rule::OutOfRange);
            }
        }
        let ask = paid.zip(requested_at).zip(cause);
        faults.finish(ask.map(|((paid, requested_at), cause)| RefundAsk {
            paid: paid.amount,
            currency: paid.currency,
            requested_at,
            cause,
            approved: self.approved,
            section,
            rows: self.rows,
            credit: self.credit,
            proof,
        }))
    }
}

/// One round asked off.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ByeIn {
    /// The round, from 1.
    #[serde(default)]
    pub round: i64,
    /// `half` or `zero`.
    pub points: Option<String>,
}

/// Reads the rounds asked off; `path` names their list.
pub fn read_byes(byes: Vec<ByeIn>, path: &dyn Display, faults: &mut Faults) -> Vec<ByeRequest> {
    if byes.is_empty() {
        faults.add(path, Rule::Required);
    }
    each(byes, path, faults, |bye, path, faults| {
        let round = u32::try_from(bye.round).ok();
        if round.is_none() {
            faults.add(format_args!("{path}.round"), Rule::OutOfRange);
        }
        let field = At {
            path,
            field: "points",
        };
        let points = match faults.required(field, bye.points.as_deref())? {
            "half" => ByePoints::Half,
            "zero" => ByePoints::Zero,
            _ => {
                faults.add(field, Rule::UnknownValue);
                return None;
            }
        };
        Some(ByeRequest {
            round: round?,
            points,
        })
    })
}
