//! Tournaments, as messages.

use domain::{PaymentKind, UtcTime};
use proto::registration::v1 as desk;
use registration::SectionCount;
use rules::{EntrantKind, QuestionKind, Regulation};
use store::tournaments::Tournament;

use super::{rules as out, words};

/// A tournament as its present regulation has it, with its seats as they stand at an instant of its desk clock.
pub fn tournament(
    row: &Tournament,
    regulation: &Regulation,
    seats: &[SectionCount],
    now: UtcTime,
) -> desk::Tournament {
    let (first, last) = regulation.days();
    let (opens, closes) = (regulation.opens(), regulation.closes());
    let capacity = capacity(row, regulation, seats);
    let in_time = opens.is_none_or(|from| from <= now) && closes.is_none_or(|end| now < end);
    let methods = regulation.payment_methods();
    let offered = [
        (methods.card, PaymentKind::Session),
        (methods.card, PaymentKind::Intent),
        (methods.slip, PaymentKind::Slip),
        (methods.transfer, PaymentKind::Transfer),
    ];
    desk::Tournament {
        id: row.id.to_string(),
        organiser: row.organiser.to_string(),
        name: Some(out::text(regulation.name().clone())),
        time_zone: regulation
            .time_zone()
            .iana_name()
            .unwrap_or("UTC")
            .to_owned(),
        currency: regulation.currency().code().to_owned(),
        regulation: Some(out::regulation(regulation.reference())),
        open: in_time && capacity.iter().all(|one| one.seats.is_some()),
        opens: opens.map(out::timestamp),
        closes: closes.map(out::timestamp),
        pay_by: regulation.pay_by().map(out::timestamp),
        first_day: first.to_string(),
        last_day: last.to_string(),
        sections: regulation.sections().map(section).collect(),
        capacity,
        payment_methods: offered
            .into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, kind)| words::of_payment_kind(kind))
            .collect(),
        slip_with_entry: methods.slip_with_entry,
        consents: regulation.consents().iter().map(consent).collect(),
        questions: regulation.questions().iter().map(question).collect(),
        currencies: regulation
            .currencies()
            .iter()
            .map(ToString::to_string)
            .collect(),
        offers_credit: regulation.offers_credit(),
        proofs: regulation
            .proofs()
            .map(|(tier, text)| desk::Proof {
                tier: tier.to_owned(),
                text: Some(out::text(text.clone())),
            })
            .collect(),
        deposits: regulation.deposits().map(str::to_owned).collect(),
    }
}

fn section(section: &rules::Section) -> desk::Section {
    let kind = match section.kind {
        EntrantKind::Player => desk::EntrantKind::Player,
        EntrantKind::Team => desk::EntrantKind::Team,
    };
    desk::Section {
        id: section.id.to_string(),
        name: Some(out::text(section.name.clone())),
        rounds: section.rounds,
        kind: kind.into(),
        has_fees: section.has_fees,
    }
}

fn consent(consent: &rules::Consent) -> desk::Consent {
    desk::Consent {
        id: consent.id.clone(),
        text: Some(out::text(consent.text.clone())),
        required: consent.required,
        article: consent.article.clone(),
    }
}

fn question(question: &rules::Question) -> desk::Question {
    use desk::question::{Choice, Choices, Kind, Number, YesNo};
    let choice = |choice: &rules::Choice| Choice {
        id: choice.id.clone(),
        text: Some(out::text(choice.text.clone())),
    };
    let kind = match &question.kind {
        QuestionKind::YesNo => Kind::YesNo(YesNo {}),
        QuestionKind::Number { from, to } => Kind::Number(Number {
            from: *from,
            to: *to,
        }),
        QuestionKind::Choice(choices) => Kind::Choices(Choices {
            choices: choices.iter().map(choice).collect(),
        }),
    };
    desk::Question {
        id: question.id.clone(),
        text: Some(out::text(question.text.clone())),
        kind: Some(kind),
        required: question.required,
        sections: question.sections.iter().map(ToString::to_string).collect(),
        article: question.article.clone(),
    }
}

fn capacity(
    row: &Tournament,
    regulation: &Regulation,
    seats: &[SectionCount],
) -> Vec<desk::Capacity> {
    let by_payment = regulation.order() == rules::Ordering::ByPayment;
    let one = |rule: &rules::CapacityRule| {
        let counted = seats.iter().filter(|count| {
            rule.sections.is_empty()
                || count
                    .section
                    .as_ref()
                    .is_some_and(|s| rule.sections.contains(s))
        });
        let taken = counted
            .flat_map(|count| &count.counts)
            .filter(|(status, _)| status.takes_seat(by_payment))
            .map(|(_, number)| number)
            .sum();
        desk::Capacity {
            sections: rule.sections.iter().map(ToString::to_string).collect(),
            seats: rule.seats.map(i64::from).or(row.capacity),
            taken,
        }
    };
    regulation.capacity().iter().map(one).collect()
}
