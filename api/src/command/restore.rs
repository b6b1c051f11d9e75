//! `enroc restore`: a backup checked, put in place, and audited.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use api::archive::{self, Unpacked, folder_of, sync_folder};
use api::failure::Failure;
use api::settings::DeskSettings;
use api::{aside, house, secret};
use store::StoreError;

use super::{audit, bar, in_use};
use crate::cli::Restore;

const BYTES: &str = "{bar:40} {bytes} of {total_bytes} unpacked, {eta} left";

pub async fn run(settings: &DeskSettings, asked: &Restore) -> Result<(), Failure> {
    let place = &settings.database.url;
    let Some(database) = place.strip_prefix("sqlite:").map(PathBuf::from) else {
        return Err(Failure::broken(
            "the desk is on PostgreSQL: restore a dump with pg_restore, or restore this file on SQLite and take it there with \
             enroc copy",
        ));
    };
    let named = |what: &dyn std::fmt::Display| format!("{}: {what}", asked.file.display());
    let file = File::open(&asked.file).map_err(|error| Failure::broken(named(&error)))?;
    let bar = bar::of(BYTES, asked.json.json);
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(Failure::broken(named(&"it is a folder")));
    }
    bar.set_length(about.len());

    let there = there(settings, &database);
    if !asked.replace
        && let Some(path) = there.first()
    {
        return Err(Failure::broken(format!(
            "{}: is there already; --replace keeps it aside and takes its place",
            path.display()
        )));
    }
    secret::make_folder(&settings.data)?;
    let unpacked = archive::unpack(bar.wrap_read(file), &asked.file, folder_of(&database))?;
    bar.finish_and_clear();
    store::backup::revive(unpacked.database.path())
        .map_err(|error| Failure::wrong(named(&Failure::from(error))))?;
    if settings
        .secret
        .is_some_and(|known| known != unpacked.secret)
    {
        return Err(Failure::broken(
            "desk.secret is not the secret of this backup: the links of its mails and its codes would be void",
        ));
    }
    // A database that is damaged may be replaced too.
    let taken = match store::backup::take(&settings.database) {
        Err(StoreError::Busy) => return Err(in_use(place)),
        taken => taken.ok(),
    };
    set_aside(&there)?;
    put(settings, unpacked, &database)?;
    drop(taken);
    for path in there.iter().map(|path| replaced(path)) {
        if path.exists() {
            aside!("What was there is {}", path.display());
        }
    }
    audit::run(&house::open(settings).await?, asked.json.json).await
}

/// What is here already, of the database, what SQLite writes beside it, and the secret.
fn there(settings: &DeskSettings, database: &Path) -> Vec<PathBuf> {
    let ends = ["", "-wal", "-shm"].map(|end| with_end(database, end));
    let secret = settings.secret.is_none().then(|| secret::file(settings));
    let all = ends.into_iter().chain(secret);
    all.filter(|path| path.exists()).collect()
}

/// The database's own three files stay a database: `enroc.db.replaced`, `enroc.db.replaced-wal`.
fn replaced(path: &Path) -> PathBuf {
    let name = path.display().to_string();
    for end in ["-wal", "-shm"] {
        if let Some(database) = name.strip_suffix(end) {
            return PathBuf::from(format!("{database}.replaced{end}"));
        }
    }
    with_end(path, ".replaced")
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

fn set_aside(there: &[PathBuf]) -> Result<(), Failure> {
    if let Some(taken) = there
        .iter()
        .map(|path| replaced(path))
        .find(|path| path.exists())
    {
        return Err(Failure::broken(format!(
            "{}: is there from an earlier restore; take it away first",
            taken.display()
        )));
    }
    for path in there.iter().filter(|path| path.exists()) {
        std::fs::rename(path, replaced(path))?;
    }
    Ok(())
}

/// The database comes last: without it there is no desk, so a restore that is broken off is seen and done again.
fn put(settings: &DeskSettings, unpacked: Unpacked, database: &Path) -> Result<(), Failure> {
    if settings.secret.is_none() {
        secret::keep(settings, &unpacked.secret)?;
        sync_folder(&settings.data)?;
    }
    unpacked.database.as_file().sync_all()?;
    let fail = |error: tempfile::PersistError| Failure::from(error.error);
    unpacked
        .database
        .persist_noclobber(database)
        .map_err(fail)?;
    Ok(sync_folder(folder_of(database))?)
}
