//! Numbers, and numbers beside their limits.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::load::Round;

/// Measurements in their order.
pub struct Sorted(Vec<f64>);

impl Sorted {
    /// Sorts.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Sorted {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        Sorted(values)
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The one in the middle.
    pub fn median(&self) -> f64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or_default()
    }

    /// The one that so many in a hundred do not exceed.
    pub fn rank(&self, hundredths: usize) -> f64 {
        let place = self.0.len().saturating_sub(1) * hundredths / 100;
        self.0.get(place).copied().unwrap_or_default()
    }

    /// The largest.
    pub fn last(&self) -> f64 {
        self.0.last().copied().unwrap_or_default()
    }
}

/// Microseconds.
pub fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Milliseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// MiB.
pub fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// One server under one load: medians of its rounds.
#[derive(Clone, Serialize)]
pub struct Side {
    pub per_second: f64,
    pub processor_micros: f64,
    pub half_answered_within_micros: f64,
    pub ninety_nine_in_a_hundred_within_micros: f64,
}

impl Side {
    /// The medians of these rounds.
    pub fn of<'r>(rounds: impl Iterator<Item = &'r Round> + Clone) -> Side {
        let median = |of: fn(&Round) -> f64| Sorted::of(rounds.clone().map(of)).median();
        Side {
            per_second: median(|round| round.per_second),
            processor_micros: median(|round| round.processor_micros),
            half_answered_within_micros: median(|round| round.half_micros),
            ninety_nine_in_a_hundred_within_micros: median(|round| round.most_micros),
        }
    }
}

/// A number and its limit.
#[derive(Serialize)]
pub struct Verdict {
    what: String,
    measured: f64,
    limit: f64,
    good: bool,
    #[serde(skip)]
    text: String,
}

impl Verdict {
    /// A number that has to be less than its limit.
    pub fn less(what: impl Into<String>, measured: f64, limit: f64, text: String) -> Verdict {
        Verdict {
            what: what.into(),
            measured,
            limit,
            good: measured < limit,
            text,
        }
    }

    /// A number that must not be beyond its limit.
    pub fn most(what: impl Into<String>, measured: f64, limit: f64, text: String) -> Verdict {
        Verdict {
            good: measured <= limit,
            ..Verdict::less(what, measured, limit, text)
        }
    }

    /// A number that has to reach its limit.
    pub fn least(what: impl Into<String>, measured: f64, limit: f64, text: String) -> Verdict {
        Verdict {
            good: measured >= limit,
            ..Verdict::less(what, measured, limit, text)
        }
    }

    /// Something that must not have happened, and how often it did.
    pub fn never(what: impl Into<String>, times: usize, text: String) -> Verdict {
        Verdict {
            good: times == 0,
            ..Verdict::less(what, times as f64, 0.0, text)
        }
    }

    pub fn is_good(&self) -> bool {
        self.good
    }
}

/// Prints numbers beside their limits, a line each.
pub fn print(verdicts: &[Verdict]) {
    for verdict in verdicts {
        let word = if verdict.good { "ok" } else { "SHORT" };
        println!("{word:5}  {:46} {}", verdict.what, verdict.text);
    }
}

/// What a machine tells of itself: its cores, and how many processes wanted one in the last minute.
pub fn machine() -> Value {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let load = load.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    json!({ "cores": cores, "load": load })
}
