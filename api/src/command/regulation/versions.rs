//! `enroc regulation versions`: what was published when, by whom and why.

use std::io::Write;

use api::failure::Failure;
use api::house::OpenDesk;
use api::say;
use domain::{Actor, TournamentId};
use serde_json::{Value, json};
use store::versions::Version;

use super::print_json;

/// Versions read at once.
const PAGE: i64 = 200;

pub async fn run(open: &OpenDesk, tournament: &TournamentId, json: bool) -> Result<(), Failure> {
    let (mut shown, mut after) = (Vec::new(), 0);
    loop {
        let page = open.desk.published_versions(tournament, after, PAGE);
        let page = page.await?;
        let Some(last) = page.last() else { break };
        after = last.version;
        for version in &page {
            if json {
                shown.push(as_json(version));
            } else {
                print(version);
            }
        }
    }
    if json { print_json(&shown) } else { Ok(()) }
}

/// Prints the text of one, byte for byte.
pub async fn text(open: &OpenDesk, tournament: &TournamentId, number: i32) -> Result<(), Failure> {
    let (_, published) = open.desk.published_version(tournament, number).await?;
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(published.source.as_bytes()) {
        say::lose(error);
    }
    Ok(())
}

fn who(actor: &Actor) -> String {
    match actor {
        Actor::Staff(key) => key.clone(),
        Actor::Operator => "operator".to_owned(),
        Actor::Payer => "payer".to_owned(),
        Actor::Timer => "timer".to_owned(),
        Actor::Gateway(name) => name.clone(),
    }
}

fn as_json(version: &Version) -> Value {
    json!({
        "version": version.version, "hash": version.hash, "language": version.language,
        "published_at": version.published_at, "actor": version.actor, "reason": version.reason,
    })
}

fn print(version: &Version) {
    let short = version.hash.get(..12).unwrap_or(&version.hash);
    let line = format!(
        "{:>3}  {short}  {}  {}  {}",
        version.version,
        version.published_at,
        who(&version.actor),
        version.reason
    );
    say!("{}", line.trim_end());
}
