//! The audit: everything that can be recomputed is recomputed, and what does not come out is named.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{
    EntryId, EntryRequest, Event, OrderId, PaymentStatus, Problem, QuoteRequest, RefundStatus,
    Standing, Status, TournamentId,
};
use rules::{Ordering, Regulation};
use serde::Serialize;
use store::ledger::{self, LedgerLine};
use store::orders::{self, Order};
use store::refunds::Refund;
use store::{Conn, entries, journal, payments, refunds, tournaments};

use crate::desk::Desk;
use crate::seats::Seats;

/// Rows read at once.
const PAGE: i64 = 500;

/// Something that does not come out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// In which tournament.
    pub tournament: TournamentId,
    /// In which order, if it is one's.
    pub order: Option<OrderId>,
    /// What was expected and what is there.
    pub what: String,
}

/// What the audit looked at and what it found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct AuditReport {
    /// Tournaments looked at.
    pub tournaments: usize,
    /// Orders whose quote was recomputed.
    pub orders: usize,
    /// Journal rows read.
    pub journal_rows: i64,
    /// Ledger lines added up.
    pub ledger_lines: usize,
    /// What is wrong; empty where all is well.
    pub findings: Vec<Finding>,
}

impl AuditReport {
    fn find(&mut self, tournament: &TournamentId, order: Option<OrderId>, what: impl Into<String>) {
        self.findings.push(Finding {
            tournament: tournament.clone(),
            order,
            what: what.into(),
        });
    }
}

impl Desk {
    /// Recomputes every tournament: the ledger sums to zero in each currency, the journal has no gap, no more seats are
    /// taken than there are, form numbers have no gap, every order's sums are those of its payments and refunds, what was
    /// paid for what no longer stands goes back or is kept, nothing paid is still held, every price is explained by the
    /// journal, and every stored quote comes out again line by line. `progress` hears how many orders are done of how many.
    ///
    /// # Errors
    /// [`Problem`] when the database fails; what is wrong comes in the report.
    pub async fn audit(
        &self,
        progress: impl Fn(u64, u64) + Send + Sync,
    ) -> Result<AuditReport, Problem> {
        let mut report = AuditReport::default();
        let all = self
            .store()
            .read(|c| Ok::<_, Problem>(tournaments::all(c)?))
            .await?;
        let mut total = 0;
        for tournament in &all {
            total += u64::try_from(tournament.last_form).unwrap_or(0);
        }
        let mut done = 0;
        for tournament in all {
            let id = tournament.id.clone();
            let regulation = self.version(&id, tournament.version).await?;
            let part = self
                .store()
                .read(move |c| whole(c, &regulation, &tournament))
                .await?;
            report.tournaments += 1;
            report.journal_rows += part.journal_rows;
            report.ledger_lines += part.ledger_lines;
            report.findings.extend(part.findings);
            let mut after = None;
            loop {
                let (page_of, from) = (id.clone(), after);
                let page = self
                    .store()
                    .read(move |c| Ok::<_, Problem>(orders::page(c, &page_of, from, PAGE)?))
                    .await?;
                let Some(last) = page.last() else { break };
                after = Some(last.id);
                for order in page {
                    let frozen = self.version(&id, order.version).await?;
                    let part = self.store().read(move |c| one(c, &frozen, &order)).await?;
                    report.orders += 1;
                    done += u64::try_from(part.orders).unwrap_or(0);
                    report.findings.extend(part.findings);
                    progress(done, total);
                }
            }
        }
        Ok(report)
    }
}

/// What is of the tournament as a whole.
fn whole(
    c: &mut Conn,
    regulation: &Regulation,
    tournament: &tournaments::Tournament,
) -> Result<AuditReport, Problem> {
    let mut report = AuditReport::default();
    let id = &tournament.id;
    let mut number = 0;
    let mut sums: BTreeMap<String, i128> = BTreeMap::new();
    loop {
        let rows = journal::after(c, id, number, PAGE)?;
        let Some(last) = rows.last().map(|r| r.number) else {
            break;
        };
        for row in &rows {
            number += 1;
            if row.number != number {
                report.find(
                    id,
                    row.order,
                    format!("the journal jumps from {} to {}", number - 1, row.number),
                );
                number = row.number;
            }
        }
        let lines = ledger::after(c, id, rows[0].number - 1, last)?;
        report.journal_rows += i64::try_from(rows.len()).unwrap_or(0);
        report.ledger_lines += lines.len();
        add_up(&mut report, id, &lines, &mut sums);
    }
    if number != tournament.last_journal {
        report.find(
            id,
            None,
            format!(
                "the journal ends at {number}, not at {}",
                tournament.last_journal
            ),
        );
    }
    for (currency, sum) in sums.iter().filter(|(_, sum)| **sum != 0) {
        report.find(
            id,
            None,
            format!("the ledger sums to {sum} {currency}, not to zero"),
        );
    }
    let counts = entries::counts(c, id)?;
    if counts != tournament.counts {
        report.find(
            id,
            None,
            "the entries are not as many as the tournament's row says",
        );
    }
    let forms: i64 = counts.iter().map(|(_, _, count)| count).sum();
    if forms != tournament.last_form {
        report.find(
            id,
            None,
            format!(
                "{forms} entries stand under {} form numbers",
                tournament.last_form
            ),
        );
    }
    if Seats::new(regulation, tournament.capacity, &counts).is_ok_and(|seats| seats.is_over()) {
        report.find(id, None, "more seats are taken than there are");
    }
    Ok(report)
}

fn add_up(
    report: &mut AuditReport,
    id: &TournamentId,
    lines: &[LedgerLine],
    sums: &mut BTreeMap<String, i128>,
) {
    let mut rows: BTreeMap<(i64, &str), i128> = BTreeMap::new();
    for line in lines {
        *sums.entry(line.currency.clone()).or_default() += i128::from(line.amount);
        *rows
            .entry((line.journal_number, &line.currency))
            .or_default() += i128::from(line.amount);
    }
    for ((number, currency), sum) in rows.into_iter().filter(|(_, sum)| *sum != 0) {
        report.find(
            id,
            None,
            format!("the postings of journal row {number} sum to {sum} {currency}, not to zero"),
        );
    }
}

/// What is of one order.
fn one(c: &mut Conn, regulation: &Arc<Regulation>, order: &Order) -> Result<AuditReport, Problem> {
    let mut report = AuditReport::default();
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
            promotions: known.promotions.clone(),
        });
    }
    let again = rules::quote(
        regulation,
        &QuoteRequest {
            at: order.priced_at,
            entries: asked,
            standing,
        },
    );
    let same = again.lines == order.quote.lines
        && again.entries == order.quote.entries
        && again.total == order.quote.total
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
