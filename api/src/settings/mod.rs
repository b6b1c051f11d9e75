//! Settings: defaults, then a TOML file, then the environment; checked as a whole, every fault told at once.

pub mod keys;

mod desk;
mod reader;
mod served;
mod service;
mod source;
mod telling;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;

use rules::Regulation;

pub use desk::{DeskSettings, LogFormat, LogSettings};
pub use service::ServiceSettings;

use reader::Reader;
use served::Served;
use source::Source;

/// One setting that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its name, or the file or variable that cannot be understood.
    pub setting: String,
    /// What is wrong.
    pub reason: String,
}

impl Fault {
    pub(crate) fn new(setting: impl Into<String>, reason: impl Into<String>) -> Fault {
        Fault {
            setting: setting.into(),
            reason: reason.into(),
        }
    }
}

/// Everything that is wrong with the settings. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsError(pub Vec<Fault>);

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the settings are wrong:")?;
        for fault in &self.0 {
            write!(f, "\n  {}: {}", fault.setting, fault.reason)?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}

/// The settings of every command.
///
/// # Errors
/// Every fault at once.
pub fn for_desk(
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<DeskSettings, SettingsError> {
    let mut reader = Reader::new(Source::read(file, environment));
    let desk = desk::read(&mut reader);
    finish(reader, Some(desk))
}

/// What `serve` is given.
pub struct Given {
    /// The desk.
    pub desk: DeskSettings,
    /// How it is served.
    pub service: ServiceSettings,
    /// The regulations of its files.
    pub files: Vec<Regulation>,
}

/// The settings of `serve`, which needs all of them, and the regulation files that they name. Needs a Tokio runtime around
/// it.
///
/// # Errors
/// Every fault at once.
pub async fn for_service(
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<Given, SettingsError> {
    let mut reader = Reader::new(Source::read(file, environment));
    let desk = desk::read(&mut reader);
    let served = Served::read(&mut reader, &desk).await;
    let service = service::read(&mut reader, &served);
    let given = service.map(|service| Given {
        desk,
        service,
        files: served.files,
    });
    finish(reader, given)
}

fn finish<T>(reader: Reader, settings: Option<T>) -> Result<T, SettingsError> {
    let faults = reader.into_faults();
    match settings {
        Some(settings) if faults.is_empty() => Ok(settings),
        _ => Err(SettingsError(faults)),
    }
}
