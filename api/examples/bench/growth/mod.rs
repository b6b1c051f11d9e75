//! `cargo xtask bench growth`: what requests and a start cost with a million orders in the database, beside what they cost
//! with a thousand.

mod ask;
mod fill;
mod report;
mod side;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::home::{Engine, Home};
use crate::http::{self, Connection};
use crate::numbers::millis;
use crate::{Result, process, till};
use ask::Ask;
use report::{Books, Report};
use side::Side;

/// How it is measured.
#[derive(Args)]
#[command(after_help = "\
A thousand orders come in through the doors, are paid, cancelled and given back; then the same database is copied, and
all its orders are written again and again until there are as many as wanted. Both are served, and asked in turn.

  cargo xtask bench growth
  cargo xtask bench growth --database postgres --books
  cargo xtask bench growth --orders 20000 --requests 100     a quick look")]
pub struct Options {
    /// The database
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Engine,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Orders of the large one, in thousands' steps
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(2_000..=1_500_000))]
    orders: u64,
    /// Requests of each kind to each of the two; the median counts
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    requests: u64,
    /// Starts of each of the two; the median counts
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..=99))]
    starts: u64,
    /// Audit and back up the large one too, and tell how long that takes
    #[arg(long)]
    books: bool,
    /// The program; where not given, the one built beside this
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Measures everything, and prints it; whether all of it is good.
pub async fn measure(options: &Options) -> Result<bool> {
    let program = process::program(options.program.as_deref())?;
    let mut report = Report::new(options);
    let bar = bar();
    let (mut small, key) = fill::a_thousand(&program, options.database, &bar).await?;
    let (mut large, took) = fill::many_more(&small, options.orders, &bar).await?;
    report.filled(&large, took);

    let sandbox = till::open()?;
    till::stands_in(&sandbox, &mut small);
    till::stands_in(&sandbox, &mut large);
    let key = http::bearer(&key);
    let mut sides = [
        Side::open(&small, &key).await?,
        Side::open(&large, &key).await?,
    ];
    for ask in Ask::ALL {
        begin(&bar, options.requests, ask.words());
        let mut times = [Vec::new(), Vec::new()];
        for turn in 0..options.requests {
            // Whoever is asked first finds the machine as the other left it.
            for which in [turn % 2, 1 - turn % 2].map(|which| which as usize) {
                let begun = Instant::now();
                sides[which].ask(ask, turn).await?;
                times[which].push(millis(begun.elapsed()));
            }
            bar.inc(1);
        }
        report.add(ask.words(), times);
    }
    report.memory([&sides[0], &sides[1]])?;
    drop(sides);

    begin(&bar, options.starts, "a start");
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..options.starts {
        for (home, times) in [&small, &large].into_iter().zip(&mut times) {
            times.push(start(home).await?);
        }
        bar.inc(1);
    }
    report.add("a start, to the first answer", times);
    if options.books {
        begin(&bar, 1, "the books of the large one");
        report.books(books(&large, options.database)?);
    }
    bar.finish_and_clear();
    sandbox.stop().await;
    report.print(options.json)?;
    Ok(report.is_good())
}

/// Milliseconds from the start of the process to its first answer.
async fn start(home: &Home) -> Result<f64> {
    let begun = Instant::now();
    let service = home.serve()?;
    let mut connection = Connection::open(service.rest).await?;
    let answer = connection.ask(&http::get("/v1/tournaments", "")).await?;
    answer.json(200)?;
    Ok(millis(begun.elapsed()))
}

/// How long `enroc audit` takes, and on SQLite `enroc backup`; PostgreSQL makes its own.
fn books(home: &Home, database: Engine) -> Result<Books> {
    let begun = Instant::now();
    home.run(&["audit"])?;
    let audit = begun.elapsed();
    let begun = Instant::now();
    let backup = match database {
        Engine::Postgres => None,
        Engine::Sqlite => {
            let file = home.path().join("backup.tar").display().to_string();
            home.run(&["backup", &file])?;
            Some(begun.elapsed())
        }
    };
    Ok(Books { audit, backup })
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}  {elapsed}  {msg}");
    let bar = ProgressBar::new(0);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Begins the next part of the way.
fn begin(bar: &ProgressBar, length: u64, what: &'static str) {
    bar.set_position(0);
    bar.set_length(length);
    bar.set_message(what);
}
