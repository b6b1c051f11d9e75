//! `enroc audit`: everything recomputed, with a bar for whoever waits.

use api::failure::Failure;
use api::house::OpenDesk;
use api::say;
use registration::AuditReport;

use super::{bar, print_json};

pub async fn run(open: &OpenDesk, json: bool) -> Result<(), Failure> {
    let bar = bar::of("{bar:40} {pos} of {len} orders, {eta} left", json);
    let report = open
        .desk
        .audit(|done, all| {
            bar.set_length(all);
            bar.set_position(done);
        })
        .await?;
    bar.finish_and_clear();
    if json {
        print_json(&report)?;
    } else {
        print(&report);
    }
    match report.findings.len() {
        0 => Ok(()),
        n => Err(Failure::wrong(format!("{n} things are wrong"))),
    }
}

fn print(report: &AuditReport) {
    for finding in &report.findings {
        let order = finding
            .order
            .map(|order| format!(" {order}"))
            .unwrap_or_default();
        say!("{}{order}: {}", finding.tournament, finding.what);
    }
    let verdict = if report.findings.is_empty() {
        "all is well"
    } else {
        "see above"
    };
    say!(
        "{} tournaments, {} orders, {} journal rows, {} ledger lines: {verdict}",
        report.tournaments,
        report.orders,
        report.journal_rows,
        report.ledger_lines
    );
}
