//! The audit: everything that can be recomputed is recomputed, and what does not come out is named.

mod one;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{OrderId, Problem, Slug, TournamentId};
use rules::Regulation;
use serde::Serialize;
use store::ledger::{self, LedgerLine};
use store::{Conn, entries, journal, orders, tournaments};

use crate::desk::Desk;
use crate::dossier::Terms;
use crate::seats::Seats;
use one::one;

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
            let present = Arc::clone(&regulation);
            let part = self
                .store()
                .read(move |c| whole(c, &regulation, &tournament.id))
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
                    let terms = Terms {
                        frozen,
                        present: Arc::clone(&present),
                    };
                    let part = self.store().read(move |c| one(c, &terms, &order)).await?;
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
fn whole(c: &mut Conn, regulation: &Regulation, id: &TournamentId) -> Result<AuditReport, Problem> {
    let mut report = AuditReport::default();
    // Orders may be coming in: its row is read with the rows that are counted, as of one instant.
    let tournament =
        tournaments::find(c, id)?.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
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
    let last = entries::last_form(c, id)?;
    if last != tournament.last_form {
        report.find(
            id,
            None,
            format!(
                "the last form number is {last}, not {}",
                tournament.last_form
            ),
        );
    }
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
