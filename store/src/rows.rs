//! Rows that the changes of one batch have made and its end writes: one statement a table, however many share it.

use std::collections::BTreeMap;
use std::mem;

use diesel::RunQueryDsl;

use crate::dialect::{Guarded, InsertRows, UpdateRows, Written};
use crate::error::stored;
use crate::{Conn, StoreError, claims, codes, entries, idempotency, journal, ledger, orders};
use crate::{payments, refunds};

/// A row that a change has made.
pub(crate) enum Made {
    Order(orders::Row),
    Contact(orders::NewContact),
    Entry(entries::Row),
    Entrant(entries::NewEntrant),
    CodeUse(codes::NewUse),
    Claim(claims::NewClaim),
    Payment(payments::Row),
    Refund(refunds::Row),
    Journal(journal::NewRow),
    Line(ledger::NewLine),
    Key(idempotency::NewKey),
    SavedOrder(Guarded<orders::Row>),
    SavedEntry(Guarded<entries::Row>),
    SavedPayment(Guarded<payments::Row>),
    SavedRefund(Guarded<refunds::Row>),
}

/// What is not yet written, in the order in which it was made.
#[derive(Default)]
pub(crate) struct Rows(Vec<Made>);

impl Rows {
    pub fn push(&mut self, made: Made) {
        self.0.push(made);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets what came after.
    pub fn cut(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Whether a new order, entry, payment or refund with this id waits to be written.
    pub fn adds(&self, id: i64) -> bool {
        self.0.iter().any(|made| match made {
            Made::Order(row) => row.id == id,
            Made::Entry(row) => row.id == id,
            Made::Payment(row) => row.id == id,
            Made::Refund(row) => row.id == id,
            _ => false,
        })
    }

    /// Writes everything: what stood already first, as a new entry may take the place of one that has left; then what is
    /// referred to before what refers to it.
    pub fn write(&mut self, conn: &mut Conn) -> Result<(), StoreError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut sorted = Sorted::default();
        mem::take(&mut self.0)
            .into_iter()
            .for_each(|made| sorted.take(made));
        update(conn, sorted.saved_orders)?;
        update(conn, sorted.saved_entries)?;
        update(conn, sorted.saved_payments)?;
        update(conn, sorted.saved_refunds)?;
        insert(conn, &sorted.orders)?;
        insert(conn, &sorted.contacts)?;
        insert(conn, &sorted.entries)?;
        insert(conn, &sorted.entrants)?;
        insert(conn, &sorted.code_uses)?;
        insert(conn, &sorted.claims)?;
        insert(conn, &sorted.payments)?;
        insert(conn, &sorted.refunds)?;
        insert(conn, &sorted.journal)?;
        insert(conn, &sorted.lines)?;
        insert(conn, &sorted.keys)
    }
}

/// The same by tables. Of a row that was saved several times the last stands, guarded as the first.
#[derive(Default)]
struct Sorted {
    orders: Vec<orders::Row>,
    contacts: Vec<orders::NewContact>,
    entries: Vec<entries::Row>,
    entrants: Vec<entries::NewEntrant>,
    code_uses: Vec<codes::NewUse>,
    claims: Vec<claims::NewClaim>,
    payments: Vec<payments::Row>,
    refunds: Vec<refunds::Row>,
    journal: Vec<journal::NewRow>,
    lines: Vec<ledger::NewLine>,
    keys: Vec<idempotency::NewKey>,
    saved_orders: Saved<orders::Row>,
    saved_entries: Saved<entries::Row>,
    saved_payments: Saved<payments::Row>,
    saved_refunds: Saved<refunds::Row>,
}

type Saved<R> = BTreeMap<i64, Guarded<R>>;

impl Sorted {
    fn take(&mut self, made: Made) {
        match made {
            Made::Order(row) => self.orders.push(row),
            Made::Contact(row) => self.contacts.push(row),
            Made::Entry(row) => self.entries.push(row),
            Made::Entrant(row) => self.entrants.push(row),
            Made::CodeUse(row) => self.code_uses.push(row),
            Made::Claim(row) => self.claims.push(row),
            Made::Payment(row) => self.payments.push(row),
            Made::Refund(row) => self.refunds.push(row),
            Made::Journal(row) => self.journal.push(row),
            Made::Line(row) => self.lines.push(row),
            Made::Key(row) => self.keys.push(row),
            Made::SavedOrder(row) => save(&mut self.saved_orders, row.row.id, row),
            Made::SavedEntry(row) => save(&mut self.saved_entries, row.row.id, row),
            Made::SavedPayment(row) => save(&mut self.saved_payments, row.row.id, row),
            Made::SavedRefund(row) => save(&mut self.saved_refunds, row.row.id, row),
        }
    }
}

fn save<R>(saved: &mut Saved<R>, id: i64, row: Guarded<R>) {
    let was = saved.remove(&id).map_or(row.was, |earlier| earlier.was);
    saved.insert(id, Guarded { was, row: row.row });
}

fn insert<R: Written>(conn: &mut Conn, rows: &[R]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    stored(R::TABLE, InsertRows::of(rows))?.execute(conn)?;
    Ok(())
}

fn update<R: Written>(conn: &mut Conn, saved: Saved<R>) -> Result<(), StoreError> {
    if saved.is_empty() {
        return Ok(());
    }
    let rows: Vec<Guarded<R>> = saved.into_values().collect();
    let written = stored(R::TABLE, UpdateRows::of(&rows))?.execute(conn)?;
    if written == rows.len() {
        Ok(())
    } else {
        Err(StoreError::Raced)
    }
}
