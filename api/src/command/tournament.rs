//! `enroc tournament`: opening, and how the seats stand.

use api::failure::Failure;
use api::house::OpenDesk;
use api::say;
use domain::{Actor, Language};
use registration::{By, SectionCount};
use rules::Regulation;
use serde_json::{Value, json};
use store::tournaments;

use super::print_json;
use crate::cli::TournamentCommand;

pub async fn run(open: &OpenDesk, command: TournamentCommand) -> Result<(), Failure> {
    match command {
        TournamentCommand::Open {
            tournament,
            capacity,
            reason,
        } => {
            let by = By {
                reason,
                ..By::actor(Actor::Operator)
            };
            open.desk
                .open_tournament(&by, &tournament, capacity)
                .await?;
            say!("{tournament} is open for {capacity} entries.");
            Ok(())
        }
        TournamentCommand::List(json) => list(open, json.json).await,
    }
}

async fn list(open: &OpenDesk, json: bool) -> Result<(), Failure> {
    let mut shown = Vec::new();
    for regulation in open.desk.tournaments() {
        let id = regulation.tournament().clone();
        let seats = open.desk.seats(&id).await?;
        let row = open
            .desk
            .store()
            .read(move |c| tournaments::find(c, &id))
            .await?;
        let capacity = row.and_then(|row| row.capacity);
        if json {
            shown.push(as_json(&regulation, capacity, &seats));
        } else {
            print(&regulation, capacity, &seats);
        }
    }
    if json { print_json(&shown) } else { Ok(()) }
}

fn as_json(regulation: &Regulation, capacity: Option<i64>, seats: &[SectionCount]) -> Value {
    json!({
        "id": regulation.tournament(), "name": regulation.name(), "version": regulation.reference().version,
        "hash": regulation.reference().hash, "capacity": capacity, "closes": regulation.closes(), "sections": seats,
    })
}

fn print(regulation: &Regulation, capacity: Option<i64>, seats: &[SectionCount]) {
    let name = regulation.name().in_language(Language::En);
    say!("{}: {name}", regulation.tournament());
    if let Some(capacity) = capacity {
        say!("  opened for {capacity} entries");
    }
    for seat in seats {
        let section = seat.section.as_ref().map_or("not placed", |s| s.as_str());
        let counts: Vec<String> = seat
            .counts
            .iter()
            .map(|(status, n)| format!("{n} {}", status.as_str()))
            .collect();
        let counts = if counts.is_empty() {
            "no entries".to_owned()
        } else {
            counts.join(", ")
        };
        let free = seat
            .free
            .map_or("no figure for free seats".to_owned(), |free| {
                format!("{free} free")
            });
        say!("  {section}: {counts}; {free}");
    }
}
