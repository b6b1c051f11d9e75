//! The log: one event a line on standard error. Ids and codes go into it, names and addresses never.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::settings::{LogFormat, LogSettings};

/// Starts the log of the process; a second start changes nothing.
pub fn start(settings: &LogSettings) {
    let filter = EnvFilter::try_new(&settings.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        // Where standard error cannot be written, to say so there would end the thread that logs.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    let started = match settings.format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(error, "the log runs already");
    }
}
