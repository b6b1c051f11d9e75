//! Settings: defaults, then a TOML file, then the environment; checked as a whole, every fault told at once.

pub mod keys;

mod desk;
mod reader;
mod service;
mod source;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;

pub use desk::{DeskSettings, LogFormat, LogSettings};
pub use service::ServiceSettings;

use reader::Reader;
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
    finish(reader, desk)
}

/// The settings of `serve`, which needs all of them.
///
/// # Errors
/// Every fault at once.
pub fn for_service(
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<(DeskSettings, ServiceSettings), SettingsError> {
    let mut reader = Reader::new(Source::read(file, environment));
    let desk = desk::read(&mut reader);
    let service = service::read(&mut reader);
    finish(reader, desk.zip(service))
}

fn finish<T>(reader: Reader, settings: Option<T>) -> Result<T, SettingsError> {
    let faults = reader.into_faults();
    match settings {
        Some(settings) if faults.is_empty() => Ok(settings),
        _ => Err(SettingsError(faults)),
    }
}
