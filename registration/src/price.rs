//! The price of an entry that stands, and what a change of it brings about.

use domain::{Event, Line, Problem, RefundCause, RefundMethod, Slug};
use rules::Regulation;
use store::change::{Account, Change};
use store::{journal, lines};

use crate::close::is_unsettled;
use crate::desk::Desk;
use crate::dossier::Dossier;
use crate::refund::{self, Reserve};
use crate::settle::go_on;
use crate::slip::DESK;

/// The price that an entry of an order has from now on.
pub(crate) struct NewPrice<'a> {
    /// Which of the order's entries.
    pub index: usize,
    /// Minor units.
    pub to: i64,
    /// What it is made of, before the promotions that it keeps.
    pub lines: &'a [Line],
    /// What changes it.
    pub rule: &'a str,
}

/// Changes the price of one entry of an order: what it costs more is owed, what it costs less comes back where it was
/// paid. An order that owes nothing any more goes on. Says the difference.
pub(crate) fn change_price(
    change: &mut Change<'_>,
    desk: &Desk,
    regulation: &Regulation,
    dossier: &mut Dossier,
    new: &NewPrice<'_>,
) -> Result<i64, Problem> {
    if new.to != dossier.entries[new.index].price {
        none_open(dossier)?;
    }
    let difference = set_price(change, dossier, new)?;
    follow(change, desk, regulation, dossier, difference, new.rule)?;
    Ok(difference)
}

/// What follows a change of prices by this difference: what they are lower comes back where it was paid, and an order that
/// owes nothing any more goes on.
pub(crate) fn follow(
    change: &mut Change<'_>,
    desk: &Desk,
    regulation: &Regulation,
    dossier: &mut Dossier,
    difference: i64,
    rule: &str,
) -> Result<(), Problem> {
    let surplus = -dossier.due();
    if difference < 0 && surplus > 0 {
        let what = Reserve {
            amount: surplus.min(-difference),
            kept: 0,
            method: RefundMethod::Card,
            cause: RefundCause::Price,
            rule: rule.to_owned(),
            from: Account::EntryFees,
            payment: None,
            entry: None,
        };
        refund::reserve(change, desk, dossier, &what)?;
    }
    go_on(change, regulation, dossier)
}

/// Refuses where a payment is open at the gateway, opened since the others were closed: it asks for the old sum.
///
/// # Errors
/// [`Slug::Raced`].
pub(crate) fn none_open(dossier: &Dossier) -> Result<(), Problem> {
    let open = |p: &store::payments::Payment| p.account != DESK && is_unsettled(p);
    if dossier.payments.iter().any(open) {
        return Err(Problem::new(Slug::Raced));
    }
    Ok(())
}

/// Writes the price of one entry, and what its order comes to, down. Says the difference.
pub(crate) fn set_price(
    change: &mut Change<'_>,
    dossier: &mut Dossier,
    new: &NewPrice<'_>,
) -> Result<i64, Problem> {
    let row = &dossier.entries[new.index];
    let (entry, from, to) = (row.id, row.price, new.to);
    let difference = to - from;
    if difference != 0 {
        let total = dossier.order.total - given_up_beyond(change, dossier)?;
        dossier.order.total = (total + difference).max(0);
    }
    let row = &mut dossier.entries[new.index];
    row.price = to;
    row.lines = Some(lines::up_to(new.lines.to_vec(), new.index, to));
    change.save_entry(row, row.status)?;
    if difference != 0 {
        let changed = Event::PriceChanged {
            entry,
            from,
            to,
            rule: new.rule.to_owned(),
        };
        dossier.record(change, &changed, &[])?;
    }
    Ok(difference)
}

/// What staff gave up beyond what the entries cost now. A total is never below zero, but a price that rises again rises
/// from where it fell to: so a move there and back comes to nothing. Minor units.
fn given_up_beyond(change: &mut Change<'_>, dossier: &Dossier) -> Result<i64, Problem> {
    if dossier.order.total > 0 {
        return Ok(0);
    }
    let mut beyond = 0;
    for row in journal::of_order(change.conn()?, dossier.order.id)? {
        if let Event::PriceWaived { amount } = row.event {
            beyond += amount;
        }
    }
    let live = dossier.entries.iter().filter(|e| e.status.is_live());
    beyond -= live.map(|e| e.price).sum::<i64>();
    Ok(beyond.max(0))
}
