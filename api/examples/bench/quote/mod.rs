//! `cargo xtask bench quote`: both doors beside echoes, the engine alone, the start, the memory.

mod door;
pub mod echo;
mod engine;
mod orders;
mod report;
mod start;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::{Result, process};
use report::Report;

/// How it is measured.
#[derive(Args)]
pub struct Options {
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Seconds of one round
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Rounds of each server, of which the median counts
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// Clients that ask at once, each over a connection of its own
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=1000))]
    clients: u64,
    /// Orders that are registered before memory is looked at
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    orders: u64,
    /// The program; where not given, the one built beside this
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl Options {
    fn round(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// Measures everything, and prints it; whether all of it is good.
pub async fn measure(options: &Options) -> Result<bool> {
    let program = process::program(options.program.as_deref())?;
    let mut report = Report::new(options);
    report.engine = Some(engine::measure()?);
    report.start = Some(start::measure(&program).await?);
    report.doors = door::measure(&program, options).await?;
    report.memory = Some(orders::measure(&program, options).await?);
    report.print(options.json)?;
    Ok(report.is_good())
}
