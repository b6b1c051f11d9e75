//! The waiting list: a seat that comes free goes to the first in line whose whole order fits.

use domain::{Cause, Event, OrderId, Problem, Status, UtcTime};
use rules::Regulation;
use store::change::Change;
use store::entries;

use crate::dossier::{Dossier, hold_until, on_seat, takes_money};
use crate::seats::Seats;

/// Offers every free seat to those who wait, in form order. Whoever does not fit keeps the place in line.
pub(crate) fn offer_seats(change: &mut Change<'_>, regulation: &Regulation) -> Result<(), Problem> {
    let waiting = entries::in_states(change.conn, &change.tournament.id, &[Status::Waitlisted])?;
    if waiting.is_empty() || !still_offers(regulation, change.stamp.at) {
        return Ok(());
    }
    let counts = entries::counts(change.conn, &change.tournament.id)?;
    let Ok(mut seats) = Seats::new(regulation, change.tournament.capacity, &counts) else {
        return Ok(());
    };
    let mut line: Vec<OrderId> = Vec::new();
    for entry in &waiting {
        if !line.contains(&entry.order) {
            line.push(entry.order);
        }
    }
    for order in line {
        let sections: Vec<_> = waiting
            .iter()
            .filter(|e| e.order == order)
            .map(|e| e.section.clone())
            .collect();
        if seats.take(&sections) {
            give_seats(change, regulation, order)?;
        }
    }
    Ok(())
}

/// Nobody is offered a seat that can no longer be paid or played.
fn still_offers(regulation: &Regulation, at: UtcTime) -> bool {
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
