//! What `/metrics` shows: requests and their times at both doors, queues and backlogs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Instant;

use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use store::{Lane, Store, deliveries, gateway_events};

const SECONDS: &[f64] = &[
    0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// The process's measurements; the first call starts them.
pub fn start() -> &'static Option<PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let suffix = Matcher::Suffix("_seconds".to_owned());
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(suffix, SECONDS)
            .ok()?;
        let handle = builder.install_recorder().ok()?;
        describe();
        Some(handle)
    })
}

fn describe() {
    metrics::describe_counter!(
        "enroc_requests_total",
        "Answered requests, by door, method, route and status."
    );
    metrics::describe_histogram!(
        "enroc_request_seconds",
        "Time until the answer, by door and route."
    );
    metrics::describe_counter!("enroc_step_failures_total", "Steps of a loop that failed.");
    metrics::describe_gauge!(
        "enroc_writes_waiting",
        "Writes that wait for the database, by lane."
    );
    metrics::describe_gauge!(
        "enroc_deliveries",
        "Deliveries by state: open ones, and dead letters."
    );
    metrics::describe_gauge!(
        "enroc_gateway_events",
        "Webhook events by state: open ones, and dead letters."
    );
    metrics::describe_gauge!(
        "enroc_gateway_findings",
        "What the last walk found at the gateway that belongs to no order."
    );
    metrics::describe_gauge!("process_resident_memory_bytes", "Resident memory.");
    metrics::describe_gauge!("enroc_uptime_seconds", "Seconds since the start.");
}

/// The pattern of a route, kept beside it, so that it need not be sought again for each request.
#[derive(Clone, Copy)]
pub(crate) struct Pattern(pub &'static str);

/// Counts a request of the REST door and takes its time, by the pattern of its route: ids do not come into metrics.
pub(crate) fn rest<B>(method: &'static str, answered: &ServiceResponse<B>, begun: Instant) {
    let pattern = answered.request().app_data::<Pattern>();
    let route = pattern.map_or("none", |p| p.0);
    count("rest", method, route, answered.status().as_str(), begun);
}

/// Methods are told apart as far as the door knows them.
pub(crate) fn word_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}

/// The measures of one route, method and status, as far as this thread has met them.
struct Seen {
    door: &'static str,
    method: &'static str,
    status: String,
    answered: Counter,
    seconds: Histogram,
}

thread_local! {
    static SEEN: RefCell<HashMap<String, Vec<Seen>>> = RefCell::default();
}

/// Counts one answered request.
pub fn count(door: &'static str, method: &'static str, route: &str, status: &str, begun: Instant) {
    SEEN.with_borrow_mut(|seen| {
        if let Some(known) = seen.get(route).and_then(|of_route| {
            let same = |s: &&Seen| s.door == door && s.method == method && s.status == status;
            of_route.iter().find(same)
        }) {
            known.answered.increment(1);
            return known.seconds.record(begun.elapsed());
        }
        let met = Seen {
            door,
            method,
            status: status.to_owned(),
            answered: metrics::counter!("enroc_requests_total", "door" => door, "method" => method,
                "route" => route.to_owned(), "status" => status.to_owned()),
            seconds: metrics::histogram!("enroc_request_seconds", "door" => door, "route" => route.to_owned()),
        };
        met.answered.increment(1);
        met.seconds.record(begun.elapsed());
        seen.entry(route.to_owned()).or_default().push(met);
    });
}

/// Folds the times taken since the last call into their histograms: they would pile up where nobody reads `/metrics`.
pub(crate) fn fold() {
    if let Some(handle) = start() {
        handle.run_upkeep();
    }
}

/// Everything measured, as Prometheus reads it.
pub(crate) async fn render(store: &Store, started: Instant) -> String {
    for (lane, name) in [(Lane::Desk, "desk"), (Lane::Settle, "settle")] {
        gauge(
            "enroc_writes_waiting",
            "lane",
            name,
            i64::try_from(store.waiting(lane)).unwrap_or(i64::MAX),
        );
    }
    let backlogs = store
        .read(|c| {
            Ok::<_, store::StoreError>((deliveries::backlog(c)?, gateway_events::backlog(c)?))
        })
        .await;
    if let Ok(((due, dead), (events, lost))) = backlogs {
        gauge("enroc_deliveries", "state", "open", due);
        gauge("enroc_deliveries", "state", "dead", dead);
        gauge("enroc_gateway_events", "state", "open", events);
        gauge("enroc_gateway_events", "state", "dead", lost);
    }
    if let Some(bytes) = resident_bytes() {
        set(&metrics::gauge!("process_resident_memory_bytes"), bytes);
    }
    metrics::gauge!("enroc_uptime_seconds").set(started.elapsed());
    let Some(handle) = start() else {
        return String::new();
    };
    handle.run_upkeep();
    handle.render()
}

/// What the walk through the gateway found.
pub(crate) fn findings(count: usize) {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    set(&metrics::gauge!("enroc_gateway_findings"), count);
}

fn gauge(name: &'static str, label: &'static str, value: &'static str, number: i64) {
    set(&metrics::gauge!(name, label => value), number);
}

#[expect(clippy::cast_precision_loss, reason = "counts for a chart")]
fn set(gauge: &metrics::Gauge, number: i64) {
    gauge.set(number as f64);
}

/// From Linux's own account of the process; nothing elsewhere.
fn resident_bytes() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: i64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1_024)
}
