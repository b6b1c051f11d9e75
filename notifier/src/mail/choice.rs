//! Which mail a command makes: at most one for each order that it is about.

use domain::{Cause, Event, PaymentKind, Recorded, RefundCause, Status};

use super::MailKind;

/// What a command's rows about one order make the payer be told, and the number of the row that is the cause.
#[must_use]
pub fn mail(rows: &[&Recorded]) -> Option<(i64, MailKind)> {
    rows.iter()
        .filter_map(|row| Some((row.number, kind(row)?)))
        .min_by_key(|(number, kind)| (*kind, *number))
}

/// What one row makes its order's payer be told, if anything.
pub(super) fn kind(row: &Recorded) -> Option<MailKind> {
    match &row.event {
        Event::OrderRegistered { entries, .. } => entries
            .iter()
            .filter_map(|entry| stands(entry.status))
            .min(),
        Event::EntryMoved { from, cause, .. } => moved(*from, *cause),
        Event::OfferMade { .. } => Some(MailKind::Offer),
        Event::PaymentOpened { method, .. } => match method {
            PaymentKind::Slip | PaymentKind::Transfer => Some(MailKind::SlipReported),
            PaymentKind::Session | PaymentKind::Intent => None,
        },
        Event::PaymentSucceeded { .. } => Some(MailKind::Paid),
        Event::PaymentFailed { code, .. } => {
            (code == "refused_by_staff").then_some(MailKind::SlipRefused)
        }
        Event::PaymentQuarantined { .. } => Some(MailKind::Quarantined),
        // What goes back with an entry that ends, a part of a price or what waited for a seat: the mail is about the entry.
        Event::RefundReserved {
            cause: RefundCause::NoSeat,
            entry: None,
            rule,
            ..
        } if rule != "expired" => Some(MailKind::NoSeat),
        Event::RefundReserved { .. } => Some(MailKind::RefundReserved),
        Event::RefundSent { .. } | Event::RefundSucceeded { .. } | Event::RefundObserved { .. } => {
            Some(MailKind::RefundSent)
        }
        Event::RefundFailed { .. } => Some(MailKind::RefundFailed),
        Event::SectionChanged { .. } => Some(MailKind::SectionChanged),
        Event::PriceChanged { .. } | Event::PriceWaived { .. } => Some(MailKind::Changed),
        Event::ByesDecided { .. } => Some(MailKind::ByesDecided),
        Event::TokenRolled { .. } => Some(MailKind::Link),
        Event::RegulationPublished { .. }
        | Event::TournamentOpened { .. }
        // What an approval does to the order is told by its moves.
        | Event::EntryApproved { .. }
        | Event::FeesKept { .. }
        | Event::DisputeOpened { .. }
        | Event::DisputeClosed { .. }
        | Event::FactChecked { .. }
        | Event::CodeIssued { .. }
        | Event::ByesRequested { .. } => None,
    }
}

/// What a new order is told of an entry that stands so. An order is held as a whole; where one of its entries waits for
/// approval the mail says so beside it.
fn stands(status: Status) -> Option<MailKind> {
    match status {
        Status::Held => Some(MailKind::Held),
        Status::Waitlisted => Some(MailKind::Waitlisted),
        Status::PendingApproval => Some(MailKind::AwaitingApproval),
        Status::Confirmed => Some(MailKind::Confirmed),
        _ => None,
    }
}

fn moved(from: Status, cause: Cause) -> Option<MailKind> {
    match (cause, from) {
        (Cause::Hold, Status::PendingApproval) => Some(MailKind::Approved),
        (Cause::Hold, Status::Waitlisted) => Some(MailKind::Offer),
        (Cause::Hold, _) => Some(MailKind::Held),
        (Cause::Wait, _) => Some(MailKind::Waitlisted),
        (Cause::AskApproval, _) => Some(MailKind::AwaitingApproval),
        (Cause::Confirm, _) => Some(MailKind::Confirmed),
        (Cause::Expire, _) => Some(MailKind::Expired),
        (Cause::Reject, _) => Some(MailKind::Rejected),
        (Cause::CancelByPlayer | Cause::CancelByOrganiser | Cause::Withdraw, _) => {
            Some(MailKind::Cancelled)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::tests::row;
    use domain::{Actor, EntryId, EntryOpened, PaymentId, RefundId, RefundMethod, UtcTime};

    fn at() -> UtcTime {
        "2026-07-01T00:00:00Z".parse().unwrap()
    }

    fn opened(statuses: &[Status]) -> Event {
        let entry = |(number, status): (i64, &Status)| EntryOpened {
            entry: EntryId(number),
            form_number: number,
            section: None,
            price: 6_000,
            status: *status,
        };
        Event::OrderRegistered {
            total: 6_000,
            entries: (1..).zip(statuses).map(entry).collect(),
            hold_until: None,
        }
    }

    fn moved_to(from: Status, cause: Cause) -> Event {
        let to = from.after(cause).unwrap();
        Event::EntryMoved {
            entry: EntryId(1),
            from,
            to,
            cause,
        }
    }

    fn reserved(cause: RefundCause) -> Event {
        Event::RefundReserved {
            refund: RefundId(1),
            amount: 1,
            kept: 0,
            method: RefundMethod::Card,
            cause,
            rule: "r".into(),
            entry: None,
        }
    }

    fn approved(hold_until: Option<UtcTime>) -> Event {
        let entry = EntryId(1);
        Event::EntryApproved { entry, hold_until }
    }

    fn price() -> Event {
        Event::PriceChanged {
            entry: EntryId(1),
            from: 6_000,
            to: 5_000,
            rule: "section".into(),
        }
    }

    fn section() -> Event {
        Event::SectionChanged {
            entry: EntryId(1),
            from: None,
            to: "B".parse().unwrap(),
            price: 5_000,
            difference: -1_000,
        }
    }

    fn told(events: Vec<Event>) -> Option<(i64, MailKind)> {
        let rows: Vec<Recorded> = (7..)
            .zip(events)
            .map(|(number, event)| row(number, 0, Actor::Timer, 1, event))
            .collect();
        mail(&rows.iter().collect::<Vec<_>>())
    }

    fn paid() -> Event {
        Event::PaymentSucceeded {
            payment: PaymentId(1),
            amount: 1,
            charged_at: at(),
        }
    }

    fn by(method: PaymentKind) -> Event {
        Event::PaymentOpened {
            payment: PaymentId(1),
            method,
            amount: 1,
        }
    }

    fn failed(code: &str) -> Event {
        Event::PaymentFailed {
            payment: PaymentId(1),
            code: code.into(),
        }
    }

    #[test]
    fn what_comes_in_is_told_once() {
        use Status::{Confirmed, Expired, Held, PendingApproval, Waitlisted};
        for (events, expected) in [
            (vec![opened(&[Held, Held])], Some((7, MailKind::Held))),
            (vec![opened(&[Waitlisted])], Some((7, MailKind::Waitlisted))),
            (
                vec![opened(&[Confirmed, PendingApproval, Held])],
                Some((7, MailKind::Held)),
            ),
            (
                vec![opened(&[Confirmed]), by(PaymentKind::Slip)],
                Some((7, MailKind::Confirmed)),
            ),
            (
                vec![by(PaymentKind::Transfer)],
                Some((7, MailKind::SlipReported)),
            ),
            (vec![by(PaymentKind::Session)], None),
            (
                vec![paid(), moved_to(Held, Cause::Confirm)],
                Some((8, MailKind::Confirmed)),
            ),
            (
                vec![paid(), moved_to(Held, Cause::AskApproval)],
                Some((8, MailKind::AwaitingApproval)),
            ),
            (
                vec![
                    paid(),
                    moved_to(Expired, Cause::Confirm),
                    reserved(RefundCause::Price),
                ],
                Some((8, MailKind::Confirmed)),
            ),
            (
                vec![paid(), reserved(RefundCause::NoSeat)],
                Some((8, MailKind::NoSeat)),
            ),
            (
                vec![paid(), moved_to(Held, Cause::Wait)],
                Some((8, MailKind::Waitlisted)),
            ),
            (vec![paid()], Some((7, MailKind::Paid))),
            (vec![failed("closed")], None),
            (
                vec![failed("refused_by_staff")],
                Some((7, MailKind::SlipRefused)),
            ),
        ] {
            assert_eq!(told(events.clone()), expected, "{events:?}");
        }
    }

    #[test]
    fn what_changes_or_ends_is_told_once() {
        use Status::{Confirmed, Held, PendingApproval, Waitlisted};
        let mut part = reserved(RefundCause::NoSeat);
        if let Event::RefundReserved { rule, .. } = &mut part {
            *rule = "expired".into();
        }
        let mut waited = reserved(RefundCause::NoSeat);
        if let Event::RefundReserved { entry, .. } = &mut waited {
            *entry = Some(EntryId(1));
        }
        for (events, expected) in [
            (
                vec![moved_to(PendingApproval, Cause::Hold), approved(Some(at()))],
                Some((7, MailKind::Approved)),
            ),
            (
                vec![moved_to(PendingApproval, Cause::Confirm), approved(None)],
                Some((7, MailKind::Confirmed)),
            ),
            (vec![approved(None)], None),
            (
                vec![price(), reserved(RefundCause::Price), section()],
                Some((9, MailKind::SectionChanged)),
            ),
            (
                vec![
                    section(),
                    moved_to(Waitlisted, Cause::Hold),
                    Event::OfferMade { hold_until: at() },
                ],
                Some((8, MailKind::Offer)),
            ),
            (vec![price()], Some((7, MailKind::Changed))),
            (
                vec![
                    reserved(RefundCause::Rejected),
                    moved_to(PendingApproval, Cause::Reject),
                ],
                Some((8, MailKind::Rejected)),
            ),
            (
                vec![
                    moved_to(Confirmed, Cause::CancelByPlayer),
                    moved_to(Confirmed, Cause::CancelByPlayer),
                    reserved(RefundCause::Player),
                ],
                Some((7, MailKind::Cancelled)),
            ),
            (
                vec![
                    moved_to(Waitlisted, Cause::Hold),
                    Event::OfferMade { hold_until: at() },
                ],
                Some((7, MailKind::Offer)),
            ),
            (
                vec![failed("closed"), moved_to(Held, Cause::Expire)],
                Some((8, MailKind::Expired)),
            ),
            (
                vec![moved_to(Held, Cause::Expire), part],
                Some((7, MailKind::Expired)),
            ),
            (
                vec![moved_to(Waitlisted, Cause::CancelByPlayer), waited],
                Some((7, MailKind::Cancelled)),
            ),
            (
                vec![reserved(RefundCause::Staff)],
                Some((7, MailKind::RefundReserved)),
            ),
            (
                vec![Event::RefundSent {
                    refund: RefundId(1),
                }],
                Some((7, MailKind::RefundSent)),
            ),
        ] {
            assert_eq!(told(events.clone()), expected, "{events:?}");
        }
    }
}
