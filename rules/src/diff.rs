//! What changes between two regulations: what they say, clause by clause; and whose price, by the same walk over classes of
//! entrants as `check`, through both at once.

mod clauses;
mod groups;
mod promotions;
mod walk;

use domain::{Currency, SectionId};
use serde::Serialize;

pub use self::promotions::PromotionChange;
use self::walk::Walk;
use crate::check::Limits;
use crate::fault::RegulationError;
use crate::regulation::Regulation;

pub use clauses::{ClauseChange, clauses};

/// What two regulations say otherwise of classes of entrants in one section: from the same rows to the same rows, by the same
/// sum; or from not being let in to a price, and the like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// In which section.
    pub section: SectionId,
    /// In which currency the sums are.
    pub currency: Currency,
    /// Where both have a price, the rows whose lines are gone, or come to something else.
    pub gone_rows: Vec<String>,
    /// The rows whose lines are new, or come to something else.
    pub new_rows: Vec<String>,
    /// What the first one says of the example.
    pub before: Outcome,
    /// What the second one says of the example.
    pub after: Outcome,
    /// Somebody it happens to, as ordinary as there is.
    pub example: String,
    /// How many classes of entrants it happens to, that of the example among them.
    pub classes: u64,
}

/// What a regulation says of an entrant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// It takes no entries at this instant.
    Closed,
    /// It does not admit them.
    Refused,
    /// It admits them and has no price in this currency.
    NoPrice,
    /// What they pay.
    Price {
        /// Minor units.
        total: i64,
        /// The rows that make it, in the order of the lines.
        rows: Vec<String>,
    },
}

/// All that is different.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diff {
    /// By section and currency, in the order of the first regulation; then those first that happen to ordinary entrants.
    pub differences: Vec<Difference>,
    /// Sections that only the first one has.
    pub gone: Vec<SectionId>,
    /// Sections that only the second one has.
    pub new: Vec<SectionId>,
    /// Currencies that only the first one has.
    pub gone_currencies: Vec<Currency>,
    /// Currencies that only the second one has.
    pub new_currencies: Vec<Currency>,
    /// Promotions that they say otherwise.
    pub promotions: Vec<PromotionChange>,
    /// Sections with more classes of entrants than were looked at: there may be more differences.
    pub not_proved: Vec<SectionId>,
}

/// Why two regulations cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// They have no currency in common.
    #[error("one is in {0}, the other in {1}")]
    Currencies(Currency, Currency),
    /// Together they name more than the engine tells apart.
    #[error("together they name too much: {0}")]
    TooMuch(RegulationError),
}

/// Compares what two regulations charge whom.
///
/// # Errors
/// [`DiffError`] where there is nothing to compare.
pub fn diff(before: &Regulation, after: &Regulation, limits: &Limits) -> Result<Diff, DiffError> {
    let only = |of: &Regulation, other: &Regulation| -> Vec<Currency> {
        let all = of.currencies.iter().copied();
        all.filter(|currency| !other.currencies.contains(currency))
            .collect()
    };
    let (gone_currencies, new_currencies) = (only(before, after), only(after, before));
    if gone_currencies.len() == before.currencies.len() {
        return Err(DiffError::Currencies(before.currency(), after.currency()));
    }
    let version = after.reference.version;
    let words = before.vocabulary.clone();
    let after = Regulation::parse_in("the second", &after.source, version, words)
        .map_err(DiffError::TooMuch)?;
    let only = |of: &Regulation, other: &Regulation| -> Vec<SectionId> {
        let ids = of.sections().map(|section| section.id.clone());
        ids.filter(|id| other.section(id).is_none()).collect()
    };
    let mut found = Diff {
        differences: Vec::new(),
        gone: only(before, &after),
        new: only(&after, before),
        gone_currencies,
        new_currencies,
        promotions: promotions::changed(before, &after),
        not_proved: Vec::new(),
    };
    for (place, section) in before.sections().enumerate() {
        let Some(other) = after.section_position(&section.id) else {
            continue;
        };
        let both = before.currencies.iter();
        let both = both.filter(|currency| after.currencies.contains(currency));
        for (number, currency) in both.enumerate() {
            let mut walk = Walk::new(before, &after, [place, other], limits.classes);
            walk.run(*currency);
            walk.tell(&section.id, *currency, number == 0, &mut found);
        }
    }
    Ok(found)
}
