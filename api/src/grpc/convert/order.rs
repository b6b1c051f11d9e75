//! Orders, payments and refunds, as messages.

use domain::{Currency, RefundMethod, RefundQuote, Text};
use proto::{registration::v1 as desk, rules::v1 as engine};
use registration::{Cancellation, EntryView, OrderView};
use store::payments::Payment;
use store::refunds::Refund;

use super::{Eyes, rules, words};

pub fn order(view: OrderView, eyes: Eyes) -> desk::Order {
    let currency = view.currency;
    let sum = |amount| Some(rules::sum(amount, currency));
    let waiting = view.entries.iter().filter_map(|e| e.waiting_position).max();
    let since = view.entries.iter().filter_map(|e| e.waiting_since).max();
    let quote = engine::Quote {
        at: Some(rules::timestamp(view.registered_at)),
        eligible: true,
        total: sum(view.lines.iter().map(|line| line.amount).sum()),
        lines: view
            .lines
            .into_iter()
            .map(|l| rules::line(l, currency))
            .collect(),
        ..engine::Quote::default()
    };
    let payer = view.payer_name.map(|name| desk::Payer {
        name,
        email: view.payer_email.unwrap_or_default(),
        language: words::of_language(view.language),
        address: None,
    });
    desk::Order {
        id: view.order.to_string(),
        reference: view.reference.to_string(),
        tournament: view.tournament.to_string(),
        payer,
        entries: view
            .entries
            .into_iter()
            .map(|e| entry(e, currency, eyes))
            .collect(),
        total: sum(view.total),
        paid: sum(view.paid),
        refunded: sum(view.refunded),
        kept: sum(view.kept),
        quote: Some(quote),
        registered_at: Some(rules::timestamp(view.registered_at)),
        hold_until: view.hold_until.map(rules::timestamp),
        due: sum(view.due),
        waiting_position: waiting.and_then(|place| u32::try_from(place).ok()),
        payments: view
            .payments
            .into_iter()
            .map(|p| payment(p, eyes))
            .collect(),
        refunds: view.refunds.into_iter().map(|r| refund(r, eyes)).collect(),
        price_valid_until: view.price_valid_until.map(rules::timestamp),
        waiting_since: since.map(rules::timestamp),
    }
}

fn entry(view: EntryView, currency: Currency, eyes: Eyes) -> desk::Entry {
    let bye = |bye: registration::ByeView| engine::Bye {
        request: Some(rules::bye(bye.request)),
        status: words::of_bye_status(&bye.status),
    };
    desk::Entry {
        id: view.entry.to_string(),
        form_number: view.form_number,
        section: view.section.map(|s| s.to_string()),
        entrant: view.entrant.map(|who| rules::entrant(who, eyes)),
        status: words::of_status(view.status),
        price: Some(rules::sum(view.price, currency)),
        to_check: rules::facts(&view.to_check),
        byes: view.byes.into_iter().map(bye).collect(),
    }
}

pub fn payment(row: Payment, eyes: Eyes) -> desk::Payment {
    let open = row.status == domain::PaymentStatus::Open;
    let amount = rules::sum(row.amount, row.currency);
    let came_in = row.came_in().currency;
    let slip = row.slip_number.map(|number| desk::Slip {
        number,
        date: row.slip_date.unwrap_or_default(),
        amount: Some(amount.clone()),
    });
    desk::Payment {
        id: row.id.to_string(),
        method: words::of_payment_kind(row.method),
        status: words::of_payment_status(row.status),
        amount: Some(amount),
        page: row.url.filter(|_| open),
        client_secret: row.client_secret.filter(|_| open && eyes == Eyes::Payer),
        slip,
        charged_at: row.charged_at.map(rules::timestamp),
        received: Some(rules::sum(row.received, came_in)),
        disputed: Some(rules::sum(row.disputed, came_in)),
        expires_at: row.expires_at.map(rules::timestamp),
        failure: row.failure,
        reference: row.reference.filter(|_| eyes == Eyes::Staff),
    }
}

pub fn refund(row: Refund, eyes: Eyes) -> desk::Refund {
    desk::Refund {
        id: row.id.to_string(),
        method: words::of_refund_method(row.method),
        status: words::of_refund_status(row.status),
        amount: Some(rules::sum(row.amount, row.currency)),
        cause: words::of_refund_cause(row.cause),
        rule: row.rule,
        reference: row.reference.filter(|_| eyes == Eyes::Staff),
    }
}

/// What a cancellation gives back in all. Where its entries fall under one row, that row and its article; under several,
/// each sum with its row in the text.
pub fn cancellation(cancellation: Cancellation) -> Option<engine::RefundQuote> {
    let currency = cancellation.currency;
    let first = cancellation.entries.first()?.quote.clone();
    let one_row = cancellation
        .entries
        .iter()
        .all(|e| e.quote.rule == first.rule);
    let quote = if one_row {
        first
    } else {
        several(&cancellation)
    };
    let entries = cancellation.entries;
    let parts = entries.into_iter().flat_map(|part| part.quote.parts);
    let in_all = RefundQuote {
        refund: cancellation.refund,
        kept: cancellation.kept,
        parts: parts.collect(),
        ..quote
    };
    Some(rules::refund_quote(in_all, currency))
}

fn several(cancellation: &Cancellation) -> RefundQuote {
    let quotes = || cancellation.entries.iter().map(|e| &e.quote);
    let joined = |say: fn(&RefundQuote) -> &str, with: &str| {
        let mut parts: Vec<&str> = Vec::new();
        for part in quotes().map(say) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts.join(with)
    };
    let by_card = quotes().any(|quote| quote.method == RefundMethod::Card);
    RefundQuote {
        refund: cancellation.refund,
        kept: cancellation.kept,
        method: if by_card {
            RefundMethod::Card
        } else {
            RefundMethod::Transfer
        },
        rule: joined(|q| &q.rule, ", "),
        article: joined(|q| &q.article, ", "),
        text: Text::new(
            joined(|q| &q.text.ca, " "),
            joined(|q| &q.text.es, " "),
            joined(|q| &q.text.en, " "),
        ),
        parts: Vec::new(),
    }
}
