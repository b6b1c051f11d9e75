//! Rows that the changes of one batch have made and its end writes: one statement a table, however many share it.

use crate::dialect::{InsertRows, Written};
use crate::error::stored;
use crate::{Conn, StoreError, codes, entries, idempotency, journal, ledger, orders};

use diesel::RunQueryDsl;

/// Not yet written. Whoever reads one of these tables inside a batch flushes first.
#[derive(Default)]
pub(crate) struct Rows {
    pub orders: Vec<orders::Row>,
    pub contacts: Vec<orders::NewContact>,
    pub entries: Vec<entries::Row>,
    pub entrants: Vec<entries::NewEntrant>,
    pub code_uses: Vec<codes::NewUse>,
    pub journal: Vec<journal::NewRow>,
    pub ledger: Vec<ledger::NewLine>,
    pub keys: Vec<idempotency::NewKey>,
}

/// How many rows of each table there were.
#[derive(Clone, Copy)]
pub(crate) struct Mark([usize; 8]);

impl Rows {
    pub fn mark(&self) -> Mark {
        Mark([
            self.orders.len(),
            self.contacts.len(),
            self.entries.len(),
            self.entrants.len(),
            self.code_uses.len(),
            self.journal.len(),
            self.ledger.len(),
            self.keys.len(),
        ])
    }

    /// Forgets what came after a mark.
    pub fn cut(
        &mut self,
        Mark(
            [
                orders,
                contacts,
                entries,
                entrants,
                uses,
                journal,
                ledger,
                keys,
            ],
        ): Mark,
    ) {
        self.orders.truncate(orders);
        self.contacts.truncate(contacts);
        self.entries.truncate(entries);
        self.entrants.truncate(entrants);
        self.code_uses.truncate(uses);
        self.journal.truncate(journal);
        self.ledger.truncate(ledger);
        self.keys.truncate(keys);
    }

    /// Writes them, what is referred to before what refers to it.
    pub fn write(&mut self, conn: &mut Conn) -> Result<(), StoreError> {
        insert(conn, &mut self.orders)?;
        insert(conn, &mut self.contacts)?;
        insert(conn, &mut self.entries)?;
        insert(conn, &mut self.entrants)?;
        insert(conn, &mut self.code_uses)?;
        insert(conn, &mut self.journal)?;
        insert(conn, &mut self.ledger)?;
        insert(conn, &mut self.keys)
    }
}

fn insert<R: Written>(conn: &mut Conn, rows: &mut Vec<R>) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let statement = stored(R::TABLE, InsertRows::of(rows))?;
    statement.execute(conn)?;
    rows.clear();
    Ok(())
}
