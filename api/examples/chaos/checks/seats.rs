//! Seats: the journal is played again, row by row.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Entrant, EntryId, EntryOpened, Event, OrderId, Recorded, Status};

use super::Island;

/// The seats of `regulation.toml`.
const SEATS: [(&str, usize); 2] = [("A", 30), ("B", 20)];

struct Stands {
    order: OrderId,
    form: i64,
    section: String,
    status: Status,
    /// Alone on its order: it fits wherever a seat is free.
    alone: bool,
}

/// At every row: no more entries than seats, and nobody gets one before those who came earlier and wait. Row and form
/// numbers come once and without gaps; nobody is in twice.
pub fn replay(island: &Island, wrong: &mut Vec<String>) {
    let mut entries: BTreeMap<EntryId, Stands> = BTreeMap::new();
    for (place, row) in (1..).zip(&island.journal) {
        if row.number != place {
            wrong.push(format!(
                "{}: journal row {} stands at place {place}",
                island.id, row.number
            ));
        }
        match &row.event {
            Event::OrderRegistered {
                entries: opened, ..
            } => come(island, row, opened, &mut entries, wrong),
            Event::EntryMoved {
                entry, from, to, ..
            } => go_on(
                island,
                row.number,
                (*entry, *from, *to),
                &mut entries,
                wrong,
            ),
            Event::SectionChanged { entry, to, .. } => {
                change(
                    island,
                    row.number,
                    (*entry, to.as_str()),
                    &mut entries,
                    wrong,
                );
            }
            _ => continue,
        }
        for (section, seats) in SEATS {
            let taken = taken(&entries, section);
            if taken > seats {
                wrong.push(format!(
                    "{}: {taken} entries on {seats} seats of {section} at row {}",
                    island.id, row.number
                ));
            }
        }
    }
    for entry in island.orders.iter().flat_map(|order| &order.entries) {
        let told = entries.get(&entry.entry);
        let section = entry.section.as_ref().map(ToString::to_string);
        let same = told.is_some_and(|told| {
            told.status == entry.status && Some(&told.section) == section.as_ref()
        });
        if !same {
            wrong.push(format!(
                "{}: form {} stands at {:?} in {section:?}, which its journal does not say",
                island.id, entry.form_number, entry.status
            ));
        }
    }
    twice(island, wrong);
}

/// An order comes in.
fn come(
    island: &Island,
    row: &Recorded,
    opened: &[EntryOpened],
    entries: &mut BTreeMap<EntryId, Stands>,
    wrong: &mut Vec<String>,
) {
    for entry in opened {
        let next = i64::try_from(entries.len()).unwrap_or(i64::MAX) + 1;
        if entry.form_number != next {
            wrong.push(format!(
                "{}: form number {} comes where {next} should",
                island.id, entry.form_number
            ));
        }
        let section = entry.section.as_ref();
        let stands = Stands {
            order: row.order.unwrap_or(OrderId(0)),
            form: entry.form_number,
            section: section.map_or(String::new(), ToString::to_string),
            status: entry.status,
            alone: opened.len() == 1,
        };
        if stands.status.takes_seat(false) {
            overtakes(island, row.number, entries, &stands, wrong);
        }
        entries.insert(entry.entry, stands);
    }
}

/// An entry moves from one state to another.
fn go_on(
    island: &Island,
    row: i64,
    (entry, from, to): (EntryId, Status, Status),
    entries: &mut BTreeMap<EntryId, Stands>,
    wrong: &mut Vec<String>,
) {
    let Some(mut stands) = entries.remove(&entry) else {
        let island = &island.id;
        wrong.push(format!(
            "{island}: row {row} moves an entry that never came"
        ));
        return;
    };
    if stands.status != from {
        wrong.push(format!(
            "{}: row {row} moves form {} from {from:?}, but it stands at {:?}",
            island.id, stands.form, stands.status
        ));
    }
    if to.takes_seat(false) && !from.takes_seat(false) {
        overtakes(island, row, entries, &stands, wrong);
    }
    stands.status = to;
    entries.insert(entry, stands);
}

/// An entry goes to another section: with its seat, or to wait there under its own number.
fn change(
    island: &Island,
    row: i64,
    (entry, to): (EntryId, &str),
    entries: &mut BTreeMap<EntryId, Stands>,
    wrong: &mut Vec<String>,
) {
    let Some(mut stands) = entries.remove(&entry) else {
        let island = &island.id;
        wrong.push(format!(
            "{island}: row {row} places an entry that never came"
        ));
        return;
    };
    to.clone_into(&mut stands.section);
    if stands.status.takes_seat(false) {
        overtakes(island, row, entries, &stands, wrong);
    }
    entries.insert(entry, stands);
}

fn taken(entries: &BTreeMap<EntryId, Stands>, section: &str) -> usize {
    entries
        .values()
        .filter(|entry| entry.section == section && entry.status.takes_seat(false))
        .count()
}

fn overtakes(
    island: &Island,
    row: i64,
    entries: &BTreeMap<EntryId, Stands>,
    seated: &Stands,
    wrong: &mut Vec<String>,
) {
    let before = entries.values().find(|entry| {
        entry.status == Status::Waitlisted
            && entry.alone
            && entry.section == seated.section
            && entry.form < seated.form
            && entry.order != seated.order
    });
    if let Some(before) = before {
        wrong.push(format!(
            "{}: at row {row} form {} gets a seat of {}, and form {} waits",
            island.id, seated.form, seated.section, before.form
        ));
    }
}

fn twice(island: &Island, wrong: &mut Vec<String>) {
    let mut people = BTreeSet::new();
    for entry in island.orders.iter().flat_map(|order| &order.entries) {
        if let (true, Some(Entrant::Player(player))) = (entry.status.is_live(), &entry.entrant)
            && !people.insert(player.fide_id)
        {
            wrong.push(format!(
                "{}: form {} is somebody who is in already",
                island.id, entry.form_number
            ));
        }
    }
}

/// No seat is free while somebody alone on an order waits for it.
pub fn given(island: &Island, wrong: &mut Vec<String>) {
    for (section, seats) in SEATS {
        let of_section = |order: &&registration::OrderView| {
            let mine = |entry: &registration::EntryView| {
                entry
                    .section
                    .as_ref()
                    .is_some_and(|s| s.as_str() == section)
            };
            order.entries.iter().any(mine)
        };
        let orders: Vec<_> = island.orders.iter().filter(of_section).collect();
        let taken = orders
            .iter()
            .flat_map(|order| &order.entries)
            .filter(|entry| {
                entry.status.takes_seat(false)
                    && entry
                        .section
                        .as_ref()
                        .is_some_and(|s| s.as_str() == section)
            })
            .count();
        let waits = orders
            .iter()
            .find(|order| order.entries.len() == 1 && order.status == Status::Waitlisted);
        if let Some(waits) = waits
            && taken < seats
        {
            wrong.push(format!(
                "{}: {taken} of {seats} seats of {section} are taken, and form {} waits",
                island.id, waits.entries[0].form_number
            ));
        }
    }
}
