//! What a cancellation gives back.

use domain::{Currency, EntryId, OrderId, UtcTime};
use registration::{Cancellation, EntryRefund};
use serde::Serialize;
use utoipa::ToSchema;

use super::money::MoneyOut;
use super::quote::RefundQuoteOut;

/// What comes back for one entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryRefundOut {
    /// Which entry (`ent_…`).
    #[schema(value_type = String)]
    pub entry: EntryId,
    /// What was paid for it; where the payer withdraws it, less what that makes the others cost more.
    pub paid: MoneyOut,
    /// What the clause says.
    pub refund_quote: RefundQuoteOut,
}

impl EntryRefundOut {
    pub(in crate::rest) fn of(part: EntryRefund, currency: Currency) -> Self {
        EntryRefundOut {
            entry: part.entry,
            paid: MoneyOut::of(part.paid, currency),
            refund_quote: RefundQuoteOut::of(part.quote, currency),
        }
    }
}

/// What a cancellation gives back, or gave.
#[derive(Debug, Serialize, ToSchema)]
pub struct CancellationOut {
    /// Which order (`ord_…`).
    #[schema(value_type = String)]
    pub order: OrderId,
    /// The instant that the clauses were read at.
    #[schema(value_type = String, format = DateTime)]
    pub at: UtcTime,
    /// Goes back in all.
    pub refund: MoneyOut,
    /// The organiser keeps in all: by the clauses, and what a promotion in another order costs without its partner.
    pub kept: MoneyOut,
    /// The card holder disputes so much of what was paid: nothing of it goes back or is kept before that is decided.
    pub disputed: MoneyOut,
    /// Entry by entry.
    pub entries: Vec<EntryRefundOut>,
}

impl From<Cancellation> for CancellationOut {
    fn from(cancellation: Cancellation) -> Self {
        let currency = cancellation.currency;
        let entries = cancellation.entries.into_iter();
        CancellationOut {
            order: cancellation.order,
            at: cancellation.at,
            refund: MoneyOut::of(cancellation.refund, currency),
            kept: MoneyOut::of(cancellation.kept, currency),
            disputed: MoneyOut::of(cancellation.disputed, currency),
            entries: entries
                .map(|part| EntryRefundOut::of(part, currency))
                .collect(),
        }
    }
}
