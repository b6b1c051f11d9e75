//! What is of one order: its sums, its way on, its prices and its quote.

use std::collections::BTreeMap;

use domain::{
    EntryId, EntryRequest, Event, PaymentStatus, Problem, QuoteRequest, RefundStatus, Standing,
    Status,
};
use rules::{Ordering, Regulation, WhenFull};
use store::orders::Order;
use store::refunds::Refund;
use store::{Conn, entries, journal, ledger, payments, refunds};

use super::AuditReport;
use crate::dossier::Terms;

/// What is of one order.
pub(super) fn one(c: &mut Conn, terms: &Terms, order: &Order) -> Result<AuditReport, Problem> {
    let mut report = AuditReport::default();
    let regulation = &terms.frozen;
    let (id, this) = (&order.tournament, Some(order.id));
    let rows = entries::of_order(c, order.id)?;
    report.orders = rows.len();

    let payments = payments::of_order(c, order.id)?;
    let set_aside = |id: Option<domain::PaymentId>| {
        payments
            .iter()
            .any(|p| Some(p.id) == id && p.status == PaymentStatus::Quarantined)
    };
    let paid: i64 = payments
        .iter()
        .filter(|p| p.status == PaymentStatus::Succeeded && p.received_currency.is_none())
        .map(|p| p.received)
        .sum();
    if paid != order.paid {
        report.find(
            id,
            this,
            format!("{paid} came in, but {} is noted as paid", order.paid),
        );
    }
    let refunds = refunds::of_order(c, order.id)?;
    // What was set aside, or came in another currency, never was the order's.
    let of_order = |r: &&Refund| r.currency == order.currency && !set_aside(r.payment);
    let refunded: i64 = refunds.iter().filter(of_order).map(|r| r.amount).sum();
    if refunded != order.refunded {
        report.find(
            id,
            this,
            format!(
                "{refunded} goes back, but {} is noted as refunded",
                order.refunded
            ),
        );
    }
    let balances = ledger::balances(&ledger::of_order(c, order.id)?);
    let mut expected: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    let own = order.currency.code();
    expected.insert(("administration", own), -order.kept);
    expected.insert(
        ("entry_fees", own),
        -(order.paid - order.refunded - order.kept),
    );
    for payment in &payments {
        let came_in = payment.came_in();
        expected.insert(("refunds_payable", came_in.currency.code()), 0);
        *expected
            .entry(("suspense", came_in.currency.code()))
            .or_default() -= if payment.status == PaymentStatus::Quarantined {
            let given_back = refunds.iter().filter(|r| r.payment == Some(payment.id));
            came_in.amount - given_back.map(|r| r.amount).sum::<i64>()
        } else {
            0
        };
    }
    for refund in &refunds {
        let owed = match refund.status {
            RefundStatus::Succeeded => 0,
            _ => refund.amount,
        };
        *expected
            .entry(("refunds_payable", refund.currency.code()))
            .or_default() -= owed;
    }
    for ((account, currency), expected) in expected {
        let place = (account.to_owned(), currency.to_string());
        let found = balances.get(&place).copied().unwrap_or(0);
        if found != i128::from(expected) {
            let what = format!("the ledger has {found} {currency} on {account}, not {expected}");
            report.find(id, this, what);
        }
    }
    let disputed = payments.iter().map(|p| p.disputed).sum();
    goes_on(regulation, order, &rows, disputed, &mut report);
    waits(&terms.present, order, &rows, &mut report);
    asks(order, &rows, refunds.is_empty(), &mut report);
    prices(c, order, &rows, &mut report)?;
    recompute(c, regulation, order, &rows, &mut report)?;
    Ok(report)
}

/// What was paid has either a place, or a way back.
fn goes_on(
    regulation: &Regulation,
    order: &Order,
    rows: &[entries::Entry],
    disputed: i64,
    report: &mut AuditReport,
) {
    let any = |f: &dyn Fn(Status) -> bool| rows.iter().any(|row| f(row.status));
    let credited = order.paid - order.refunded - order.kept;
    let (id, this) = (&order.tournament, Some(order.id));
    let stands = any(&|status| status.is_live() || status == Status::Withdrawn);
    if !stands && credited > disputed {
        let left = credited - disputed;
        report.find(
            id,
            this,
            format!("{left} was paid for nothing that stands, and neither goes back nor is kept"),
        );
    }
    // Where payment gives the seat, one that has none to take stays held until its hold ends.
    let by_payment = regulation.order() == Ordering::ByPayment;
    if !by_payment && credited >= order.total && any(&|status| status == Status::Held) {
        report.find(id, this, "an entry is held to be paid, and nothing is due");
    }
}

/// Money waits for a seat only where the regulation of today lets it, with entries that wait, and in line.
fn waits(
    regulation: &Regulation,
    order: &Order,
    rows: &[entries::Entry],
    report: &mut AuditReport,
) {
    let lets = regulation.when_full() == WhenFull::Wait;
    let credited = order.paid - order.refunded - order.kept;
    for row in rows {
        let (form, status) = (row.form_number, row.status);
        let what = match (status == Status::Waitlisted, row.waiting_since) {
            (true, _) if credited > 0 && !lets => {
                format!("form {form} waits with {credited} that was paid, and may not")
            }
            (true, None) if credited > 0 => {
                format!("form {form} waits with its money, and has no place in line")
            }
            (false, Some(_)) => {
                format!("form {form} is {status}, and stands in the line of those who have paid")
            }
            _ => continue,
        };
        report.find(&order.tournament, Some(order.id), what);
    }
}

/// An order asks for what its entries cost, as long as none has left and nothing went back.
fn asks(order: &Order, rows: &[entries::Entry], nothing_back: bool, report: &mut AuditReport) {
    let (id, this) = (&order.tournament, Some(order.id));
    let costs: i64 = rows.iter().map(|row| row.price).sum();
    let total = order.total;
    if nothing_back && rows.iter().all(|row| row.status.is_live()) && total != costs {
        let what = format!("it asks for {total}, and its entries cost {costs}");
        report.find(id, this, what);
    }
}

/// What an entry costs is what it was quoted at, and every change of it since is in the journal.
fn prices(
    c: &mut Conn,
    order: &Order,
    rows: &[entries::Entry],
    report: &mut AuditReport,
) -> Result<(), Problem> {
    let quoted = order.quote.entries.iter().map(|priced| priced.total);
    let mut known: BTreeMap<EntryId, i64> = rows.iter().map(|row| row.id).zip(quoted).collect();
    for row in journal::of_order(c, order.id)? {
        let (entry, to) = match row.event {
            Event::OrderRegistered { total, .. } if total != order.quote.total => {
                let what = format!(
                    "the journal has it registered at {total}, its quote at {}",
                    order.quote.total
                );
                report.find(&order.tournament, Some(order.id), what);
                continue;
            }
            Event::PriceChanged { entry, to, .. } => (entry, to),
            Event::SectionChanged { entry, price, .. } => (entry, price),
            _ => continue,
        };
        known.insert(entry, to);
    }
    for row in rows {
        let told = known.get(&row.id).copied();
        if told.is_some_and(|told| told != row.price) {
            let what = format!(
                "form {} costs {}, but {} by its quote and the journal",
                row.form_number,
                row.price,
                told.unwrap_or_default()
            );
            report.find(&order.tournament, Some(order.id), what);
        }
        let lines = row.lines.iter().flatten();
        let made_of: i64 = lines.map(|line| line.amount).sum();
        if row.lines.is_some() && made_of != row.price {
            let what = format!(
                "form {} costs {}, and its lines come to {made_of}",
                row.form_number, row.price
            );
            report.find(&order.tournament, Some(order.id), what);
        }
    }
    Ok(())
}

fn recompute(
    c: &mut Conn,
    regulation: &Regulation,
    order: &Order,
    rows: &[entries::Entry],
    report: &mut AuditReport,
) -> Result<(), Problem> {
    let mut asked = Vec::new();
    for (row, priced) in rows.iter().zip(&order.quote.entries) {
        let Some(entrant) = entries::priced_entrant(c, row.id)? else {
            return Ok(());
        };
        asked.push(EntryRequest {
            section: priced.section.clone(),
            entrant,
        });
    }
    let mut standing = Vec::new();
    for known in &order.standing {
        let Some(entrant) = entries::priced_entrant(c, known.entry)? else {
            return Ok(());
        };
        standing.push(Standing {
            entry: known.entry,
            section: known.section.clone(),
            entrant,
            price: known.price,
            currency: known.currency,
            promotions: known.promotions.clone(),
        });
    }
    let again = rules::quote(
        regulation,
        &QuoteRequest {
            at: order.priced_at,
            paid_at: order.quote.paid_at,
            received_at: order.quote.received_at,
            currency: Some(order.currency),
            taken: order.quote.taken.clone(),
            others: order.quote.others.clone(),
            entries: asked,
            standing,
        },
    );
    let same = again.lines == order.quote.lines
        && again.entries == order.quote.entries
        && again.total == order.quote.total
        && order.quote.currency == order.currency
        && again.regulation.hash == order.quote.regulation.hash;
    if !same {
        let what = format!(
            "its quote of {} comes out as {}, or by other lines",
            order.quote.total, again.total
        );
        report.find(&order.tournament, Some(order.id), what);
    }
    Ok(())
}
