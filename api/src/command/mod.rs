//! One file a command.

mod audit;
mod backup;
mod bar;
mod copy;
mod explain;
mod key;
mod migrate;
mod openapi;
mod pairing;
mod quote;
mod reconcile;
mod regulation;
mod rehearse;
mod restore;
mod serve;
mod tournament;

use std::path::Path;

use api::failure::Failure;
use api::house::{self, OpenDesk};
use api::say;
use api::settings::{self, DeskSettings};

use crate::cli::{Cli, Command};

pub async fn run(cli: Cli) -> Result<(), Failure> {
    let config = cli.config.as_deref();
    match cli.command {
        Command::Serve => serve::run(config).await,
        Command::Migrate(json) => migrate::run(&desk_settings(config)?, json.json),
        Command::Key(command) => key::run(&open(config).await?, command).await,
        Command::Tournament(command) => tournament::run(&open(config).await?, command).await,
        Command::Quote(quote) => quote::run(&desk_settings(config)?, &quote.batch),
        Command::Regulation(command) => regulation::run(config, command).await,
        Command::Pairing(command) => pairing::run(command).await,
        Command::Rehearse(rehearse) => rehearse::run(rehearse).await,
        Command::Openapi => openapi::run(),
        Command::Audit(json) => audit::run(&open(config).await?, json.json).await,
        Command::Reconcile(asked) => reconcile::run(config, &asked).await,
        Command::Backup(asked) => backup::run(&desk_settings(config)?, &asked).await,
        Command::Restore(asked) => restore::run(&desk_settings(config)?, &asked).await,
        Command::Copy(asked) => copy::run(&desk_settings(config)?, &asked).await,
        Command::Explain(explain) => {
            explain::run(&open(config).await?, &explain.order, explain.json.json).await
        }
    }
}

fn desk_settings(config: Option<&Path>) -> Result<DeskSettings, Failure> {
    settings::for_desk(config, std::env::vars()).map_err(Failure::broken)
}

/// The desk of the settings, for a command that works on what is there already.
async fn open(config: Option<&Path>) -> Result<OpenDesk, Failure> {
    let settings = desk_settings(config)?;
    if !settings.has_database() {
        let place = &settings.database.url;
        let why =
            format!("{place}: there is no database; `enroc serve` or `enroc migrate` makes one");
        return Err(Failure::broken(why));
    }
    house::open(&settings).await
}

/// What is said where a database must be nobody else's.
fn in_use(place: &str) -> Failure {
    Failure::broken(format!("{place}: is in use; stop what serves it first"))
}

/// Prints a value as JSON on standard output.
fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    say!("{}", serde_json::to_string_pretty(value)?);
    Ok(())
}
