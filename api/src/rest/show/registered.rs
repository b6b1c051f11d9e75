//! An order just registered, and where to go on with it.

use domain::{EntryId, OrderId, OrderReference, SectionId, Status, UtcTime};
use registration::Registered;
use serde::Serialize;
use utoipa::ToSchema;

use super::money::MoneyOut;

/// Where an order is reached; each asks for the token as `Bearer`.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinksOut {
    /// The order.
    pub order: String,
    /// Open a payment here.
    pub payments: String,
    /// Tell the number of a slip or transfer here.
    pub slips: String,
    /// See or make a cancellation here.
    pub cancellation: String,
    /// What goes back.
    pub refunds: String,
    /// Ask for byes here.
    pub byes: String,
}

impl LinksOut {
    pub(in crate::rest) fn of(home: &str, order: OrderId) -> Self {
        let base = format!("{home}/v1/orders/{order}");
        LinksOut {
            payments: format!("{base}/payments"),
            slips: format!("{base}/slips"),
            cancellation: format!("{base}/cancellation"),
            refunds: format!("{base}/refunds"),
            byes: format!("{base}/byes"),
            order: base,
        }
    }
}

/// One entry as it was registered.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegisteredEntryOut {
    /// Which one (`ent_…`).
    #[schema(value_type = String)]
    pub entry: EntryId,
    /// Form number, per tournament, never changed, never reused.
    pub form_number: i64,
    /// The section; none until the organiser places it.
    #[schema(value_type = Option<String>)]
    pub section: Option<SectionId>,
    /// Its price.
    pub price: MoneyOut,
    /// Where it stands.
    #[schema(value_type = String)]
    pub status: Status,
}

/// An order that was registered.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegisteredOut {
    /// Which one (`ord_…`).
    #[schema(value_type = String)]
    pub order: OrderId,
    /// What the payer reads aloud.
    #[schema(value_type = String, example = "7K3M-9QXA-42")]
    pub reference: OrderReference,
    /// The order's secret: whoever has it may see, pay and cancel the order.
    pub token: String,
    /// `waitlisted`, `held`, `pending_approval` or `confirmed`.
    #[schema(value_type = String)]
    pub status: Status,
    /// What it costs.
    pub total: MoneyOut,
    /// Until when its seats are kept unpaid.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub hold_until: Option<UtcTime>,
    /// The entries, in the order of the form.
    pub entries: Vec<RegisteredEntryOut>,
    /// Where to go on.
    pub links: LinksOut,
}

impl RegisteredOut {
    pub(in crate::rest) fn of(registered: Registered, token: String, home: &str) -> Self {
        let currency = registered.currency;
        let entries = registered.entries.into_iter();
        RegisteredOut {
            links: LinksOut::of(home, registered.order),
            order: registered.order,
            reference: registered.reference,
            token,
            status: registered.status,
            total: MoneyOut::of(registered.total, currency),
            hold_until: registered.hold_until,
            entries: entries
                .map(|entry| RegisteredEntryOut {
                    entry: entry.entry,
                    form_number: entry.form_number,
                    section: entry.section,
                    price: MoneyOut::of(entry.price, currency),
                    status: entry.status,
                })
                .collect(),
        }
    }
}
