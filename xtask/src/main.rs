//! `cargo xtask`: what CI checks, and what the tests need to run.
//!
//! Everything CI does is `cargo xtask test`; each part of it also runs alone.

mod bench;
mod chaos;
mod check;
mod fuzz;
mod process;
mod project;
mod report;
mod test;
mod tools;

use std::error::Error;
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

/// A failure is a sentence for the person at the terminal: what is wrong, and where it can be, what to do.
type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "What CI checks, and what the tests need to run",
    after_help = "\
Most used:
  cargo xtask test                            all that CI does
  cargo xtask check                           the checks alone, no test
  cargo xtask check fmt arrows                two of them
  cargo xtask with -- cargo test -p store     any command, with what tests need at hand
  cargo xtask bench quote                     quotes a second, start, memory, beside their limits
  cargo xtask chaos                           whether anything is lost when everything breaks
  cargo xtask fuzz                            the rules engine under inputs that nobody would write
  cargo xtask bench rush                      orders a second, beside straight SQL
  cargo xtask bench growth                    a million orders beside a thousand

docs/testing.md says more."
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Do all that CI does: the checks, the tests on both databases, the tour
    #[command(long_about = "\
Do all that CI does: the checks, the tests on both databases, the tour.

What the tests need and the machine lacks is installed first: PostgreSQL and Python from the system's packages (as
root, or where sudo asks no password), Python packages and the checks' programs into target/python. Every step runs
even after a red one, each with its time; the table at the end tells them apart, and one red makes the whole red.")]
    Test {
        /// Only these steps
        #[arg(value_enum, value_name = "STEP")]
        steps: Vec<test::Step>,
    },
    /// Check format, lints, file sizes, crate arrows, proto files, licences and words
    Check {
        /// Only these checks
        #[arg(value_enum, value_name = "CHECK")]
        checks: Vec<check::Check>,
    },
    /// Measure the numbers that the service is held to, in a release build
    #[command(long_about = "\
Measure the numbers that the service is held to, in a release build; docs/benchmarks.md says how and against what.

  cargo xtask bench quote
  cargo xtask bench quote --json --seconds 5 --clients 64
  cargo xtask bench rush --database postgres
  cargo xtask bench opening
  cargo xtask bench rules
  cargo xtask bench growth --database postgres")]
    Bench {
        /// What to measure, and how: see `cargo xtask bench help`
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Break everything that can break, again and again, and look whether anything was lost
    #[command(long_about = "\
Break everything that can break, again and again, and look whether anything was lost; docs/chaos.md says what and how.

  cargo xtask chaos
  cargo xtask chaos --database postgres --processes 3 --seconds 300
  cargo xtask chaos --seed 7")]
    Chaos {
        /// How long and how, see `cargo xtask chaos -- --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Feed the rules engine inputs that nobody would write, led by what they reach in its code
    #[command(long_about = "\
Feed the rules engine inputs that nobody would write, led by what they reach in its code: a minute for each target, made
for every night and no part of the test command. docs/testing.md says what has to hold.

A panic, a broken sum, an input that takes too long or too much memory ends the target, and the run is red: the end names
the file that does it. What an input reached is kept below the build's folder, and the next run goes on from there.

  cargo xtask fuzz                             both targets, a minute each
  cargo xtask fuzz evaluator --seconds 600     one of them, ten minutes
  cargo xtask fuzz parser --input FILE         one input alone, with what it says")]
    Fuzz(fuzz::Arguments),
    /// Run a command with what the tests need: a PostgreSQL cluster of its own and the Python packages
    #[command(long_about = "\
Run a command with what the tests need: a PostgreSQL cluster of its own and the Python packages.

The command sees ENROC_TEST_POSTGRES (a superuser's address) and ENROC_PYTHON (the interpreter that has the packages).
The cluster is stopped and deleted when the command ends.

  cargo xtask with -- cargo test -p store
  cargo xtask with -- bash")]
    With {
        /// The command and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Test { steps } => test::run(&steps),
        Task::Check { checks } => check::run(&checks),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Chaos { arguments } => chaos::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::With { command } => with(&command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn with(command: &[String]) -> Result {
    let (program, arguments) = command.split_first().ok_or("no command given")?;
    let tools = tools::Tools::ready()?;
    process::run(
        Command::new(program)
            .args(arguments)
            .envs(tools.environment()),
    )
}
