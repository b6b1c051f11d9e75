//! What a mail tells: the occasion from the journal, the person as known now, and what there is to do if that still holds.

use std::collections::BTreeMap;

use domain::{
    Actor, Cause, Currency, EntryId, Event, Language, Line, Money, PaymentStatus, Recorded,
    RefundMethod, Status, Text, TournamentId, UtcTime,
};
use jiff::tz::TimeZone;
use store::orders::{Contact, Order};
use store::{
    Conn, StoreError, deliveries::Delivery, entries, journal, lines, orders, payments, refunds,
    waiting_list,
};

use super::MailKind;
use super::occasion::{News, Occasion, Stood};
use crate::settings::{Desk, Venue};

/// What goes back by the command that is told of.
#[derive(Default)]
pub(crate) struct RefundNews {
    /// To the card, minor units.
    pub to_card: i64,
    /// By bank transfer, minor units.
    pub by_transfer: i64,
    /// As a credit with the organiser, minor units.
    pub as_credit: i64,
    /// The organiser keeps, minor units.
    pub kept: i64,
    /// Of what goes back, where it is not the order's: money that came in so.
    pub currency: Option<Currency>,
    /// Article and sentence of each rule that decided, where the regulation still has it.
    pub clauses: Vec<(String, Text)>,
}

impl RefundNews {
    /// All that goes back, minor units.
    pub(crate) fn back(&self) -> i64 {
        self.to_card + self.by_transfer + self.as_credit
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
    /// What its total is made of now.
    pub lines: Vec<Line>,
    pub payer: Option<String>,
    pub email: String,
    pub language: Language,
    /// As they stood at the occasion.
    pub entries: Vec<Stood>,
    /// Who they are; none where the person was erased.
    pub names: BTreeMap<EntryId, String>,
    pub news: Vec<News>,
    /// Whether a later mail tells what there is to do: this one then asks for nothing and sums nothing up.
    pub passed: bool,
    /// By the desk clock, when it is sent.
    pub now: UtcTime,
    /// Place in the waiting list, from 1.
    pub position: Option<usize>,
    /// Whether play has begun and no place came free.
    pub unseated: bool,
    /// The sum that the mail is about, and the number on its slip.
    pub amount: Option<Money>,
    pub slip_number: Option<String>,
    /// A payment that is on its way, minor units: nothing is asked for meanwhile.
    pub processing: Option<i64>,
    pub refund: Option<RefundNews>,
    /// Whether the refund that it is about is a credit, which was spent.
    pub credit: bool,
    /// In the words of staff.
    pub reason: Option<String>,
}

impl Story {
    /// What was paid and is neither given back nor kept, minor units.
    pub(crate) fn credited(&self) -> i64 {
        let order = &self.order;
        order.paid - order.refunded - order.kept
    }

    /// What is still to be paid for what stands, minor units; never below zero.
    pub(crate) fn due(&self) -> i64 {
        (self.order.total - self.credited()).max(0)
    }

    /// Until when what is due may be paid, where the mail may ask for it.
    pub(crate) fn payable(&self) -> Option<PayBy> {
        let stands = |status| self.entries.iter().any(|entry| entry.status == status);
        if self.passed || self.due() == 0 {
            return None;
        }
        match self.order.hold_until {
            Some(until) => {
                (stands(Status::Held) && self.now < until).then_some(PayBy::Until(until))
            }
            // After the first payment: a move to a dearer section, a fact that was not as declared.
            None if stands(Status::Confirmed) => Some(PayBy::NoDay),
            // Whose money waits for a place pays what the price has risen by.
            None if stands(Status::Waitlisted) => (self.credited() > 0).then_some(PayBy::NoDay),
            None => {
                (stands(Status::PendingApproval) && self.order.paid > 0).then_some(PayBy::NoDay)
            }
        }
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.venue.time_zone
    }

    pub(crate) fn money(&self, amount: i64) -> Money {
        Money::new(amount, self.order.currency)
    }
}

/// Until when to pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PayBy {
    /// Else the place is lost.
    Until(UtcTime),
    /// The place, or that in line, is theirs already.
    NoDay,
}

/// What stands in the database about a mail.
pub(crate) struct Draft {
    order: Order,
    lines: Vec<Line>,
    contact: Contact,
    occasion: Occasion,
    names: BTreeMap<EntryId, String>,
    position: Option<usize>,
    amount: Option<Money>,
    slip_number: Option<String>,
    processing: Option<i64>,
    /// Of money that goes back in another currency than the order's.
    foreign: Option<Currency>,
    /// Whether what it is about is a credit that was spent.
    credit: bool,
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
    let Some(occasion) = Occasion::of(journal::of_order(c, order.id)?, delivery) else {
        return Ok(None);
    };
    if occasion.told {
        return Ok(None);
    }
    let standing = entries::of_order(c, order.id)?;
    let mut names = BTreeMap::new();
    for entry in &occasion.entries {
        let name = entries::entrant(c, entry.entry)?.map(|entrant| entrant.label());
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            names.insert(entry.entry, name);
        }
    }
    let processing = payments::of_order(c, order.id)?
        .into_iter()
        .find(|payment| payment.status == PaymentStatus::Processing)
        .map(|payment| payment.amount);
    let mut position = None;
    if kind == MailKind::Waitlisted && !occasion.passed {
        for entry in &standing {
            position = position.or(waiting_list::place(c, entry)?);
        }
    }
    let mut draft = Draft {
        position,
        lines: lines::now(&order, &standing),
        order,
        contact,
        occasion,
        names,
        amount: None,
        slip_number: None,
        processing,
        foreign: None,
        credit: false,
    };
    draft.read_money(c)?;
    Ok(Some(draft))
}

impl Draft {
    /// The sum that the cause is about: what came in, what was noted, what went back.
    fn read_money(&mut self, c: &mut Conn) -> Result<(), StoreError> {
        let currency = self.order.currency;
        for row in &self.occasion.rows {
            match row.event.clone() {
                Event::PaymentSucceeded { amount, .. } => {
                    self.amount = Some(Money::new(amount, currency));
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
                Event::RefundReserved { refund, .. } => {
                    let refund = refunds::find(c, refund)?.filter(|r| r.currency != currency);
                    if let Some(refund) = refund {
                        self.amount = Some(Money::new(refund.amount, refund.currency));
                        self.foreign = Some(refund.currency);
                    }
                }
                Event::RefundSent { refund }
                | Event::RefundSucceeded { refund, .. }
                | Event::RefundFailed { refund, .. }
                | Event::RefundObserved { refund, .. } => {
                    if let Some(refund) = refunds::find(c, refund)? {
                        self.amount = Some(Money::new(refund.amount, refund.currency));
                        self.credit = refund.method == RefundMethod::Credit;
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
        now: UtcTime,
    ) -> Option<Story> {
        let refund = self.refund(desk);
        // Only then does the clock end an entry in the organiser's name.
        let by_clock = |row: &Recorded| {
            let ends = matches!(&row.event, Event::EntryMoved { cause, .. } if *cause == Cause::CancelByOrganiser);
            ends && row.actor == Actor::Timer
        };
        let words = self
            .occasion
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
            entries: self.occasion.entries,
            names: self.names,
            news: self.occasion.news,
            passed: self.occasion.passed,
            now,
            position: self.position,
            unseated: self.occasion.rows.iter().any(by_clock),
            amount: self.amount,
            slip_number: self.slip_number,
            processing: self.processing,
            refund,
            credit: self.credit,
            lines: self.lines,
            order: self.order,
        })
    }

    /// What the command decided to give back and to keep, and by which article.
    fn refund(&self, desk: &dyn Desk) -> Option<RefundNews> {
        let mut news = RefundNews {
            currency: self.foreign,
            ..RefundNews::default()
        };
        let mut decided: Vec<&str> = Vec::new();
        for row in &self.occasion.rows {
            match &row.event {
                Event::RefundReserved {
                    amount,
                    kept,
                    method,
                    rule,
                    ..
                } => {
                    match method {
                        RefundMethod::Card => news.to_card += amount,
                        RefundMethod::Transfer => news.by_transfer += amount,
                        RefundMethod::Credit => news.as_credit += amount,
                    }
                    news.kept += kept;
                    decided.push(rule);
                }
                Event::FeesKept { amount, rule, .. } => {
                    news.kept += amount;
                    decided.push(rule);
                }
                _ => {}
            }
        }
        if decided.is_empty() {
            return None;
        }
        decided.dedup();
        let said = decided.into_iter();
        let said = said.filter_map(|rule| desk.refund_clause(&self.order, rule));
        news.clauses = said.filter(|(article, _)| !article.is_empty()).collect();
        news.clauses.dedup();
        Some(news)
    }
}
