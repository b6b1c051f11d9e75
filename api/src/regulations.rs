//! Regulation files: found, read, taken in. A file with an error is refused with its line and reason.

use std::path::{Path, PathBuf};

use domain::{OrganiserId, TournamentId};
use registration::{Desk, TakenIn};
use rules::Regulation;
use store::tournaments;

use crate::failure::Failure;

/// The regulations that come with the program: file name and text.
pub const EMBEDDED: &[(&str, &str)] = &[
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

/// The files of these paths, each with its text: a file itself, a folder's `*.toml` by name.
///
/// # Errors
/// Where a path cannot be read.
pub fn read(paths: &[PathBuf]) -> Result<Vec<(String, String)>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        for file in files(path)? {
            let text = std::fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?;
            found.push((file.display().to_string(), text));
        }
    }
    Ok(found)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::broken(format!("{}: {error}", path.display()))
}

/// Parses every text; all faults of all files are told at once.
///
/// # Errors
/// One `file:line: reason` a line.
pub fn parse<'a>(
    texts: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<Regulation>, Failure> {
    let (mut regulations, mut faults) = (Vec::new(), Vec::new());
    for (file, text) in texts {
        match Regulation::parse(file, text, 1) {
            Ok(regulation) => regulations.push(regulation),
            Err(error) => faults.push(error.to_string()),
        }
    }
    if faults.is_empty() {
        Ok(regulations)
    } else {
        Err(Failure::broken(format!("refused:\n{}", faults.join("\n"))))
    }
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
                tracing::info!(%tournament, hash, "a regulation is published as version 1")
            }
            TakenIn::Same => tracing::info!(%tournament, "the regulation is the published one"),
            TakenIn::Differs => {
                tracing::warn!(%tournament, hash, "the file differs from the published version, which is served");
            }
        }
    }
    Ok(())
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
