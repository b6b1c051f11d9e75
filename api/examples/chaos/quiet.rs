//! After the storm: everything is let go its way, and looked at until it is right or the time is over.

use std::time::{Duration, Instant};

use serde_json::Value;
use store::StoreError;
use tokio::task::JoinSet;

use crate::checks::{self, Evidence};
use crate::client::{Client, Diary};
use crate::node::Node;
use crate::world::World;
use crate::{Options, Result};

/// A webhook that is right has come through after so many.
const ATTEMPTS: u32 = 4;

/// What came out.
pub struct Outcome {
    /// What the clients did.
    pub diaries: Vec<Diary>,
    /// What is wrong.
    pub violations: Vec<String>,
    /// Orders there are.
    pub orders: usize,
    /// Mails that came, repeats among them.
    pub mails: usize,
    /// Charges at the gateway.
    pub charges: usize,
    /// Disputes there.
    pub disputes: usize,
    /// How long it took until it was quiet.
    pub quiet: Duration,
}

/// Waits, asks once more for everything, ends the processes, and looks at what is there.
pub async fn settle(
    world: &World,
    nodes: &mut [Node],
    options: &Options,
    seed: u64,
    diaries: Vec<(u32, Diary)>,
) -> Result<Outcome> {
    let begun = Instant::now();
    for node in nodes.iter_mut() {
        node.revive()?;
    }
    // Refunds and payments that take their time, and webhooks that wait for their next attempt.
    world.around.gateway.advance(Duration::from_secs(90));
    let mut violations = Vec::new();
    violations.extend(reconcile(world)?.err());
    let mut again = JoinSet::new();
    for (name, diary) in diaries {
        let street = world.street.clone();
        again.spawn(Client::once_more(seed ^ 0x3333, name, street, diary));
    }
    let diaries = again.join_all().await;
    for diary in &diaries {
        violations.extend(diary.wrong.iter().cloned());
    }
    let desk = world.desk().await?;
    let mut evidence;
    loop {
        evidence = Evidence::gather(world, &desk.desk, &diaries).await?;
        let busy = busy(world, &desk.desk).await?;
        let wrong = checks::lasting(&evidence);
        if busy.is_none() && wrong.is_empty() {
            break;
        }
        if begun.elapsed().as_secs() > options.rest {
            violations.extend(busy);
            violations.extend(wrong);
            break;
        }
        world.around.gateway.advance(Duration::from_secs(2));
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    let quiet = begun.elapsed();
    for node in nodes.iter_mut() {
        if !node.end()? {
            violations.push("a process did not end as it should".to_owned());
        }
    }
    evidence = Evidence::gather(world, &desk.desk, &diaries).await?;
    violations.extend(checks::always(&evidence));
    match reconcile(world)? {
        Ok(0) => {}
        Ok(rows) => violations.push(format!("enroc reconcile writes {rows} rows, twice")),
        Err(what) => violations.push(what),
    }
    let audit = world.program.run(&["audit"])?;
    if !audit.status.success() {
        violations.push(format!(
            "enroc audit: {}{}",
            String::from_utf8_lossy(&audit.stdout),
            String::from_utf8_lossy(&audit.stderr)
        ));
    }
    violations.sort();
    violations.dedup();
    Ok(Outcome {
        orders: evidence.orders().count(),
        mails: evidence.mails.values().map(Vec::len).sum(),
        charges: evidence.charges.len(),
        disputes: evidence.disputes.len(),
        diaries,
        violations,
        quiet,
    })
}

/// Compares the books with what the gateway holds, as the processes do every hour, and mends what no webhook told of: how
/// many journal rows that took, or what is not the desk's.
fn reconcile(world: &World) -> Result<std::result::Result<i64, String>> {
    let walked = world.program.run(&["reconcile", "--json"])?;
    let said: Value = serde_json::from_slice(&walked.stdout).unwrap_or_default();
    Ok(match said["repaired"].as_i64() {
        Some(rows) if walked.status.success() => Ok(rows),
        _ => Err(format!(
            "enroc reconcile: {said}{}",
            String::from_utf8_lossy(&walked.stderr)
        )),
    })
}

/// What still waits to be sent or acted on.
async fn busy(world: &World, desk: &registration::Desk) -> Result<Option<String>> {
    // One that is refused again and again was forged by a fault, and is repaired from the gateway's objects.
    let waiting = world.around.gateway.waiting();
    let waiting = waiting
        .iter()
        .filter(|hook| hook.attempts < ATTEMPTS)
        .count();
    let backlog = desk.store().read(|c| {
        let (open, dead) = store::deliveries::backlog(c)?;
        let (events, dead_events) = store::gateway_events::backlog(c)?;
        Ok::<_, StoreError>((open, dead, events, dead_events))
    });
    let (open, dead, events, dead_events) = backlog.await?;
    let still = waiting > 0 || open > 0 || events > 0 || dead > 0 || dead_events > 0;
    Ok(still.then(|| {
        format!(
            "not quiet: {waiting} webhooks wait, {open} deliveries are open and {dead} given up, {events} events are open and {dead_events} given up"
        )
    }))
}
