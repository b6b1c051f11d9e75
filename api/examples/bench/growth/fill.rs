//! A desk with a thousand orders, each of which came in through its door, and one with many more of them.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde_json::Value;
use tokio::task::JoinSet;

use super::begin;
use crate::home::{Engine, Home};
use crate::http::{self, Connection};
use crate::payer::{self, Payer, Ticket};
use crate::process::Service;
use crate::{Result, question, till};

/// Orders that come in through the doors.
pub const ORDERS: u64 = 1_000;
/// Half of them are for this tournament, which has seats for everybody.
pub const LARGE: &str = "growth-2054";
/// The others are spread over so many, of which every second one is full.
const OTHERS: u64 = 20;
/// The seats of a full one: four in five have one, the others wait.
const SEATS: u64 = ORDERS / 2 / OTHERS * 4 / 5;
/// The most that a regulation may say.
const ENOUGH: &str = "1_000_000";
/// Nobody's hold ends while this is measured.
const HOLD: &str = "72h";
const PAYERS: u64 = 8;
/// After so long something hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// One where everybody after the first waits.
pub const FULL: &str = "growth-2-2054";

fn others() -> impl Iterator<Item = (u64, String)> {
    (1..=OTHERS).map(|number| (number, format!("growth-{number}-2054")))
}

fn full() -> impl Iterator<Item = String> {
    others()
        .filter(|(number, _)| number % 2 == 0)
        .map(|(_, id)| id)
}

/// The tournament of an order.
fn tournament(number: u64) -> String {
    match number % 2 {
        0 => LARGE.to_owned(),
        _ => format!("growth-{}-2054", number / 2 % OTHERS + 1),
    }
}

/// A desk with a thousand orders, whose audit finds nothing, and a key of its back office.
pub async fn a_thousand(
    program: &Path,
    database: Engine,
    bar: &ProgressBar,
) -> Result<(Home, String)> {
    begin(bar, ORDERS, "a thousand orders come in");
    let mut home = Home::fresh(program, database)?;
    let sandbox = till::open()?;
    till::stands_in(&sandbox, &mut home);
    home.add_regulation(LARGE, &question::copy(LARGE, ENOUGH, HOLD)?)?;
    for (number, id) in others() {
        let seats = if number % 2 == 0 {
            "\"organiser\""
        } else {
            ENOUGH
        };
        home.add_regulation(&id, &question::copy(&id, seats, HOLD)?)?;
    }
    let service = home.serve()?;
    till::tells(&sandbox, &service);
    for id in full() {
        home.run(&["tournament", "open", &id, "--capacity", &SEATS.to_string()])?;
    }
    let key = home.run(&[
        "key", "add", "--label", "growth", "--role", "admin", "--json",
    ])?;
    let key: Value = serde_json::from_str(&key)?;
    let key = payer::text(&key, "key").to_owned();

    let mut payers = JoinSet::new();
    for first in 0..PAYERS {
        let gateway = sandbox.base_url().to_owned();
        let (numbers, bar) = ((first..ORDERS).step_by(PAYERS as usize), bar.clone());
        payers.spawn(come_in(
            service.rest,
            gateway,
            http::bearer(&key),
            numbers,
            bar,
        ));
    }
    while let Some(done) = payers.join_next().await {
        done??;
    }
    quiet(&service).await?;
    drop(service);
    sandbox.stop().await;
    home.run(&["audit"])?;
    Ok((home, key))
}

/// Registers orders one after the other, and does with each what happens to orders.
async fn come_in(
    desk: SocketAddr,
    gateway: String,
    staff: String,
    numbers: impl Iterator<Item = u64>,
    bar: ProgressBar,
) -> Result {
    let mut payer = Payer::open(desk, &gateway).await?;
    for number in numbers {
        let ticket = payer.register(&tournament(number), number).await?;
        if ticket.status == "held" {
            happens(&mut payer, &ticket, &staff, number).await?;
        }
        bar.inc(1);
    }
    Ok(())
}

/// Most pay and are confirmed. Where there are seats for everybody, one in ten is cancelled unpaid, one in ten is
/// cancelled by the organiser and given back, and one in ten stays held.
async fn happens(payer: &mut Payer, ticket: &Ticket, staff: &str, number: u64) -> Result {
    let full = full().any(|id| id == tournament(number));
    let turn = if full { 0 } else { number / 2 / OTHERS % 10 };
    match turn {
        7 => return Ok(()),
        8 => {
            let path = format!("{}/cancellation", ticket.order);
            let head = format!("{}{}", payer::key("cancel", number), ticket.bearer);
            payer.post(&path, &head, "{}").await?;
            return Ok(());
        }
        _ => {}
    }
    payer.pay(ticket, number).await?;
    payer.until_confirmed(ticket).await?;
    if turn == 9 {
        let order = ticket.order.replace("/v1/", "/v1/staff/");
        let head = format!("{}{staff}", payer::key("annul", number));
        let reason = r#"{"reason":"the hall is needed"}"#;
        payer
            .post(&format!("{order}/cancellation"), &head, reason)
            .await?;
        payer.until_given_back(ticket).await?;
    }
    Ok(())
}

/// Waits until everybody is told and the gateway's inbox is empty.
async fn quiet(service: &Service) -> Result {
    let (begun, mut still) = (Instant::now(), 0);
    while still < 3 {
        if begun.elapsed() > PATIENCE {
            return Err("mails or webhooks do not come to an end".into());
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut connection = Connection::open(service.rest).await?;
        let seen = connection.ask(&http::get("/metrics", "")).await?;
        let seen = String::from_utf8_lossy(seen.body);
        let idle = |line| seen.lines().any(|seen| seen == line);
        let idle = idle(r#"enroc_deliveries{state="open"} 0"#)
            && idle(r#"enroc_gateway_events{state="open"} 0"#);
        still = if idle { still + 1 } else { 0 };
    }
    Ok(())
}

/// A copy of it with so many orders; how long they took.
pub async fn many_more(home: &Home, orders: u64, bar: &ProgressBar) -> Result<(Home, Duration)> {
    let large = home.copy()?;
    let times = orders / ORDERS;
    begin(bar, times * ORDERS, "many more are written");
    let (settings, moving) = (store::Settings::new(large.database()), bar.clone());
    let begun = Instant::now();
    let growing = tokio::task::spawn_blocking(move || {
        store::testing::grow(&settings, times.cast_signed(), |done| {
            moving.set_position(done.cast_unsigned() * ORDERS);
        })
    });
    growing.await??;
    let took = begun.elapsed();
    for id in full() {
        let seats = (SEATS * times).to_string();
        large.run(&["tournament", "open", &id, "--capacity", &seats])?;
    }
    Ok((large, took))
}
