//! The numbers that the service is held to, measured on this machine: `cargo xtask bench`.
//!
//! The program itself is measured, as a process of its own, beside what bounds it: bare echo servers, straight SQL on the
//! same database, the flush of the disk. Rounds of one and the other take turns, so that a machine that slows down slows
//! both.

mod growth;
mod home;
mod http;
mod load;
mod mailbox;
mod numbers;
mod opening;
mod payer;
mod process;
mod question;
mod quote;
mod rules;
mod rush;
mod till;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Quote(quote::Options),
    /// Orders accepted a second beside straight SQL on the same database, and the whole way to a confirmed entry
    Rush(rush::Options),
    /// Entry opens: thousands press the button at once for a few seats
    Opening(opening::Options),
    /// What a request and a start cost with a million orders in the database, beside what they cost with a thousand
    Growth(growth::Options),
    /// The engine over every regulation of the project; what a thousand of them cost to load and to keep
    Rules(rules::Options),
    /// A bare actix-web JSON echo
    #[command(hide = true)]
    EchoRest {
        /// The JSON that it answers.
        answer: String,
    },
    /// A bare tonic echo
    #[command(hide = true)]
    EchoGrpc {
        /// Length of its answers, in bytes.
        answer: usize,
    },
}

fn main() -> ExitCode {
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(run(Cli::parse().what)));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every number is on the right side of its limit.
async fn run(what: What) -> Result<bool> {
    match what {
        What::EchoRest { answer } => quote::echo::rest(&answer).await?,
        What::EchoGrpc { answer } => quote::echo::grpc(answer).await?,
        What::Quote(options) => return quote::measure(&options).await,
        What::Rush(options) => return rush::measure(&options).await,
        What::Opening(options) => return opening::measure(&options).await,
        What::Rules(options) => return rules::measure(&options),
        What::Growth(options) => return growth::measure(&options).await,
    }
    Ok(true)
}
