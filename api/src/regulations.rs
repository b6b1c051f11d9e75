//! Regulation files: found, read, taken in. A file with an error is refused with its line and reason.

use std::path::{Path, PathBuf};

use domain::{OrganiserId, TournamentId};
use registration::{Desk, TakenIn};
use rules::Regulation;
use rules::check::{Limits, Severity, check};
use store::tournaments;

use crate::failure::Failure;

/// The texts that come with the program, by their file's name.
const EMBEDDED: &[(&str, &str)] = &[
    (
        "ciutat-barcelona-2026.toml",
        include_str!("../../regulations/ciutat-barcelona-2026.toml"),
    ),
    (
        "ellobregat-2026.toml",
        include_str!("../../regulations/ellobregat-2026.toml"),
    ),
    (
        "hermanos-rojas-2019.toml",
        include_str!("../../regulations/hermanos-rojas-2019.toml"),
    ),
];

/// The regulations of these paths: of a file itself, of a folder's `*.toml` by name.
///
/// # Errors
/// Every file that cannot be read, and every fault of every text (`file:line: reason`).
pub fn load(paths: &[PathBuf]) -> Result<Vec<Regulation>, Vec<String>> {
    let (mut regulations, mut faults) = (Vec::new(), Vec::new());
    let unreadable = |file: &Path, error: &std::io::Error| format!("{}: {error}", file.display());
    for path in paths {
        let found = files(path).unwrap_or_else(|error| {
            faults.push(unreadable(path, &error));
            Vec::new()
        });
        for file in found {
            let name = file.display().to_string();
            match std::fs::read_to_string(&file) {
                Err(error) => faults.push(unreadable(&file, &error)),
                Ok(text) => match Regulation::parse(&name, &text, 1) {
                    Ok(regulation) => regulations.push(regulation),
                    Err(error) => faults.extend(error.to_string().lines().map(str::to_owned)),
                },
            }
        }
    }
    if faults.is_empty() {
        Ok(regulations)
    } else {
        Err(faults)
    }
}

fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path)?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    Ok(files)
}

/// The regulations that come with the program.
///
/// # Errors
/// Never, as long as they are right.
pub fn embedded() -> Result<Vec<Regulation>, Failure> {
    let parse = |(file, text): &(&str, &str)| {
        Regulation::parse(file, text, 1).map_err(|error| Failure::broken(&error))
    };
    EMBEDDED.iter().map(parse).collect()
}

/// Takes in what the database has published and no file brings, then the files.
///
/// # Errors
/// Where the database fails or holds a regulation that this program cannot read.
pub async fn take_in(
    desk: &Desk,
    organiser: OrganiserId,
    files: Vec<Regulation>,
) -> Result<(), Failure> {
    for (published, of) in published(desk).await? {
        desk.take_in(of, published).await?;
    }
    for file in files {
        let (tournament, hash) = (file.tournament().clone(), file.reference().hash.clone());
        match desk.take_in(organiser, file).await? {
            TakenIn::New => {
                tracing::info!(%tournament, hash = &*hash, "a regulation is published as version 1");
                warn_of_errors(&*desk.regulation(&tournament)?);
            }
            TakenIn::Same => tracing::info!(%tournament, "the regulation is the published one"),
            TakenIn::Differs => {
                tracing::warn!(%tournament, hash = &*hash, "the file differs from the published version, which is served");
            }
        }
    }
    Ok(())
}

/// A first version is published as it is: what `check` finds wrong in it is told, so that it is published anew.
fn warn_of_errors(regulation: &Regulation) {
    let findings = check(regulation, &Limits::ANY_SUM);
    for finding in findings.iter().filter(|f| f.severity == Severity::Error) {
        let tournament = regulation.tournament();
        tracing::warn!(%tournament, line = finding.line, code = finding.code, "`enroc regulation check` finds this wrong");
    }
}

/// Every tournament of the database in its published version.
async fn published(desk: &Desk) -> Result<Vec<(Regulation, OrganiserId)>, Failure> {
    let rows = desk.store().read(|c| {
        let mut rows = Vec::new();
        for tournament in tournaments::all(c)? {
            if let Some(published) = tournaments::published(c, &tournament.id, tournament.version)?
            {
                rows.push((tournament.id, tournament.organiser, published));
            }
        }
        Ok::<_, store::StoreError>(rows)
    });
    let read = |(id, of, published): (TournamentId, OrganiserId, tournaments::Published)| {
        let regulation = Regulation::parse(id.as_str(), &published.source, published.version)
            .map_err(Failure::broken)?;
        Ok((regulation, of))
    };
    rows.await?.into_iter().map(read).collect()
}
