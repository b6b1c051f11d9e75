//! Load: clients that ask, each the next as soon as it has an answer.

use std::future::Future;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::Result;
use crate::process::Process;

/// What is not counted at the beginning of a round.
const WARM_UP: Duration = Duration::from_millis(300);

/// One that asks, over and over.
pub trait Client: Send + 'static {
    /// Asks once; anything but the answer that is expected is an error.
    fn ask(&mut self) -> impl Future<Output = Result> + Send;
}

/// One round.
pub struct Round {
    /// Answers a second.
    pub per_second: f64,
    /// Processor time that the server took for each, in microseconds.
    pub processor_micros: f64,
    /// Microseconds within which half, and 99 in 100, were answered.
    pub half_micros: f64,
    /// See `half_micros`.
    pub most_micros: f64,
}

/// Has all clients ask a server for a while.
pub async fn round<C: Client>(
    server: &Process,
    clients: Vec<C>,
    length: Duration,
) -> Result<Round> {
    let from = Instant::now() + WARM_UP;
    let until = from + length;
    let mut asking = JoinSet::new();
    for client in clients {
        asking.spawn(ask_until(client, from, until));
    }
    tokio::time::sleep_until(from.into()).await;
    let before = server.processor_time()?;
    tokio::time::sleep_until(until.into()).await;
    let spent = server.processor_time()?.saturating_sub(before);
    let mut times = Vec::new();
    while let Some(asked) = asking.join_next().await {
        times.extend(asked??);
    }
    times.sort_unstable();
    let answered = u32::try_from(times.len())?;
    let rank = |hundredths: usize| times.get(times.len().saturating_sub(1) * hundredths / 100);
    let micros = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e6);
    Ok(Round {
        per_second: f64::from(answered) / length.as_secs_f64(),
        processor_micros: spent.as_secs_f64() * 1e6 / f64::from(answered.max(1)),
        half_micros: micros(rank(50)),
        most_micros: micros(rank(99)),
    })
}

/// The times of the answers that came between the two instants.
async fn ask_until<C: Client>(
    mut client: C,
    from: Instant,
    until: Instant,
) -> Result<Vec<Duration>> {
    let mut times = Vec::with_capacity(16_384);
    let mut begun = Instant::now();
    while begun < until {
        client.ask().await?;
        let now = Instant::now();
        if (from..until).contains(&now) {
            times.push(now - begun);
        }
        begun = now;
    }
    Ok(times)
}
