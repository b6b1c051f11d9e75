//! What the contract's messages say, in the words of the rehearsal.

use domain::Money;
use proto::registration::v1 as reg;
use proto::rules::v1 as rules;
use tonic::Status;
use tonic_types::StatusExt;

use super::{Answer, Back, Refused, Seen, SeenEntry, SeenMoney, Told};

pub(super) fn refused(status: &Status) -> Refused {
    let details = status.get_error_details();
    let Some(info) = details.error_info() else {
        return Refused::transport(format!("{:?}: {}", status.code(), status.message()));
    };
    let violations = details
        .bad_request()
        .map(|bad| bad.field_violations.as_slice())
        .unwrap_or_default();
    Refused {
        slug: info.reason.to_lowercase().replace('_', "-"),
        why: violations
            .iter()
            .map(|v| format!("{}: {}", v.field, v.description))
            .collect(),
    }
}

/// What the contract has to say and did not.
pub(super) fn missing(what: &str) -> Refused {
    Refused::transport(format!("the answer has no {what}"))
}

pub(super) fn money(money: Option<rules::Money>, what: &str) -> Answer<Money> {
    let money = money.ok_or_else(|| missing(what))?;
    let currency = money.currency.parse().map_err(|_| missing("currency"))?;
    Ok(Money::new(money.amount, currency))
}

pub(super) fn wire(money: Money) -> rules::Money {
    rules::Money {
        amount: money.amount,
        currency: money.currency.code().to_owned(),
    }
}

pub(super) fn slip(told: Told) -> reg::Slip {
    reg::Slip {
        number: told.number.to_owned(),
        date: told.date.to_owned(),
        amount: Some(wire(told.amount)),
    }
}

/// The word of an enum's value: `STATUS_HELD` is `held`.
fn word(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix).unwrap_or(name).to_lowercase()
}

pub(super) fn seen(order: reg::Order) -> Answer<Seen> {
    let payment = |p: reg::Payment| {
        Ok(SeenMoney {
            method: word(p.method().as_str_name(), "PAYMENT_KIND_"),
            status: word(p.status().as_str_name(), "PAYMENT_STATUS_"),
            id: p.id,
            amount: money(p.amount, "amount")?,
        })
    };
    let refund = |r: reg::Refund| {
        Ok(SeenMoney {
            method: word(r.method().as_str_name(), "REFUND_METHOD_"),
            status: word(r.status().as_str_name(), "REFUND_STATUS_"),
            id: r.id,
            amount: money(r.amount, "amount")?,
        })
    };
    let entry = |e: reg::Entry| SeenEntry {
        status: word(e.status().as_str_name(), "STATUS_"),
        to_check: e
            .to_check()
            .map(|f| word(f.as_str_name(), "FACT_NAME_"))
            .collect(),
        id: e.id,
    };
    Ok(Seen {
        total: money(order.total, "total")?,
        due: money(order.due, "due")?,
        kept: money(order.kept, "kept")?,
        entries: order.entries.into_iter().map(entry).collect(),
        payments: order
            .payments
            .into_iter()
            .map(payment)
            .collect::<Answer<_>>()?,
        refunds: order
            .refunds
            .into_iter()
            .map(refund)
            .collect::<Answer<_>>()?,
    })
}

/// What comes back; nothing at all where nothing was paid.
pub(super) fn back(quote: Option<rules::RefundQuote>, order: Option<reg::Order>) -> Answer<Back> {
    match (quote, order) {
        (Some(quote), _) => Ok(Back {
            refund: money(quote.refund, "refund")?,
            kept: money(quote.kept, "kept")?,
        }),
        (None, Some(order)) => {
            let nothing = Money::new(0, money(order.total, "total")?.currency);
            Ok(Back {
                refund: nothing,
                kept: nothing,
            })
        }
        (None, None) => Err(missing("refund_quote")),
    }
}
