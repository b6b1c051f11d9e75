//! `enroc`: reads the command line and runs one command.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;
mod command;

use std::num::NonZero;
use std::process::ExitCode;

use api::say;
use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    // Every thread that blocks keeps memory of its own. Those that wait for the database are no more than its readers.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(4 * cores + 4)
        .enable_all()
        .build();
    let done = match runtime {
        Ok(runtime) => runtime.block_on(command::run(cli)),
        Err(error) => Err(api::failure::Failure::from(error)),
    };
    match say::heard(done) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}
