//! Promotions that two regulations say otherwise. Over several entries there is no one class of entrants to tell it of.

use serde::Serialize;

use crate::Regulation;
use crate::show::promotion;

/// A promotion that only one of two regulations has, or that says something else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PromotionChange {
    /// The row.
    pub id: String,
    /// What the first one says, in plain English.
    pub before: Option<String>,
    /// What the second one says.
    pub after: Option<String>,
}

/// In the order of the first regulation, then of the second.
pub(super) fn changed(before: &Regulation, after: &Regulation) -> Vec<PromotionChange> {
    let said = |regulation: &Regulation, id: &str| {
        let mut rows = regulation.fees.promotions.iter();
        let row = rows.find(|row| *row.id == *id)?;
        Some(promotion(regulation, row))
    };
    let (old, new) = (&before.fees.promotions, &after.fees.promotions);
    let known = |id: &str| old.iter().any(|row| *row.id == *id);
    let new = new.iter().filter(|row| !known(&row.id));
    let all = old.iter().chain(new).map(|row| PromotionChange {
        id: row.id.to_string(),
        before: said(before, &row.id),
        after: said(after, &row.id),
    });
    all.filter(|row| row.before != row.after).collect()
}
