//! A change of one tournament: what it may ask and what it makes, with its journal rows and ledger postings.

use std::collections::BTreeMap;

use domain::{
    Actor, Entrant, EntryId, Event, OrderId, PaymentStatus, RefundStatus, SectionId, Status,
    UtcTime,
};

use crate::Conn;
pub use crate::accounts::{Account, Posting, transfer};
use crate::claims::NewClaim;
use crate::codes::NewUse;
use crate::dialect::Guarded;
use crate::entries::{Entry, NewEntrant};
use crate::error::StoreError;
use crate::folder::Folder;
use crate::idempotency::{KeyScope, NewKey, Used};
use crate::journal::NewRow;
use crate::known::Known;
use crate::ledger::NewLine;
use crate::orders::{Contact, NewContact, Order};
use crate::payments::Payment;
use crate::refunds::Refund;
use crate::rows::{Made, Rows};
use crate::tournaments::Tournament;

/// When a change happens, who makes it and why; made before the write, so that the write can run again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// By the desk clock of the tournament.
    pub at: UtcTime,
    /// By the wall clock.
    pub wall: UtcTime,
    /// Who.
    pub actor: Actor,
    /// Why, in that person's words; empty where it goes without saying.
    pub reason: String,
}

/// An open change: what it may ask and what it makes of one tournament. All of it waits for the batch's end, unless the
/// change needs the connection itself.
pub struct Change<'a> {
    pub(crate) conn: &'a mut Conn,
    /// Locked; numbers are taken from it and it is written back at the end.
    pub tournament: &'a mut Tournament,
    /// When, who, why.
    pub stamp: &'a Stamp,
    pub(crate) rows: &'a mut Rows,
    pub(crate) known: &'a mut Known,
    pub(crate) proof: &'a mut Option<NewRow>,
    pub(crate) touched: &'a mut bool,
}

impl Change<'_> {
    /// The connection inside the write transaction, for the queries of this crate. It shows everything that earlier
    /// changes of the batch and this one have made.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn conn(&mut self) -> Result<&mut Conn, StoreError> {
        *self.touched = true;
        self.known.forget();
        self.rows.write(self.conn)?;
        Ok(self.conn)
    }

    /// An order with all that hangs on it, as earlier changes of the batch and this one have left it.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn folder(&mut self, order: OrderId) -> Result<Option<Folder>, StoreError> {
        if let Some(folder) = self.known.folder(order) {
            return Ok(Some(folder.clone()));
        }
        self.conn()?;
        Ok(self.known.read_folder(self.conn, order)?.cloned())
    }

    /// Appends a journal row with its ledger postings.
    ///
    /// # Errors
    /// [`StoreError::Unbalanced`] where the postings do not sum to zero in each currency.
    pub fn record(
        &mut self,
        order: Option<OrderId>,
        event: &Event,
        postings: &[Posting],
    ) -> Result<i64, StoreError> {
        let mut sums: BTreeMap<&str, i128> = BTreeMap::new();
        for posting in postings {
            *sums.entry(posting.currency.code()).or_default() += i128::from(posting.amount);
        }
        if sums.values().any(|sum| *sum != 0) {
            return Err(StoreError::Unbalanced);
        }
        self.tournament.last_journal += 1;
        let number = self.tournament.last_journal;
        let row = NewRow::of(&self.tournament.id, number, order, self.stamp, event)?;
        if self.proof.is_none() {
            *self.proof = Some(row.clone());
        }
        self.rows.push(Made::Journal(row));
        for (line, posting) in (1i32..).zip(postings) {
            self.rows.push(Made::Line(NewLine {
                tournament_id: self.tournament.id.to_string(),
                journal_number: number,
                line,
                order_id: order.map(|o| o.0),
                account: posting.account.name(),
                amount: posting.amount,
                currency: posting.currency.code(),
            }));
        }
        Ok(number)
    }

    /// The next form number of the tournament.
    pub fn next_form(&mut self) -> i64 {
        self.tournament.last_form += 1;
        self.tournament.last_form
    }

    /// Adds an order and its payer.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] for a document that cannot be written.
    pub fn add_order(&mut self, order: &Order, contact: Contact) -> Result<(), StoreError> {
        self.rows
            .push(Made::Contact(NewContact::of(order, contact)?));
        self.rows.push(Made::Order(order.try_into()?));
        Ok(())
    }

    /// Writes back an order.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] for a document that cannot be written.
    pub fn save_order(&mut self, order: &Order) -> Result<(), StoreError> {
        self.written(order.id.0)?;
        self.known.put(order.id, |f| f.order = order.clone());
        self.rows.push(Made::SavedOrder(Guarded {
            was: None,
            row: order.try_into()?,
        }));
        Ok(())
    }

    /// Adds an entry and its entrant; a person who has a live entry already is found when it is written.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] for a document that cannot be written.
    pub fn add_entry(&mut self, entry: &Entry, entrant: &Entrant) -> Result<(), StoreError> {
        self.rows
            .push(Made::Entrant(NewEntrant::of(entry, entrant)?));
        self.rows.push(Made::Entry(entry.try_into()?));
        if let Some(identity) = entry.identity.as_ref().filter(|_| entry.status.is_live()) {
            self.known.stands(identity, true);
        }
        let counts = &mut self.tournament.counts;
        counts.add(entry.section.clone(), entry.status, 1);
        Ok(())
    }

    /// Writes back an entry if it still stands where it was read; seen when it is written.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn save_entry(&mut self, entry: &Entry, was: Status) -> Result<(), StoreError> {
        self.written(entry.id.0)?;
        self.known.put(entry.order, |f| {
            put(&mut f.entries, entry, |e| e.id == entry.id);
        });
        if let Some(identity) = &entry.identity
            && was.is_live() != entry.status.is_live()
        {
            self.known.stands(identity, entry.status.is_live());
        }
        self.rows.push(Made::SavedEntry(Guarded {
            was: Some(was.as_str()),
            row: entry.try_into()?,
        }));
        let counts = &mut self.tournament.counts;
        counts.add(entry.section.clone(), was, -1);
        counts.add(entry.section.clone(), entry.status, 1);
        Ok(())
    }

    /// Adds a payment that no slip's number can stand in the way of.
    pub fn add_payment(&mut self, payment: &Payment) {
        self.known
            .put(payment.order, |f| f.payments.push(payment.clone()));
        self.rows.push(Made::Payment(payment.into()));
    }

    /// Writes back a payment if it still stands where it was read; seen when it is written.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn save_payment(
        &mut self,
        payment: &Payment,
        was: PaymentStatus,
    ) -> Result<(), StoreError> {
        self.written(payment.id.0)?;
        self.known.put(payment.order, |f| {
            put(&mut f.payments, payment, |p| p.id == payment.id);
        });
        self.rows.push(Made::SavedPayment(Guarded {
            was: Some(was.as_str()),
            row: payment.into(),
        }));
        Ok(())
    }

    /// Adds a refund.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] for a document that cannot be written.
    pub fn add_refund(&mut self, refund: &Refund) -> Result<(), StoreError> {
        self.known
            .put(refund.order, |f| f.refunds.push(refund.clone()));
        self.rows.push(Made::Refund(refund.try_into()?));
        Ok(())
    }

    /// Writes back a refund if it still stands where it was read; seen when it is written.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn save_refund(&mut self, refund: &Refund, was: RefundStatus) -> Result<(), StoreError> {
        self.written(refund.id.0)?;
        self.known.put(refund.order, |f| {
            put(&mut f.refunds, refund, |r| r.id == refund.id);
        });
        self.rows.push(Made::SavedRefund(Guarded {
            was: Some(was.as_str()),
            row: refund.try_into()?,
        }));
        Ok(())
    }

    /// What is to be written back stands: a new row that still waits is written first.
    fn written(&mut self, id: i64) -> Result<(), StoreError> {
        if self.rows.adds(id) {
            self.conn()?;
        }
        Ok(())
    }

    /// Counts an entry of this status in another section, after it was saved there.
    pub fn recount(&mut self, from: Option<SectionId>, to: Option<SectionId>, status: Status) {
        self.tournament.counts.add(from, status, -1);
        self.tournament.counts.add(to, status, 1);
    }

    /// Notes that an entry uses a code.
    pub fn use_code(&mut self, hash: &str, entry: EntryId) {
        self.rows.push(Made::CodeUse(NewUse {
            entry_id: entry.0,
            tournament_id: self.tournament.id.to_string(),
            hash: hash.to_owned(),
        }));
    }

    /// Notes that an entry has a row that only so many may have.
    pub fn claim(&mut self, rule: &str, entry: EntryId) {
        self.rows.push(Made::Claim(NewClaim {
            entry_id: entry.0,
            rule: rule.to_owned(),
            tournament_id: self.tournament.id.to_string(),
        }));
    }

    /// What an idempotency key was used for, if it was.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn used(&mut self, scope: &KeyScope) -> Result<Option<Used>, StoreError> {
        self.known.used(self.conn, scope)
    }

    /// Notes what a key was used for.
    pub fn note_key(&mut self, scope: &KeyScope, used: &Used) {
        self.known.uses(scope, used);
        let key = NewKey::of(scope, used, self.stamp.wall);
        self.rows.push(Made::Key(key));
    }

    /// Which of these identities have a live entry in the tournament.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn live_identities(&mut self, identities: &[String]) -> Result<Vec<String>, StoreError> {
        self.known.live(self.conn, &self.tournament.id, identities)
    }
}

/// Puts one in the place of what it was.
fn put<T: Clone>(all: &mut [T], one: &T, same: impl Fn(&T) -> bool) {
    if let Some(place) = all.iter_mut().find(|other| same(other)) {
        place.clone_from(one);
    }
}
