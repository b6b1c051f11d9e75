//! What publishing a text would change.

use domain::{Currency, SectionId, Text};
use registration::{FirstChange, Obstacle, Preview, SeatChange, TermChange};
use rules::diff::{ClauseChange, Diff, Difference, Outcome, PromotionChange};
use serde::Serialize;
use utoipa::ToSchema;

use super::money::MoneyOut;
use super::quote::TextOut;
use super::regulation::{FindingOut, findings};
use super::touched::TouchedOut;

/// What publishing a text would change.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewOut {
    /// The published version, which it would take the place of.
    pub replaces: i32,
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    /// Whether it is the published text already.
    pub same: bool,
    /// Whether it could be published as things stand.
    pub publishable: bool,
    /// What is wrong or doubtful about the text itself, errors first.
    pub findings: Vec<FindingOut>,
    /// What the orders that stand do not allow.
    pub obstacles: Vec<ObstacleOut>,
    /// Whose price changes among those who enter from now on; none where the two cannot be compared, as in another currency.
    pub prices: Option<PricesOut>,
    /// Everything that the text says otherwise, in plain English, prices and all.
    pub clauses: Vec<ClauseChangeOut>,
    /// What it says otherwise of the tournament as a whole, for a program.
    pub terms: Vec<TermChangeOut>,
    /// Figures of seats that are different.
    pub seats: Vec<SeatChangeOut>,
    /// Rows that only the first so many may have, of another number now.
    pub firsts: Vec<FirstChangeOut>,
    /// Whether entry would be closed until the organiser sets a figure.
    pub closes_entry: bool,
    /// Those who are in already.
    pub touched: TouchedOut,
}

impl PreviewOut {
    pub(in crate::rest) fn of(preview: Preview, currency: Currency) -> Self {
        PreviewOut {
            same: preview.is_same(),
            publishable: preview.may_be_published(),
            replaces: preview.replaces,
            hash: preview.hash,
            findings: findings(preview.findings),
            obstacles: preview.obstacles.into_iter().map(Into::into).collect(),
            prices: preview.prices.map(Into::into),
            clauses: preview.clauses.into_iter().map(Into::into).collect(),
            terms: preview.terms.into_iter().map(Into::into).collect(),
            seats: preview.seats.into_iter().map(Into::into).collect(),
            firsts: preview.firsts.into_iter().map(Into::into).collect(),
            closes_entry: preview.closes_entry,
            touched: TouchedOut::of(preview.touched, currency),
        }
    }
}

/// Something that a text says otherwise, and that orders stand on.
#[derive(Debug, Serialize, ToSchema)]
pub struct ObstacleOut {
    /// Where in the text.
    #[schema(example = "section.B")]
    pub at: String,
    /// Stable code.
    #[schema(example = "section_in_use")]
    pub rule: &'static str,
    /// Why it cannot change.
    #[schema(value_type = TextOut)]
    pub text: Text,
}

impl From<Obstacle> for ObstacleOut {
    fn from(Obstacle { at, rule, text }: Obstacle) -> Self {
        ObstacleOut { at, rule, text }
    }
}

/// What two versions charge whom.
#[derive(Debug, Serialize, ToSchema)]
pub struct PricesOut {
    /// By section, and by currency where both have several; then those first that happen to ordinary entrants.
    pub changes: Vec<PriceChangeOut>,
    /// Sections that only the published version has.
    #[schema(value_type = Vec<String>)]
    pub gone: Vec<SectionId>,
    /// Sections that only the text has.
    #[schema(value_type = Vec<String>)]
    pub new: Vec<SectionId>,
    /// Promotions that they say otherwise.
    pub promotions: Vec<PromotionChangeOut>,
    /// Sections with more classes of entrants than were looked at: there may be more changes.
    #[schema(value_type = Vec<String>)]
    pub not_proved: Vec<SectionId>,
    /// ISO 4217 codes of currencies that only the published version has prices in.
    pub gone_currencies: Vec<&'static str>,
    /// ISO 4217 codes of currencies that only the text has prices in.
    pub new_currencies: Vec<&'static str>,
}

fn codes(currencies: &[Currency]) -> Vec<&'static str> {
    currencies.iter().map(|currency| currency.code()).collect()
}

impl From<Diff> for PricesOut {
    fn from(diff: Diff) -> Self {
        let change = |one: Difference| PriceChangeOut {
            section: one.section,
            currency: one.currency.code(),
            gone_rows: one.gone_rows,
            new_rows: one.new_rows,
            before: OutcomeOut::of(one.before, one.currency),
            after: OutcomeOut::of(one.after, one.currency),
            example: one.example,
            classes: one.classes,
        };
        PricesOut {
            changes: diff.differences.into_iter().map(change).collect(),
            gone: diff.gone,
            new: diff.new,
            promotions: diff.promotions.into_iter().map(Into::into).collect(),
            not_proved: diff.not_proved,
            gone_currencies: codes(&diff.gone_currencies),
            new_currencies: codes(&diff.new_currencies),
        }
    }
}

/// A promotion that only one of two versions has, or that says something else.
#[derive(Debug, Serialize, ToSchema)]
pub struct PromotionChangeOut {
    /// The row.
    pub id: String,
    /// What the published version says, in plain English; none where it has no such row.
    pub before: Option<String>,
    /// What the text says.
    pub after: Option<String>,
}

impl From<PromotionChange> for PromotionChangeOut {
    fn from(change: PromotionChange) -> Self {
        PromotionChangeOut {
            id: change.id,
            before: change.before,
            after: change.after,
        }
    }
}

/// What two versions say otherwise of classes of entrants in one section: from the same rows to the same rows, by the same sum.
#[derive(Debug, Serialize, ToSchema)]
pub struct PriceChangeOut {
    /// The section.
    #[schema(value_type = String)]
    pub section: SectionId,
    /// ISO 4217 code of the currency in which they pay.
    pub currency: &'static str,
    /// Where both have a price, the rows whose lines are gone, or come to something else.
    pub gone_rows: Vec<String>,
    /// The rows whose lines are new, or come to something else.
    pub new_rows: Vec<String>,
    /// What the published version says of the example.
    pub before: OutcomeOut,
    /// What the text says of the example.
    pub after: OutcomeOut,
    /// Somebody it happens to, as ordinary as there is.
    pub example: String,
    /// How many classes of entrants it happens to, that of the example among them.
    pub classes: u64,
}

/// What a regulation says of an entrant.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutcomeOut {
    /// `closed`, `refused`, `no_price` or `price`.
    pub outcome: &'static str,
    /// What they pay, where there is a price.
    pub total: Option<MoneyOut>,
    /// The rows that make the price, in the order of the lines.
    pub rows: Vec<String>,
}

impl OutcomeOut {
    fn of(outcome: Outcome, currency: Currency) -> Self {
        let (outcome, total, rows) = match outcome {
            Outcome::Closed => ("closed", None, Vec::new()),
            Outcome::Refused => ("refused", None, Vec::new()),
            Outcome::NoPrice => ("no_price", None, Vec::new()),
            Outcome::Price { total, rows } => ("price", Some(MoneyOut::of(total, currency)), rows),
        };
        OutcomeOut {
            outcome,
            total,
            rows,
        }
    }
}

/// A line of what a text says, as `enroc regulation show` says it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClauseChangeOut {
    /// What it is of.
    #[schema(example = "refunds to who cancels")]
    pub part: String,
    /// Which line of it; empty for what is said of the part as a whole.
    #[schema(example = "half")]
    pub name: String,
    /// What the published version says; none where it says nothing. Where both say the same, the line stands elsewhere.
    pub before: Option<String>,
    /// What the text says.
    pub after: Option<String>,
}

impl From<ClauseChange> for ClauseChangeOut {
    fn from(change: ClauseChange) -> Self {
        ClauseChangeOut {
            part: change.part,
            name: change.name,
            before: change.before,
            after: change.after,
        }
    }
}

/// Something that a text says of the tournament as a whole.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermChangeOut {
    /// Which.
    #[schema(example = "pay_by")]
    pub term: &'static str,
    /// What the published version says; none where it says nothing. Instants are in the venue's time.
    pub before: Option<String>,
    /// What the text says.
    pub after: Option<String>,
}

impl From<TermChange> for TermChangeOut {
    fn from(change: TermChange) -> Self {
        TermChangeOut {
            term: change.term,
            before: change.before,
            after: change.after,
        }
    }
}

/// A figure of seats.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatChangeOut {
    /// The sections that share the seats; empty for the whole tournament.
    #[schema(value_type = Vec<String>)]
    pub sections: Vec<SectionId>,
    /// How many there are; none where there is no limit, or the organiser has not set it.
    pub before: Option<i64>,
    /// How many there would be.
    pub after: Option<i64>,
}

impl From<SeatChange> for SeatChangeOut {
    fn from(change: SeatChange) -> Self {
        SeatChangeOut {
            sections: change.sections,
            before: change.before,
            after: change.after,
        }
    }
}

/// A row that only the first so many may have.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstChangeOut {
    /// Which.
    pub row: String,
    /// How many may have it.
    pub before: u32,
    /// How many might; below those who have it nobody loses it, and nobody gets one until they are fewer.
    pub after: u32,
    /// How many have it.
    pub taken: u32,
}

impl From<FirstChange> for FirstChangeOut {
    fn from(change: FirstChange) -> Self {
        FirstChangeOut {
            row: change.row,
            before: change.before,
            after: change.after,
            taken: change.taken,
        }
    }
}
