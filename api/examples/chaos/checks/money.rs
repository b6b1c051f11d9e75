//! Money: the gateway's list against the desk's books, and what the back office found in the bank.

use std::collections::{BTreeMap, BTreeSet};

use domain::{PaymentStatus, RefundMethod, RefundStatus, Status};
use registration::OrderView;
use serde_json::Value;
use store::payments::Payment;

use super::Evidence;

/// The account of slips.
const DESK: &str = "desk";

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn cents(value: &Value, name: &str) -> i64 {
    value[name].as_i64().unwrap_or_default()
}

/// No more goes back than came in, for no order and no charge; and no slip pays twice.
pub fn bounds(evidence: &Evidence, wrong: &mut Vec<String>) {
    let mut slips = BTreeSet::new();
    for order in evidence.orders() {
        let back: i64 = order.refunds.iter().map(|refund| refund.amount).sum();
        let came: i64 = order.payments.iter().map(|payment| payment.received).sum();
        if back > came {
            wrong.push(format!("{}: {back} goes back of {came}", order.order));
        }
        let credited = order.paid - order.refunded - order.kept;
        // By the form nobody pays without a seat, and money that comes all the same goes back in the same commit.
        if order.status == Status::Waitlisted && credited > 0 {
            wrong.push(format!("{}: {credited} waits for a seat", order.order));
        }
        for payment in &order.payments {
            let counts = [PaymentStatus::Processing, PaymentStatus::Succeeded];
            if let (Some(number), true) = (&payment.slip_number, counts.contains(&payment.status))
                && !slips.insert((payment.tournament.clone(), number))
            {
                wrong.push(format!("{}: {number} pays two orders", payment.tournament));
            }
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

fn paid(evidence: &Evidence) -> impl Iterator<Item = &Value> {
    evidence
        .charges
        .iter()
        .filter(|charge| charge["paid"] == Value::Bool(true))
}

/// The payments that go by an intent, or by its page.
fn owners<'a>(evidence: &'a Evidence, intent: &str) -> Vec<&'a Payment> {
    let page = evidence.pages.get(intent).map(String::as_str);
    let is_of = |payment: &&Payment| {
        let known = [payment.intent.as_deref(), payment.reference.as_deref()];
        known
            .iter()
            .flatten()
            .any(|id| *id == intent || Some(*id) == page)
    };
    let payments = evidence.orders().flat_map(|order| &order.payments);
    payments.filter(is_of).collect()
}

/// Each charge belongs to one payment, of one order that took it, or is on the back office's list; or all of it went back.
pub fn charges(evidence: &Evidence, wrong: &mut Vec<String>) {
    for charge in paid(evidence) {
        let owners = owners(evidence, text(charge, "payment_intent"));
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

/// Each refund at the gateway that did not fail is one of the desk's, and the other way round; none is left half done. One
/// that failed is on the back office's list, or was transferred.
pub fn refunds(evidence: &Evidence, wrong: &mut Vec<String>) {
    let mut known: BTreeMap<&str, i64> = BTreeMap::new();
    for refund in evidence.orders().flat_map(|order| &order.refunds) {
        let half_done = match (refund.status, refund.method) {
            (RefundStatus::Succeeded, RefundMethod::Card) => refund.reference.is_none(),
            (RefundStatus::Failed, _) => refund.failure.is_none(),
            (RefundStatus::Succeeded | RefundStatus::Owed, _) => false,
            (RefundStatus::Reserved | RefundStatus::Sent, _) => true,
        };
        if half_done {
            wrong.push(format!(
                "{} of {} stands at {:?}: {:?}",
                refund.id, refund.order, refund.status, refund.failure
            ));
        }
        if refund.status == RefundStatus::Succeeded
            && refund.method == RefundMethod::Card
            && let Some(reference) = refund.reference.as_deref()
            && known.insert(reference, refund.amount).is_some()
        {
            wrong.push(format!("{reference} is two refunds of the desk"));
        }
    }
    for refund in evidence
        .refunds
        .iter()
        .filter(|refund| text(refund, "status") != "failed")
    {
        let (id, amount) = (text(refund, "id"), cents(refund, "amount"));
        if known.remove(id) != Some(amount) {
            wrong.push(format!("{id} of {amount} is none of the desk's"));
        }
    }
    for (id, amount) in known {
        wrong.push(format!("{id} of {amount} is not at the gateway"));
    }
}

/// Each dispute is known as it stands.
pub fn disputes(evidence: &Evidence, wrong: &mut Vec<String>) {
    for dispute in &evidence.disputes {
        let owners = owners(evidence, text(dispute, "payment_intent"));
        let taker = owners
            .iter()
            .find(|payment| payment.status == PaymentStatus::Succeeded);
        let (status, amount) = (text(dispute, "status"), cents(dispute, "amount"));
        let gone = if status == "won" { 0 } else { amount };
        let right = taker.is_some_and(|payment| {
            let lost = payment.failure.as_deref() == Some("dispute_lost");
            payment.disputed == gone && lost == (status == "lost")
        });
        if !right {
            wrong.push(format!(
                "{} of {amount} is {status}, and the desk has {:?}",
                text(dispute, "id"),
                owners
                    .iter()
                    .map(|payment| (payment.id, payment.disputed, &payment.failure))
                    .collect::<Vec<_>>()
            ));
        }
    }
}

/// The ledger sums to zero, its account of the gateway stands at what the gateway has, and that of the bank at what the
/// back office found there.
pub fn books(evidence: &Evidence, wrong: &mut Vec<String>) {
    let sum: i128 = evidence.balances.values().sum();
    if sum != 0 {
        wrong.push(format!("the ledger sums to {sum}"));
    }
    let stands = |name: &str| -> i128 {
        let accounts = evidence.balances.iter();
        let named = accounts.filter(|(account, _)| account.starts_with(name));
        named.map(|(_, sum)| *sum).sum()
    };
    let came: i64 = paid(evidence).map(|charge| cents(charge, "amount")).sum();
    let of = |list: &[Value], in_state: &[&str]| -> i64 {
        let those = list
            .iter()
            .filter(|one| in_state.contains(&text(one, "status")));
        those.map(|one| cents(one, "amount")).sum()
    };
    let went = of(&evidence.refunds, &["succeeded"]);
    let taken = of(&evidence.disputes, &["needs_response", "lost"]);
    let ours = stands("gateway:");
    if ours != i128::from(came - went - taken) {
        wrong.push(format!(
            "the ledger has {ours} at the gateway, which has {came} less {went} and {taken}"
        ));
    }
    let (mut found, mut transferred) = (0, 0);
    for order in evidence.orders() {
        for payment in order.payments.iter().filter(|p| p.account == DESK) {
            found += payment.received;
        }
        let by_bank = order
            .refunds
            .iter()
            .filter(|r| r.status == RefundStatus::Succeeded && r.method == RefundMethod::Transfer);
        transferred += by_bank.map(|refund| refund.amount).sum::<i64>();
        settled(order, wrong);
    }
    let ours = stands("bank");
    if ours != i128::from(found - transferred) {
        wrong.push(format!(
            "the ledger has {ours} in the bank, where {found} came and {transferred} went"
        ));
    }
}

fn settled(order: &OrderView, wrong: &mut Vec<String>) {
    for payment in &order.payments {
        // A slip waits for somebody's word.
        if payment.status == PaymentStatus::Processing && payment.account != DESK {
            wrong.push(format!(
                "{} of {} is still under way",
                payment.id, order.order
            ));
        }
    }
}
