//! The word: each cause one mail, and the pairing service knows who plays.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{Actor, EntryId, Event, OrderId, Status, UtcTime};

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
        played.extend(confirmed(&row.event));
    }
    for entry in island.orders.iter().flat_map(|order| &order.entries) {
        let plays = entry.status == Status::Confirmed;
        let word = evidence.words.get(&entry.entry.to_string());
        let section = entry.section.as_ref().map(ToString::to_string);
        let right = match word {
            Some(word) if plays => word.plays && Some(&word.section) == section.as_ref(),
            Some(word) => !word.plays,
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

/// The entries that a row confirms.
fn confirmed(event: &Event) -> Vec<EntryId> {
    match event {
        Event::OrderRegistered { entries, .. } => entries
            .iter()
            .filter(|entry| entry.status == Status::Confirmed)
            .map(|entry| entry.entry)
            .collect(),
        Event::EntryMoved {
            entry,
            to: Status::Confirmed,
            ..
        } => vec![*entry],
        _ => Vec::new(),
    }
}

/// What one command did to one order: its instant and who gave it.
type Command<'a> = (OrderId, UtcTime, &'a Actor);

/// One command makes one mail at most for each order; one that enters or confirms somebody makes one.
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
    let mut commands: HashMap<Command<'_>, (bool, usize)> = HashMap::new();
    for row in &island.journal {
        let Some(order) = row.order else { continue };
        let (must, told) = commands.entry((order, row.at, &row.actor)).or_default();
        *must |= matches!(row.event, Event::OrderRegistered { .. });
        *must |= !confirmed(&row.event).is_empty();
        if let Some((_, to)) = by_row.remove(&row.number) {
            *told += 1;
            let payer = payers.get(&order).map(String::as_str).unwrap_or_default();
            if !to.contains(payer) {
                wrong.push(format!(
                    "{}: row {} was told to {to}, not {payer}",
                    island.id, row.number
                ));
            }
        }
    }
    for ((order, at, actor), (must, told)) in commands {
        if told > 1 || must && told == 0 {
            wrong.push(format!(
                "{order}: {told} mails of what {actor:?} did to it at {at}"
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
