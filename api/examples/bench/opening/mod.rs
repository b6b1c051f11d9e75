//! `cargo xtask bench opening`: entry opens, and thousands press the button at once for a few seats.

mod crowd;
mod replay;
mod report;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use serde_json::Value;

use crate::home::{Engine, Home};
use crate::http::{self, Connection};
use crate::process::Service;
use crate::{Result, process, question};
use replay::Replay;
use report::Report;

/// How it is measured.
#[derive(Args)]
pub struct Options {
    /// The database
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Engine,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Who presses the button, each over a connection of its own
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=20_000))]
    clients: u64,
    /// Seats
    #[arg(long, default_value_t = 220, value_parser = clap::value_parser!(u64).range(1..=20_000))]
    seats: u64,
    /// Minutes that a seat is kept unpaid; so long the run waits
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=60))]
    hold_minutes: u64,
    /// The program; where not given, the one built beside this
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

const TOURNAMENT: &str = "opening-2054";
/// How often the journal is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How long after its end a hold may stand before the run gives up.
const PATIENCE: Duration = Duration::from_secs(120);
/// Rows of one page of the journal.
const PAGE: usize = 1_000;

/// Lets them press, waits until nobody has paid, and prints what came of it; whether all of it is good.
pub async fn measure(options: &Options) -> Result<bool> {
    let program = process::program(options.program.as_deref())?;
    let home = Home::fresh(&program, options.database)?;
    let hold = format!("{}m", options.hold_minutes);
    let text = question::copy(TOURNAMENT, options.seats, &hold)?;
    home.add_regulation(TOURNAMENT, &text)?;
    let service = home.serve()?;
    let key = home.run(&[
        "key", "add", "--label", "opening", "--role", "viewer", "--json",
    ])?;
    let key: Value = serde_json::from_str(&key)?;
    let key = http::bearer(key["key"].as_str().unwrap_or_default());

    let bar = ProgressBar::new(options.clients);
    let crowd = crowd::press(service.rest, options.clients, &bar).await?;
    let mut report = Report::new(options, crowd);
    bar.set_length(options.seats);
    let mut replay = Replay::of(options.seats);
    let hold = Duration::from_secs(60 * options.hold_minutes);
    let begun = Instant::now();
    while replay.expired() < options.seats.min(options.clients) {
        if begun.elapsed() > hold + PATIENCE {
            break;
        }
        tokio::time::sleep(LOOK).await;
        read_on(&service, &key, &mut replay).await?;
        bar.set_position(replay.expired());
        bar.set_message("holds run out");
    }
    bar.finish_and_clear();
    report.memory(service.process.memory("VmHWM")?);
    drop(service);
    report.journal(
        &replay,
        home.run(&["audit"]).err().map(|error| error.to_string()),
    );
    report.print(options.json)?;
    Ok(report.is_good())
}

/// Replays what the journal has since it was last read.
async fn read_on(service: &Service, key: &str, replay: &mut Replay) -> Result {
    let mut connection = Connection::open(service.rest).await?;
    loop {
        let after = replay.last();
        let path = format!("/v1/staff/tournaments/{TOURNAMENT}/journal?limit={PAGE}&after={after}");
        let page = connection.ask(&http::get(&path, key)).await?.json(200)?;
        let rows = page["rows"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        for row in rows {
            replay.row(row)?;
        }
        if rows.len() < PAGE {
            return Ok(());
        }
    }
}
