//! What is asked: the price of one typical player in group A of Ciutat de Barcelona, who holds every licence and enters
//! early, so that the answer has a fee, a reduction, and a fact to check.

use std::fmt::Display;

use domain::{EntryRequest, QuoteRequest};
use proto::rules::v1::{
    EntryRequest as EntryMessage, Player, QuoteRequest as QuoteMessage, Sex, entry_request::Who,
};
use rules::Regulation;
use serde_json::{Value, json};

use crate::Result;

/// The tournament asked about.
pub const TOURNAMENT: &str = "ciutat-barcelona-2026";
/// The regulation, from the project's folder.
const FILE: &str = "regulations/ciutat-barcelona-2026.toml";

/// The regulation with every date 28 years later, when the days of the week are the same again: its window for entries
/// is open whenever this runs.
pub fn regulation_text() -> Result<String> {
    let text = std::fs::read_to_string(FILE).map_err(|error| format!("{FILE}: {error}"))?;
    Ok(text.replace("2026-", "2054-"))
}

/// The same under another id, with so many seats (or `"organiser"`), each kept unpaid for so long (`24h`).
pub fn copy(id: &str, seats: impl Display, hold: &str) -> Result<String> {
    let mut text = regulation_text()?;
    let changes = [
        (format!("\"{TOURNAMENT}\""), format!("\"{id}\"")),
        ("= \"24h\"".to_owned(), format!("= \"{hold}\"")),
        ("= \"organiser\"".to_owned(), format!("= {seats}")),
    ];
    for (from, to) in changes {
        if text.matches(&from).count() != 1 {
            return Err(format!("{FILE}: {from} should stand there once").into());
        }
        text = text.replace(&from, &to);
    }
    Ok(text)
}

/// A player as the REST door reads one. Each `number` is somebody else.
fn entrant(number: u64) -> Value {
    json!({
        "name": format!("Puig Soler, Ona {number}"), "fide_id": 20_000_000 + number, "sex": "f",
        "birth_date": "2020-03-04", "federation": "ESP", "rating": 2050, "licences": ["FIDE", "FEDA", "FCE"],
        "club": "Club d'Escacs Enroc",
    })
}

/// The body of a quote at the REST door.
pub fn rest() -> String {
    json!({ "entries": [{ "section": "A", "entrant": entrant(0) }] }).to_string()
}

/// The body of an order at the REST door. Each `number` is another payer and player.
pub fn order(number: u64) -> String {
    json!({
        "payer": {
            "name": "Soler Vila, Marta", "email": format!("payer{number}@example.org"), "language": "ca",
            "consents": ["bases", "images"],
        },
        "entries": [{ "section": "A", "entrant": entrant(number) }],
    })
    .to_string()
}

/// The same quote at the gRPC door.
pub fn grpc() -> QuoteMessage {
    let player = Player {
        name: Some("Puig Soler, Ona 0".to_owned()),
        fide_id: Some(20_000_000),
        sex: Sex::Female.into(),
        birth_date: "2020-03-04".to_owned(),
        federation: "ESP".to_owned(),
        rating: Some(2050),
        licences: ["FIDE", "FEDA", "FCE"].map(str::to_owned).to_vec(),
        club: Some("Club d'Escacs Enroc".to_owned()),
        ..Player::default()
    };
    QuoteMessage {
        tournament: TOURNAMENT.to_owned(),
        at: None,
        entries: vec![EntryMessage {
            section: Some("A".to_owned()),
            who: Some(Who::Entrant(player)),
        }],
        ..QuoteMessage::default()
    }
}

/// The same quote for the engine, with its regulation.
pub fn engine() -> Result<(Regulation, QuoteRequest)> {
    let regulation = Regulation::parse(FILE, &regulation_text()?, 1)?;
    let entry: EntryRequest =
        serde_json::from_value(json!({ "section": "A", "entrant": entrant(0) }))?;
    let request = QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: domain::Taken::new(),
        others: domain::Others::default(),
        at: "2054-07-01T12:00:00Z".parse()?,
        entries: vec![entry],
        standing: Vec::new(),
    };
    Ok((regulation, request))
}
