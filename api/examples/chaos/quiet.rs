//! After the storm: everything is let go its way, and looked at until it is right or the time is over.

use std::sync::Arc;
use std::time::{Duration, Instant};

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
    resend(world)?;
    let mut violations = Vec::new();
    let mut again = JoinSet::new();
    for (name, diary) in diaries {
        let (doors, gateway) = (Arc::clone(&world.doors), world.sandbox.control());
        again.spawn(Client::once_more(
            seed ^ 0x3333,
            name,
            doors,
            gateway,
            diary,
        ));
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
    for _ in nodes.iter() {
        let audit = world.program.run(&["audit"])?;
        if !audit.status.success() {
            violations.push(format!(
                "enroc audit: {}{}",
                String::from_utf8_lossy(&audit.stdout),
                String::from_utf8_lossy(&audit.stderr)
            ));
        }
    }
    violations.sort();
    violations.dedup();
    Ok(Outcome {
        orders: evidence.orders().count(),
        mails: evidence.mails.values().map(Vec::len).sum(),
        charges: evidence.charges.len(),
        diaries,
        violations,
        quiet,
    })
}

/// What the gateway said about refunds it says once more: a refund whose webhook was lost is looked at only an hour later.
fn resend(world: &World) -> Result {
    let gateway = &world.around.gateway;
    for event in gateway.objects("events")? {
        let about = event["type"].as_str().unwrap_or_default();
        if let (true, Some(id)) = (about.starts_with("refund."), event["id"].as_str()) {
            gateway.resend(id)?;
        }
    }
    Ok(())
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
