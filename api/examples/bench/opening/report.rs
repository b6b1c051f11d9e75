//! What came of the opening, as lines and as JSON.

use serde_json::{Value, json};

use super::Options;
use super::crowd::{Answered, Crowd};
use super::replay::Replay;
use crate::Result;
use crate::numbers::{self, Sorted, Verdict, mib, millis};

/// The most memory, in MiB, ever.
const MOST_MEMORY: f64 = 128.0;

/// Everything that was seen.
pub struct Report {
    settings: Value,
    clients: u64,
    seats: u64,
    crowd: Crowd,
    verdicts: Vec<Verdict>,
    most_bytes: u64,
}

impl Report {
    /// What the crowd saw.
    pub fn new(options: &Options, crowd: Crowd) -> Report {
        let mut report = Report {
            settings: json!({
                "machine": numbers::machine(), "database": options.database, "clients": options.clients,
                "seats": options.seats, "hold_minutes": options.hold_minutes,
            }),
            clients: options.clients,
            seats: options.seats,
            crowd,
            verdicts: Vec::new(),
            most_bytes: 0,
        };
        let lost = report.crowd.lost.len();
        let met = report.crowd.lost.first().cloned().unwrap_or_default();
        report.never("clients without an order", lost, &met);
        let overtaken = overtaken(&report.crowd.answered);
        report.never("answered before somebody began, and behind", overtaken, "");
        report
    }

    fn never(&mut self, what: &str, times: usize, more: &str) {
        let text = format!("{times}; none wanted  {more}");
        self.verdicts.push(Verdict::never(what, times, text));
    }

    /// The most memory that the service had.
    pub fn memory(&mut self, bytes: u64) {
        self.most_bytes = bytes;
    }

    /// What the journal says, and what the audit found wrong.
    pub fn journal(&mut self, replay: &Replay, audit: Option<String>) {
        let first = replay.first();
        let answered = self.crowd.answered.iter();
        let differ = answered.filter(|a| first.get(&a.form) != Some(&a.status.as_str()));
        let differ = differ.count();
        let missing = usize::try_from(self.clients)
            .unwrap_or_default()
            .abs_diff(first.len());
        self.never("orders too few or too many", missing, "");
        self.never("answers that differ from the journal", differ, "");
        self.never("gaps in the journal", replay.gaps(), "");
        self.never("form numbers out of turn", replay.out_of_order(), "");
        self.never("seats given out of turn", replay.seated_out_of_order(), "");
        let over = replay.most_held().saturating_sub(self.seats);
        let over = usize::try_from(over).unwrap_or(usize::MAX);
        let most = format!("at most {} of {}", replay.most_held(), self.seats);
        self.never("seats held that are not there", over, &most);
        let unexpired = self
            .seats
            .min(self.clients)
            .saturating_sub(replay.expired());
        let unexpired = usize::try_from(unexpired).unwrap_or(usize::MAX);
        self.never("holds that did not run out", unexpired, "");
        let (held, wanted) = replay.held();
        let lost = usize::try_from(held.abs_diff(wanted)).unwrap_or(usize::MAX);
        let again = format!("{held} held anew by the next in line");
        self.never("seats lost when holds had run out", lost, &again);
        let found = audit.unwrap_or_default();
        self.never(
            "enroc audit finds something",
            usize::from(!found.is_empty()),
            &found,
        );
        let memory = mib(self.most_bytes);
        let text = format!("{memory:.1} MiB; less than {MOST_MEMORY} wanted");
        let what = "the most ever resident";
        self.verdicts
            .push(Verdict::less(what, memory, MOST_MEMORY, text));
    }

    /// Whether every number is on the right side of its limit.
    pub fn is_good(&self) -> bool {
        self.verdicts.iter().all(Verdict::is_good)
    }

    /// Prints everything as JSON, or lines.
    pub fn print(&self, as_json: bool) -> Result {
        let answered = &self.crowd.answered;
        let times = |of: fn(&Answered) -> f64| {
            let sorted = Sorted::of(answered.iter().map(of));
            json!({ "half": sorted.median(), "ninety_nine_in_a_hundred": sorted.rank(99), "last": sorted.last() })
        };
        let connected = times(|a| millis(a.connected));
        let waited = times(|a| millis(a.answered));
        let tried = times(|a| millis(a.answered.saturating_sub(a.sent)));
        let refused: u32 = answered.iter().map(|a| a.refused).sum();
        let most_refused = answered.iter().map(|a| a.refused).max().unwrap_or_default();
        let last = waited["last"].as_f64().unwrap_or_default().max(1.0);
        let per_second = answered.len() as f64 * 1e3 / last;
        if as_json {
            let all = json!({
                "settings": self.settings, "numbers": self.verdicts, "connected_millis": connected,
                "answered_millis": waited, "accepted_try_millis": tried, "refused": refused,
                "refused_one_client_at_most": most_refused, "per_second": per_second,
                "most_resident_bytes": self.most_bytes,
            });
            println!("{}", serde_json::to_string_pretty(&all)?);
            return Ok(());
        }
        println!("{}\n", self.settings);
        for (what, times) in [
            ("connected", connected),
            ("answered with an order", waited),
            ("the try that was accepted took", tried),
        ] {
            println!(
                "{what:32} half within {:>7.0} ms, 99 in 100 within {:>7.0} ms, all within {:>7.0} ms",
                times["half"].as_f64().unwrap_or_default(),
                times["ninety_nine_in_a_hundred"]
                    .as_f64()
                    .unwrap_or_default(),
                times["last"].as_f64().unwrap_or_default(),
            );
        }
        println!(
            "{:32} {refused} times, one client {most_refused} times at most",
            "asked to come back later"
        );
        println!(
            "{:32} {per_second:.0} a second, until the last had one\n",
            "orders"
        );
        numbers::print(&self.verdicts);
        Ok(())
    }
}

/// How many were answered before somebody else's try was sent, and still have the greater number.
fn overtaken(answered: &[Answered]) -> usize {
    let mut by_form: Vec<&Answered> = answered.iter().collect();
    by_form.sort_unstable_by_key(|a| a.form);
    let mut latest = std::time::Duration::ZERO;
    let mut count = 0;
    for a in by_form {
        count += usize::from(latest > a.answered);
        latest = latest.max(a.sent);
    }
    count
}
