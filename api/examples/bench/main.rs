//! The numbers that the service is held to, measured on this machine: `cargo xtask bench quote`.
//!
//! The program itself is measured, as a process of its own, beside bare echo servers that are processes too. Rounds of
//! one and the other take turns, so that a machine that slows down slows both.

mod door;
mod echo;
mod engine;
mod http;
mod load;
mod orders;
mod process;
mod question;
mod report;
mod start;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::report::Report;

/// What a measurement gives, or a sentence on why there is none.
type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

#[derive(Parser)]
#[command(
    name = "cargo xtask bench",
    about = "Measure the numbers that the service is held to"
)]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Quotes over REST and gRPC beside bare echoes, the engine alone, the start, the memory
    Quote(Options),
    /// A bare actix-web JSON echo
    #[command(hide = true)]
    EchoRest {
        /// Length of its answers, in bytes.
        answer: usize,
    },
    /// A bare tonic echo
    #[command(hide = true)]
    EchoGrpc {
        /// Length of its answers, in bytes.
        answer: usize,
    },
}

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

fn main() -> ExitCode {
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(run(Cli::parse().what)));
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(what: What) -> Result<ExitCode> {
    match what {
        What::EchoRest { answer } => echo::rest(answer).await?,
        What::EchoGrpc { answer } => echo::grpc(answer).await?,
        What::Quote(options) => return quote(&options).await,
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures everything; a number on the wrong side of its limit makes the exit code.
async fn quote(options: &Options) -> Result<ExitCode> {
    let program = process::program(options.program.as_deref())?;
    let mut report = Report::new(options);
    report.engine = Some(engine::measure()?);
    report.start = Some(start::measure(&program).await?);
    report.doors = door::measure(&program, options).await?;
    report.memory = Some(orders::measure(&program, options).await?);
    report.print(options.json)?;
    Ok(if report.is_good() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
