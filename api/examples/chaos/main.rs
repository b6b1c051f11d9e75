//! Everything goes wrong at once, and nothing may be lost: `cargo xtask chaos`. docs/chaos.md says what and how.

mod checks;
mod client;
mod clocks;
mod command;
mod commons;
mod crash;
mod deeds;
mod doors;
mod gate;
mod node;
mod over;
mod pairing;
mod quiet;
mod shop;
mod smtp;
mod torment;
mod world;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use serde_json::json;
use tokio::task::JoinSet;

use crate::client::{Client, Diary};
use crate::over::Over;
use crate::torment::{Stormed, Tally};
use crate::world::{Victims, World};

/// What is done, or a sentence on why it is not.
type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Three islands, and when somebody has to approve who enters there.
const TOURNAMENTS: [(&str, &str); 3] = [
    ("chaos-one", "none"),
    ("chaos-two", "after payment"),
    ("chaos-three", "before payment"),
];

/// Which database.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Engine {
    /// One file, one process.
    Sqlite,
    /// One server, several processes.
    Postgres,
}

#[derive(Parser)]
#[command(
    name = "cargo xtask chaos",
    about = "Break everything that can break, again and again, and look whether anything was lost"
)]
struct Options {
    /// Which database
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Engine,
    /// How long things go wrong
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Processes of `enroc serve`; three on PostgreSQL, one on SQLite, where not given
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=64))]
    processes: Option<u64>,
    /// Clients that ask at once
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=900))]
    clients: u32,
    /// Seconds in which everything must come to rest afterwards
    #[arg(long, default_value_t = 420, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    rest: u64,
    /// Ends processes at each crash point, one by one, instead of killing and freezing them; with a name (`before
    /// CreateRefund`) at that one alone
    #[arg(long, value_name = "POINT", num_args = 0..=1, default_missing_value = "")]
    crash_points: Option<String>,
    /// What is drawn by lot follows from it; another one each time, where not given
    #[arg(long)]
    seed: Option<u64>,
    /// Keeps logs and data in this folder; where not given, only after a violation, in a temporary one
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// The program; where not given, the one built beside this
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl Options {
    fn processes(&self) -> u64 {
        match self.database {
            Engine::Sqlite => 1,
            Engine::Postgres => self.processes.unwrap_or(3),
        }
    }

    fn program(&self) -> Result<PathBuf> {
        let here = std::env::current_exe()?;
        let beside = here.ancestors().nth(2).map(|folder| folder.join("enroc"));
        let program = self.program.clone().or(beside).ok_or("no program")?;
        if program.is_file() {
            Ok(program)
        } else {
            Err(format!("{}: is not there; build it first", program.display()).into())
        }
    }
}

fn main() -> ExitCode {
    // Processes are started and waited for on the workers, so there are more of them than cores.
    let done = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(8)
        .enable_all()
        .build()
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(run(&Options::parse())));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing was lost.
async fn run(options: &Options) -> Result<bool> {
    if options.database == Engine::Sqlite && options.processes.is_some_and(|number| number > 1) {
        return Err("SQLite has one process: see docs/operations.md".into());
    }
    let seed = options.seed.unwrap_or_else(rand::random);
    let temporary = tempfile::Builder::new().prefix("enroc-chaos-").tempdir()?;
    let folder = options
        .keep
        .clone()
        .unwrap_or_else(|| temporary.path().to_owned());
    std::fs::create_dir_all(&folder)?;
    eprintln!("seed {seed}, logs in {}", folder.display());

    let (world, victims) = World::build(options, &folder).await?;
    let over = Over::default();
    let mut clients = JoinSet::new();
    for name in 0..options.clients {
        let client = Client::new(seed, name, world.street.clone());
        let over = over.clone();
        clients.spawn(async move { (name, client.run(over).await) });
    }
    let storm = storm(&world, victims, options, seed, &over).await;
    over.say();
    let (mut stormed, tally) = storm?;
    eprintln!("quiet");
    world.around.calm();
    let mut diaries = clients.join_all().await;
    diaries.sort_by_key(|(name, _)| *name);
    let mut outcome = quiet::settle(&world, &mut stormed.nodes, options, seed, diaries).await?;
    outcome.violations.extend(stormed.wrong);
    let good = report(options, seed, &tally, &outcome);
    if !good && options.keep.is_none() {
        eprintln!("kept: {}", temporary.keep().display());
    }
    world.sandbox.stop().await;
    Ok(good)
}

/// Everything goes wrong, as long as it takes; what is left of the processes.
async fn storm(
    world: &World,
    victims: Victims,
    options: &Options,
    seed: u64,
    over: &Over,
) -> Result<(Stormed, Tally)> {
    let Victims { nodes, mut clocks } = victims;
    let mut pauses = 20..400;
    if options.crash_points.is_some() {
        // What is left behind is to be the crash's, and every point is to be come to.
        clocks.clear();
        pauses = 400..4_000;
    }
    let processes = async {
        let done = match options.crash_points.as_deref() {
            None => torment::processes(seed, nodes, Duration::from_secs(options.seconds)).await,
            Some(only) => {
                let only = Some(only).filter(|only| !only.is_empty());
                crash::each_point(seed, nodes, &world.around.gateway, only).await
            }
        };
        over.say();
        done
    };
    let (processes, around, jumped) = tokio::join!(
        processes,
        world.around.torment(seed, pauses, over),
        clocks::torment(seed, clocks, over)
    );
    let (mut stormed, mut tally) = (processes?, around);
    tally.append(&mut stormed.tally);
    tally.extend(jumped?);
    Ok((stormed, tally))
}

fn report(options: &Options, seed: u64, tally: &Tally, outcome: &quiet::Outcome) -> bool {
    let storm = match &options.crash_points {
        None => format!("--seconds {}", options.seconds),
        Some(only) if only.is_empty() => "--crash-points".to_owned(),
        Some(only) => format!("--crash-points '{only}'"),
    };
    let again = format!(
        "cargo xtask chaos --database {} {storm} --processes {} --clients {} --seed {seed}",
        options
            .database
            .to_possible_value()
            .map_or(String::new(), |value| value.get_name().to_owned()),
        options.processes(),
        options.clients
    );
    for violation in &outcome.violations {
        println!("{violation}");
    }
    if !outcome.violations.is_empty() {
        println!("to see it again: {again}");
    }
    let count = |name: &str| tally.get(name).copied().unwrap_or(0);
    let apart = count("kills") + count("freezes") + count("crashes");
    let faults = tally.values().sum::<u64>() - apart;
    let all = |of: fn(&Diary) -> u64| outcome.diaries.iter().map(of).sum::<u64>();
    let mut acts = Tally::new();
    for (asked, _) in outcome.diaries.iter().flat_map(|diary| &diary.accepted) {
        *acts.entry(asked.act.name()).or_default() += 1;
    }
    let line = json!({
        "seed": seed,
        "seconds": options.crash_points.is_none().then_some(options.seconds),
        "processes": options.processes(),
        "clients": options.clients,
        "kills": count("kills"),
        "freezes": count("freezes"),
        "crashes": count("crashes"),
        "faults": faults,
        "by_kind": tally,
        "orders": outcome.orders,
        "requests": all(|diary| diary.sent),
        "accepted": all(|diary| diary.accepted.len() as u64),
        "acts": acts,
        "replays": all(|diary| diary.replays),
        "mails": outcome.mails,
        "charges": outcome.charges,
        "disputes": outcome.disputes,
        "quiet_seconds": outcome.quiet.as_secs(),
        "violations": outcome.violations.len(),
    });
    println!("{line}");
    outcome.violations.is_empty()
}
