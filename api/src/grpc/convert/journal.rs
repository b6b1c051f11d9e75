//! Rows of the journal, as messages.

use domain::{Actor, Event, Recorded, SectionId};
use proto::registration::v1::{self as desk, event as out, event::Kind};

use super::rules::{self, timestamp};
use super::words;

pub fn recorded(row: Recorded) -> desk::Recorded {
    desk::Recorded {
        number: row.number,
        at: Some(timestamp(row.at)),
        order: row.order.map(|order| order.to_string()),
        actor: Some(actor(row.actor)),
        reason: row.reason,
        event: Some(desk::Event {
            kind: Some(kind(row.event)),
        }),
    }
}

pub fn actor(actor: Actor) -> desk::Actor {
    use desk::actor::{Actor as Out, Operator, Payer, Timer};
    let actor = match actor {
        Actor::Payer => Out::Payer(Payer {}),
        Actor::Staff(who) => Out::Staff(who),
        Actor::Timer => Out::Timer(Timer {}),
        Actor::Gateway(name) => Out::Gateway(name),
        Actor::Operator => Out::Operator(Operator {}),
    };
    desk::Actor { actor: Some(actor) }
}

fn section(section: Option<SectionId>) -> Option<String> {
    section.map(|id| id.to_string())
}

#[expect(
    clippy::too_many_lines,
    reason = "an arm for each event; split, the compiler could not tell that none is missing"
)]
fn kind(event: Event) -> Kind {
    match event {
        Event::RegulationPublished { version, hash } => {
            Kind::RegulationPublished(out::RegulationPublished { version, hash })
        }
        Event::TournamentOpened { capacity } => {
            Kind::TournamentOpened(out::TournamentOpened { capacity })
        }
        Event::OrderRegistered {
            total,
            entries,
            hold_until,
        } => Kind::OrderRegistered(out::OrderRegistered {
            total,
            entries: entries.into_iter().map(opened).collect(),
            hold_until: hold_until.map(timestamp),
        }),
        Event::EntryMoved {
            entry,
            from,
            to,
            cause,
        } => Kind::EntryMoved(out::EntryMoved {
            entry: entry.to_string(),
            from: words::of_status(from),
            to: words::of_status(to),
            cause: words::of_cause(cause),
        }),
        Event::OfferMade { hold_until } => Kind::OfferMade(out::OfferMade {
            hold_until: Some(timestamp(hold_until)),
        }),
        Event::EntryApproved { entry, hold_until } => Kind::EntryApproved(out::EntryApproved {
            entry: entry.to_string(),
            hold_until: hold_until.map(timestamp),
        }),
        Event::SectionChanged {
            entry,
            from,
            to,
            price,
            difference,
        } => Kind::SectionChanged(out::SectionChanged {
            entry: entry.to_string(),
            from: section(from),
            to: to.to_string(),
            price,
            difference,
        }),
        Event::FactChecked {
            entry,
            fact,
            upheld,
        } => Kind::FactChecked(out::FactChecked {
            entry: entry.to_string(),
            fact: words::of_fact(fact),
            upheld,
        }),
        Event::CodeIssued { code, uses } => Kind::CodeIssued(out::CodeIssued { code, uses }),
        Event::ByesRequested { entry, byes } => Kind::ByesRequested(out::ByesRequested {
            entry: entry.to_string(),
            byes: byes.into_iter().map(rules::bye).collect(),
        }),
        Event::ByesDecided { entry, granted } => Kind::ByesDecided(out::ByesDecided {
            entry: entry.to_string(),
            granted,
        }),
        Event::TokenRolled { generation } => Kind::TokenRolled(out::TokenRolled { generation }),
        Event::PaymentOpened {
            payment,
            method,
            amount,
        } => Kind::PaymentOpened(out::PaymentOpened {
            payment: payment.to_string(),
            method: words::of_payment_kind(method),
            amount,
        }),
        Event::PaymentSucceeded {
            payment,
            amount,
            charged_at,
        } => Kind::PaymentSucceeded(out::PaymentSucceeded {
            payment: payment.to_string(),
            amount,
            charged_at: Some(timestamp(charged_at)),
        }),
        Event::PaymentFailed { payment, code } => Kind::PaymentFailed(out::PaymentFailed {
            payment: payment.to_string(),
            code,
        }),
        Event::PaymentQuarantined {
            payment,
            amount,
            currency,
            code,
        } => Kind::PaymentQuarantined(out::PaymentQuarantined {
            payment: payment.to_string(),
            amount,
            currency,
            code,
        }),
        Event::RefundReserved {
            refund,
            amount,
            kept,
            method,
            cause,
            rule,
            entry,
        } => Kind::RefundReserved(out::RefundReserved {
            refund: refund.to_string(),
            amount,
            kept,
            method: words::of_refund_method(method),
            cause: words::of_refund_cause(cause),
            rule,
            entry: entry.map(|entry| entry.to_string()),
        }),
        Event::FeesKept {
            amount,
            cause,
            rule,
            entry,
        } => Kind::FeesKept(out::FeesKept {
            amount,
            cause: words::of_refund_cause(cause),
            rule,
            entry: entry.map(|entry| entry.to_string()),
        }),
        Event::PriceWaived { amount } => Kind::PriceWaived(out::PriceWaived { amount }),
        Event::PriceChanged {
            entry,
            from,
            to,
            rule,
        } => Kind::PriceChanged(out::PriceChanged {
            entry: entry.to_string(),
            from,
            to,
            rule,
        }),
        Event::RefundSent { refund } => Kind::RefundSent(out::RefundSent {
            refund: refund.to_string(),
        }),
        Event::RefundSucceeded { refund, amount } => Kind::RefundSucceeded(out::RefundSucceeded {
            refund: refund.to_string(),
            amount,
        }),
        Event::RefundFailed {
            refund,
            amount,
            code,
        } => Kind::RefundFailed(out::RefundFailed {
            refund: refund.to_string(),
            amount,
            code,
        }),
        Event::RefundObserved { refund, amount } => Kind::RefundObserved(out::RefundObserved {
            refund: refund.to_string(),
            amount,
        }),
        Event::DisputeOpened { payment, amount } => Kind::DisputeOpened(out::DisputeOpened {
            payment: payment.to_string(),
            amount,
        }),
        Event::DisputeClosed {
            payment,
            amount,
            won,
        } => Kind::DisputeClosed(out::DisputeClosed {
            payment: payment.to_string(),
            amount,
            won,
        }),
    }
}

fn opened(entry: domain::EntryOpened) -> out::EntryOpened {
    out::EntryOpened {
        entry: entry.entry.to_string(),
        form_number: entry.form_number,
        section: section(entry.section),
        price: entry.price,
        status: words::of_status(entry.status),
    }
}
