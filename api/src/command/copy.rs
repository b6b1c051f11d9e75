//! `enroc copy`: the desk from SQLite into PostgreSQL.

use api::failure::Failure;
use api::settings::DeskSettings;
use api::{aside, house, secret};
use store::{Settings, StoreError};

use super::{audit, bar, in_use};
use crate::cli::Copy;

const ROWS: &str = "{bar:40} {pos} of {len} rows, {eta} left";

pub async fn run(settings: &DeskSettings, asked: &Copy) -> Result<(), Failure> {
    let Some(key) = secret::existing(settings)? else {
        let path = secret::file(settings);
        let told = format!(
            "{}: the desk's secret is missing; say with --config or ENROC_DATA where the desk is",
            path.display()
        );
        return Err(Failure::broken(told));
    };
    let (from, to) = (Settings::new(&asked.from), Settings::new(&asked.to));
    let bar = bar::of(ROWS, asked.json.json);
    let copying = {
        let (from, to, bar) = (from.clone(), to.clone(), bar.clone());
        tokio::task::spawn_blocking(move || {
            store::transfer::copy(&from, &to, |done, all| {
                bar.set_length(all);
                bar.set_position(done);
            })
        })
    };
    let rows = copying.await.map_err(Failure::broken)?;
    let rows = rows.map_err(|error| match error {
        StoreError::Busy => in_use(&asked.from),
        // Without its address, which may hold a password.
        StoreError::TargetInUse => in_use("--to"),
        other => Failure::from(other),
    })?;
    bar.finish_and_clear();
    aside!("{rows} rows are copied. The audit of what arrived:");
    let there = DeskSettings {
        database: to,
        secret: Some(key),
        ..settings.clone()
    };
    audit::run(&house::open(&there).await?, asked.json.json).await?;
    aside!(
        "Set database.url, and desk.secret on every node; put {} away, for the desk is no longer there.",
        asked.from
    );
    Ok(())
}
