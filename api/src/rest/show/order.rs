//! An order with everything of it.

use domain::{
    ByePoints, EntryId, FactName, Language, OrderId, OrderReference, SectionId, Status,
    TournamentId, UtcTime,
};
use registration::{ByeView, Cancellation, EntryRefund, EntryView, OrderView, Registered};
use serde::Serialize;
use utoipa::ToSchema;

use super::entrant::{Eyes, PlayerOut, TeamOut, either};
use super::money::{MoneyOut, PaymentOut, RefundOut};
use super::quote::{LineOut, RefundQuoteOut};

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

/// Who orders and pays.
#[derive(Debug, Serialize, ToSchema)]
pub struct PayerOut {
    /// Name; none where the person was erased.
    pub name: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// `ca`, `es` or `en`.
    #[schema(value_type = String)]
    pub language: Language,
    /// Consents given.
    pub consents: Vec<String>,
}

/// A bye and the arbiter's word on it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ByeOut {
    /// The round.
    pub round: u32,
    /// `half` or `zero`.
    #[schema(value_type = String)]
    pub points: ByePoints,
    /// `asked`, `granted` or `refused`.
    pub status: String,
}

impl From<ByeView> for ByeOut {
    fn from(bye: ByeView) -> Self {
        ByeOut {
            round: bye.request.round,
            points: bye.request.points,
            status: bye.status,
        }
    }
}

/// One entrant in one section.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryOut {
    /// Which one (`ent_…`).
    #[schema(value_type = String)]
    pub entry: EntryId,
    /// Form number.
    pub form_number: i64,
    /// The section; none until the organiser places it.
    #[schema(value_type = Option<String>)]
    pub section: Option<SectionId>,
    /// `waitlisted`, `held`, `pending_approval`, `confirmed`, `expired`, `cancelled_by_player`, `cancelled_by_organiser`,
    /// `rejected` or `withdrawn`.
    #[schema(value_type = String)]
    pub status: Status,
    /// Whether it is effective by the regulation's own word.
    pub effective: bool,
    /// Its price.
    pub price: MoneyOut,
    /// Declared facts that somebody has to check.
    #[schema(value_type = Vec<String>)]
    pub to_check: Vec<FactName>,
    /// Whether somebody has approved it, or nobody has to.
    pub approved: bool,
    /// Its place in the waiting list, from 1.
    pub waiting_position: Option<usize>,
    /// The player; none where it is a team or the person was erased.
    pub entrant: Option<PlayerOut>,
    /// The team.
    pub team: Option<TeamOut>,
    /// Byes.
    pub byes: Vec<ByeOut>,
}

impl EntryOut {
    fn of(entry: EntryView, currency: domain::Currency, eyes: Eyes) -> Self {
        let (entrant, team) = either(entry.entrant, eyes);
        EntryOut {
            entry: entry.entry,
            form_number: entry.form_number,
            section: entry.section,
            status: entry.status,
            effective: entry.effective,
            price: MoneyOut::of(entry.price, currency),
            to_check: entry.to_check,
            approved: entry.approved,
            waiting_position: entry.waiting_position,
            entrant,
            team,
            byes: entry.byes.into_iter().map(ByeOut::from).collect(),
        }
    }
}

/// What one payer pays at once.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderOut {
    /// Which one (`ord_…`).
    #[schema(value_type = String)]
    pub order: OrderId,
    /// Of which tournament.
    #[schema(value_type = String)]
    pub tournament: TournamentId,
    /// What the payer reads aloud.
    #[schema(value_type = String, example = "7K3M-9QXA-42")]
    pub reference: OrderReference,
    /// Where its live entries stand, else where the first does.
    #[schema(value_type = String)]
    pub status: Status,
    /// What it costs.
    pub total: MoneyOut,
    /// What came in.
    pub paid: MoneyOut,
    /// What went or goes back.
    pub refunded: MoneyOut,
    /// What the organiser keeps of it.
    pub kept: MoneyOut,
    /// What is still to be paid.
    pub due: MoneyOut,
    /// Until when its seats are kept unpaid.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub hold_until: Option<UtcTime>,
    /// The instant of the form.
    #[schema(value_type = String, format = DateTime)]
    pub registered_at: UtcTime,
    /// Who pays.
    pub payer: PayerOut,
    /// The entries, in the order of the form.
    pub entries: Vec<EntryOut>,
    /// The priced lines, frozen at registration.
    pub lines: Vec<LineOut>,
    /// The payments, oldest first.
    pub payments: Vec<PaymentOut>,
    /// The refunds, oldest first.
    pub refunds: Vec<RefundOut>,
    /// Where to go on.
    pub links: LinksOut,
}

impl OrderOut {
    pub(in crate::rest) fn of(view: OrderView, eyes: Eyes, home: &str) -> Self {
        let currency = view.currency;
        let sum = |amount| MoneyOut::of(amount, currency);
        let (entries, lines) = (view.entries.into_iter(), view.lines.into_iter());
        let (payments, refunds) = (view.payments.into_iter(), view.refunds.into_iter());
        OrderOut {
            links: LinksOut::of(home, view.order),
            order: view.order,
            tournament: view.tournament,
            reference: view.reference,
            status: view.status,
            total: sum(view.total),
            paid: sum(view.paid),
            refunded: sum(view.refunded),
            kept: sum(view.kept),
            due: sum(view.due),
            hold_until: view.hold_until,
            registered_at: view.registered_at,
            payer: PayerOut {
                name: view.payer_name,
                email: view.payer_email,
                language: view.language,
                consents: view.consents,
            },
            entries: entries.map(|e| EntryOut::of(e, currency, eyes)).collect(),
            lines: lines.map(|line| LineOut::of(line, currency)).collect(),
            payments: payments.map(|p| PaymentOut::of(p, eyes)).collect(),
            refunds: refunds.map(|r| RefundOut::of(r, eyes)).collect(),
        }
    }
}

/// A page of orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrdersOut {
    /// In the order they came.
    pub orders: Vec<OrderOut>,
    /// `after` of the next page; none on the last.
    pub next: Option<String>,
}

/// What comes back for one entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryRefundOut {
    /// Which entry (`ent_…`).
    #[schema(value_type = String)]
    pub entry: EntryId,
    /// What was paid for it, less what its leaving makes the others cost more.
    pub paid: MoneyOut,
    /// What the clause says.
    pub refund_quote: RefundQuoteOut,
}

impl EntryRefundOut {
    fn of(part: EntryRefund, currency: domain::Currency) -> Self {
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
    /// The organiser keeps in all.
    pub kept: MoneyOut,
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
            entries: entries.map(|part| EntryRefundOut::of(part, currency)).collect(),
        }
    }
}
