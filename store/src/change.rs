//! A change of one tournament: its row locked, its journal rows and ledger postings written with the change.

use std::collections::BTreeMap;

use diesel::prelude::*;
use domain::{Actor, Currency, Event, OrderId, UtcTime};

use crate::Conn;
use crate::error::StoreError;
use crate::journal::{self, NewRow};
use crate::schema::ledger;
use crate::tournaments::{self, Tournament};

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

/// An account of the ledger.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Account {
    /// Money at a card gateway's account (`gateway:stripe:main`).
    Gateway(String),
    /// Money in the organiser's bank, by transfer or slip.
    Bank,
    /// Entry fees earned.
    EntryFees,
    /// What the regulation lets the organiser keep of refunded fees.
    Administration,
    /// Owed to payers.
    RefundsPayable,
    /// Money that came in and belongs to no seat.
    Suspense,
    /// Taken back by the gateway while a dispute runs, or for good.
    Disputes,
}

impl Account {
    /// The account's name in the ledger.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Account::Gateway(name) => format!("gateway:{name}"),
            Account::Bank => "bank".into(),
            Account::EntryFees => "entry_fees".into(),
            Account::Administration => "administration".into(),
            Account::RefundsPayable => "refunds_payable".into(),
            Account::Suspense => "suspense".into(),
            Account::Disputes => "disputes".into(),
        }
    }
}

/// One line of the ledger: debit positive, credit negative, minor units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Posting {
    /// Which account.
    pub account: Account,
    /// Minor units.
    pub amount: i64,
    /// Their currency.
    pub currency: Currency,
}

/// Moves a sum: debits `to`, credits `from`. Nothing for zero.
#[must_use]
pub fn transfer(from: Account, to: Account, amount: i64, currency: Currency) -> Vec<Posting> {
    if amount == 0 {
        return Vec::new();
    }
    vec![
        Posting {
            account: to,
            amount,
            currency,
        },
        Posting {
            account: from,
            amount: -amount,
            currency,
        },
    ]
}

/// An open change: the connection inside the write transaction, and the tournament's locked row.
pub struct Change<'a> {
    /// For the queries of this crate.
    pub conn: &'a mut Conn,
    /// Locked; numbers are taken from it and it is written back at the end.
    pub tournament: Tournament,
    /// When, who, why.
    pub stamp: &'a Stamp,
}

impl<'a> Change<'a> {
    /// Locks the tournament; `None` where there is no such.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn open(
        conn: &'a mut Conn,
        id: &domain::TournamentId,
        stamp: &'a Stamp,
    ) -> Result<Option<Change<'a>>, StoreError> {
        let Some(tournament) = tournaments::lock(conn, id)? else {
            return Ok(None);
        };
        Ok(Some(Change {
            conn,
            tournament,
            stamp,
        }))
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
        journal::insert(
            self.conn,
            &NewRow {
                tournament: &self.tournament.id,
                number,
                order,
                stamp: self.stamp,
                event,
            },
        )?;
        for (line, posting) in (1i32..).zip(postings) {
            diesel::insert_into(ledger::table)
                .values((
                    ledger::tournament_id.eq(self.tournament.id.as_str()),
                    ledger::journal_number.eq(number),
                    ledger::line.eq(line),
                    ledger::order_id.eq(order.map(|o| o.0)),
                    ledger::account.eq(posting.account.name()),
                    ledger::amount.eq(posting.amount),
                    ledger::currency.eq(posting.currency.code()),
                ))
                .execute(self.conn)?;
        }
        Ok(number)
    }

    /// The next form number of the tournament.
    pub fn next_form(&mut self) -> i64 {
        self.tournament.last_form += 1;
        self.tournament.last_form
    }

    /// Writes the tournament's row back; the last act of a change.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn close(self) -> Result<(), StoreError> {
        tournaments::save(self.conn, &self.tournament)
    }
}
