//! `enroc reconcile`: the books compared with what the gateway holds.

use std::path::Path;
use std::sync::Arc;

use api::failure::Failure;
use api::house::House;
use api::say;
use api::settings::{self, Given};
use domain::Money;
use payments::Walked;

use super::print_json;
use crate::cli::Reconcile;

const DAY: i64 = 24 * 60 * 60;

pub async fn run(config: Option<&Path>, asked: &Reconcile) -> Result<(), Failure> {
    let given = settings::for_service(config, std::env::vars()).await;
    let Given {
        desk,
        service,
        files,
    } = given.map_err(Failure::broken)?;
    let (house, _) = House::build(&desk, &service, String::new(), Arc::default(), files).await?;
    let walked = house.reconcile(asked.days * DAY).await?;
    if asked.json.json {
        print_json(&walked)?;
    } else {
        print(&walked);
    }
    match walked.findings.len() {
        0 => Ok(()),
        n => Err(Failure::wrong(format!(
            "{n} things at the gateway belong to no order"
        ))),
    }
}

fn print(walked: &Walked) {
    for finding in &walked.findings {
        let currency = finding.currency.and_then(|code| code.parse().ok());
        let sum = finding.amount.zip(currency);
        let sum = sum.map_or_else(String::new, |(amount, currency)| {
            format!(", {}", Money::new(amount, currency))
        });
        say!("{}: {}{sum}", finding.reference, finding.what);
    }
    say!(
        "{} payments, refunds and disputes at the gateway, {} journal rows written for what was missing",
        walked.objects,
        walked.repaired
    );
}
