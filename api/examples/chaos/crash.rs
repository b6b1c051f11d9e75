//! Crash points, one by one: a process is told to end itself at a named point, and the next is started in its place.

use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use domain::CRASH_POINTS;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use sandbox::{ApiFault, Control, Trouble, When};

use crate::Result;
use crate::node::Node;
use crate::torment::{Stormed, Tally};

/// A point that is not passed within this is never passed.
const LIMIT: Duration = Duration::from_secs(240);
/// So that what a crash left behind is found before the next.
const BREATH: Duration = Duration::from_secs(2);
/// SIGABRT: it ended itself, and nobody ended it.
const ABORTED: i32 = 6;

/// What a list is looked through for: the outcome of a call whose key the gateway has spent on a failure.
const SPENT: [(&str, &str); 3] = [
    ("ListCheckoutSession", "checkout.sessions.create"),
    ("ListPaymentIntent", "payment_intents.create"),
    ("ListRefund", "refunds.create"),
];
/// How often such a call fails, where its list is the point.
const AGAIN: Duration = Duration::from_secs(3);

/// Goes through all points in an order that the seed says, or through one. Wrong is a point that nobody comes to, and an end
/// that nobody asked for.
pub async fn each_point(
    seed: u64,
    mut nodes: Vec<Node>,
    gateway: &Control,
    only: Option<&str>,
) -> Result<Stormed> {
    let mut random = StdRng::seed_from_u64(seed ^ 0x5555);
    let mut names: Vec<String> = CRASH_POINTS
        .iter()
        .map(|(when, what)| format!("{when} {what}"))
        .filter(|name| only.is_none_or(|only| only == name))
        .collect();
    if names.is_empty() {
        return Err(format!("there is no crash point {}", only.unwrap_or_default()).into());
    }
    names.shuffle(&mut random);
    let (mut tally, mut wrong) = (Tally::new(), Vec::new());
    for (number, name) in names.iter().enumerate() {
        let place = random.random_range(0..nodes.len());
        let node = &mut nodes[place];
        node.kill()?;
        node.revive_with(&[("CRASH_AT", name.clone())])?;
        let begun = Instant::now();
        let mut failed = None;
        let ended = loop {
            if failed.is_none_or(|at: Instant| at.elapsed() > AGAIN) {
                spend_keys(gateway, name);
                failed = Some(Instant::now());
            }
            match node.ended()? {
                None if begun.elapsed() < LIMIT => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                ended => break ended,
            }
        };
        match ended {
            Some(status) if status.signal() == Some(ABORTED) => {
                *tally.entry("crashes").or_default() += 1;
                eprintln!("{}/{} crashed {name}", number + 1, names.len());
            }
            Some(status) => wrong.push(format!("a process ended by itself: {status}")),
            None => {
                eprintln!("{}/{} nobody came to {name}", number + 1, names.len());
                wrong.push(format!("nobody comes to the crash point {name}"));
            }
        }
        node.kill()?;
        node.revive()?;
        tokio::time::sleep(BREATH).await;
    }
    Ok(Stormed {
        nodes,
        tally,
        wrong,
    })
}

/// Has the call fail that leads to a list, where a list is the point.
fn spend_keys(gateway: &Control, point: &str) {
    let of_list = SPENT.iter().find(|(list, _)| point.ends_with(list));
    if let Some((_, call)) = of_list {
        gateway.fail(ApiFault {
            operation: (*call).to_owned(),
            trouble: Trouble::ServerError,
            when: When::AfterEffect,
            times: 1,
        });
    }
}
