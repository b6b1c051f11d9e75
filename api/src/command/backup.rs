//! `enroc backup`: one file that holds the desk, written while it is served.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use api::archive::{self, folder_of};
use api::clock::MachineClock;
use api::failure::Failure;
use api::settings::DeskSettings;
use api::{say, secret};
use domain::Clock;
use indicatif::ProgressBar;
use registration::Secret;
use serde_json::json;
use store::Settings;
use tempfile::TempDir;

use super::{bar, print_json};
use crate::cli::Backup;

const BYTES: &str = "{bar:40} {bytes} of {total_bytes} {msg}, {eta} left";

pub async fn run(settings: &DeskSettings, asked: &Backup) -> Result<(), Failure> {
    let place = &settings.database.url;
    let Some(source) = place.strip_prefix("sqlite:") else {
        return Err(Failure::broken(on_postgres(place)));
    };
    let about = std::fs::metadata(source).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::broken(format!("{place}: there is no database")),
        _ => Failure::from(error).about(place),
    })?;
    if asked.file.exists() {
        let told = format!("{}: is there already", asked.file.display());
        return Err(Failure::broken(told));
    }
    let Some(secret) = secret::existing(settings)? else {
        return Err(secret::missing(settings));
    };
    let at = MachineClock::default().wall();
    let bar = bar::of(BYTES, asked.json.json);
    // A folder, as SQLite writes more than one file; it goes whatever happens.
    let folder = TempDir::new_in(folder_of(&asked.file))
        .map_err(|error| Failure::from(error).about(&asked.file.display()))?;
    let copied = folder.path().join("enroc.db");
    bar.set_message("copied");
    bar.set_length(about.len());
    copy(settings, &copied, &bar).await?;

    let place = Settings::new(format!("sqlite:{}", copied.display()));
    let mark = tokio::task::spawn_blocking(move || store::secret_marks::at(&place)).await;
    let mark = mark.map_err(Failure::broken)??;
    if mark.is_some_and(|mark| mark != Secret::new(secret).mark()) {
        return Err(secret::not_this_desks(settings));
    }
    let database = File::open(&copied)?;
    let bytes = database.metadata()?.len();
    bar.set_message("packed");
    bar.set_length(bytes);
    bar.set_position(0);
    let content = bar.wrap_read(database);
    archive::pack(&asked.file, (content, bytes), &secret, at)?;
    bar.finish_and_clear();
    if asked.json.json {
        return print_json(&json!({ "file": asked.file, "at": at, "database_bytes": bytes }));
    }
    say!(
        "{} holds the desk as of {at}. Keep it where only you can read it.",
        asked.file.display()
    );
    Ok(())
}

/// The copy is one statement of the database; how far it is shows in the length of what it writes.
async fn copy(settings: &DeskSettings, to: &Path, bar: &ProgressBar) -> Result<(), Failure> {
    let (database, target) = (settings.database.clone(), to.to_owned());
    let mut copy = tokio::task::spawn_blocking(move || store::backup::snapshot(&database, &target));
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    loop {
        tokio::select! {
            done = &mut copy => return Ok(done.map_err(Failure::broken)??),
            _ = tick.tick() => bar.set_position(std::fs::metadata(to).map_or(0, |file| file.len())),
        }
    }
}

/// What takes a backup of PostgreSQL, with the password left to whoever types it.
fn on_postgres(url: &str) -> String {
    format!(
        "the desk is on PostgreSQL, which makes its own backups, online too:\n  \
         pg_dump --format=custom --file=enroc.dump '{}'\n\
         Back at a new database: pg_restore --no-owner --exit-on-error --dbname=URL enroc.dump, then enroc audit.\n\
         For any instant, a base backup with its WAL (pg_basebackup, archive_mode).\n\
         Keep the desk's secret apart from it: desk.secret, or the file `secret` in the data folder.",
        without_password(url)
    )
}

fn without_password(url: &str) -> String {
    let (address, options) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgres", address));
    let address = match rest.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split_once(':').map_or(user, |(user, _)| user);
            format!("{scheme}://{user}@{host}")
        }
        None => address.to_owned(),
    };
    let options: Vec<&str> = options
        .split('&')
        .filter(|option| !option.is_empty() && !option.contains("password="))
        .collect();
    match options.is_empty() {
        true => address,
        false => format!("{address}?{}", options.join("&")),
    }
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn no_password_is_told() {
        for (url, told) in [
            ("postgres://u:p@h:1/d", "postgres://u@h:1/d"),
            ("postgres://u:p:@q@h/d", "postgres://u@h/d"),
            ("postgresql://h/d", "postgresql://h/d"),
            (
                "postgres:///d?host=/run&password=p&user=u",
                "postgres:///d?host=/run&user=u",
            ),
            ("postgres:///d?sslpassword=p", "postgres:///d"),
        ] {
            assert_eq!(without_password(url), told);
        }
    }
}
