//! Money that comes in and goes back.

use domain::{
    Currency, Money, OrderId, PaymentId, PaymentKind, PaymentStatus, RefundCause, RefundId,
    RefundMethod, RefundStatus, UtcTime,
};
use registration::PaymentOpened;
use serde::Serialize;
use store::payments::Payment;
use store::refunds::Refund;
use utoipa::ToSchema;

use super::entrant::Eyes;

/// A sum of money.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct MoneyOut {
    /// Minor units of `currency` (6000 EUR is sixty euros); negative where a reduction or a difference is meant.
    #[schema(example = 6000)]
    pub amount: i64,
    /// ISO 4217 code.
    #[schema(example = "EUR")]
    pub currency: &'static str,
}

impl MoneyOut {
    pub(in crate::rest) fn of(amount: i64, currency: Currency) -> Self {
        MoneyOut {
            amount,
            currency: currency.code(),
        }
    }
}

impl From<Money> for MoneyOut {
    fn from(money: Money) -> Self {
        MoneyOut::of(money.amount, money.currency)
    }
}

/// A slip or transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct SlipOut {
    /// The number on it.
    pub number: String,
    /// The day on it, `YYYY-MM-DD`.
    pub date: Option<String>,
}

/// Money that came in, or an attempt at it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentOut {
    /// Which one (`pay_…`).
    #[schema(value_type = String)]
    pub payment: PaymentId,
    /// Of which order (`ord_…`).
    #[schema(value_type = String)]
    pub order: OrderId,
    /// `session`, `intent`, `slip` or `transfer`.
    #[schema(value_type = String)]
    pub method: PaymentKind,
    /// `creating`, `open`, `processing`, `succeeded`, `failed`, `cancelled` or `quarantined`.
    #[schema(value_type = String)]
    pub status: PaymentStatus,
    /// What was asked for.
    pub amount: MoneyOut,
    /// What came in, in the currency in which it came.
    pub received: MoneyOut,
    /// What the card holder disputes of it: nothing of that goes back meanwhile.
    pub disputed: MoneyOut,
    /// The gateway's page, while the payment is open.
    pub url: Option<String>,
    /// What the payer's own form needs, while the payment is open; shown to the payer only.
    pub client_secret: Option<String>,
    /// When the page closes by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<UtcTime>,
    /// The slip or transfer, where it is one.
    pub slip: Option<SlipOut>,
    /// When the charge was made.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub charged_at: Option<UtcTime>,
    /// Why it failed or was set aside, as a code.
    pub failure: Option<String>,
    /// The gateway's own id; shown to staff only.
    pub reference: Option<String>,
}

impl PaymentOut {
    pub(in crate::rest) fn of(payment: Payment, eyes: Eyes) -> Self {
        let open = payment.status == PaymentStatus::Open;
        let (payer, staff) = (eyes == Eyes::Payer, eyes == Eyes::Staff);
        PaymentOut {
            payment: payment.id,
            order: payment.order,
            method: payment.method,
            status: payment.status,
            amount: MoneyOut::of(payment.amount, payment.currency),
            received: MoneyOut::of(payment.received, payment.came_in().currency),
            disputed: MoneyOut::of(payment.disputed, payment.came_in().currency),
            url: payment.url.filter(|_| open),
            client_secret: payment.client_secret.filter(|_| open && payer),
            expires_at: payment.expires_at,
            slip: payment.slip_number.map(|number| SlipOut {
                number,
                date: payment.slip_date,
            }),
            charged_at: payment.charged_at,
            failure: payment.failure,
            reference: payment.reference.filter(|_| staff),
        }
    }
}

/// A payment that may be paid.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentOpenedOut {
    /// Which one (`pay_…`).
    #[schema(value_type = String)]
    pub payment: PaymentId,
    /// `session` or `intent`.
    #[schema(value_type = String)]
    pub method: PaymentKind,
    /// How much.
    pub amount: MoneyOut,
    /// The gateway's page.
    pub url: Option<String>,
    /// What the payer's own form needs.
    pub client_secret: Option<String>,
    /// When the page closes by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<UtcTime>,
}

impl From<PaymentOpened> for PaymentOpenedOut {
    fn from(opened: PaymentOpened) -> Self {
        PaymentOpenedOut {
            payment: opened.payment,
            method: opened.method,
            amount: opened.amount.into(),
            url: opened.url,
            client_secret: opened.client_secret,
            expires_at: opened.expires_at,
        }
    }
}

/// Money that goes back.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundOut {
    /// Which one (`ref_…`).
    #[schema(value_type = String)]
    pub refund: RefundId,
    /// Of which order (`ord_…`).
    #[schema(value_type = String)]
    pub order: OrderId,
    /// On which payment (`pay_…`); none where it goes by transfer.
    #[schema(value_type = Option<String>)]
    pub payment: Option<PaymentId>,
    /// What goes back.
    pub amount: MoneyOut,
    /// `card` or `transfer`.
    #[schema(value_type = String)]
    pub method: RefundMethod,
    /// `reserved`, `sent`, `succeeded`, `failed` or `owed`.
    #[schema(value_type = String)]
    pub status: RefundStatus,
    /// `player`, `organiser`, `rejected`, `no_seat`, `price` or `staff`.
    #[schema(value_type = String)]
    pub cause: RefundCause,
    /// The row of the regulation that decided.
    pub rule: String,
    /// When it was asked for.
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: UtcTime,
    /// Why it failed, as a code.
    pub failure: Option<String>,
    /// The gateway's or the bank's own id; shown to staff only.
    pub reference: Option<String>,
}

impl RefundOut {
    pub(in crate::rest) fn of(refund: Refund, eyes: Eyes) -> Self {
        RefundOut {
            refund: refund.id,
            order: refund.order,
            payment: refund.payment,
            amount: MoneyOut::of(refund.amount, refund.currency),
            method: refund.method,
            status: refund.status,
            cause: refund.cause,
            rule: refund.rule,
            requested_at: refund.requested_at,
            failure: refund.failure,
            reference: refund.reference.filter(|_| eyes == Eyes::Staff),
        }
    }
}
