//! Refunds: money that goes back.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::{
    Currency, OrderId, PaymentId, RefundCause, RefundId, RefundMethod, RefundStatus, TournamentId,
    UtcTime,
};
use serde::Serialize;

use crate::clocks::ahead;
use crate::dialect::Kind::{self, Big, Int, Text};
use crate::dialect::{Written, among, columns};
use crate::error::{StoreError, stored};
use crate::schema::refunds;
use crate::{Conn, Db};

/// Said literally, as it stands in the partial index: SQLite uses that index for nothing else.
const UNSETTLED: &str = "status IN ('reserved', 'sent')";
/// Likewise.
const FOR_STAFF: &str = "status IN ('owed', 'failed')";

/// Money that goes back. The amount is in minor units of `currency`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refund {
    /// Which one.
    pub id: RefundId,
    /// Of which tournament.
    pub tournament: TournamentId,
    /// Of which order.
    pub order: OrderId,
    /// The payment that it goes back on, where it goes back to a card.
    pub payment: Option<PaymentId>,
    /// Minor units.
    pub amount: i64,
    /// Their currency.
    pub currency: Currency,
    /// How it goes back.
    pub method: RefundMethod,
    /// How far it has come.
    pub status: RefundStatus,
    /// Why.
    pub cause: RefundCause,
    /// The row of the regulation that decided.
    pub rule: String,
    /// The idempotency key of the call that sends it, saved before the call.
    pub gateway_key: String,
    /// The gateway's id.
    pub reference: Option<String>,
    /// Why it failed.
    pub failure: Option<String>,
    /// Calls made so far.
    pub attempts: i32,
    /// When the next call is due, by the wall clock.
    pub next_at: UtcTime,
    /// When it was asked for, by the desk clock.
    pub requested_at: UtcTime,
    /// When it changed last, by the wall clock.
    pub updated_at: UtcTime,
}

#[derive(Queryable, Selectable, Serialize)]
#[diesel(table_name = refunds, check_for_backend(Db))]
pub(crate) struct Row {
    pub id: i64,
    tournament_id: String,
    order_id: i64,
    payment_id: Option<i64>,
    amount: i64,
    currency: String,
    method: String,
    status: String,
    cause: String,
    rule: String,
    gateway_key: String,
    reference: Option<String>,
    failure: Option<String>,
    attempts: i32,
    next_at: i64,
    requested_at: i64,
    updated_at: i64,
}

impl TryFrom<Row> for Refund {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Refund {
            id: RefundId(row.id),
            tournament: stored("refunds.tournament_id", row.tournament_id.parse())?,
            order: OrderId(row.order_id),
            payment: row.payment_id.map(PaymentId),
            amount: row.amount,
            currency: stored("refunds.currency", row.currency.parse())?,
            method: RefundMethod::from_word(&row.method)
                .ok_or_else(|| StoreError::unreadable("refunds.method"))?,
            status: RefundStatus::from_word(&row.status)
                .ok_or_else(|| StoreError::unreadable("refunds.status"))?,
            cause: stored("refunds.cause", serde_json::from_str(&row.cause))?,
            rule: row.rule,
            gateway_key: row.gateway_key,
            reference: row.reference,
            failure: row.failure,
            attempts: row.attempts,
            next_at: UtcTime::from_micros(row.next_at),
            requested_at: UtcTime::from_micros(row.requested_at),
            updated_at: UtcTime::from_micros(row.updated_at),
        })
    }
}

impl Written for Row {
    const TABLE: &'static str = "refunds";
    const COLUMNS: &'static [(&'static str, Kind)] = &[
        ("id", Big),
        ("tournament_id", Text),
        ("order_id", Big),
        ("payment_id", Big),
        ("amount", Big),
        ("currency", Text),
        ("method", Text),
        ("status", Text),
        ("cause", Text),
        ("rule", Text),
        ("gateway_key", Text),
        ("reference", Text),
        ("failure", Text),
        ("attempts", Int),
        ("next_at", Big),
        ("requested_at", Big),
        ("updated_at", Big),
    ];
}

impl TryFrom<&Refund> for Row {
    type Error = StoreError;

    fn try_from(refund: &Refund) -> Result<Row, StoreError> {
        Ok(Row {
            id: refund.id.0,
            tournament_id: refund.tournament.to_string(),
            order_id: refund.order.0,
            payment_id: refund.payment.map(|p| p.0),
            amount: refund.amount,
            currency: refund.currency.to_string(),
            method: refund.method.as_str().to_owned(),
            status: refund.status.as_str().to_owned(),
            cause: stored("refunds.cause", serde_json::to_string(&refund.cause))?,
            rule: refund.rule.clone(),
            gateway_key: refund.gateway_key.clone(),
            reference: refund.reference.clone(),
            failure: refund.failure.clone(),
            attempts: refund.attempts,
            next_at: refund.next_at.as_micros(),
            requested_at: refund.requested_at.as_micros(),
            updated_at: refund.updated_at.as_micros(),
        })
    }
}

fn load(rows: Vec<Row>) -> Result<Vec<Refund>, StoreError> {
    rows.into_iter().map(Refund::try_from).collect()
}

/// One refund, if there is such.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(c: &mut Conn, id: RefundId) -> Result<Option<Refund>, StoreError> {
    let row = refunds::table
        .find(id.0)
        .select(columns::<Row>())
        .first::<Row>(c)
        .optional()?;
    row.map(Refund::try_from).transpose()
}

/// The refunds of an order, oldest first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn of_order(c: &mut Conn, order: OrderId) -> Result<Vec<Refund>, StoreError> {
    of_orders(c, &[order])
}

/// The refunds of these orders, oldest first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub(crate) fn of_orders(c: &mut Conn, orders: &[OrderId]) -> Result<Vec<Refund>, StoreError> {
    load(
        refunds::table
            .filter(among(refunds::order_id, orders.iter().map(|order| order.0)))
            .order(refunds::id)
            .select(columns::<Row>())
            .load(c)?,
    )
}

/// The refund that the gateway knows by this id.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find_by_gateway(c: &mut Conn, gateway_id: &str) -> Result<Option<RefundId>, StoreError> {
    let id: Option<i64> = refunds::table
        .filter(refunds::reference.eq(gateway_id))
        .select(refunds::id)
        .first(c)
        .optional()?;
    Ok(id.map(RefundId))
}

/// Card refunds to be sent or looked at again by this instant of the wall clock, also those that changed in its future.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn due(c: &mut Conn, wall: UtcTime, limit: i64) -> Result<Vec<Refund>, StoreError> {
    load(
        refunds::table
            .filter(sql::<Bool>(UNSETTLED))
            .filter(
                refunds::next_at
                    .le(wall.as_micros())
                    .or(refunds::updated_at.gt(ahead(wall))),
            )
            .filter(refunds::method.eq("card"))
            .order(refunds::next_at)
            .limit(limit)
            .select(columns::<Row>())
            .load(c)?,
    )
}

/// Refunds of a tournament that wait for the back office: to be transferred, or failed.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn waiting_for_staff(
    c: &mut Conn,
    tournament: &TournamentId,
) -> Result<Vec<Refund>, StoreError> {
    load(
        refunds::table
            .filter(refunds::tournament_id.eq(tournament.as_str()))
            .filter(sql::<Bool>(FOR_STAFF))
            .order(refunds::id)
            .select(columns::<Row>())
            .load(c)?,
    )
}
