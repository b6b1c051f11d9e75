//! Straight SQL on the database that the service has just left: `store/examples/straight`, a process of its own.

use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Result;
use crate::home::Home;
use crate::numbers::Sorted;

/// How an order is written.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// Statement by statement, on PostgreSQL in seven round trips.
    Statements,
    /// All in one.
    OneStatement,
}

#[derive(Deserialize)]
struct Told {
    orders_before: u64,
    micros: Vec<f64>,
}

/// One round of it, or the medians of several.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Straight {
    pub per_second: f64,
    half_committed_within_micros: f64,
    ninety_nine_in_a_hundred_within_micros: f64,
}

impl Straight {
    /// The medians of these rounds, if there are any.
    pub fn median(rounds: impl Iterator<Item = Straight>) -> Option<Straight> {
        let rounds: Vec<Straight> = rounds.collect();
        let median = |of: fn(&Straight) -> f64| Sorted::of(rounds.iter().map(of)).median();
        (!rounds.is_empty()).then(|| Straight {
            per_second: median(|round| round.per_second),
            half_committed_within_micros: median(|round| round.half_committed_within_micros),
            ninety_nine_in_a_hundred_within_micros: median(|round| {
                round.ninety_nine_in_a_hundred_within_micros
            }),
        })
    }
}

/// How many orders stood before, and how fast as many clients write.
pub fn measure(
    home: &Home,
    tournaments: &[String],
    clients: u64,
    length: Duration,
    manner: Manner,
) -> Result<(u64, Straight)> {
    let ask = json!({
        "url": home.database(), "tournaments": tournaments, "clients": clients,
        "millis": u64::try_from(length.as_millis())?, "manner": manner,
    });
    let program = std::env::current_exe()?.with_file_name("straight");
    let done = Command::new(&program).arg(ask.to_string()).output();
    let done = done.map_err(|error| format!("{}: {error}", program.display()))?;
    if !done.status.success() {
        let complaint = String::from_utf8_lossy(&done.stderr);
        return Err(format!("straight SQL: {complaint}").into());
    }
    let told: Told = serde_json::from_slice(&done.stdout)?;
    let times = Sorted::of(told.micros);
    let straight = Straight {
        per_second: times.count() as f64 / length.as_secs_f64(),
        half_committed_within_micros: times.median(),
        ninety_nine_in_a_hundred_within_micros: times.rank(99),
    };
    Ok((told.orders_before, straight))
}
