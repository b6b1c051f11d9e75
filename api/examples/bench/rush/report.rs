//! What was measured, as a table and as JSON, beside the limits.

use serde::Serialize;
use serde_json::{Value, json};

use super::straight::Straight;
use super::{Counted, Options, Spread};
use crate::Result;
use crate::home::Engine;
use crate::load::Round;
use crate::numbers::{self, Side, Sorted, Verdict, mib};

/// On one hot section, at this many clients, the service takes at least so many orders for each that straight SQL does:
/// on PostgreSQL, where seven round trips hold the row, and on SQLite.
const AT_CLIENTS: u64 = 64;
const LEAST_ON_POSTGRES: f64 = 3.0;
const LEAST_ON_SQLITE: f64 = 1.0;
/// At this many clients 99 in 100 are answered within so many milliseconds.
const MANY_CLIENTS: u64 = 256;
const MOST_WAIT: f64 = 250.0;
/// The most memory, in MiB, ever.
const MOST_MEMORY: f64 = 128.0;

/// One round of all that is measured side by side.
pub struct Beside {
    pub enroc: Round,
    pub counted: Counted,
    pub statements: Straight,
    pub one_statement: Option<Straight>,
    /// Microseconds.
    pub flush: f64,
}

/// One load, medians of its rounds.
#[derive(Serialize)]
struct Load {
    spread: Spread,
    clients: u64,
    enroc: Side,
    /// How often a client was asked to come back later, in all rounds.
    refused: u64,
    straight: Straight,
    /// Orders of the service for each of straight SQL.
    ratio: f64,
    one_statement: Option<Straight>,
    one_statement_ratio: Option<f64>,
    /// What one flush of the disk took meanwhile.
    flush_micros: f64,
}

/// The whole way at one load.
#[derive(Serialize)]
struct Way {
    clients: u64,
    enroc: Side,
}

/// Everything that was measured.
pub struct Report {
    database: Engine,
    settings: Value,
    loads: Vec<Load>,
    ways: Vec<Way>,
    most_bytes: u64,
}

impl Report {
    /// Nothing measured yet.
    pub fn new(options: &Options) -> Report {
        Report {
            database: options.database,
            settings: json!({
                "machine": numbers::machine(), "database": options.database, "rounds": options.rounds,
                "seconds": options.seconds,
            }),
            loads: Vec::new(),
            ways: Vec::new(),
            most_bytes: 0,
        }
    }

    /// Adds the rounds of a load.
    pub fn add(&mut self, spread: Spread, clients: u64, rounds: &[Beside]) {
        let ratio = |straight: &dyn Fn(&Beside) -> Option<Straight>| {
            let ratios = rounds.iter().filter_map(|round| {
                Some(round.enroc.per_second / straight(round)?.per_second.max(1.0))
            });
            Sorted::of(ratios).median()
        };
        let one = |round: &Beside| round.one_statement;
        let one_statement = Straight::median(rounds.iter().filter_map(one));
        self.loads.push(Load {
            spread,
            clients,
            enroc: Side::of(rounds.iter().map(|round| &round.enroc)),
            refused: rounds.iter().map(|round| round.counted.refused).sum(),
            straight: Straight::median(rounds.iter().map(|round| round.statements))
                .unwrap_or_default(),
            ratio: ratio(&|round| Some(round.statements)),
            one_statement_ratio: one_statement.map(|_| ratio(&one)),
            one_statement,
            flush_micros: Sorted::of(rounds.iter().map(|round| round.flush)).median(),
        });
        let most = rounds.iter().map(|round| round.counted.most_bytes);
        self.most_bytes = most.fold(self.most_bytes, u64::max);
    }

    /// Adds the rounds of the whole way, each with the most memory.
    pub fn add_way(&mut self, clients: u64, rounds: &[(Round, u64)]) {
        self.ways.push(Way {
            clients,
            enroc: Side::of(rounds.iter().map(|(round, _)| round)),
        });
        let most = rounds.iter().map(|(_, bytes)| *bytes);
        self.most_bytes = most.fold(self.most_bytes, u64::max);
    }

    /// Whether every number is on the right side of its limit.
    pub fn is_good(&self) -> bool {
        self.verdicts().iter().all(Verdict::is_good)
    }

    /// Prints everything as JSON, or a table.
    pub fn print(&self, as_json: bool) -> Result {
        let verdicts = self.verdicts();
        let flush = Sorted::of(self.loads.iter().map(|load| load.flush_micros)).median();
        if as_json {
            let all = json!({
                "settings": self.settings, "numbers": verdicts, "loads": self.loads, "whole_way": self.ways,
                "flush_micros": flush, "most_resident_bytes": self.most_bytes,
            });
            println!("{}", serde_json::to_string_pretty(&all)?);
            return Ok(());
        }
        println!("{}", self.settings);
        println!(
            "one flush of the disk: {flush:.0} µs, {:.0} a second\n",
            1e6 / flush.max(1.0)
        );
        self.print_loads();
        for way in &self.ways {
            println!(
                "{:26} {:>7} {:>8}  {}",
                "register, pay, confirmed",
                way.clients,
                "",
                side(&way.enroc)
            );
        }
        println!();
        numbers::print(&verdicts);
        Ok(())
    }

    fn print_loads(&self) {
        println!(
            "{:26} {:>7} {:>8}  {:>14} {:>8} {:>8} {:>9}  {:>12} {:>6}  {:>13} {:>6}",
            "orders to",
            "clients",
            "flush",
            "enroc a second",
            "p50 ms",
            "p99 ms",
            "processor",
            "straight SQL",
            "ratio",
            "one statement",
            "ratio",
        );
        for load in &self.loads {
            let one = load.one_statement.zip(load.one_statement_ratio);
            let one = one.map(|(one, ratio)| format!("{:>13.0} {ratio:>6.2}", one.per_second));
            println!(
                "{:26} {:>7} {:>5.0} µs  {}  {:>12.0} {:>6.2}  {}",
                load.spread.words(),
                load.clients,
                load.flush_micros,
                side(&load.enroc),
                load.straight.per_second,
                load.ratio,
                one.unwrap_or_default(),
            );
        }
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let hot = |load: &&Load| load.spread == Spread::Hot && load.clients == AT_CLIENTS;
        if let Some(load) = self.loads.iter().find(hot) {
            let least = match self.database {
                Engine::Postgres => LEAST_ON_POSTGRES,
                Engine::Sqlite => LEAST_ON_SQLITE,
            };
            let text = format!(
                "{:.2} ({:.0} beside {:.0} a second); at least {least} wanted",
                load.ratio, load.enroc.per_second, load.straight.per_second
            );
            let what = format!("hot section beside straight SQL, {AT_CLIENTS} clients");
            verdicts.push(Verdict::least(what, load.ratio, least, text));
        }
        for load in self
            .loads
            .iter()
            .filter(|load| load.clients == MANY_CLIENTS)
        {
            let wait = load.enroc.ninety_nine_in_a_hundred_within_micros / 1e3;
            let text = format!("{wait:.0} ms; less than {MOST_WAIT} wanted");
            let what = format!(
                "99 in 100 of {MANY_CLIENTS} clients, {}",
                load.spread.words()
            );
            verdicts.push(Verdict::less(what, wait, MOST_WAIT, text));
        }
        let memory = mib(self.most_bytes);
        let text = format!("{memory:.1} MiB; less than {MOST_MEMORY} wanted");
        verdicts.push(Verdict::less(
            "the most ever resident",
            memory,
            MOST_MEMORY,
            text,
        ));
        verdicts
    }
}

fn side(side: &Side) -> String {
    format!(
        "{:>14.0} {:>8.2} {:>8.2} {:>6.0} µs",
        side.per_second,
        side.half_answered_within_micros / 1e3,
        side.ninety_nine_in_a_hundred_within_micros / 1e3,
        side.processor_micros,
    )
}
