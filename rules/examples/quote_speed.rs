//! How long the engine takes for a quote, on each regulation of the project: `cargo run --release -p rules --example
//! quote_speed`. The request is made once, so that only the engine is measured.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use domain::{EntryRequest, QuoteRequest};
use rules::{Regulation, quote};

const PLAYER: &str = r#"{"section": "A", "entrant": {"name": "Puig, Ona", "sex": "f", "birth_date": "2012-03-04", "federation": "ESP", "rating": 2250, "licences": ["FIDE", "FEDA", "FCE"], "previous_participant": true}}"#;
const TEAM: &str = r#"{"section": "primario", "team": {"name": "A", "institution": "I.E. Prueba", "coach": "C. Rojas", "roster": [{"name": "Ana Quispe", "sex": "f", "level": "primary"}, {"name": "Beto Huamán", "sex": "m", "level": "primary"}, {"name": "Carla Rojas", "sex": "f", "level": "primary"}, {"name": "Dino Flores", "sex": "m", "level": "primary"}]}}"#;

const CASES: [(&str, &str, &str); 3] = [
    ("ciutat-barcelona-2026", "2026-07-01T12:00:00Z", PLAYER),
    ("ellobregat-2026", "2026-11-15T12:00:00Z", PLAYER),
    ("hermanos-rojas-2019", "2019-02-10T12:00:00Z", TEAM),
];

fn main() -> Result<(), Box<dyn Error>> {
    const TIMES: u32 = 200_000;
    for (id, at, entry) in CASES {
        let name = format!("regulations/{id}.toml");
        let regulation = Regulation::parse(&name, &std::fs::read_to_string(&name)?, 1)?;
        let entry: EntryRequest = serde_json::from_str(entry)?;
        let request = QuoteRequest {
            paid_at: None,
            received_at: None,
            currency: None,
            taken: domain::Taken::new(),
            others: domain::Others::default(),
            at: at.parse()?,
            entries: vec![entry],
            standing: Vec::new(),
        };
        let answer = quote(&regulation, &request);
        let started = Instant::now();
        for _ in 0..TIMES {
            black_box(quote(&regulation, black_box(&request)));
        }
        let each = started.elapsed() / TIMES;
        println!(
            "{id}: {each:?} a quote (total {}, eligible {})",
            answer.total, answer.eligible
        );
    }
    Ok(())
}
