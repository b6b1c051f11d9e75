//! What the doors show: an order with everything of it, and the back office's lists.

use domain::{
    ByeRequest, Currency, Entrant, EntryId, FactName, Language, Line, OrderId, OrderReference,
    Problem, Recorded, SectionId, Slug, Status, TournamentId, UtcTime,
};
use rules::{Effective, Regulation};
use serde::{Deserialize, Serialize};
use store::entries::{self, Entry};
use store::orders::{self, Order};
use store::payments::{self, Payment};
use store::refunds::{self, Refund};
use store::{Conn, byes, journal, lines, tournaments, waiting_list};

use crate::desk::Desk;
use crate::seats::Seats;
use crate::slip::may_pay;

/// A bye and the arbiter's word on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByeView {
    /// Round and points.
    pub request: ByeRequest,
    /// `asked`, `granted` or `refused`.
    pub status: String,
}

/// An entry as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct EntryView {
    /// Which one.
    pub entry: EntryId,
    /// Form number.
    pub form_number: i64,
    /// Its section.
    pub section: Option<SectionId>,
    /// Where it stands.
    pub status: Status,
    /// Whether it is effective by the regulation's own word (paid, slip given, approved).
    pub effective: bool,
    /// Minor units.
    pub price: i64,
    /// Declared facts that somebody has to check.
    pub to_check: Vec<FactName>,
    /// Whether somebody has approved it, or nobody has to.
    pub approved: bool,
    /// Its place in the waiting list, from 1.
    pub waiting_position: Option<usize>,
    /// By which it is in line, where its money waits with it: when that arrived.
    pub waiting_since: Option<UtcTime>,
    /// Who; none where the person was erased.
    pub entrant: Option<Entrant>,
    /// Byes.
    pub byes: Vec<ByeView>,
}

/// An order as it stands. Amounts are minor units of its currency.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderView {
    /// Which one.
    pub order: OrderId,
    /// Of which tournament.
    pub tournament: TournamentId,
    /// What the payer reads aloud.
    pub reference: OrderReference,
    /// Generation of the secret link.
    pub token_generation: i32,
    /// Where it stands: the status of its live entries, else of its first.
    pub status: Status,
    /// Currency.
    pub currency: Currency,
    /// What it costs.
    pub total: i64,
    /// What came in.
    pub paid: i64,
    /// What went or goes back.
    pub refunded: i64,
    /// What the organiser keeps of it.
    pub kept: i64,
    /// What is still to be paid.
    pub due: i64,
    /// Until when the seats are kept unpaid.
    pub hold_until: Option<UtcTime>,
    /// Until when what is due holds: paid later, it costs what its regulation says then.
    pub price_valid_until: Option<UtcTime>,
    /// Whether the payer may pay what is due, until then.
    pub payable: bool,
    /// The instant of the form.
    pub registered_at: UtcTime,
    /// What the total is made of now.
    pub lines: Vec<Line>,
    /// The payer's name; none where the person was erased.
    pub payer_name: Option<String>,
    /// The payer's address for mail.
    pub payer_email: Option<String>,
    /// The payer's language.
    pub language: Language,
    /// Consents given.
    pub consents: Vec<String>,
    /// The entries, in form order.
    pub entries: Vec<EntryView>,
    /// The payments, oldest first.
    pub payments: Vec<Payment>,
    /// The refunds, oldest first.
    pub refunds: Vec<Refund>,
}

/// How many seats a section has and how they stand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SectionCount {
    /// The section; none for entries that the organiser has yet to place.
    pub section: Option<SectionId>,
    /// Entries in each state.
    pub counts: Vec<(Status, i64)>,
    /// Free seats; none where no figure covers the section, or the organiser has not set it.
    pub free: Option<i64>,
}

impl Desk {
    /// An order as it stands.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`].
    pub async fn order(&self, id: OrderId) -> Result<OrderView, Problem> {
        let desk = self.clone();
        self.store()
            .read(move |c| {
                let order = orders::find(c, id)?.ok_or_else(|| Problem::new(Slug::UnknownOrder))?;
                let regulation = desk.regulation(&order.tournament)?;
                let now = desk.clock().desk(&order.tournament);
                view(c, &regulation, order, now)
            })
            .await
    }

    /// Whether a token is of this order.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`], [`Slug::WrongToken`].
    pub async fn open_with_token(&self, id: OrderId, token: &str) -> Result<TournamentId, Problem> {
        let order = self
            .store()
            .read(move |c| Ok::<_, Problem>(orders::find(c, id)?))
            .await?;
        let order = order.ok_or_else(|| Problem::new(Slug::UnknownOrder))?;
        if self
            .secret()
            .is_order_token(token, id, order.token_generation)
        {
            Ok(order.tournament)
        } else {
            Err(Problem::new(Slug::WrongToken))
        }
    }

    /// Orders of a tournament after an id, in the order they came.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`].
    pub async fn orders(
        &self,
        tournament: &TournamentId,
        after: Option<OrderId>,
        limit: i64,
    ) -> Result<Vec<OrderView>, Problem> {
        let regulation = self.regulation(tournament)?;
        let now = self.clock().desk(tournament);
        let id = tournament.clone();
        self.store()
            .read(move |c| {
                let page = orders::page(c, &id, after, limit)?;
                page.into_iter()
                    .map(|order| view(c, &regulation, order, now))
                    .collect()
            })
            .await
    }

    /// Journal rows after a number.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`].
    pub async fn journal(
        &self,
        tournament: &TournamentId,
        after: i64,
        limit: i64,
    ) -> Result<Vec<Recorded>, Problem> {
        self.regulation(tournament)?;
        let id = tournament.clone();
        self.store()
            .read(move |c| Ok(journal::after(c, &id, after, limit)?))
            .await
    }

    /// How the seats of a tournament stand, section by section.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`].
    pub async fn seats(&self, tournament: &TournamentId) -> Result<Vec<SectionCount>, Problem> {
        let regulation = self.regulation(tournament)?;
        let id = tournament.clone();
        self.store()
            .read(move |c| {
                let row = tournaments::find(c, &id)?
                    .ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
                let counts = &row.counts;
                let seats = Seats::new(&regulation, row.capacity, counts).ok();
                let mut names: Vec<Option<SectionId>> =
                    regulation.sections().map(|s| Some(s.id.clone())).collect();
                if counts.iter().any(|(section, ..)| section.is_none()) {
                    names.push(None);
                }
                let count = |section: Option<SectionId>| SectionCount {
                    counts: counts
                        .iter()
                        .filter(|(s, ..)| **s == section)
                        .map(|(_, s, n)| (s, n))
                        .collect(),
                    free: seats
                        .as_ref()
                        .and_then(|seats| seats.free(section.as_ref())),
                    section,
                };
                Ok(names.into_iter().map(count).collect())
            })
            .await
    }

    /// What waits for the back office: payments set aside, disputed or to confirm, and refunds to transfer.
    ///
    /// # Errors
    /// [`Slug::UnknownTournament`].
    pub async fn back_office(
        &self,
        tournament: &TournamentId,
    ) -> Result<(Vec<Payment>, Vec<Refund>), Problem> {
        self.regulation(tournament)?;
        let id = tournament.clone();
        self.store()
            .read(move |c| {
                Ok((
                    payments::waiting_for_staff(c, &id)?,
                    refunds::waiting_for_staff(c, &id)?,
                ))
            })
            .await
    }
}

fn view(
    c: &mut Conn,
    regulation: &Regulation,
    order: Order,
    now: UtcTime,
) -> Result<OrderView, Problem> {
    let contact = orders::contact(c, order.id)?;
    let rows = entries::of_order(c, order.id)?;
    let payments = payments::of_order(c, order.id)?;
    let slip_given = payments.iter().any(|p| {
        matches!(
            p.status,
            domain::PaymentStatus::Processing | domain::PaymentStatus::Succeeded
        )
    });
    let live = rows.iter().map(|e| e.status).find(|s| s.is_live());
    let due = if live.is_some() {
        (order.total - (order.paid - order.refunded - order.kept)).max(0)
    } else {
        0
    };
    let payable = may_pay(&rows, due, order.paid).is_ok();
    let status = live
        .or(rows.first().map(|e| e.status))
        .unwrap_or(Status::New);
    let lines = lines::now(&order, &rows);
    let entries = rows
        .into_iter()
        .map(|row| entry_view(c, regulation, row, slip_given))
        .collect::<Result<Vec<_>, Problem>>()?;
    Ok(OrderView {
        status,
        due,
        payable,
        order: order.id,
        reference: order.reference,
        token_generation: order.token_generation,
        currency: order.currency,
        total: order.total,
        paid: order.paid,
        refunded: order.refunded,
        kept: order.kept,
        hold_until: order.hold_until,
        price_valid_until: order.reprice_at.filter(|until| due > 0 && *until > now),
        registered_at: order.priced_at,
        lines,
        payer_name: contact.as_ref().and_then(|c| c.name.clone()),
        payer_email: contact.as_ref().and_then(|c| c.email.clone()),
        language: contact.as_ref().map(|c| c.language).unwrap_or_default(),
        consents: contact.map(|c| c.consents).unwrap_or_default(),
        refunds: refunds::of_order(c, order.id)?,
        tournament: order.tournament,
        entries,
        payments,
    })
}

fn entry_view(
    c: &mut Conn,
    regulation: &Regulation,
    row: Entry,
    slip_given: bool,
) -> Result<EntryView, Problem> {
    let waiting_position = waiting_list::place(c, &row)?;
    let effective = match regulation.effective() {
        Effective::SlipGiven if row.status == Status::Held => slip_given,
        _ => row.status == Status::Confirmed,
    };
    let byes = byes::of_entry(c, row.id)?;
    Ok(EntryView {
        entrant: entries::entrant(c, row.id)?,
        entry: row.id,
        form_number: row.form_number,
        section: row.section,
        status: row.status,
        effective,
        price: row.price,
        to_check: row.to_check,
        approved: row.approved,
        waiting_position,
        waiting_since: row.waiting_since,
        byes: byes
            .into_iter()
            .map(|b| ByeView {
                request: b.request,
                status: b.status,
            })
            .collect(),
    })
}
