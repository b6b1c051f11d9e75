//! What becomes of money that came in: whether there is something for it to pay, and a seat.

use domain::{Problem, SectionId, Status};
use rules::{Ordering, Regulation};
use store::change::Change;
use store::entries::Entry;

use super::Arrival;
use crate::claims;
use crate::dossier::{Dossier, takes_money};
use crate::offer;
use crate::seats::Seats;

/// What becomes of money that is right.
pub(super) enum Fate {
    Credit,
    GiveBack,
}

pub(super) fn fate(
    change: &mut Change<'_>,
    regulation: &Regulation,
    dossier: &Dossier,
    arrival: &Arrival,
    due: i64,
) -> Result<Fate, Problem> {
    let live: Vec<Status> = dossier
        .entries
        .iter()
        .map(|e| e.status)
        .filter(|s| s.is_live())
        .collect();
    if live.contains(&Status::Waitlisted) {
        // Only who waits with the money may owe a rest of the price.
        let rest = due > 0 && dossier.entries.iter().any(|e| e.waiting_since.is_some());
        return Ok(if rest { Fate::Credit } else { Fate::GiveBack });
    }
    if live.contains(&Status::Held) && regulation.order() == Ordering::ByPayment {
        // Where payment gives the seat, whoever paid too late for one gets the money back, or waits with it.
        let waits = offer::money_waits(regulation, change.stamp.at);
        return Ok(if waits || unseated_fit(change, regulation, dossier)? {
            Fate::Credit
        } else {
            Fate::GiveBack
        });
    }
    if !live.is_empty() {
        return Ok(if due > 0 {
            Fate::Credit
        } else {
            Fate::GiveBack
        });
    }
    let expired: Vec<_> = dossier
        .entries
        .iter()
        .filter(|e| e.status == Status::Expired)
        .collect();
    // A part of the price brings nobody back.
    let whole = arrival.received.amount >= due;
    if expired.is_empty() || !whole || !takes_money(regulation, arrival.charged_at) {
        return Ok(Fate::GiveBack);
    }
    // The same people may have entered anew meanwhile.
    let known: Vec<String> = expired.iter().filter_map(|e| e.identity.clone()).collect();
    if !change.live_identities(&known)?.is_empty() {
        return Ok(Fate::GiveBack);
    }
    let sections: Vec<_> = expired.iter().map(|e| e.section.clone()).collect();
    let mut named = sections.iter().flatten();
    if named.any(|section| regulation.section(section).is_none()) {
        return Ok(Fate::GiveBack);
    }
    let fits = fits(change, regulation, &sections)?
        && claims::still_left(change, regulation, &dossier.order)?;
    Ok(if fits { Fate::Credit } else { Fate::GiveBack })
}

fn fits(
    change: &mut Change<'_>,
    regulation: &Regulation,
    sections: &[Option<SectionId>],
) -> Result<bool, Problem> {
    Ok(Seats::new(
        regulation,
        change.tournament.capacity,
        &change.tournament.counts,
    )
    .is_ok_and(|mut seats| seats.take(sections)))
}

/// Whether there are seats for what has none where payment gives the seat.
/// Whether money that came now would have a seat, or would wait for one. It always has, but where payment gives the seat.
pub(crate) fn buys_a_seat(
    change: &mut Change<'_>,
    regulation: &Regulation,
    dossier: &Dossier,
) -> Result<bool, Problem> {
    let held = dossier.entries.iter().any(|e| e.status == Status::Held);
    let by_payment = held && regulation.order() == Ordering::ByPayment;
    let sure = !by_payment || offer::money_waits(regulation, change.stamp.at);
    Ok(sure || unseated_fit(change, regulation, dossier)?)
}

pub(super) fn unseated_fit(
    change: &mut Change<'_>,
    regulation: &Regulation,
    dossier: &Dossier,
) -> Result<bool, Problem> {
    let unseated = |e: &&Entry| matches!(e.status, Status::Held | Status::Waitlisted);
    let unseated = dossier.entries.iter().filter(unseated);
    let sections: Vec<_> = unseated.map(|e| e.section.clone()).collect();
    fits(change, regulation, &sections)
}
