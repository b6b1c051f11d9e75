//! An order with its entries, payments and refunds, open inside a change.

use std::sync::Arc;

use domain::{
    Cause, Event, OrderId, PaymentStatus, Problem, SectionId, Slug, Status, Text, UtcTime,
};
use rules::{Approval, Regulation};
use store::change::{Change, Posting};
use store::entries::Entry;
use store::folder::Folder;
use store::guard::{Guard, under_lock};
use store::orders::Order;
use store::payments::Payment;
use store::refunds::Refund;

use crate::desk::Desk;
use crate::slip::DESK;

/// Everything of one order, read under the tournament's lock.
pub(crate) struct Dossier {
    pub order: Order,
    pub entries: Vec<Entry>,
    pub payments: Vec<Payment>,
    pub refunds: Vec<Refund>,
}

impl Dossier {
    pub fn load(change: &mut Change<'_>, id: OrderId) -> Result<Dossier, Problem> {
        let Folder {
            order,
            entries,
            payments,
            refunds,
        } = change
            .folder(id)?
            .filter(|folder| folder.order.tournament == change.tournament.id)
            .ok_or_else(|| Problem::new(Slug::UnknownOrder))?;
        Ok(Dossier {
            order: under_lock(Guard::Refund, order),
            entries: under_lock(Guard::Entry, entries),
            payments: under_lock(Guard::Payment, payments),
            refunds: under_lock(Guard::Refund, refunds),
        })
    }

    /// What is credited to the live entries: paid, less what went or goes back, less what is kept. Minor units.
    pub fn credited(&self) -> i64 {
        self.order.paid - self.order.refunded - self.order.kept
    }

    /// What is still to be paid; negative where too much was.
    pub fn due(&self) -> i64 {
        self.order.total - self.credited()
    }

    /// Whether an entry still goes on.
    pub fn is_live(&self) -> bool {
        self.entries.iter().any(|e| e.status.is_live())
    }

    /// What card holders dispute of what was paid: nobody can give it back meanwhile. Minor units.
    pub fn disputed(&self) -> i64 {
        self.payments.iter().map(|p| p.disputed).sum()
    }

    /// Whether money may come in on a slip in check, or come back from a dispute.
    pub fn awaits_money(&self) -> bool {
        let in_check = |p: &Payment| p.account == DESK && p.status == PaymentStatus::Processing;
        self.disputed() > 0 || self.payments.iter().any(in_check)
    }

    /// Whether every entry that still goes on was approved, or needs nobody's approval.
    pub fn approved(&self) -> bool {
        self.entries
            .iter()
            .filter(|e| e.status.is_live())
            .all(|e| e.approved)
    }

    /// Notes that nothing is left to be paid: no hold runs, and no instant of payment changes the price. Where others count, it
    /// may be due to be priced anew for them all the same.
    pub fn settled(&mut self, regulation: &Regulation) {
        self.order.hold_until = None;
        if !regulation.counts_others() {
            self.order.reprice_at = None;
        }
    }

    /// Moves one entry by a cause, with its journal row.
    pub fn move_entry(
        &mut self,
        change: &mut Change<'_>,
        index: usize,
        cause: Cause,
    ) -> Result<(), Problem> {
        let Some(entry) = self.entries.get_mut(index) else {
            return Err(Problem::new(Slug::UnknownEntry));
        };
        let from = entry.status;
        let to = from.after(cause).map_err(|_| {
            Problem::new(Slug::IllegalMove).detail(Text::new(
                format!("No és possible quan la inscripció està en «{from}»."),
                format!("No es posible cuando la inscripción está en «{from}»."),
                format!("Not possible while the entry is “{from}”."),
            ))
        })?;
        entry.status = to;
        if from == Status::Waitlisted {
            entry.waiting_since = None;
        }
        change.save_entry(entry, from)?;
        let moved = Event::EntryMoved {
            entry: entry.id,
            from,
            to,
            cause,
        };
        change.record(Some(self.order.id), &moved, &[])?;
        Ok(())
    }

    /// Moves every entry that stands in one of these states.
    pub fn move_all(
        &mut self,
        change: &mut Change<'_>,
        from: &[Status],
        cause: Cause,
    ) -> Result<(), Problem> {
        for index in 0..self.entries.len() {
            if from.contains(&self.entries[index].status) {
                self.move_entry(change, index, cause)?;
            }
        }
        Ok(())
    }

    /// Writes the order's row back.
    pub fn save(&self, change: &mut Change<'_>) -> Result<(), Problem> {
        Ok(change.save_order(&self.order)?)
    }

    /// Appends a journal row about this order.
    pub fn record(
        &self,
        change: &mut Change<'_>,
        event: &Event,
        postings: &[Posting],
    ) -> Result<i64, Problem> {
        Ok(change.record(Some(self.order.id), event, postings)?)
    }
}

/// Where entries that have a seat go now: first approval where it comes before payment, then payment, then approval
/// where it comes after, then confirmed.
pub(crate) fn on_seat(approval: Approval, needs_approval: bool, approved: bool, due: i64) -> Cause {
    let before = needs_approval || approval == Approval::BeforePayment;
    if before && !approved {
        return Cause::AskApproval;
    }
    if due > 0 {
        return Cause::Hold;
    }
    if approved {
        Cause::Confirm
    } else {
        Cause::AskApproval
    }
}

/// Until when seats given now are kept unpaid.
pub(crate) fn hold_until(regulation: &Regulation, at: UtcTime) -> UtcTime {
    let hold = at.plus_seconds(regulation.hold_seconds());
    regulation.pay_by().map_or(hold, |pay_by| hold.min(pay_by))
}

/// Whether the regulation still takes money at this instant: before the payment deadline where the text names one, else
/// before entry closes.
pub(crate) fn takes_money(regulation: &Regulation, at: UtcTime) -> bool {
    regulation
        .pay_by()
        .or(regulation.closes())
        .is_none_or(|end| at < end)
}

/// The versions of the regulation that an order has to do with.
#[derive(Clone)]
pub(crate) struct Terms {
    /// The version that it was priced under.
    pub frozen: Arc<Regulation>,
    /// The version of today, as far as this node has noticed; see [`Terms::now`].
    pub present: Arc<Regulation>,
}

impl Terms {
    /// The same inside a change, where the locked row says which version is today's.
    pub fn now(&self, change: &mut Change<'_>, desk: &Desk) -> Result<Terms, Problem> {
        Ok(Terms {
            frozen: Arc::clone(&self.frozen),
            present: desk.present(change)?,
        })
    }

    /// The version that entries in these sections are priced under: the order's own, as long as it has the sections.
    pub fn pricing<'s>(&self, sections: impl IntoIterator<Item = &'s SectionId>) -> &Regulation {
        let mut sections = sections.into_iter();
        if sections.all(|section| self.frozen.section(section).is_some()) {
            &self.frozen
        } else {
            &self.present
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approval_stands_before_or_after_the_payment() {
        for (approval, needs, approved, due, cause) in [
            (Approval::None, false, true, 60, Cause::Hold),
            (Approval::None, false, true, 0, Cause::Confirm),
            (Approval::None, true, false, 0, Cause::AskApproval),
            (Approval::None, true, false, 60, Cause::AskApproval),
            (Approval::None, true, true, 60, Cause::Hold),
            (
                Approval::BeforePayment,
                false,
                false,
                60,
                Cause::AskApproval,
            ),
            (Approval::BeforePayment, false, true, 60, Cause::Hold),
            (Approval::AfterPayment, false, false, 60, Cause::Hold),
            (Approval::AfterPayment, false, false, 0, Cause::AskApproval),
            (Approval::AfterPayment, false, true, 0, Cause::Confirm),
        ] {
            assert_eq!(
                on_seat(approval, needs, approved, due),
                cause,
                "{approval:?} {needs} {approved} {due}"
            );
        }
    }
}
