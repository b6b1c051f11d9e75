//! The waiting list: a seat that comes free goes to the first in line whose whole order fits.

use domain::{Cause, Event, OrderId, Problem, Status, UtcTime};
use rules::Regulation;
use store::change::Change;
use store::entries;

use crate::dossier::{Dossier, hold_until, on_seat, takes_money};
use crate::seats::Seats;

/// How many entries of the line are read at once.
const AT_ONCE: i64 = 64;

/// Offers every free seat to those who wait, in form order. Whoever does not fit keeps the place in line.
pub(crate) fn offer_seats(change: &mut Change<'_>, regulation: &Regulation) -> Result<(), Problem> {
    if !somebody_could_move_up(change, regulation) {
        return Ok(());
    }
    let tournament = change.tournament.id.clone();
    let mut last = 0;
    loop {
        let (capacity, counts) = (change.tournament.capacity, &change.tournament.counts);
        let Ok(mut seats) = Seats::new(regulation, capacity, counts) else {
            return Ok(());
        };
        let waiting = entries::waiting(change.conn()?, &tournament, last, AT_ONCE)?;
        for entries in waiting.chunk_by(|one, next| one.order == next.order) {
            let sections: Vec<_> = entries.iter().map(|e| e.section.clone()).collect();
            if seats.take(&sections) {
                give_seats(change, regulation, entries[0].order)?;
            }
        }
        let Some(end) = waiting.last() else {
            return Ok(());
        };
        last = end.form_number;
        if !somebody_could_move_up(change, regulation) {
            return Ok(());
        }
    }
}

/// Whether the counts alone show that a section where somebody waits has a free seat: the line is read only then.
fn somebody_could_move_up(change: &Change<'_>, regulation: &Regulation) -> bool {
    let counts = &change.tournament.counts;
    let mut waiting = counts
        .iter()
        .filter(|(_, status, _)| *status == Status::Waitlisted)
        .peekable();
    if waiting.peek().is_none() || !still_offers(regulation, change.stamp.at) {
        return false;
    }
    Seats::new(regulation, change.tournament.capacity, counts).is_ok_and(|seats| {
        waiting.any(|(section, ..)| seats.free(section.as_ref()).is_none_or(|free| free > 0))
    })
}

/// Nobody is offered a seat that can no longer be paid or played.
pub(crate) fn still_offers(regulation: &Regulation, at: UtcTime) -> bool {
    takes_money(regulation, at) && at < regulation.begins()
}

fn give_seats(
    change: &mut Change<'_>,
    regulation: &Regulation,
    order: OrderId,
) -> Result<(), Problem> {
    let mut dossier = Dossier::load(change, order)?;
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
