//! Money that came in: credited to its order once, or given back in full, or set aside for the back office.

mod fate;

use domain::{
    EntryId, Event, Instants, Money, OrderId, PaymentStatus, Problem, RefundCause, RefundMethod,
    Slug, Status, TournamentId, UtcTime,
};
use rules::{Ordering, Regulation};
use store::change::{Account, Change, transfer};
use store::orders;
use store::payments::Payment;

use crate::desk::Desk;
use crate::dossier::{Dossier, Terms, hold_until};
use crate::groups;
use crate::left::{self, Left};
use crate::offer;
use crate::pass_on::{dearer_without, pass_on};
use crate::refund::{self, Reserve};
use crate::reprice::Repriced;
use crate::slip::{account_of, after_payment, earned};
use crate::standing::around;
use fate::{Fate, fate, unseated_fit};

pub(crate) use fate::buys_a_seat;

/// Money as it came in.
pub(crate) struct Arrival {
    /// How much.
    pub received: Money,
    /// When the charge was made or staff confirmed it, by the desk clock.
    pub charged_at: UtcTime,
    /// When it counts as paid.
    pub paid_at: UtcTime,
    /// When it counts as arrived on the account.
    pub arrived_at: UtcTime,
}

impl Arrival {
    /// The instants by which an order is priced that this money pays.
    fn instants(&self, dossier: &Dossier) -> Instants {
        let registered = dossier.order.priced_at;
        Instants::of(registered, Some(self.paid_at), Some(self.arrived_at))
    }
}

/// Notes that nothing will be paid on a payment any more.
pub(crate) fn close_payment(
    change: &mut Change<'_>,
    dossier: &mut Dossier,
    index: usize,
) -> Result<(), Problem> {
    let row = &mut dossier.payments[index];
    let was = row.status;
    row.status = PaymentStatus::Cancelled;
    row.updated_at = change.stamp.wall;
    change.save_payment(row, was)?;
    let failed = Event::PaymentFailed {
        payment: dossier.payments[index].id,
        code: "closed".into(),
    };
    dossier.record(change, &failed, &[])?;
    Ok(())
}

/// Credits money that came in, or gives it back, or sets it aside.
pub(crate) fn money_in(
    change: &mut Change<'_>,
    desk: &Desk,
    terms: &Terms,
    dossier: &mut Dossier,
    index: usize,
    arrival: &Arrival,
) -> Result<(), Problem> {
    let row = &mut dossier.payments[index];
    let was = row.status;
    note(change, row, arrival);
    if arrival.received != Money::new(row.amount, row.currency) {
        return set_aside(change, dossier, index, was, arrival.received);
    }
    row.status = PaymentStatus::Succeeded;
    row.failure = None;
    change.save_payment(row, was)?;
    let (id, amount) = (row.id, row.received);
    let again = Repriced::by_payment(
        change,
        desk,
        &terms.frozen,
        dossier,
        arrival.instants(dossier),
    )?;
    let due = dossier.due() + again.difference(dossier);
    let fate = fate(change, &terms.present, dossier, arrival, due)?;
    let was = dossier.entries.clone();
    dossier.order.paid += amount;
    let event = Event::PaymentSucceeded {
        payment: id,
        amount,
        charged_at: arrival.charged_at,
    };
    let payment = &dossier.payments[index];
    match fate {
        Fate::Credit => {
            let postings = earned(payment);
            dossier.record(change, &event, &postings)?;
            again.apply(change, &terms.frozen, dossier)?;
            go_on_since(change, &terms.present, dossier, arrival.arrived_at)?;
            keep_for_the_rest(change, &terms.present, dossier);
            give_back_surplus(change, desk, dossier)?;
        }
        Fate::GiveBack => {
            let postings = transfer(
                Account::Suspense,
                account_of(payment),
                amount,
                payment.currency,
            );
            dossier.record(change, &event, &postings)?;
            let whole = Reserve {
                amount,
                kept: 0,
                method: RefundMethod::Card,
                cause: RefundCause::NoSeat,
                rule: "no_seat".into(),
                from: Account::Suspense,
                payment: Some(id),
                entry: None,
            };
            refund::reserve(change, desk, dossier, &whole)?;
        }
    }
    dossier.save(change)?;
    // Who comes back counts again.
    let now = dossier.entries.iter().zip(&was);
    let back = now.filter(|(now, was)| now.status.is_live() && !was.status.is_live());
    let back: Vec<_> = back
        .map(|(now, _)| (now.id, now.institution.clone()))
        .collect();
    if back.is_empty() {
        return Ok(());
    }
    let (entries, groups): (Vec<EntryId>, Vec<_>) = back.into_iter().unzip();
    groups::moved(change, &terms.frozen, &groups, &[])?;
    let around = around(change, (desk, &terms.present), dossier)?;
    let dearer = dearer_without(&terms.present, &around, &entries);
    let cheaper = dearer.into_iter().map(|(entry, more)| (entry, -more));
    let whose = (dossier.order.id, around.as_slice());
    pass_on(change, (desk, &terms.present), whose, &cheaper.collect())
}

fn note(change: &Change<'_>, row: &mut Payment, arrival: &Arrival) {
    row.received = arrival.received.amount;
    row.charged_at = Some(arrival.charged_at);
    row.updated_at = change.stamp.wall;
}

/// Credits the money of a slip that staff confirm after entries of its order have left.
pub(crate) fn money_in_after_leaving(
    change: &mut Change<'_>,
    desk: &Desk,
    terms: &Terms,
    dossier: &mut Dossier,
    index: usize,
    arrival: &Arrival,
    left: &[Left],
) -> Result<(), Problem> {
    let row = &mut dossier.payments[index];
    let was = row.status;
    note(change, row, arrival);
    row.status = PaymentStatus::Succeeded;
    change.save_payment(row, was)?;
    let event = Event::PaymentSucceeded {
        payment: row.id,
        amount: row.received,
        charged_at: arrival.charged_at,
    };
    let postings = earned(row);
    let again = Repriced::by_payment(
        change,
        desk,
        &terms.frozen,
        dossier,
        arrival.instants(dossier),
    )?;
    let row = &dossier.payments[index];
    dossier.order.paid += row.received;
    dossier.record(change, &event, &postings)?;
    again.apply(change, &terms.frozen, dossier)?;
    if dossier.is_live() {
        go_on_since(change, &terms.present, dossier, arrival.arrived_at)?;
    }
    left::give_back(change, desk, terms, dossier, left)?;
    dossier.save(change)
}

/// Entries whose order owes nothing any more go on: confirmed, or to approval where it comes after the payment. The last
/// act of whatever brings money or lowers what is due.
pub(crate) fn go_on(
    change: &mut Change<'_>,
    regulation: &Regulation,
    dossier: &mut Dossier,
) -> Result<(), Problem> {
    go_on_since(change, regulation, dossier, change.stamp.at)
}

/// The same where the money that settles it arrived at this instant.
fn go_on_since(
    change: &mut Change<'_>,
    regulation: &Regulation,
    dossier: &mut Dossier,
    arrived: UtcTime,
) -> Result<(), Problem> {
    if dossier.due() > 0 {
        return Ok(());
    }
    let waits = offer::money_waits(regulation, change.stamp.at);
    if regulation.order() == Ordering::ByPayment && !unseated_fit(change, regulation, dossier)? {
        // Where payment gives the seat, one that has none to take waits in line, or until its hold ends.
        return match waits {
            true => offer::wait_with_money(change, regulation, dossier, arrived),
            false => Ok(()),
        };
    }
    let any = |status| dossier.entries.iter().any(|e| e.status == status);
    let from = match dossier.is_live() {
        true if waits && any(Status::Waitlisted) => Status::Waitlisted,
        true => Status::Held,
        false => Status::Expired,
    };
    if from == Status::Expired {
        for claim in &dossier.order.quote.claims {
            change.claim(&claim.rule, dossier.entries[claim.entry].id);
        }
    }
    for index in 0..dossier.entries.len() {
        let entry = &dossier.entries[index];
        if entry.status == from {
            let cause = after_payment(entry.approved);
            dossier.move_entry(change, index, cause)?;
        }
    }
    dossier.settled(regulation);
    Ok(())
}

/// A seat that was paid for at an old price is kept for a whole hold, in which to pay the rest.
fn keep_for_the_rest(change: &Change<'_>, regulation: &Regulation, dossier: &mut Dossier) {
    let held = dossier.entries.iter().any(|e| e.status == Status::Held);
    if held && dossier.due() > 0 {
        let until = hold_until(regulation, change.stamp.at);
        dossier.order.hold_until = dossier.order.hold_until.max(Some(until));
    }
}

fn give_back_surplus(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
) -> Result<(), Problem> {
    let surplus = -dossier.due();
    if surplus <= 0 {
        return Ok(());
    }
    let back = Reserve {
        amount: surplus,
        kept: 0,
        method: RefundMethod::Card,
        cause: RefundCause::Price,
        rule: "price".into(),
        from: Account::EntryFees,
        payment: None,
        entry: None,
    };
    refund::reserve(change, desk, dossier, &back)
}

fn set_aside(
    change: &mut Change<'_>,
    dossier: &mut Dossier,
    index: usize,
    was: PaymentStatus,
    received: Money,
) -> Result<(), Problem> {
    let row = &mut dossier.payments[index];
    let code = if received.currency == row.currency {
        "amount_mismatch"
    } else {
        "currency_mismatch"
    };
    row.status = PaymentStatus::Quarantined;
    row.received_currency = (received.currency != row.currency).then_some(received.currency);
    row.failure = Some(code.into());
    change.save_payment(row, was)?;
    let postings = transfer(
        Account::Suspense,
        account_of(row),
        received.amount,
        received.currency,
    );
    let event = Event::PaymentQuarantined {
        payment: row.id,
        amount: received.amount,
        currency: received.currency.code().into(),
        code: code.into(),
    };
    dossier.record(change, &event, &postings)?;
    Ok(())
}

impl Desk {
    /// The tournament of an order.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`].
    pub async fn tournament_of(&self, order: OrderId) -> Result<TournamentId, Problem> {
        let found = self.store().read(move |c| orders::find(c, order)).await?;
        Ok(found
            .ok_or_else(|| Problem::new(Slug::UnknownOrder))?
            .tournament)
    }
}
