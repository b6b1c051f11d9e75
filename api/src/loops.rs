//! The loops that call the steps: by their timer, and when woken. A step that fails is logged, and the loop goes on.

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use notifier::Notifier;
use payments::{Inbox, Reconciler, Walker};
use registration::Desk;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::clock::MachineClock;
use crate::measure;
use crate::stop::Stop;

/// Payments that one look of the reconciler takes.
const LOOKED_AT: usize = 50;

/// How far back the walk through the gateway goes, in seconds: as long as Stripe repeats a webhook.
const WALKED: i64 = 3 * 24 * 60 * 60;

/// A step that failed is tried again after so long at most.
const RETRY: Duration = Duration::from_secs(60);

/// A loop that is woken all the time begins no two steps nearer to each other than this.
const BREATH: Duration = Duration::from_millis(50);

/// What the loops work on.
pub(crate) struct Works {
    pub desk: Desk,
    pub clock: Arc<MachineClock>,
    pub notifier: Notifier,
    pub gateway: Option<GatewayWorks>,
}

/// What the loops work on where cards are taken.
pub(crate) struct GatewayWorks {
    pub inbox: Inbox,
    /// Wakes the inbox.
    pub arrived: Arc<Notify>,
    pub reconciler: Reconciler,
    pub walker: Arc<Walker>,
}

/// Starts every loop; they end after the step under way once the stop signal is given.
pub(crate) fn start(works: Works, stop: &Stop) -> JoinSet<()> {
    let Works {
        desk,
        clock,
        notifier,
        gateway,
    } = works;
    let mut loops = JoinSet::new();

    let holds = desk.clone();
    loops.spawn(every(
        "expire",
        Duration::from_secs(2),
        vec![clock.moved(), desk.changed()],
        stop.clone(),
        async move || keep_time(&holds).await,
    ));
    let versions = desk.clone();
    loops.spawn(every(
        "versions",
        Duration::from_secs(2),
        vec![],
        stop.clone(),
        async move || versions.step_versions().await.map(drop),
    ));
    let openings = desk.clone();
    loops.spawn(every(
        "openings",
        Duration::from_secs(15),
        vec![],
        stop.clone(),
        async move || openings.step_openings().await.map(drop),
    ));
    let refunds = desk.clone();
    loops.spawn(every(
        "refunds",
        Duration::from_secs(2),
        vec![desk.changed()],
        stop.clone(),
        async move || refunds.step_refunds().await.map(drop),
    ));
    loops.spawn(every(
        "metrics",
        Duration::from_secs(5),
        vec![],
        stop.clone(),
        async || {
            measure::fold();
            Ok::<_, Infallible>(())
        },
    ));
    if let Some(gateway) = gateway {
        of_gateway(gateway, &desk, stop, &mut loops);
    }
    let (changed, wake) = (desk.changed(), notifier.wake());
    loops.spawn(pass_on(changed, wake, stop.clone()));
    let stopped = stop.clone();
    loops.spawn(async move { notifier.run(stopped.wait()).await });
    loops
}

/// Those that need a gateway.
fn of_gateway(works: GatewayWorks, desk: &Desk, stop: &Stop, loops: &mut JoinSet<()>) {
    let GatewayWorks {
        inbox,
        arrived,
        reconciler,
        walker,
    } = works;
    let walking = desk.clone();
    loops.spawn(every(
        "walk",
        Duration::from_secs(60 * 60),
        vec![],
        stop.clone(),
        async move || walk(&walker, &walking).await,
    ));
    loops.spawn(every(
        "inbox",
        Duration::from_secs(2),
        vec![arrived],
        stop.clone(),
        async move || {
            while inbox.step().await? > 0 {}
            Ok::<_, domain::Problem>(())
        },
    ));
    loops.spawn(every(
        "reconcile",
        Duration::from_secs(10),
        vec![],
        stop.clone(),
        async move || reconciler.step(LOOKED_AT).await.map(drop),
    ));
}

/// What the desk clock brings about: holds run out, unpaid orders are priced anew, and once play begins no money waits for a
/// seat any more.
async fn keep_time(desk: &Desk) -> Result<(), domain::Problem> {
    desk.step_expire().await?;
    desk.step_reprice().await?;
    desk.step_unseated().await.map(drop)
}

/// Goes through what the gateway holds of the last days, and says what is not ours.
async fn walk(walker: &Walker, desk: &Desk) -> Result<(), domain::Problem> {
    let walked = walker
        .walk(desk.clock().wall().plus_seconds(-WALKED))
        .await?;
    for finding in &walked.findings {
        let (reference, what) = (&finding.reference, finding.what);
        tracing::warn!(
            reference,
            what,
            "the gateway holds what belongs to no order"
        );
    }
    measure::findings(walked.findings.len());
    if walked.repaired > 0 {
        tracing::warn!(
            rows = walked.repaired,
            "written for what no webhook told of"
        );
    }
    Ok(())
}

/// Calls a step over and over: whenever it is woken, and at least once a period.
async fn every<E: Error + 'static>(
    name: &'static str,
    period: Duration,
    wakers: Vec<Arc<Notify>>,
    stop: Stop,
    step: impl AsyncFn() -> Result<(), E>,
) {
    while !stop.stopped() {
        // Who wakes while the step runs is heard after it.
        let mut woken: Vec<_> = wakers
            .iter()
            .map(|waker| Box::pin(waker.notified()))
            .collect();
        for waker in &mut woken {
            waker.as_mut().enable();
        }
        let begun = Instant::now();
        let mut rest = period;
        if let Err(error) = step().await {
            rest = rest.min(RETRY);
            metrics::counter!("enroc_step_failures_total", "loop" => name).increment(1);
            let error = domain::chain(&error);
            tracing::error!(error, "loop" = name, "a step failed; the loop goes on");
        }
        tokio::select! {
            () = stop.clone().wait() => return,
            () = any(&mut woken) => {}
            () = tokio::time::sleep(rest) => {}
        }
        tokio::time::sleep_until(begun + BREATH).await;
    }
}

async fn any<F: Future<Output = ()> + Unpin>(futures: &mut [F]) {
    if futures.is_empty() {
        std::future::pending::<()>().await;
    }
    futures_util::future::select_all(futures.iter_mut()).await;
}

async fn pass_on(from: Arc<Notify>, to: Arc<Notify>, stop: Stop) {
    while !stop.stopped() {
        tokio::select! {
            () = stop.clone().wait() => return,
            () = from.notified() => to.notify_one(),
        }
    }
}
