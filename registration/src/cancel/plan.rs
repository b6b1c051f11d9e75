//! What a cancellation comes to, before anything is written.

use std::collections::BTreeMap;

use domain::{Cause, EntryId, RefundAsk, RefundCause, Status};
use store::change::Change;
use store::lines;

use super::{Cancel, Cancellation, EntryRefund};
use crate::dossier::{Dossier, Terms};
use crate::left;
use crate::pass_on::dearer_without;
use crate::standing::Frozen;

/// What a cancellation comes to.
pub(super) struct Plan {
    /// For the order itself.
    pub cancellation: Cancellation,
    /// What entries of other orders cost more without it, and are asked for: minor units.
    pub passed_on: BTreeMap<EntryId, i64>,
}

/// Works out what each entry that leaves gives back, one after the other, and sets the prices of those that stay.
pub(super) fn plan(
    change: &Change<'_>,
    terms: &Terms,
    dossier: &mut Dossier,
    (leaving, around): (&[EntryId], &[Frozen]),
    wanted: &Cancel,
) -> Plan {
    // What is disputed is not there: it is decided when it comes back.
    let mut credited = dossier.credited() - dossier.disputed();
    let mut total = dossier.order.total;
    let ends = |e: &store::entries::Entry| leaving.contains(&e.id) || !e.status.is_live();
    // Whose entry the organiser ends, or who paid for no seat, has done nothing: what stays keeps its price, though a promotion
    // needs both.
    let waited = |e: &store::entries::Entry| e.waiting_since.is_some() || !leaving.contains(&e.id);
    let in_vain = dossier.entries.iter().all(ends) && dossier.entries.iter().all(waited);
    let dearer = match wanted.cause {
        Cause::CancelByPlayer if !in_vain => dearer_without(&terms.frozen, around, leaving),
        _ => BTreeMap::new(),
    };
    let (mut borne, passed_on) = bear(dossier, dearer);
    let mut refunds = Vec::new();
    for id in leaving {
        let Some(index) = dossier.entries.iter().position(|e| e.id == *id) else {
            continue;
        };
        let entry = dossier.entries[index].clone();
        let rows = lines::by_row(&dossier.order, &dossier.entries, index);
        let bears = borne.min(entry.price);
        borne -= bears;
        let cost = entry.price - bears;
        total = (total - cost).max(0);
        let paid = (credited - total).clamp(0, credited.max(0));
        let ask = RefundAsk {
            paid,
            currency: dossier.order.currency,
            requested_at: change.stamp.at,
            cause: refund_cause(entry.status, wanted.cause),
            approved: entry.approved,
            section: entry.section.clone(),
            rows,
            credit: wanted.credit,
            proof: None,
        };
        let quote = rules::better_refund(&terms.frozen, &terms.present, &ask);
        credited -= paid;
        refunds.push(EntryRefund {
            entry: *id,
            paid,
            quote,
        });
    }
    dossier.order.total = total;
    let promotion = if dossier.entries.iter().all(ends) {
        left::left_to_promotion(dossier, credited + dossier.disputed(), total)
    } else {
        0
    };
    let cancellation = Cancellation {
        order: dossier.order.id,
        currency: dossier.order.currency,
        at: change.stamp.at,
        refund: refunds.iter().map(|r| r.quote.refund).sum(),
        kept: refunds.iter().map(|r| r.quote.kept).sum::<i64>() + promotion,
        disputed: dossier.disputed(),
        entries: refunds,
    };
    Plan {
        cancellation,
        passed_on,
    }
}

/// What of that the order bears, and what entries of others are asked for. Its own entries that stay take their new price. It bears what others
/// would cost more where something was paid, or may yet come in; what nothing was paid for bears nothing.
fn bear(dossier: &mut Dossier, dearer: BTreeMap<EntryId, i64>) -> (i64, BTreeMap<EntryId, i64>) {
    let bears = dossier.credited() > 0 || dossier.awaits_money();
    let (mut borne, mut passed_on) = (0, BTreeMap::new());
    for (id, more) in dearer {
        let mut own = dossier.entries.iter_mut();
        match own.find(|e| e.id == id && e.status.is_live()) {
            Some(entry) => {
                let more = more.max(-entry.price);
                entry.price += more;
                borne += more;
            }
            // Another order keeps its price, though it would be less now.
            None if bears => borne += more.max(0),
            None => drop(passed_on.insert(id, more)),
        }
    }
    (borne, passed_on)
}

/// Why money goes back for an entry that ends by a cause: whoever waits for a seat never had what was paid for.
pub(crate) fn refund_cause(stood: Status, cause: Cause) -> RefundCause {
    match cause {
        _ if stood == Status::Waitlisted => RefundCause::NoSeat,
        Cause::CancelByOrganiser => RefundCause::Organiser,
        Cause::Reject => RefundCause::Rejected,
        _ => RefundCause::Player,
    }
}
