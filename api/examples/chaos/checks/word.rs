//! The word: each cause one mail, and the pairing service knows who plays.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Event, Status, UtcTime};

use super::{Evidence, Island};

/// What a Message-ID says: tournament, journal row, kind.
fn cause(id: &str) -> Option<(&str, i64, &str)> {
    let (name, _) = id.strip_prefix('<')?.split_once('@')?;
    let mut parts = name.splitn(3, '.');
    Some((parts.next()?, parts.next()?.parse().ok()?, parts.next()?))
}

/// A repeat is the same mail to the same address; one row makes one mail.
pub fn repeats(evidence: &Evidence, wrong: &mut Vec<String>) {
    let mut causes = BTreeMap::new();
    for (id, mails) in &evidence.mails {
        if mails.windows(2).any(|two| two[0].to != two[1].to) {
            wrong.push(format!("{id} went to several addresses"));
        }
        match cause(id) {
            Some((tournament, number, kind)) => {
                if let Some(other) = causes.insert((tournament, number), kind) {
                    wrong.push(format!(
                        "{tournament} row {number}: a mail {kind} and a mail {other}"
                    ));
                }
            }
            None => wrong.push(format!("a mail by the name of {id}")),
        }
    }
}

/// Everybody was told, and the pairing service has the last word.
pub fn told(evidence: &Evidence, island: &Island, wrong: &mut Vec<String>) {
    let last = island.journal.last().map_or(0, |row| row.number);
    if island.cursors != [last, last] {
        wrong.push(format!(
            "{}: the journal has {last} rows, its readers have read {:?}",
            island.id, island.cursors
        ));
    }
    mails(evidence, island, wrong);
    let mut played = BTreeSet::new();
    for row in &island.journal {
        if let Event::EntryMoved {
            entry,
            to: Status::Confirmed,
            ..
        } = &row.event
        {
            played.insert(*entry);
        }
    }
    for entry in island.orders.iter().flat_map(|order| &order.entries) {
        let plays = entry.status == Status::Confirmed;
        let word = evidence.words.get(&entry.entry.to_string());
        let right = match word {
            Some(word) => word.plays == plays,
            None => !played.contains(&entry.entry),
        };
        if !right {
            wrong.push(format!(
                "{}: form {} is {:?}, and the pairing service knows {word:?}",
                island.id, entry.form_number, entry.status
            ));
        }
    }
}

fn mails(evidence: &Evidence, island: &Island, wrong: &mut Vec<String>) {
    let mut by_row: BTreeMap<i64, (&str, &str)> = BTreeMap::new();
    for (id, mails) in &evidence.mails {
        if let (Some((tournament, number, kind)), Some(mail)) = (cause(id), mails.first())
            && tournament == island.id.as_str()
        {
            by_row.insert(number, (kind, &mail.to));
        }
    }
    let payers: BTreeMap<_, _> = island
        .orders
        .iter()
        .map(|order| (order.order, order.payer_email.clone().unwrap_or_default()))
        .collect();
    let mut confirmed: BTreeMap<_, (BTreeSet<UtcTime>, usize)> = BTreeMap::new();
    for row in &island.journal {
        let Some(order) = row.order else { continue };
        let mail = by_row.remove(&row.number);
        if let Some((kind, to)) = mail {
            let payer = payers.get(&order).map(String::as_str).unwrap_or_default();
            if !to.contains(payer) {
                wrong.push(format!(
                    "{}: row {} was told to {to}, not {payer}",
                    island.id, row.number
                ));
            }
            if kind == "confirmed" {
                confirmed.entry(order).or_default().1 += 1;
            }
        }
        match &row.event {
            Event::OrderRegistered { .. } if mail.is_none() => {
                wrong.push(format!(
                    "{}: nobody was told of row {}, an order",
                    island.id, row.number
                ));
            }
            Event::EntryMoved {
                to: Status::Confirmed,
                ..
            } => {
                confirmed.entry(order).or_default().0.insert(row.at);
            }
            _ => {}
        }
    }
    for (order, (commands, mails)) in confirmed {
        if mails == 0 || mails > commands.len() {
            wrong.push(format!(
                "{order} was confirmed {} times and told so {mails} times",
                commands.len()
            ));
        }
    }
    for (number, (kind, _)) in by_row {
        wrong.push(format!(
            "{}: a mail {kind} of row {number}, which there is not",
            island.id
        ));
    }
}
