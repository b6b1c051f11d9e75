//! What was accepted was done, and done once.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Event, RefundCause};

use super::Evidence;
use crate::command::{Act, Deed, Done};

/// Every accepted registration is one order with these form numbers, and there is no other; every sum that staff gave
/// back was given back once.
pub fn once(evidence: &Evidence, wrong: &mut Vec<String>) {
    let orders: BTreeMap<String, _> = evidence
        .orders()
        .map(|order| (order.order.to_string(), order))
        .collect();
    let mut asked_back: BTreeMap<&str, i64> = BTreeMap::new();
    let mut registered = BTreeSet::new();
    for (asked, done) in &evidence.accepted {
        match (&asked.act, done) {
            (_, Done::Registered { order, entries, .. }) => {
                if !registered.insert(order) {
                    wrong.push(format!("{order} is the answer to two registrations"));
                }
                let there = orders.get(order).map(|order| {
                    let entries = order.entries.iter();
                    entries
                        .map(|entry| (entry.entry.to_string(), entry.form_number))
                        .collect::<Vec<_>>()
                });
                if there.as_ref() != Some(entries) {
                    wrong.push(format!(
                        "{order} was accepted as {entries:?} and is {there:?}"
                    ));
                }
            }
            (Act::Staff(Deed::Refund(order, cents)), _) => {
                *asked_back.entry(order).or_default() += cents;
            }
            _ => {}
        }
    }
    for order in orders.keys().filter(|order| !registered.contains(order)) {
        wrong.push(format!("{order} is there, and nobody was answered so"));
    }
    let mut given: BTreeMap<String, i64> = BTreeMap::new();
    for row in evidence.islands.iter().flat_map(|island| &island.journal) {
        if let (
            Some(order),
            Event::RefundReserved {
                amount,
                cause: RefundCause::Staff,
                ..
            },
        ) = (row.order, &row.event)
        {
            *given.entry(order.to_string()).or_default() += amount;
        }
    }
    for (order, cents) in asked_back {
        let gone = given.remove(order).unwrap_or(0);
        if gone != cents {
            wrong.push(format!("{order}: staff gave back {cents}, and {gone} went"));
        }
    }
    for (order, gone) in given {
        wrong.push(format!(
            "{order}: {gone} went back that no staff was answered for"
        ));
    }
}
