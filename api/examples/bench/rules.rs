//! `cargo xtask bench rules`: the engine over every regulation of the project, and what a thousand of them cost to load
//! and to keep.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use domain::{EntryRequest, QuoteRequest, UtcTime};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::numbers::{self, Sorted, Verdict, micros};
use crate::{Result, process};

/// Where regulations are, and cases of them.
const FOLDERS: [&str; 2] = ["regulations", "rules/tests/fixtures/regulations"];
const CASES: [&str; 2] = [
    "rules/tests/fixtures/seed-cases.jsonl",
    "rules/tests/fixtures/regulation-cases.jsonl",
];
/// How many are loaded and kept.
const LOADED: usize = 1_000;
/// The most that a quote under the largest regulation takes, in microseconds.
const MOST_QUOTE: f64 = 2.0;
/// The most that all of them take to load, in milliseconds.
const MOST_LOAD: f64 = 1_000.0;

/// How it is measured.
#[derive(Args)]
pub struct Options {
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Rounds of each regulation, of which the median counts
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// Milliseconds of one round
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    millis: u64,
}

/// One regulation of the project.
#[derive(Serialize)]
struct Measured {
    tournament: String,
    bytes: usize,
    /// Different quotes asked in turn, each of somebody who is let in.
    quotes: usize,
    quote_micros: f64,
}

/// A case of a fee; others are passed over.
#[derive(Deserialize)]
struct Case {
    tournament: String,
    at: UtcTime,
    entries: Vec<EntryRequest>,
}

/// Measures, and prints; whether all of it is good.
pub fn measure(options: &Options) -> Result<bool> {
    let texts = texts()?;
    let cases = cases()?;
    let mut measured = Vec::new();
    for (path, text) in &texts {
        let regulation = Regulation::parse(&path.display().to_string(), text, 1)?;
        let tournament = regulation.tournament().to_string();
        let asked = cases.get(&tournament).map_or(&[][..], Vec::as_slice);
        let is_let_in = |request: &&QuoteRequest| rules::quote(&regulation, request).eligible;
        let asked: Vec<&QuoteRequest> = asked.iter().filter(is_let_in).collect();
        if !asked.is_empty() {
            measured.push(Measured {
                bytes: text.len(),
                quotes: asked.len(),
                quote_micros: quote(&regulation, &asked, options),
                tournament,
            });
        }
    }
    measured.sort_by_key(|one| std::cmp::Reverse(one.bytes));
    let largest = measured.first().ok_or("no regulation has a case")?;

    let before = process::memory("self", "VmRSS")?;
    let begun = Instant::now();
    let kept: Vec<Regulation> = (0..LOADED)
        .map(|number| {
            let (path, text) = &texts[number % texts.len()];
            Ok(Regulation::parse(&path.display().to_string(), text, 1)?)
        })
        .collect::<Result<_>>()?;
    let loaded = numbers::millis(begun.elapsed());
    let after = process::memory("self", "VmRSS")?;
    let bytes = after.saturating_sub(before) / LOADED as u64;
    drop(black_box(kept));

    let quote = format!(
        "{:.2} µs; less than {MOST_QUOTE} wanted",
        largest.quote_micros
    );
    let load = format!("{loaded:.0} ms; less than {MOST_LOAD} wanted");
    let verdicts = [
        Verdict::less(
            format!("a quote under the largest, {}", largest.tournament),
            largest.quote_micros,
            MOST_QUOTE,
            quote,
        ),
        Verdict::less(
            format!("{LOADED} regulations loaded"),
            loaded,
            MOST_LOAD,
            load,
        ),
    ];
    let good = verdicts.iter().all(Verdict::is_good);
    if options.json {
        let all = json!({
            "machine": numbers::machine(), "numbers": verdicts, "regulations": measured, "bytes_of_one": bytes,
        });
        println!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(good);
    }
    for one in &measured {
        println!(
            "{:24} {:>6} bytes  {:>3} quotes  {:>6.2} µs each",
            one.tournament, one.bytes, one.quotes, one.quote_micros
        );
    }
    println!(
        "\na regulation keeps {:.1} KiB resident\n",
        bytes as f64 / 1024.0
    );
    numbers::print(&verdicts);
    Ok(good)
}

/// The regulation files of the project.
fn texts() -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let files = std::fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))?;
        for file in files {
            let path = file?.path();
            let text = std::fs::read_to_string(&path)?;
            found.push((path, text));
        }
    }
    found.sort();
    Ok(found)
}

/// What is asked, by tournament.
fn cases() -> Result<BTreeMap<String, Vec<QuoteRequest>>> {
    let mut found: BTreeMap<String, Vec<QuoteRequest>> = BTreeMap::new();
    for file in CASES {
        let text =
            std::fs::read_to_string(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
        for case in text
            .lines()
            .filter_map(|line| serde_json::from_str::<Case>(line).ok())
        {
            found
                .entry(case.tournament)
                .or_default()
                .push(QuoteRequest {
                    paid_at: None,
                    received_at: None,
                    currency: None,
                    taken: domain::Taken::new(),
                    others: domain::Others::default(),
                    at: case.at,
                    entries: case.entries,
                    standing: Vec::new(),
                });
        }
    }
    Ok(found)
}

/// Microseconds a quote, on one core.
fn quote(regulation: &Regulation, asked: &[&QuoteRequest], options: &Options) -> f64 {
    let round = Duration::from_millis(options.millis);
    let rounds = (0..options.rounds).map(|_| {
        let (begun, mut times) = (Instant::now(), 0_u32);
        while begun.elapsed() < round {
            for request in asked {
                black_box(rules::quote(regulation, black_box(request)));
                times += 1;
            }
        }
        micros(begun.elapsed()) / f64::from(times)
    });
    Sorted::of(rounds).median()
}
