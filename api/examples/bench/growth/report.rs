//! Both sides beside each other, as a table and as JSON, with their limit.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::Options;
use super::fill::ORDERS;
use super::side::Side;
use crate::Result;
use crate::home::Home;
use crate::numbers::{self, Sorted, Verdict, mib};

/// The most that something costs with many orders, for each that it costs with a thousand.
const MOST_RATIO: f64 = 1.3;

/// What one kind of request, or a start, took on one side: milliseconds.
#[derive(Serialize)]
struct Took {
    half_within: f64,
    ninety_nine_in_a_hundred_within: f64,
    on_average: f64,
}

impl Took {
    fn of(times: Vec<f64>) -> Took {
        let average = times.iter().sum::<f64>() / times.len().max(1) as f64;
        let times = Sorted::of(times);
        Took {
            half_within: times.median(),
            ninety_nine_in_a_hundred_within: times.rank(99),
            on_average: average,
        }
    }
}

/// One kind on both sides.
#[derive(Serialize)]
struct Line {
    what: &'static str,
    small_millis: Took,
    large_millis: Took,
    /// Of the medians.
    ratio: f64,
}

/// What else takes long on the large one.
pub struct Books {
    pub audit: Duration,
    pub backup: Option<Duration>,
}

/// Everything measured.
pub struct Report {
    settings: Value,
    filled: Value,
    lines: Vec<Line>,
    most_bytes: [u64; 2],
    books: Option<Books>,
}

impl Report {
    /// Nothing yet.
    pub fn new(options: &Options) -> Report {
        Report {
            settings: json!({
                "machine": numbers::machine(), "database": options.database, "small": ORDERS,
                "large": options.orders / ORDERS * ORDERS, "requests": options.requests, "starts": options.starts,
            }),
            filled: Value::Null,
            lines: Vec::new(),
            most_bytes: [0; 2],
            books: None,
        }
    }

    /// How long the large one took to be made.
    pub fn filled(&mut self, large: &Home, took: Duration) {
        self.filled = json!({ "seconds": took.as_secs(), "bytes": large.database_bytes() });
    }

    /// Adds what one kind took, in milliseconds: small, large.
    pub fn add(&mut self, what: &'static str, [small, large]: [Vec<f64>; 2]) {
        let (small, large) = (Took::of(small), Took::of(large));
        self.lines.push(Line {
            what,
            ratio: large.half_within / small.half_within.max(f64::MIN_POSITIVE),
            small_millis: small,
            large_millis: large,
        });
    }

    /// The most memory that each of them ever had.
    pub fn memory(&mut self, sides: [&Side; 2]) -> Result {
        for (bytes, side) in self.most_bytes.iter_mut().zip(sides) {
            *bytes = side.service.process.memory("VmHWM")?;
        }
        Ok(())
    }

    /// What else took long.
    pub fn books(&mut self, books: Books) {
        self.books = Some(books);
    }

    /// Whether every number is on the right side of its limit.
    pub fn is_good(&self) -> bool {
        self.verdicts().iter().all(Verdict::is_good)
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let verdict = |line: &Line| {
            let text = format!("{:.2}; at most {MOST_RATIO} wanted", line.ratio);
            Verdict::most(line.what, line.ratio, MOST_RATIO, text)
        };
        self.lines.iter().map(verdict).collect()
    }

    /// Prints everything as JSON, or a table.
    pub fn print(&self, as_json: bool) -> Result {
        let verdicts = self.verdicts();
        let books = self.books.as_ref();
        let audit = books.map(|books| books.audit.as_secs());
        let backup = books.and_then(|books| Some(books.backup?.as_secs()));
        if as_json {
            let all = json!({
                "settings": self.settings, "numbers": verdicts, "filled": self.filled, "costs": self.lines,
                "most_resident_bytes": self.most_bytes, "audit_seconds": audit, "backup_seconds": backup,
            });
            println!("{}", serde_json::to_string_pretty(&all)?);
            return Ok(());
        }
        println!("{}\nfilled: {}\n", self.settings, self.filled);
        println!(
            "{:42} {:>9} {:>9} {:>9}  {:>9} {:>9} {:>9}  {:>6}",
            "milliseconds", "small p50", "p99", "average", "large p50", "p99", "average", "ratio"
        );
        for line in &self.lines {
            println!(
                "{:42} {}  {}  {:>6.2}",
                line.what,
                line.small_millis.text(),
                line.large_millis.text(),
                line.ratio
            );
        }
        let [small, large] = self.most_bytes.map(mib);
        println!("\nmost ever resident: {small:.1} and {large:.1} MiB");
        if let Some(seconds) = audit {
            println!("the large one's audit: {seconds} s");
        }
        if let Some(seconds) = backup {
            println!("the large one's backup: {seconds} s");
        }
        println!();
        numbers::print(&verdicts);
        Ok(())
    }
}

impl Took {
    fn text(&self) -> String {
        format!(
            "{:>9.2} {:>9.2} {:>9.2}",
            self.half_within, self.ninety_nine_in_a_hundred_within, self.on_average
        )
    }
}
