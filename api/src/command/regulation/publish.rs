//! `enroc regulation publish`: what it would change, a word of consent, and the next version.

mod report;

use std::io::{self, BufRead, IsTerminal};

use api::failure::Failure;
use api::house::OpenDesk;
use api::say;
use domain::{Actor, Kind, Problem};
use registration::{By, Preview, Publication};
use rules::Regulation;
use rules::check::{Severity, checked};
use serde_json::json;

use super::check::{Looked, count, print};
use super::{limits, print_json};
use crate::cli::Publish;
use crate::command::bar;

pub async fn run(open: &OpenDesk, asked: &Publish) -> Result<(), Failure> {
    let name = asked.file.display();
    let text = std::fs::read_to_string(&asked.file)
        .map_err(|error| Failure::broken(format!("{name}: {error}")))?;
    let file = Regulation::parse(&name.to_string(), &text, 1).map_err(Failure::wrong)?;
    let preview = preview(open, asked, &file).await?;
    if !asked.json.json {
        print(&asked.file, &Looked::Findings(preview.findings.clone()));
        report::print(&file, &preview);
    }
    let refused = refused(asked, &file, &preview);
    if preview.is_same() || asked.dry_run || refused.is_some() {
        if asked.json.json {
            print_json(&as_json(&file, &preview, None))?;
        }
        return refused.map_or(Ok(()), Err);
    }
    consent(asked, &file, &preview)?;
    let (id, by) = (file.tournament(), by(asked));
    let what = registration::Publish {
        source: text,
        replaces: preview.replaces,
    };
    let published = open.desk.publish(&by, id, what).await;
    let (publication, _) = published.map_err(failure)?;
    if asked.json.json {
        return print_json(&as_json(&file, &preview, Some(&publication)));
    }
    let version = publication.version;
    say!("{id}: version {version} counts for every order from now on.");
    Ok(())
}

fn by(asked: &Publish) -> By {
    By {
        reason: asked.reason.clone().unwrap_or_default(),
        ..By::actor(Actor::Operator)
    }
}

/// A text that is refused is wrong; anything else could not be done.
fn failure(problem: Problem) -> Failure {
    match problem.kind() {
        Kind::Invalid | Kind::IllegalState | Kind::Conflict => Failure::wrong(problem),
        _ => problem.into(),
    }
}

async fn preview(open: &OpenDesk, asked: &Publish, file: &Regulation) -> Result<Preview, Failure> {
    let id = file.tournament();
    if open.desk.regulation(id).is_err() {
        let why = "this desk has no such tournament; `enroc serve` publishes the file of a new one as version 1";
        return Err(Failure::broken(format!("{id}: {why}")));
    }
    let bar = bar::of("{bar:40} {pos} of {len} forms, {eta} left", asked.json.json);
    let progress = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let text = file.source().to_owned();
    let told = open.desk.preview(&by(asked), id, text, progress).await;
    bar.finish_and_clear();
    let mut preview = told.map_err(failure)?;
    // No gateway stands beside a command: what it can charge is known all the same.
    preview.findings = checked(file, &limits).findings;
    Ok(preview)
}

/// Why it cannot be published, if it cannot.
fn refused(asked: &Publish, file: &Regulation, preview: &Preview) -> Option<Failure> {
    let is_error = |f: &&rules::check::Finding| f.severity == Severity::Error;
    let errors = preview.findings.iter().filter(is_error).count();
    if errors > 0 {
        return Some(Failure::wrong(count(errors, "error")));
    }
    if preview.is_same() {
        return None;
    }
    if !preview.obstacles.is_empty() {
        return Some(Failure::wrong(
            "the orders that stand do not allow it, see above",
        ));
    }
    let stands = preview.replaces;
    let other = asked.replaces.filter(|version| *version != stands);
    other.map(|version| {
        let id = file.tournament();
        Failure::wrong(format!(
            "{id}: version {stands} is published, not {version}"
        ))
    })
}

/// Somebody at a terminal says yes; elsewhere `--yes` must have said it.
fn consent(asked: &Publish, file: &Regulation, preview: &Preview) -> Result<(), Failure> {
    if asked.yes {
        return Ok(());
    }
    if asked.json.json || !io::stdin().is_terminal() {
        return Err(Failure::broken(
            "nothing is published: there is nobody to ask, so say --yes",
        ));
    }
    let (id, version) = (file.tournament(), preview.replaces + 1);
    say::ask(format_args!(
        "Publish it as version {version} of {id}? [y/N]"
    ));
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Failure::wrong("nothing is published")),
    }
}

fn as_json(
    file: &Regulation,
    preview: &Preview,
    published: Option<&Publication>,
) -> serde_json::Value {
    json!({
        "tournament": file.tournament(), "currency": file.currency(), "replaces": preview.replaces, "hash": preview.hash,
        "same": preview.is_same(), "publishable": preview.may_be_published(),
        "published": published.map(|publication| publication.version),
        "findings": preview.findings, "obstacles": preview.obstacles, "prices": preview.prices, "clauses": preview.clauses,
        "terms": preview.terms,
        "seats": preview.seats, "firsts": preview.firsts, "closes_entry": preview.closes_entry, "touched": preview.touched,
    })
}
