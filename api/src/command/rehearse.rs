//! `enroc rehearse`.

use api::failure::Failure;
use api::logs;
use api::rehearse::{self, Options};
use api::settings::{LogFormat, LogSettings};

use crate::cli::Rehearse;

pub async fn run(asked: Rehearse) -> Result<(), Failure> {
    // The table is what is to be read; the log speaks up where something is odd.
    logs::start(&LogSettings {
        format: LogFormat::Text,
        filter: std::env::var("ENROC_LOG_FILTER").unwrap_or_else(|_| "warn".to_owned()),
    });
    let options = Options {
        tour_only: asked.tour,
        data: asked.data,
        port: asked.port,
        grpc_port: asked.grpc_port,
        json: asked.json.json,
    };
    rehearse::run(options).await
}
