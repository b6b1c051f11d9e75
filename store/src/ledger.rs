//! What the ledger says: balances by account and currency, of one order or of everything.

use std::collections::BTreeMap;

use diesel::prelude::*;
use domain::{OrderId, TournamentId};
use serde::Serialize;

use crate::Conn;
use crate::dialect::{Kind, Written};
use crate::error::StoreError;
use crate::schema::ledger;

/// One line as it stands in the ledger: debit positive, credit negative, minor units.
#[derive(Clone, PartialEq, Eq, Debug, Queryable)]
pub struct LedgerLine {
    /// The journal row that it belongs to.
    pub journal_number: i64,
    /// Position within that row, from 1.
    pub line: i32,
    /// The order, if any.
    pub order: Option<i64>,
    /// The account's name.
    pub account: String,
    /// Minor units.
    pub amount: i64,
    /// Their currency.
    pub currency: String,
}

/// A line to be appended.
#[derive(Serialize)]
pub(crate) struct NewLine {
    pub tournament_id: String,
    pub journal_number: i64,
    pub line: i32,
    pub order_id: Option<i64>,
    pub account: String,
    pub amount: i64,
    pub currency: &'static str,
}

impl Written for NewLine {
    const TABLE: &'static str = "ledger";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("tournament_id", Kind::Text),
        ("journal_number", Kind::Big),
        ("line", Kind::Int),
        ("order_id", Kind::Big),
        ("account", Kind::Text),
        ("amount", Kind::Big),
        ("currency", Kind::Text),
    ];
}

/// Every line of one order, in order.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_order(c: &mut Conn, order: OrderId) -> Result<Vec<LedgerLine>, StoreError> {
    Ok(ledger::table
        .filter(ledger::order_id.eq(order.0))
        .order((ledger::journal_number, ledger::line))
        .select((
            ledger::journal_number,
            ledger::line,
            ledger::order_id,
            ledger::account,
            ledger::amount,
            ledger::currency,
        ))
        .load(c)?)
}

/// Every line of a tournament after a journal number, in order; all lines of at most `limit` rows' numbers.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn after(
    c: &mut Conn,
    tournament: &TournamentId,
    number: i64,
    up_to: i64,
) -> Result<Vec<LedgerLine>, StoreError> {
    Ok(ledger::table
        .filter(ledger::tournament_id.eq(tournament.as_str()))
        .filter(
            ledger::journal_number
                .gt(number)
                .and(ledger::journal_number.le(up_to)),
        )
        .order((ledger::journal_number, ledger::line))
        .select((
            ledger::journal_number,
            ledger::line,
            ledger::order_id,
            ledger::account,
            ledger::amount,
            ledger::currency,
        ))
        .load(c)?)
}

/// The balance of each account of a tournament in each currency.
#[must_use]
pub fn balances(lines: &[LedgerLine]) -> BTreeMap<(String, String), i128> {
    let mut sums = BTreeMap::new();
    for line in lines {
        *sums
            .entry((line.account.clone(), line.currency.clone()))
            .or_default() += i128::from(line.amount);
    }
    sums
}
