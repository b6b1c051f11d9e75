//! Refunds: a sum is decided and reserved together with the change that causes it, and sent later.

mod by_staff;
mod deposit;
mod proof;

use domain::{
    EntryId, Event, Money, PaymentId, PaymentStatus, Problem, RefundCause, RefundId, RefundMethod,
    RefundQuote, RefundStatus, Slug, Text,
};
use store::change::{Account, Change, transfer};
use store::refunds::Refund;

use crate::desk::Desk;
use crate::dossier::Dossier;
use crate::slip::DESK;

pub use by_staff::StaffRefund;
pub use deposit::{DepositBack, DepositsBack};

/// A sum to be reserved. Minor units of the order's currency.
pub(crate) struct Reserve {
    /// Goes back.
    pub amount: i64,
    /// The organiser keeps.
    pub kept: i64,
    /// How it goes back; what no card can take goes by transfer.
    pub method: RefundMethod,
    /// Why.
    pub cause: RefundCause,
    /// The row of the regulation that decided.
    pub rule: String,
    /// The account that it is taken from.
    pub from: Account,
    /// The payment that it goes back on; any of the order's where none is named.
    pub payment: Option<PaymentId>,
    /// Whose leaving, or whose deposit, it is for.
    pub entry: Option<EntryId>,
}

/// Reserves a refund: rows for what goes to cards and for what staff will transfer, the order's sums, the ledger.
pub(crate) fn reserve(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
    what: &Reserve,
) -> Result<(), Problem> {
    let currency = dossier.order.currency;
    dossier.order.refunded += what.amount;
    dossier.order.kept += what.kept;
    if what.amount == 0 {
        if what.kept > 0 {
            let kept = Event::FeesKept {
                amount: what.kept,
                cause: what.cause,
                rule: what.rule.clone(),
                entry: what.entry,
            };
            let postings = transfer(
                Account::Administration,
                what.from.clone(),
                what.kept,
                currency,
            );
            dossier.record(change, &kept, &postings)?;
        }
        return Ok(());
    }
    let mut kept = what.kept;
    for (payment, amount) in split(dossier, what)? {
        let row = new_row(
            change,
            desk,
            dossier,
            what,
            payment,
            Money::new(amount, currency),
        );
        change.add_refund(&row)?;
        let mut postings = transfer(Account::RefundsPayable, what.from.clone(), amount, currency);
        postings.extend(transfer(
            Account::Administration,
            what.from.clone(),
            kept,
            currency,
        ));
        let reserved = Event::RefundReserved {
            refund: row.id,
            amount,
            kept,
            method: row.method,
            cause: row.cause,
            rule: row.rule.clone(),
            entry: what.entry,
        };
        dossier.record(change, &reserved, &postings)?;
        dossier.refunds.push(row);
        kept = 0;
    }
    Ok(())
}

/// Reserves what a quote gives back for an entry that ends, and books what is kept: one row for each rule that decides.
pub(crate) fn reserve_all(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
    (entry, cause): (EntryId, RefundCause),
    quote: RefundQuote,
) -> Result<(), Problem> {
    for part in quote.by_rule() {
        let what = Reserve {
            amount: part.refund,
            kept: part.kept,
            method: part.method,
            cause,
            rule: part.rule,
            from: Account::EntryFees,
            payment: None,
            entry: Some(entry),
        };
        reserve(change, desk, dossier, &what)?;
    }
    Ok(())
}

fn new_row(
    change: &Change<'_>,
    desk: &Desk,
    dossier: &Dossier,
    what: &Reserve,
    payment: Option<PaymentId>,
    amount: Money,
) -> Refund {
    let id = RefundId(desk.number());
    let (method, status) = match (payment, what.method) {
        (Some(_), _) => (RefundMethod::Card, RefundStatus::Reserved),
        (None, RefundMethod::Credit) => (RefundMethod::Credit, RefundStatus::Owed),
        (None, _) => (RefundMethod::Transfer, RefundStatus::Owed),
    };
    Refund {
        id,
        tournament: change.tournament.id.clone(),
        order: dossier.order.id,
        payment,
        amount: amount.amount,
        currency: amount.currency,
        method,
        status,
        cause: what.cause,
        rule: what.rule.clone(),
        gateway_key: format!("enroc-{id}"),
        reference: None,
        failure: None,
        attempts: 0,
        next_at: change.stamp.wall,
        requested_at: change.stamp.at,
        updated_at: change.stamp.wall,
    }
}

/// Reserves what came in in another currency than the order's, on the payment that brought it: it never was the order's.
fn reserve_foreign(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &Dossier,
    what: &Reserve,
    came_in: Money,
) -> Result<(), Problem> {
    let row = new_row(change, desk, dossier, what, what.payment, came_in);
    change.add_refund(&row)?;
    let postings = transfer(
        Account::RefundsPayable,
        what.from.clone(),
        came_in.amount,
        came_in.currency,
    );
    let reserved = Event::RefundReserved {
        refund: row.id,
        amount: row.amount,
        kept: 0,
        method: row.method,
        cause: row.cause,
        rule: row.rule,
        entry: what.entry,
    };
    dossier.record(change, &reserved, &postings)?;
    Ok(())
}

/// Which payment gives how much back: the newest first; `None` for what has to be transferred.
fn split(dossier: &Dossier, what: &Reserve) -> Result<Vec<(Option<PaymentId>, i64)>, Problem> {
    let mut parts = Vec::new();
    let mut left = what.amount;
    if what.method == RefundMethod::Card {
        for payment in dossier.payments.iter().rev() {
            let asked = what.payment.is_none_or(|id| id == payment.id);
            let own = payment.account != DESK && payment.received_currency.is_none();
            if !asked || !own || payment.status != PaymentStatus::Succeeded {
                continue;
            }
            let part = left.min(refundable(dossier, payment.id));
            if part > 0 {
                parts.push((Some(payment.id), part));
                left -= part;
            }
        }
    }
    if left > 0 {
        parts.push((None, left));
    }
    let received: i64 = dossier
        .payments
        .iter()
        .filter(|p| p.received_currency.is_none())
        .map(|p| p.received - p.disputed)
        .sum();
    let currency = dossier.order.currency;
    let going = dossier.refunds.iter().filter(|r| r.currency == currency);
    let going: i64 = going.map(|r| r.amount).sum();
    if going + what.amount > received {
        Err(Problem::new(Slug::NothingLeft))
    } else {
        Ok(parts)
    }
}

/// What a payment can still give back: received, less disputed, less every refund on it that did not fail.
fn refundable(dossier: &Dossier, payment: PaymentId) -> i64 {
    let received = dossier
        .payments
        .iter()
        .find(|p| p.id == payment)
        .map_or(0, |p| p.received - p.disputed);
    let on_it = |r: &&Refund| r.payment == Some(payment) && r.status != RefundStatus::Failed;
    received
        - dossier
            .refunds
            .iter()
            .filter(on_it)
            .map(|r| r.amount)
            .sum::<i64>()
}

/// A sum that is not in the order's currency.
pub(crate) fn other_currency(field: &str) -> Problem {
    let text = Text::new(
        "No és la moneda de la comanda.",
        "No es la moneda del pedido.",
        "It is not the order's currency.",
    );
    Problem::new(Slug::InvalidFields).field(field, "other_currency", text)
}
