//! Money: the gateway's list against the desk's books.

use std::collections::BTreeMap;

use domain::{PaymentStatus, RefundMethod, RefundStatus};
use registration::OrderView;
use serde_json::Value;
use store::payments::Payment;

use super::Evidence;

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn cents(value: &Value, name: &str) -> i64 {
    value[name].as_i64().unwrap_or_default()
}

/// No more goes back than came in, for no order and no charge.
pub fn bounds(evidence: &Evidence, wrong: &mut Vec<String>) {
    for order in evidence.orders() {
        let back: i64 = order.refunds.iter().map(|refund| refund.amount).sum();
        let came: i64 = order.payments.iter().map(|payment| payment.received).sum();
        if back > came {
            wrong.push(format!("{}: {back} goes back of {came}", order.order));
        }
    }
    for charge in &evidence.charges {
        if cents(charge, "amount_refunded") > cents(charge, "amount") {
            wrong.push(format!(
                "{}: more goes back than it was",
                text(charge, "id")
            ));
        }
    }
}

/// Each charge belongs to one payment, of one order that took it, or is on the back office's list; or all of it went back.
pub fn charges(evidence: &Evidence, wrong: &mut Vec<String>) {
    let paid = evidence
        .charges
        .iter()
        .filter(|charge| charge["paid"] == Value::Bool(true));
    for charge in paid {
        let intent = text(charge, "payment_intent");
        let page = evidence.pages.get(intent).map(String::as_str);
        let is_of = |payment: &&Payment| {
            let known = [payment.intent.as_deref(), payment.reference.as_deref()];
            known
                .iter()
                .flatten()
                .any(|id| *id == intent || Some(*id) == page)
        };
        let owners: Vec<&Payment> = evidence
            .orders()
            .flat_map(|order| &order.payments)
            .filter(is_of)
            .collect();
        let amount = cents(charge, "amount");
        let taken = |payment: &&&Payment| match payment.status {
            PaymentStatus::Succeeded => payment.received == amount,
            PaymentStatus::Quarantined => true,
            _ => false,
        };
        let takers = owners.iter().filter(taken).count();
        let all_back = cents(charge, "amount_refunded") == amount;
        if takers != 1 && !(takers == 0 && all_back) {
            wrong.push(format!(
                "{} of {amount}: {takers} of the payments {:?} took it",
                text(charge, "id"),
                owners
                    .iter()
                    .map(|payment| (payment.order, payment.id, payment.status))
                    .collect::<Vec<_>>()
            ));
        }
    }
}

/// Each refund at the gateway is one of the desk's, and the other way round; none is left half done.
pub fn refunds(evidence: &Evidence, wrong: &mut Vec<String>) {
    let mut known: BTreeMap<&str, i64> = BTreeMap::new();
    for refund in evidence.orders().flat_map(|order| &order.refunds) {
        if let Some(reference) = refund.reference.as_deref()
            && known.insert(reference, refund.amount).is_some()
        {
            wrong.push(format!("{reference} is two refunds of the desk"));
        }
        let done = matches!(refund.status, RefundStatus::Succeeded | RefundStatus::Owed);
        let on_card =
            refund.method == RefundMethod::Card && refund.status == RefundStatus::Succeeded;
        if !done || on_card && refund.reference.is_none() {
            wrong.push(format!(
                "{} of {} stands at {:?}: {:?}",
                refund.id, refund.order, refund.status, refund.failure
            ));
        }
    }
    for refund in &evidence.refunds {
        let (id, amount) = (text(refund, "id"), cents(refund, "amount"));
        if known.remove(id) != Some(amount) {
            wrong.push(format!("{id} of {amount} is none of the desk's"));
        }
    }
    for (id, amount) in known {
        wrong.push(format!("{id} of {amount} is not at the gateway"));
    }
}

/// The ledger sums to zero, and its account of the gateway stands at what the gateway has.
pub fn books(evidence: &Evidence, wrong: &mut Vec<String>) {
    let sum: i128 = evidence.balances.values().sum();
    if sum != 0 {
        wrong.push(format!("the ledger sums to {sum}"));
    }
    let ours: i128 = evidence
        .balances
        .iter()
        .filter(|(account, _)| account.starts_with("gateway:"))
        .map(|(_, sum)| *sum)
        .sum();
    let came: i64 = evidence
        .charges
        .iter()
        .filter(|charge| charge["paid"] == Value::Bool(true))
        .map(|charge| cents(charge, "amount"))
        .sum();
    let went: i64 = evidence
        .refunds
        .iter()
        .filter(|refund| text(refund, "status") == "succeeded")
        .map(|refund| cents(refund, "amount"))
        .sum();
    if ours != i128::from(came - went) {
        wrong.push(format!(
            "the ledger has {ours} at the gateway, which has {came} less {went}"
        ));
    }
    for order in evidence.orders() {
        settled(order, wrong);
    }
}

fn settled(order: &OrderView, wrong: &mut Vec<String>) {
    for payment in &order.payments {
        if payment.status == PaymentStatus::Processing {
            wrong.push(format!(
                "{} of {} is still under way",
                payment.id, order.order
            ));
        }
    }
}
