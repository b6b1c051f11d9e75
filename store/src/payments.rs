//! Payments: money that came in, and attempts at it.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::{
    Currency, Money, OrderId, PaymentId, PaymentKind, PaymentStatus, TournamentId, UtcTime,
};
use serde::Serialize;

use crate::clocks::ahead;
use crate::dialect::Kind::{self, Big, Text};
use crate::dialect::{Written, among, columns};
use crate::error::{StoreError, stored};
use crate::schema::payments;
use crate::{Conn, Db};

/// Said literally, as it stands in the partial index: SQLite uses that index for nothing else.
const UNSETTLED: &str = "status IN ('creating', 'open', 'processing')";
/// Likewise: set aside, disputed, or slips to confirm.
const FOR_STAFF: &str = "(status = 'quarantined' OR disputed > 0 AND failure IS NULL \
    OR account = 'desk' AND status = 'processing')";

/// Money that came in, or an attempt at it. Amounts are minor units of `currency`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Payment {
    /// Which one.
    pub id: PaymentId,
    /// Of which tournament.
    pub tournament: TournamentId,
    /// For which order.
    pub order: OrderId,
    /// The gateway and its account (`stripe:main`), or `desk` for slips and transfers.
    pub account: String,
    /// How the payer pays.
    pub method: PaymentKind,
    /// How far it has come.
    pub status: PaymentStatus,
    /// What was asked.
    pub amount: i64,
    /// Currency of what was asked.
    pub currency: Currency,
    /// What came in.
    pub received: i64,
    /// Currency of what came in, where it is not the one that was asked: it never is the order's.
    pub received_currency: Option<Currency>,
    /// What the card holder disputes.
    pub disputed: i64,
    /// The idempotency key of the call that opens it, saved before the call.
    pub gateway_key: String,
    /// The gateway's id of the page or intent.
    pub reference: Option<String>,
    /// The gateway's id of the intent, where the reference is a page's.
    pub intent: Option<String>,
    /// The hosted page.
    pub url: Option<String>,
    /// What the payer's own form needs.
    pub client_secret: Option<String>,
    /// When the gateway closes the page by itself.
    pub expires_at: Option<UtcTime>,
    /// Number of the slip or transfer.
    pub slip_number: Option<String>,
    /// Day on the slip, `YYYY-MM-DD`.
    pub slip_date: Option<String>,
    /// Why it failed or was set aside; `dispute_lost` where what is disputed stays with the card holder.
    pub failure: Option<String>,
    /// Where the hosted page sends the payer back to.
    pub return_url: Option<String>,
    /// When the charge was made at the gateway.
    pub charged_at: Option<UtcTime>,
    /// When it was opened, by the wall clock.
    pub created_at: UtcTime,
    /// When it changed last, by the wall clock.
    pub updated_at: UtcTime,
}

impl Payment {
    /// What came in, in the currency in which it came in.
    #[must_use]
    pub fn came_in(&self) -> Money {
        Money::new(
            self.received,
            self.received_currency.unwrap_or(self.currency),
        )
    }
}

#[derive(Queryable, Selectable, Insertable, Serialize)]
#[diesel(table_name = payments, check_for_backend(Db))]
pub(crate) struct Row {
    pub id: i64,
    tournament_id: String,
    order_id: i64,
    account: String,
    method: String,
    status: String,
    amount: i64,
    currency: String,
    received: i64,
    received_currency: Option<String>,
    disputed: i64,
    gateway_key: String,
    reference: Option<String>,
    intent: Option<String>,
    url: Option<String>,
    client_secret: Option<String>,
    expires_at: Option<i64>,
    slip_number: Option<String>,
    slip_date: Option<String>,
    failure: Option<String>,
    return_url: Option<String>,
    charged_at: Option<i64>,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<Row> for Payment {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Payment {
            id: PaymentId(row.id),
            tournament: stored("payments.tournament_id", row.tournament_id.parse())?,
            order: OrderId(row.order_id),
            account: row.account,
            method: PaymentKind::from_word(&row.method)
                .ok_or_else(|| StoreError::unreadable("payments.method"))?,
            status: PaymentStatus::from_word(&row.status)
                .ok_or_else(|| StoreError::unreadable("payments.status"))?,
            amount: row.amount,
            currency: stored("payments.currency", row.currency.parse())?,
            received: row.received,
            received_currency: row
                .received_currency
                .map(|code| stored("payments.received_currency", code.parse()))
                .transpose()?,
            disputed: row.disputed,
            gateway_key: row.gateway_key,
            reference: row.reference,
            intent: row.intent,
            url: row.url,
            client_secret: row.client_secret,
            expires_at: row.expires_at.map(UtcTime::from_micros),
            slip_number: row.slip_number,
            slip_date: row.slip_date,
            failure: row.failure,
            return_url: row.return_url,
            charged_at: row.charged_at.map(UtcTime::from_micros),
            created_at: UtcTime::from_micros(row.created_at),
            updated_at: UtcTime::from_micros(row.updated_at),
        })
    }
}

impl Written for Row {
    const TABLE: &'static str = "payments";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("id", Big),
        ("tournament_id", Text),
        ("order_id", Big),
        ("account", Text),
        ("method", Text),
        ("status", Text),
        ("amount", Big),
        ("currency", Text),
        ("received", Big),
        ("received_currency", Text),
        ("disputed", Big),
        ("gateway_key", Text),
        ("reference", Text),
        ("intent", Text),
        ("url", Text),
        ("client_secret", Text),
        ("expires_at", Big),
        ("slip_number", Text),
        ("slip_date", Text),
        ("failure", Text),
        ("return_url", Text),
        ("charged_at", Big),
        ("created_at", Big),
        ("updated_at", Big),
    ];
}

impl From<&Payment> for Row {
    fn from(payment: &Payment) -> Row {
        let payment = payment.clone();
        Row {
            id: payment.id.0,
            tournament_id: payment.tournament.to_string(),
            order_id: payment.order.0,
            account: payment.account,
            method: payment.method.as_str().to_owned(),
            status: payment.status.as_str().to_owned(),
            amount: payment.amount,
            currency: payment.currency.to_string(),
            received: payment.received,
            received_currency: payment.received_currency.map(|c| c.to_string()),
            disputed: payment.disputed,
            gateway_key: payment.gateway_key,
            reference: payment.reference,
            intent: payment.intent,
            url: payment.url,
            client_secret: payment.client_secret,
            expires_at: payment.expires_at.map(UtcTime::as_micros),
            slip_number: payment.slip_number,
            slip_date: payment.slip_date,
            failure: payment.failure,
            return_url: payment.return_url,
            charged_at: payment.charged_at.map(UtcTime::as_micros),
            created_at: payment.created_at.as_micros(),
            updated_at: payment.updated_at.as_micros(),
        }
    }
}

/// Writes a new payment.
///
/// # Errors
/// [`StoreError::Duplicate`] where the slip's number pays another order already.
pub fn insert(c: &mut Conn, payment: &Payment) -> Result<(), StoreError> {
    diesel::insert_into(payments::table)
        .values(Row::from(payment))
        .execute(c)?;
    Ok(())
}

fn load(rows: Vec<Row>) -> Result<Vec<Payment>, StoreError> {
    rows.into_iter().map(Payment::try_from).collect()
}

/// One payment, if there is such.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(c: &mut Conn, id: PaymentId) -> Result<Option<Payment>, StoreError> {
    let row = payments::table
        .find(id.0)
        .select(columns::<Row>())
        .first::<Row>(c)
        .optional()?;
    row.map(Payment::try_from).transpose()
}

/// The payments of an order, oldest first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_order(c: &mut Conn, order: OrderId) -> Result<Vec<Payment>, StoreError> {
    of_orders(c, &[order])
}

/// The payments of these orders, oldest first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub(crate) fn of_orders(c: &mut Conn, orders: &[OrderId]) -> Result<Vec<Payment>, StoreError> {
    load(
        payments::table
            .filter(among(
                payments::order_id,
                orders.iter().map(|order| order.0),
            ))
            .order(payments::id)
            .select(columns::<Row>())
            .load(c)?,
    )
}

/// The payment that the gateway knows by this id, of a page or of an intent.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find_by_gateway(
    c: &mut Conn,
    account: &str,
    gateway_id: &str,
) -> Result<Option<PaymentId>, StoreError> {
    // Two questions, each with an index: of one with OR, SQLite makes a look at all payments of the account.
    let ours = payments::table
        .filter(payments::account.eq(account))
        .select(payments::id);
    let page: Option<i64> = ours
        .filter(payments::reference.eq(gateway_id))
        .first(c)
        .optional()?;
    let known = match page {
        Some(id) => Some(id),
        None => ours
            .filter(payments::intent.eq(gateway_id))
            .first(c)
            .optional()?,
    };
    Ok(known.map(PaymentId))
}

/// Gateway payments that are open, being created or processing and did not change for so many seconds of the wall clock, or
/// changed in its future; oldest change first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn unsettled(
    c: &mut Conn,
    account: &str,
    (wall, seconds): (UtcTime, i64),
    limit: i64,
) -> Result<Vec<Payment>, StoreError> {
    let before = wall.plus_seconds(-seconds).as_micros();
    load(
        payments::table
            .filter(payments::account.eq(account))
            .filter(
                payments::updated_at
                    .lt(before)
                    .or(payments::updated_at.gt(ahead(wall))),
            )
            .filter(sql::<Bool>(UNSETTLED))
            .order(payments::updated_at)
            .limit(limit)
            .select(columns::<Row>())
            .load(c)?,
    )
}

/// When the oldest payment of an account was opened whose dispute is not decided.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn oldest_disputed(c: &mut Conn, account: &str) -> Result<Option<UtcTime>, StoreError> {
    let oldest: Option<i64> = payments::table
        .filter(payments::account.eq(account))
        .filter(sql::<Bool>("disputed > 0 AND failure IS NULL"))
        .order(payments::created_at)
        .select(payments::created_at)
        .first(c)
        .optional()?;
    Ok(oldest.map(UtcTime::from_micros))
}

/// Payments of a tournament that wait for the back office: set aside, disputed, or slips to confirm.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn waiting_for_staff(
    c: &mut Conn,
    tournament: &TournamentId,
) -> Result<Vec<Payment>, StoreError> {
    load(
        payments::table
            .filter(payments::tournament_id.eq(tournament.as_str()))
            .filter(sql::<Bool>(FOR_STAFF))
            .order(payments::id)
            .select(columns::<Row>())
            .load(c)?,
    )
}
