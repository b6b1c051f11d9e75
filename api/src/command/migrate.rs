//! `enroc migrate`.

use api::failure::Failure;
use api::say;
use api::settings::DeskSettings;
use serde_json::json;

use super::print_json;

pub fn run(settings: &DeskSettings, json: bool) -> Result<(), Failure> {
    if settings.database.url.starts_with("sqlite:") {
        api::secret::of_desk(settings)?;
    }
    let done = store::migrate(&settings.database)?;
    if json {
        return print_json(&json!({ "migrated": done }));
    }
    match done.as_slice() {
        [] => say!("The database is up to date."),
        versions => say!("Migrated: {}", versions.join(", ")),
    }
    Ok(())
}
