//! What a mail tells, read anew when it is sent.

use domain::{
    Event, Language, Money, OrderId, PaymentStatus, Recorded, RefundAsk, RefundCause, RefundMethod,
    RefundQuote, Status, TournamentId,
};
use jiff::tz::TimeZone;
use store::orders::{Contact, Order};
use store::{Conn, StoreError, deliveries::Delivery, entries, journal, orders, payments, refunds};

use super::MailKind;
use crate::settings::{Desk, Venue};

/// One entry as it stands.
pub(crate) struct EntryLine {
    pub form_number: i64,
    /// None where the person was erased.
    pub label: Option<String>,
    pub section: Option<String>,
    pub status: Status,
    /// Minor units of the order's currency.
    pub price: i64,
}

/// What goes back by the command that is told of.
#[derive(Default)]
pub(crate) struct RefundNews {
    /// To the card, minor units.
    pub to_card: i64,
    /// By bank transfer, minor units.
    pub by_transfer: i64,
    /// The organiser keeps, minor units.
    pub kept: i64,
    /// Article and clause, where the regulation still says what was decided.
    pub clause: Option<RefundQuote>,
}

impl RefundNews {
    /// All that goes back, minor units.
    pub(crate) fn back(&self) -> i64 {
        self.to_card + self.by_transfer
    }
}

/// Everything that a mail may tell.
pub(crate) struct Story {
    pub kind: MailKind,
    pub tournament: TournamentId,
    pub number: i64,
    pub venue: Venue,
    pub link: String,
    pub order: Order,
    pub payer: Option<String>,
    pub email: String,
    pub language: Language,
    pub entries: Vec<EntryLine>,
    /// Place in the waiting list, from 1.
    pub position: Option<usize>,
    /// The sum that the mail is about, and the number on its slip.
    pub amount: Option<Money>,
    pub slip_number: Option<String>,
    /// A payment that is on its way, minor units: nothing is asked for meanwhile.
    pub processing: Option<i64>,
    pub refund: Option<RefundNews>,
    /// In the words of staff.
    pub reason: Option<String>,
}

impl Story {
    /// What is still to be paid for what stands, minor units; never below zero.
    pub(crate) fn due(&self) -> i64 {
        let order = &self.order;
        (order.total - (order.paid - order.refunded - order.kept)).max(0)
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.venue.time_zone
    }

    pub(crate) fn money(&self, amount: i64) -> Money {
        Money::new(amount, self.order.currency)
    }
}

/// What stands in the database about a mail.
pub(crate) struct Draft {
    order: Order,
    contact: Contact,
    entries: Vec<EntryLine>,
    approved: bool,
    position: Option<usize>,
    rows: Vec<Recorded>,
    amount: Option<Money>,
    slip_number: Option<String>,
    processing: Option<i64>,
    told: bool,
}

/// Reads it; `None` where there is nobody to tell any more, or the same was told by an earlier row.
pub(crate) fn read(
    c: &mut Conn,
    delivery: &Delivery,
    kind: MailKind,
) -> Result<Option<Draft>, StoreError> {
    let Some(order) = orders::find(c, delivery.lane)? else {
        return Ok(None);
    };
    let Some(contact) = orders::contact(c, order.id)? else {
        return Ok(None);
    };
    let rows = rows_of_command(c, delivery)?;
    let standing = entries::of_order(c, order.id)?;
    let approved = standing.iter().all(|entry| entry.approved);
    let position = position(c, kind, &order, &standing)?;
    let mut lines = Vec::new();
    for entry in standing {
        let label = entries::entrant(c, entry.id)?.map(|entrant| entrant.label());
        lines.push(EntryLine {
            form_number: entry.form_number,
            label: label.filter(|label| !label.is_empty()),
            section: entry.section.map(|section| section.to_string()),
            status: entry.status,
            price: entry.price,
        });
    }
    let processing = payments::of_order(c, order.id)?
        .into_iter()
        .find(|payment| payment.status == PaymentStatus::Processing)
        .map(|payment| payment.amount);
    let mut draft = Draft {
        order,
        contact,
        entries: lines,
        approved,
        position,
        rows,
        amount: None,
        slip_number: None,
        processing,
        told: false,
    };
    draft.read_money(c, kind, delivery.journal_number)?;
    Ok((!draft.told).then_some(draft))
}

/// The rows about the delivery's order that the command of its row wrote: same instant, same actor.
fn rows_of_command(c: &mut Conn, delivery: &Delivery) -> Result<Vec<Recorded>, StoreError> {
    let mut rows = journal::of_order(c, delivery.lane)?;
    let cause = rows
        .iter()
        .find(|row| row.number == delivery.journal_number);
    let Some((at, actor)) = cause.map(|row| (row.at, row.actor.clone())) else {
        return Ok(Vec::new());
    };
    rows.retain(|row| row.at == at && row.actor == actor);
    Ok(rows)
}

fn position(
    c: &mut Conn,
    kind: MailKind,
    order: &Order,
    own: &[entries::Entry],
) -> Result<Option<usize>, StoreError> {
    let waits = own.iter().find(|entry| entry.status == Status::Waitlisted);
    let (MailKind::Waitlisted, Some(first)) = (kind, waits) else {
        return Ok(None);
    };
    let line = entries::in_states(c, &order.tournament, &[Status::Waitlisted])?;
    let before: std::collections::BTreeSet<OrderId> = line
        .iter()
        .filter(|entry| entry.form_number < first.form_number && entry.order != order.id)
        .map(|entry| entry.order)
        .collect();
    Ok(Some(before.len() + 1))
}

impl Draft {
    /// The sum that the cause is about: what came in, what was noted, what went back.
    fn read_money(&mut self, c: &mut Conn, kind: MailKind, number: i64) -> Result<(), StoreError> {
        let currency = self.order.currency;
        for row in self.rows.clone() {
            match row.event {
                Event::PaymentSucceeded { amount, .. } => {
                    self.amount = Some(Money::new(amount, currency))
                }
                Event::PaymentQuarantined {
                    amount, currency, ..
                } => {
                    self.amount = currency.parse().ok().map(|c| Money::new(amount, c));
                }
                Event::PaymentOpened { payment, .. } | Event::PaymentFailed { payment, .. } => {
                    if let Some(payment) = payments::find(c, payment)? {
                        self.amount = Some(Money::new(payment.amount, payment.currency));
                        self.slip_number = payment.slip_number;
                    }
                }
                Event::RefundSent { refund }
                | Event::RefundSucceeded { refund, .. }
                | Event::RefundFailed { refund, .. }
                | Event::RefundObserved { refund, .. } => {
                    if let Some(refund) = refunds::find(c, refund)? {
                        self.amount = Some(Money::new(refund.amount, refund.currency));
                    }
                    if kind == MailKind::RefundSent {
                        self.told =
                            sent_before(&journal::of_order(c, self.order.id)?, number, refund);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The whole story, with what the desk around knows; `None` where the payer's address was erased.
    pub(crate) fn complete(
        self,
        delivery: &Delivery,
        kind: MailKind,
        desk: &dyn Desk,
        venue: Venue,
    ) -> Option<Story> {
        let refund = self.refund(desk);
        let words = self
            .rows
            .iter()
            .find(|row| kind.gives_reason() && !row.reason.is_empty());
        Some(Story {
            kind,
            tournament: delivery.tournament.clone(),
            number: delivery.journal_number,
            venue,
            link: desk.link(self.order.id, self.order.token_generation),
            reason: words.map(|row| row.reason.clone()),
            payer: self.contact.name,
            email: self.contact.email?,
            language: self.contact.language,
            entries: self.entries,
            position: self.position,
            amount: self.amount,
            slip_number: self.slip_number,
            processing: self.processing,
            refund,
            order: self.order,
        })
    }

    /// What the command decided to give back and to keep, and by which article.
    fn refund(&self, desk: &dyn Desk) -> Option<RefundNews> {
        let mut news = RefundNews::default();
        let mut decided: Option<(RefundCause, &str)> = None;
        for row in &self.rows {
            match &row.event {
                Event::RefundReserved {
                    amount,
                    kept,
                    method,
                    cause,
                    rule,
                    ..
                } => {
                    match method {
                        RefundMethod::Card => news.to_card += amount,
                        RefundMethod::Transfer => news.by_transfer += amount,
                    }
                    news.kept += kept;
                    decided = Some((*cause, rule));
                }
                Event::FeesKept {
                    amount,
                    cause,
                    rule,
                } => {
                    news.kept += amount;
                    decided = decided.or(Some((*cause, rule)));
                }
                _ => {}
            }
        }
        let (cause, rule) = decided?;
        let ask = RefundAsk {
            paid: news.back() + news.kept,
            requested_at: self.rows.first()?.at,
            cause,
            approved: self.approved,
        };
        let said = |quote: &RefundQuote| !quote.article.is_empty() && rule == quote.rule;
        news.clause = desk.refund_clause(&self.order, &ask).filter(said);
        Some(news)
    }
}

/// Whether a row before this one said already that the refund is on its way.
fn sent_before(rows: &[Recorded], number: i64, refund: domain::RefundId) -> bool {
    rows.iter().filter(|row| row.number < number).any(|row| {
        matches!(&row.event,
            Event::RefundSent { refund: told } | Event::RefundSucceeded { refund: told, .. } | Event::RefundObserved { refund: told, .. }
            if *told == refund)
    })
}
