//! `enroc rehearse`: the whole service played through on one machine, and a tour of the main job through its public doors.

mod door;
pub mod examples;
mod mails;
mod payer;
mod receiver;
mod stage;
mod tour;

use std::path::PathBuf;
use std::time::Duration;

use crate::failure::Failure;
use crate::stop;
use crate::{aside, say};
use examples::Examples;
use stage::Stage;

/// The tour may not take longer: whoever waits for it must not wait for ever.
const LIMIT: Duration = Duration::from_secs(300);

/// How to rehearse.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Ends after the tour.
    pub tour_only: bool,
    /// Keeps the data here; in a temporary folder where none is named.
    pub data: Option<PathBuf>,
    /// Port of the REST door; 0 for a free one.
    pub port: u16,
    /// Port of the gRPC door; 0 for a free one.
    pub grpc_port: u16,
    /// Prints JSON lines.
    pub json: bool,
}

/// Rehearses: sets the stage, walks the tour, and stays up until asked to stop.
///
/// # Errors
/// Exit 1 where a step of the tour was wrong, 2 where the stage could not be set.
pub async fn run(options: Options) -> Result<(), Failure> {
    let temporary = tempfile::Builder::new()
        .prefix("enroc-rehearsal-")
        .tempdir()?;
    let data = options
        .data
        .clone()
        .unwrap_or_else(|| temporary.path().to_owned());
    let stage = Stage::build(&options, &data).await?;
    let outcome = tokio::select! {
        outcome = walk(&stage, &options) => outcome,
        () = say::unheard() => Ok(()),
    };
    if !options.tour_only {
        if let Err(failure) = &outcome {
            aside!("enroc: {failure}");
        }
        show(&stage, &data, options.json)?;
        tokio::select! {
            asked = stop::asked() => asked?,
            () = say::unheard() => {}
        }
    }
    stage.close().await?;
    outcome
}

async fn walk(stage: &Stage, options: &Options) -> Result<(), Failure> {
    if stage.used && options.tour_only {
        return Err(Failure::broken(
            "the data folder has a rehearsal already; the tour needs a new one",
        ));
    }
    if stage.used {
        return Ok(());
    }
    let walked = tokio::time::timeout(LIMIT, tour::walk(stage, options.json)).await;
    walked.unwrap_or_else(|_| {
        let limit = LIMIT.as_secs();
        Err(Failure::wrong(format!(
            "the tour was broken off after {limit} seconds"
        )))
    })
}

/// Where to try it by hand.
fn show(stage: &Stage, data: &std::path::Path, json: bool) -> Result<(), Failure> {
    let mails = data.join("mails");
    if json {
        let shown = serde_json::json!({
            "rest": stage.rest, "docs": format!("{}/v1/docs/", stage.rest), "grpc": stage.grpc,
            "sandbox": stage.sandbox.base_url(), "pairing": stage.pairing, "data": data, "mails": mails,
            "staff_key": stage.staff_key, "rules_key": stage.rules_key,
        });
        say!("{shown}");
        return Ok(());
    }
    let examples = Examples::at(&stage.rest, &stage.grpc)?;
    say!(
        "\nNow try it by hand; Ctrl-C ends it.\n\
         \n  REST, with a page to try it   {rest}/v1/docs/\
         \n  gRPC, with reflection         {grpc}\
         \n  cards, clock and faults       {sandbox}_sandbox/objects/payment_intents\
         \n  mails, with links to orders   {mails}\
         \n  data                          {data}\
         \n  key of the back office        {staff}\
         \n  key that asks for quotes      {rules}\n\
         \nA price, as anybody may ask it:\n\
         \n  {quote}\n\
         \nAn order; its answer has the token that opens it, and a mail with the link comes into the folder:\n\
         \n  {order}\n\
         \nAnother one over gRPC:\n\
         \n  {message}\n\
         \nWhat happened, as the back office sees it:\n\
         \n  curl -s {rest}/v1/staff/tournaments/ciutat-barcelona-2026/journal -H 'authorization: Bearer {staff}'\n",
        quote = examples.quote,
        order = examples.order,
        message = examples.message,
        rest = stage.rest,
        grpc = stage.grpc,
        sandbox = stage.sandbox.base_url(),
        mails = mails.display(),
        data = data.display(),
        staff = stage.staff_key,
        rules = stage.rules_key,
    );
    Ok(())
}
