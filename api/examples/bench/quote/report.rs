//! The numbers beside their limits, for people and as JSON.

use serde::Serialize;
use serde_json::json;

use super::Options;
use crate::Result;
use crate::numbers::{self, Side, Sorted, Verdict, mib};

/// The least share of a bare echo's answers a second.
const LEAST_RATIO: f64 = 0.7;
/// The most that the engine takes for a quote, in microseconds.
const MOST_ENGINE: f64 = 5.0;
/// The most from start to first answer, in milliseconds.
const MOST_START: f64 = 500.0;
/// The most memory, in MiB.
const MOST_MEMORY: f64 = 64.0;

/// One door and its echo.
#[derive(Serialize)]
pub struct Door {
    /// `REST` or `gRPC`.
    pub name: &'static str,
    /// Length of a request's body.
    pub request_bytes: usize,
    /// Length of an answer's body.
    pub answer_bytes: usize,
    /// The echo.
    pub echo: Side,
    /// The program.
    pub enroc: Side,
    /// Round by round, answers of the program for each of the echo.
    pub ratios: Vec<f64>,
}

impl Door {
    fn ratio(&self) -> f64 {
        Sorted::of(self.ratios.iter().copied()).median()
    }
}

/// Memory after many orders.
#[derive(Serialize)]
pub struct Memory {
    /// How many.
    pub orders: u64,
    /// How long they took, in seconds.
    pub seconds: f64,
    /// Resident before the first, in bytes.
    pub fresh_bytes: u64,
    /// Resident after the last, in bytes.
    pub resident_bytes: u64,
    /// The most that was ever resident, in bytes.
    pub most_bytes: u64,
}

/// Everything that was measured.
pub struct Report {
    settings: serde_json::Value,
    /// Microseconds a quote.
    pub engine: Option<f64>,
    /// Milliseconds: median, longest.
    pub start: Option<(f64, f64)>,
    /// The doors.
    pub doors: Vec<Door>,
    /// Memory.
    pub memory: Option<Memory>,
}

impl Report {
    /// Nothing measured yet.
    pub fn new(options: &Options) -> Report {
        Report {
            settings: json!({
                "machine": numbers::machine(), "clients": options.clients, "rounds": options.rounds, "seconds": options.seconds,
            }),
            engine: None,
            start: None,
            doors: Vec::new(),
            memory: None,
        }
    }

    /// Whether every number is on the right side of its limit.
    pub fn is_good(&self) -> bool {
        self.verdicts().iter().all(Verdict::is_good)
    }

    /// Prints everything as JSON, or a table.
    pub fn print(&self, as_json: bool) -> Result {
        let verdicts = self.verdicts();
        if as_json {
            let all = json!({
                "settings": self.settings, "numbers": verdicts, "doors": self.doors, "memory": self.memory,
            });
            println!("{}", serde_json::to_string_pretty(&all)?);
            return Ok(());
        }
        println!("{}\n", self.settings);
        for door in &self.doors {
            side(door, "bare echo", &door.echo);
            side(door, "enroc", &door.enroc);
        }
        println!();
        numbers::print(&verdicts);
        Ok(())
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts: Vec<Verdict> = self.doors.iter().map(ratio).collect();
        if let Some(measured) = self.engine {
            let text = format!("{measured:.2} µs; less than {MOST_ENGINE} wanted");
            verdicts.push(Verdict::less(
                "the engine alone, one quote",
                measured,
                MOST_ENGINE,
                text,
            ));
        }
        if let Some((median, longest)) = self.start {
            let text =
                format!("{median:.0} ms, at most {longest:.0}; less than {MOST_START} wanted");
            verdicts.push(Verdict::less(
                "start to first answer",
                median,
                MOST_START,
                text,
            ));
        }
        if let Some(memory) = &self.memory {
            verdicts.push(memory.verdict());
        }
        verdicts
    }
}

impl Memory {
    fn verdict(&self) -> Verdict {
        let resident = mib(self.resident_bytes);
        let (fresh, most) = (mib(self.fresh_bytes), mib(self.most_bytes));
        let text = format!(
            "{resident:.1} MiB ({fresh:.1} fresh, {most:.1} at most); less than {MOST_MEMORY} wanted"
        );
        let what = format!(
            "resident after {} orders in {:.0} s",
            self.orders, self.seconds
        );
        Verdict::less(what, resident, MOST_MEMORY, text)
    }
}

fn side(door: &Door, whose: &str, side: &Side) {
    println!(
        "{:4}  {whose:9}  {:>8.0} a second  {:>6.1} µs of processor each  half within {:.0} µs, 99 in 100 within {:.0} µs",
        door.name,
        side.per_second,
        side.processor_micros,
        side.half_answered_within_micros,
        side.ninety_nine_in_a_hundred_within_micros,
    );
}

fn ratio(door: &Door) -> Verdict {
    let measured = door.ratio();
    let (request, answer) = (door.request_bytes, door.answer_bytes);
    let what = format!(
        "{} beside its echo ({request} B in, {answer} B out)",
        door.name
    );
    let text = format!("{measured:.2}; at least {LEAST_RATIO} wanted");
    Verdict::least(what, measured, LEAST_RATIO, text)
}
