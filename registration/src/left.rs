//! Money that comes in for entries that have left meanwhile: a slip that was in check when they left, a charge that was
//! disputed and is not any more. It goes the way it would have gone had it been there: by the clause of that instant.

use domain::{
    Cause, EntryId, Event, Problem, Recorded, RefundAsk, RefundCause, RefundMethod, Status, UtcTime,
};
use store::change::{Account, Change};
use store::{journal, lines};

use crate::cancel::refund_cause;
use crate::desk::Desk;
use crate::dossier::{Dossier, Terms};
use crate::refund::{self, Reserve};

/// An entry that ended while money was not there.
pub(crate) struct Left {
    entry: EntryId,
    stood: Status,
    cause: Cause,
    at: UtcTime,
}

/// The entries of an order that ended after the last row that says this.
pub(crate) fn since(
    change: &mut Change<'_>,
    dossier: &Dossier,
    says: impl Fn(&Event) -> bool,
) -> Result<Vec<Left>, Problem> {
    let rows = journal::of_order(change.conn()?, dossier.order.id)?;
    let Some(start) = rows.iter().rposition(|row| says(&row.event)) else {
        return Ok(Vec::new());
    };
    Ok(rows.iter().skip(start).filter_map(ended).collect())
}

/// Those for whom money that is free again comes: the entries that ended after the last row that says this or, where none
/// did, the last one that ended before. What it had to get was not there then, for another dispute.
pub(crate) fn since_or_last(
    change: &mut Change<'_>,
    dossier: &Dossier,
    says: impl Fn(&Event) -> bool,
) -> Result<Vec<Left>, Problem> {
    let left = since(change, dossier, says)?;
    if !left.is_empty() {
        return Ok(left);
    }
    let rows = journal::of_order(change.conn()?, dossier.order.id)?;
    Ok(rows.iter().rev().find_map(ended).into_iter().collect())
}

fn ended(row: &Recorded) -> Option<Left> {
    let Event::EntryMoved {
        entry, from, cause, ..
    } = row.event
    else {
        return None;
    };
    let ends = matches!(
        cause,
        Cause::CancelByPlayer | Cause::CancelByOrganiser | Cause::Reject | Cause::Expire
    );
    ends.then_some(Left {
        entry,
        stood: from,
        cause,
        at: row.at,
    })
}

/// Gives back, or keeps, what was paid above what stays: one entry after the other, as each clause said when it left.
pub(crate) fn give_back(
    change: &mut Change<'_>,
    desk: &Desk,
    terms: &Terms,
    dossier: &mut Dossier,
    left: &[Left],
) -> Result<(), Problem> {
    for (place, gone) in left.iter().enumerate() {
        let Some(index) = dossier.entries.iter().position(|e| e.id == gone.entry) else {
            continue;
        };
        let (price, approved) = (
            dossier.entries[index].price,
            dossier.entries[index].approved,
        );
        let surplus = (-dossier.due() - dossier.disputed()).max(0);
        let paid = if place + 1 == left.len() {
            surplus
        } else {
            surplus.min(price)
        };
        if gone.cause == Cause::Expire {
            let what = Reserve {
                amount: paid,
                kept: 0,
                method: RefundMethod::Card,
                cause: RefundCause::NoSeat,
                rule: "expired".into(),
                from: Account::EntryFees,
                payment: None,
                entry: Some(gone.entry),
            };
            refund::reserve(change, desk, dossier, &what)?;
            continue;
        }
        let ask = RefundAsk {
            paid,
            currency: dossier.order.currency,
            requested_at: gone.at,
            cause: refund_cause(gone.stood, gone.cause),
            approved,
            section: dossier.entries[index].section.clone(),
            rows: lines::by_row(&dossier.order, &dossier.entries, index),
            credit: false,
            proof: None,
        };
        let quote = rules::better_refund(&terms.frozen, &terms.present, &ask);
        refund::reserve_all(change, desk, dossier, (gone.entry, ask.cause), quote)?;
    }
    close_books(change, desk, dossier)
}

/// Closes the books of an order of which no entry goes on: what a promotion in another order costs without its partner stays
/// with the organiser.
pub(crate) fn close_books(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
) -> Result<(), Problem> {
    if dossier.is_live() {
        return Ok(());
    }
    let rest = left_to_promotion(dossier, dossier.credited(), dossier.order.total);
    // While money may come in or back, it is still known what of it would stay.
    dossier.order.total = if dossier.awaits_money() {
        dossier.order.total - rest
    } else {
        0
    };
    let what = Reserve {
        amount: 0,
        kept: rest,
        method: RefundMethod::Card,
        cause: RefundCause::Price,
        rule: "promotion".into(),
        from: Account::EntryFees,
        payment: None,
        entry: None,
    };
    refund::reserve(change, desk, dossier, &what)
}

/// What of this credit a promotion in another order costs where this is what the order costs with no entry of its own left.
/// Minor units.
pub(crate) fn left_to_promotion(dossier: &Dossier, credited: i64, total: i64) -> i64 {
    (credited - dossier.disputed()).min(total).max(0)
}
