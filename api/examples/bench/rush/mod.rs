//! `cargo xtask bench rush`: orders accepted a second, beside straight SQL on the same database and the disk's flush.

mod flush;
mod report;
mod shopper;
mod straight;
mod way;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::home::{Engine, Home};
use crate::load::{self, Round};
use crate::process::Service;
use crate::{Result, process, question};
use report::{Beside, Report};
use shopper::{Counter, Shopper};
use straight::Manner;

/// How it is measured.
#[derive(Args)]
pub struct Options {
    /// The database
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Engine,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Seconds of one round
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Rounds of each load, of which the median counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// Clients that order at once, each over a connection of its own
    #[arg(long, value_delimiter = ',', default_value = "1,16,64,256", value_parser = clap::value_parser!(u64).range(1..=1000))]
    clients: Vec<u64>,
    /// Clients that go the whole way at once: they register, pay, and are confirmed
    #[arg(long, value_delimiter = ',', default_value = "1,16,64", value_parser = clap::value_parser!(u64).range(1..=1000))]
    whole_way: Vec<u64>,
    /// The program; where not given, the one built beside this
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// How the orders are spread.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Spread {
    /// All go to one section of one tournament.
    Hot,
    /// They go to twenty tournaments in turn.
    Wide,
}

impl Spread {
    fn tournaments(self) -> Vec<String> {
        let count = match self {
            Spread::Hot => 1,
            Spread::Wide => 20,
        };
        (1..=count).map(|n| format!("rush-{n}-2054")).collect()
    }

    fn words(self) -> &'static str {
        match self {
            Spread::Hot => "one hot section",
            Spread::Wide => "20 tournaments",
        }
    }
}

/// Enough seats for any round.
const SEATS: u64 = 1_000_000;

/// Measures everything, and prints it; whether all of it is good.
pub async fn measure(options: &Options) -> Result<bool> {
    let program = process::program(options.program.as_deref())?;
    let mut report = Report::new(options);
    let rounds = options.rounds as usize;
    let steps = (2 * options.clients.len() + options.whole_way.len()) * rounds;
    let bar = bar(steps as u64);
    for spread in [Spread::Hot, Spread::Wide] {
        for clients in &options.clients {
            let mut taken = Vec::new();
            for round in 1..=rounds {
                bar.set_message(format!(
                    "{}, {clients} clients, round {round}",
                    spread.words()
                ));
                taken.push(beside(&program, options, spread, *clients).await?);
                bar.inc(1);
            }
            report.add(spread, *clients, &taken);
        }
    }
    for clients in &options.whole_way {
        let mut taken = Vec::new();
        for round in 1..=rounds {
            bar.set_message(format!("the whole way, {clients} clients, round {round}"));
            taken.push(way::round(&program, options, *clients).await?);
            bar.inc(1);
        }
        report.add_way(*clients, &taken);
    }
    bar.finish_and_clear();
    report.print(options.json)?;
    Ok(report.is_good())
}

fn bar(steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}  {elapsed}  {msg}");
    let bar = ProgressBar::new(steps);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// One round of the service on a fresh database and then, when it is gone, of straight SQL on the same database.
async fn beside(program: &Path, options: &Options, spread: Spread, clients: u64) -> Result<Beside> {
    let home = Home::fresh(program, options.database)?;
    let tournaments = spread.tournaments();
    for id in &tournaments {
        home.add_regulation(id, &question::copy(id, SEATS, "24h")?)?;
    }
    let flush = flush::measure(home.path())?;
    let length = Duration::from_secs(options.seconds);
    let (enroc, counted) = enroc(&home, &tournaments, clients, length).await?;
    let ask = |manner| straight::measure(&home, &tournaments, clients, length, manner);
    let (stood, statements) = ask(Manner::Statements)?;
    // The service was killed; what it had said yes to must stand.
    if stood != counted.accepted {
        let accepted = counted.accepted;
        return Err(format!("{accepted} orders were accepted, {stood} stand").into());
    }
    let one_statement = match options.database {
        Engine::Sqlite => None,
        Engine::Postgres => Some(ask(Manner::OneStatement)?.1),
    };
    Ok(Beside {
        enroc,
        counted,
        statements,
        one_statement,
        flush,
    })
}

/// What clients counted, and the most memory that the service ever had.
struct Counted {
    accepted: u64,
    refused: u64,
    most_bytes: u64,
}

async fn enroc(
    home: &Home,
    tournaments: &[String],
    clients: u64,
    length: Duration,
) -> Result<(Round, Counted)> {
    let service: Service = home.serve()?;
    let counter = Arc::new(Counter::of(tournaments));
    let mut shoppers = Vec::new();
    for _ in 0..clients {
        shoppers.push(Shopper::open(service.rest, Arc::clone(&counter)).await?);
    }
    let round = load::round(&service.process, shoppers, length).await?;
    let counted = Counted {
        accepted: counter.accepted(),
        refused: counter.refused(),
        most_bytes: service.process.memory("VmHWM")?,
    };
    Ok((round, counted))
}
