//! The waiting list: a seat that comes free goes to the first in line whose whole order fits.

use domain::{Cause, Event, Problem, Status, UtcTime};
use rules::{Regulation, WhenFull};
use store::change::Change;
use store::waiting_list;

use crate::dossier::{Dossier, hold_until, on_seat, takes_money};
use crate::seats::Seats;

/// How many entries of the line are read at once.
const AT_ONCE: i64 = 64;

/// Gives every free seat to those who wait, in the order of the line: at once to whose money waits with them, as an offer to the
/// others. Whoever does not fit keeps the place in line, and so does whose price has risen until the rest is paid.
pub(crate) fn offer_seats(change: &mut Change<'_>, regulation: &Regulation) -> Result<(), Problem> {
    if !somebody_could_move_up(change, regulation) {
        return Ok(());
    }
    let tournament = change.tournament.id.clone();
    let offers = still_offers(regulation, change.stamp.at);
    let mut last = None;
    loop {
        let (capacity, counts) = (change.tournament.capacity, &change.tournament.counts);
        let Ok(mut seats) = Seats::new(regulation, capacity, counts) else {
            return Ok(());
        };
        let waiting = waiting_list::after(change.conn()?, &tournament, last.as_ref(), AT_ONCE)?;
        for entries in waiting.chunk_by(|one, next| one.order == next.order) {
            let paid = entries[0].waiting_since.is_some();
            let sections: Vec<_> = entries.iter().map(|e| e.section.clone()).collect();
            if !(paid || offers) || !seats.clone().take(&sections) {
                continue;
            }
            let dossier = Dossier::load(change, entries[0].order)?;
            if paid && dossier.due() > 0 {
                continue;
            }
            seats.take(&sections);
            give_seats(change, regulation, dossier)?;
        }
        let Some(end) = waiting.into_iter().next_back() else {
            return Ok(());
        };
        last = Some(end);
        if !somebody_could_move_up(change, regulation) {
            return Ok(());
        }
    }
}

/// Whether the counts alone show that a section where somebody waits has a free seat: the line is read only then.
fn somebody_could_move_up(change: &Change<'_>, regulation: &Regulation) -> bool {
    let (counts, at) = (&change.tournament.counts, change.stamp.at);
    let mut waiting = counts
        .iter()
        .filter(|(_, status, _)| *status == Status::Waitlisted)
        .peekable();
    if waiting.peek().is_none() || !(still_offers(regulation, at) || money_waits(regulation, at)) {
        return false;
    }
    Seats::new(regulation, change.tournament.capacity, counts).is_ok_and(|seats| {
        waiting.any(|(section, ..)| seats.free(section.as_ref()).is_none_or(|free| free > 0))
    })
}

/// Whether money that finds no seat waits for one: until play begins, where the regulation says so.
pub(crate) fn money_waits(regulation: &Regulation, at: UtcTime) -> bool {
    regulation.when_full() == WhenFull::Wait && at < regulation.begins()
}

/// Lets the entries of an order that owes nothing wait for a seat with their money, in line by when it arrived. Those that are in
/// line keep their place.
pub(crate) fn wait_with_money(
    change: &mut Change<'_>,
    regulation: &Regulation,
    dossier: &mut Dossier,
    arrived: UtcTime,
) -> Result<(), Problem> {
    for index in 0..dossier.entries.len() {
        let entry = &mut dossier.entries[index];
        let status = entry.status;
        if !matches!(status, Status::Held | Status::Waitlisted) || entry.waiting_since.is_some() {
            continue;
        }
        entry.waiting_since = Some(arrived);
        match status {
            Status::Held => dossier.move_entry(change, index, Cause::Wait)?,
            _ => change.save_entry(entry, status)?,
        }
    }
    dossier.settled(regulation);
    Ok(())
}

/// Nobody is offered a seat that can no longer be paid or played.
pub(crate) fn still_offers(regulation: &Regulation, at: UtcTime) -> bool {
    takes_money(regulation, at) && at < regulation.begins()
}

fn give_seats(
    change: &mut Change<'_>,
    regulation: &Regulation,
    mut dossier: Dossier,
) -> Result<(), Problem> {
    let needs_approval = dossier
        .entries
        .iter()
        .any(|e| e.status == Status::Waitlisted && e.needs_approval);
    let cause = on_seat(
        regulation.approval(),
        needs_approval,
        dossier.approved(),
        dossier.due(),
    );
    dossier.move_all(change, &[Status::Waitlisted], cause)?;
    if cause == Cause::Hold {
        let until = hold_until(regulation, change.stamp.at);
        dossier.order.hold_until = Some(until);
        dossier.record(change, &Event::OfferMade { hold_until: until }, &[])?;
    }
    dossier.save(change)
}
