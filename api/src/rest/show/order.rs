//! An order with everything of it.

use domain::{
    ByePoints, Currency, EntryId, FactName, Language, OrderId, OrderReference, SectionId, Status,
    TournamentId, UtcTime,
};
use registration::{ByeView, EntryView, OrderView};
use serde::Serialize;
use utoipa::ToSchema;

use super::entrant::{Eyes, PlayerOut, TeamOut, either};
use super::money::{MoneyOut, PaymentOut, RefundOut};
use super::quote::LineOut;
use super::registered::LinksOut;

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
    /// Its place in the waiting list, from 1; where money waits for a seat, among those who have paid.
    pub waiting_position: Option<usize>,
    /// By which it is in that line: when its money arrived, which waits with it; none where it does not wait or has not paid.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub waiting_since: Option<UtcTime>,
    /// The player; none where it is a team or the person was erased.
    pub entrant: Option<PlayerOut>,
    /// The team.
    pub team: Option<TeamOut>,
    /// Byes.
    pub byes: Vec<ByeOut>,
}

impl EntryOut {
    fn of(entry: EntryView, currency: Currency, eyes: Eyes) -> Self {
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
            waiting_since: entry.waiting_since,
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
    /// Until when what is due holds: paid later, it costs what its regulation says then. None where that does not change.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub price_valid_until: Option<UtcTime>,
    /// The instant of the form.
    #[schema(value_type = String, format = DateTime)]
    pub registered_at: UtcTime,
    /// Who pays.
    pub payer: PayerOut,
    /// The entries, in the order of the form.
    pub entries: Vec<EntryOut>,
    /// What the total is made of now: the lines of the form, or those that a later price put in their place.
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
            price_valid_until: view.price_valid_until,
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
