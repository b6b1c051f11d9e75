//! `enroc regulation new`: a file from a few questions.

mod answers;
mod asking;

use std::fs::File;
use std::io::Write;
use std::path::Path;

use api::archive::folder_of;
use api::clock::MachineClock;
use api::failure::Failure;
use api::say;
use domain::{Clock, Language, TournamentId};
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use rules::check::{Finding, Severity, checked};
use rules::{Draft, DraftSection, Regulation};

use super::check::{Looked, print};
use super::limits;
use crate::cli::New;
use asking::Asking;

pub fn run(asked: &New) -> Result<(), Failure> {
    let (file, name) = (&asked.file, asked.file.display());
    if file.exists() {
        return Err(Failure::broken(format!("{name}: is there already")));
    }
    let folder = folder_of(file);
    if !folder.is_dir() {
        let why = format!("{name}: there is no folder {}", folder.display());
        return Err(Failure::broken(why));
    }
    let mut asking = Asking::about(begun(file)?, asked.yes);
    answers::all(&mut asking, asked)?;
    let draft = asking.draft;
    let mut findings = sound(&draft).map_err(Failure::wrong)?;
    put(file, &draft.write()).map_err(|error| Failure::from(error).about(&name))?;
    // What is left to write, the articles first of all, is said at once.
    findings.retain(|finding| !["article_missing", "to_be_written"].contains(&finding.code));
    if !findings.is_empty() {
        print(file, &Looked::Findings(findings));
    }
    tell(file, &draft);
    Ok(())
}

/// What is taken where nothing is answered.
fn begun(file: &Path) -> Result<Draft, Failure> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let id = stem.replace(|c| !plain(c), "-");
    let id: TournamentId = id.parse().map_err(|_| {
        let why = "a file is named after its tournament, in at most 64 letters: open-2027.toml";
        Failure::broken(format!("{}: {why}", file.display()))
    })?;
    let zone = TimeZone::get("Europe/Madrid").map_err(Failure::broken)?;
    let euro = "EUR".parse().map_err(Failure::broken)?;
    let section = DraftSection {
        id: "A".parse().map_err(Failure::broken)?,
        under: None,
        fee: answers::usual_fee(euro),
    };
    let today = MachineClock::default()
        .wall()
        .timestamp()
        .to_zoned(zone.clone())
        .date();
    Ok(Draft::new(id, section, (zone, euro), saturday(today)))
}

/// A Saturday about three months from a day.
fn saturday(today: Date) -> Date {
    let soon = today.saturating_add(90.days());
    soon.nth_weekday(1, Weekday::Saturday).unwrap_or(soon)
}

/// What `check` warns of; its errors are why a draft cannot be written.
fn sound(draft: &Draft) -> Result<Vec<Finding>, String> {
    let regulation = Regulation::parse("draft", &draft.write(), 1).map_err(|error| {
        let reasons: Vec<String> = error.faults.into_iter().map(|f| f.reason).collect();
        reasons.join("; ")
    })?;
    let findings = checked(&regulation, &limits).findings;
    let wrong = findings
        .iter()
        .find(|finding| finding.severity == Severity::Error);
    let Some(wrong) = wrong else {
        return Ok(findings);
    };
    let message = wrong.message.in_language(Language::En);
    Err(match &wrong.example {
        Some(example) => format!("{message} For example: {example}"),
        None => message.to_owned(),
    })
}

/// Writes a new file, or none.
fn put(file: &Path, text: &str) -> std::io::Result<()> {
    let mut made = File::create_new(file)?;
    made.write_all(text.as_bytes())
        .and_then(|()| made.sync_all())
        .inspect_err(|_| drop(std::fs::remove_file(file)))
}

fn tell(file: &Path, draft: &Draft) {
    let name = file.display();
    say!("{name} is written. What is left to write in it is marked TODO.\n");
    say!("What it lacks:           enroc regulation check {name}");
    say!("What it says, in words:  enroc regulation show {name}");
    say!("Its fees, as a poster:   enroc regulation table {name}");
    if draft.seats.is_none() {
        say!(
            "Once it is served, what opens entry: enroc tournament open {} --capacity N",
            draft.id
        );
    }
}
