//! The inbox of events: each stored once and answered at once, acted on afterwards from the object fetched anew.

mod subject;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::{Clock, Kind, Problem, UtcTime};
use futures_util::StreamExt;
use registration::{Gateway, GatewayError, Seen};
use store::gateway_events::{self, GatewayEvent, Outcome};
use store::{Lane, Store};
use tokio::sync::Notify;

use crate::webhook::Envelope;
use crate::{Observed, Observer, StripeGateway};
use subject::Subject;

/// Seconds until an event is tried again: twelve tries in the first day.
const PAUSES: [i64; 12] = [
    5, 15, 60, 180, 600, 1_800, 3_600, 7_200, 14_400, 14_400, 21_600, 21_600,
];
/// Events in one step.
const BATCH: i64 = 100;
/// Objects fetched at once.
const AT_ONCE: usize = 8;
/// How often due events are looked for when nothing wakes the loop.
const REST: Duration = Duration::from_secs(2);

/// Takes events and acts on them. Any number of processes may: what they do is guarded by the desk.
pub struct Inbox<O> {
    store: Store,
    gateways: Vec<Arc<StripeGateway>>,
    observer: Arc<O>,
    clock: Arc<dyn Clock>,
    wake: Notify,
}

impl<O: Observer> Inbox<O> {
    /// An inbox for these accounts.
    #[must_use]
    pub fn new(
        store: Store,
        gateways: Vec<Arc<StripeGateway>>,
        observer: Arc<O>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Inbox {
            store,
            gateways,
            observer,
            clock,
            wake: Notify::new(),
        }
    }

    /// Stores an event of an account (`stripe:main`); `false` where it is there already. Once it is stored, Stripe may be
    /// told so.
    ///
    /// # Errors
    /// [`Problem`] where the database cannot take it: Stripe must send it again.
    pub async fn take(&self, account: &str, envelope: &Envelope) -> Result<bool, Problem> {
        let event = GatewayEvent {
            account: account.to_owned(),
            id: envelope.id.clone(),
            kind: envelope.kind.clone(),
            object: envelope.object.clone().unwrap_or_default(),
            attempts: 0,
        };
        let wall = self.clock.wall();
        let fresh = self
            .store
            .write(Lane::Settle, move |c| {
                gateway_events::insert(c, &event, wall)
            })
            .await?;
        let version = envelope.api_version.as_deref();
        tracing::info!(
            event = envelope.id,
            kind = envelope.kind,
            version,
            fresh,
            "webhook taken"
        );
        self.wake.notify_one();
        Ok(fresh)
    }

    /// Acts on the events that are due, and says how many they were.
    ///
    /// # Errors
    /// [`Problem`] where the database fails.
    pub async fn step(&self) -> Result<usize, Problem> {
        let wall = self.clock.wall();
        let due = self
            .store
            .read(move |c| gateway_events::due(c, wall, BATCH))
            .await?;
        let count = due.len();
        // One look at an object answers every event that was there before the look.
        let mut looks: BTreeMap<(String, Subject), Vec<GatewayEvent>> = BTreeMap::new();
        for event in due {
            let subject = Subject::of(&event.kind, &event.object);
            looks
                .entry((event.account.clone(), subject))
                .or_default()
                .push(event);
        }
        let mut work = futures_util::stream::iter(looks)
            .map(|((account, subject), events)| async move {
                let acted = self.act(&account, &subject).await;
                self.settle(events, &acted).await
            })
            .buffer_unordered(AT_ONCE);
        while let Some(settled) = work.next().await {
            settled?;
        }
        Ok(count)
    }

    /// Acts on events as they come, until `stop` is ready.
    pub async fn run(&self, stop: impl Future<Output = ()>) {
        tokio::pin!(stop);
        loop {
            let busy = match self.step().await {
                Ok(count) => count == usize::try_from(BATCH).unwrap_or_default(),
                Err(problem) => {
                    tracing::error!(%problem, "the inbox of the gateway stands still");
                    false
                }
            };
            let rest = if busy { Duration::ZERO } else { REST };
            tokio::select! {
                biased;
                () = &mut stop => return,
                () = self.wake.notified() => {}
                () = tokio::time::sleep(rest) => {}
            }
        }
    }

    async fn act(&self, account: &str, subject: &Subject) -> Result<(), Failure> {
        let found = self
            .gateways
            .iter()
            .find(|gateway| gateway.account() == account);
        let gateway =
            found.ok_or_else(|| Failure::lasting(format!("no account {account} here")))?;
        match subject {
            Subject::Nothing => Ok(()),
            Subject::Payment(id) => {
                let seen = gateway.look(id).await?;
                self.show_payment(account, seen).await
            }
            Subject::Refund(id) => {
                let seen = gateway.look_refund(id).await?;
                let intent = seen.intent.clone();
                known(
                    self.observer.refund(account, seen).await?,
                    gateway,
                    intent.as_deref(),
                )
                .await
            }
            Subject::RefundsOf(charge) => {
                for seen in gateway.refunds_of_charge(charge).await? {
                    let intent = seen.intent.clone();
                    known(
                        self.observer.refund(account, seen).await?,
                        gateway,
                        intent.as_deref(),
                    )
                    .await?;
                }
                Ok(())
            }
            Subject::Dispute(id) => {
                let seen = gateway.look_dispute(id).await?;
                let intent = seen.intent.clone();
                known(
                    self.observer.dispute(account, seen).await?,
                    gateway,
                    Some(&intent),
                )
                .await
            }
        }
    }

    async fn show_payment(&self, account: &str, seen: Seen) -> Result<(), Failure> {
        if !is_ours(&seen) {
            return Ok(());
        }
        let reference = seen.reference.clone();
        match self.observer.payment(account, seen).await? {
            Observed::Known => Ok(()),
            Observed::Unknown => Err(Failure::lasting(format!(
                "the desk does not know {reference}"
            ))),
        }
    }

    async fn settle(
        &self,
        events: Vec<GatewayEvent>,
        acted: &Result<(), Failure>,
    ) -> Result<(), Problem> {
        let wall = self.clock.wall();
        let settled: Vec<(GatewayEvent, Outcome)> = events
            .into_iter()
            .map(|event| {
                let outcome = acted.as_ref().map_or_else(
                    |failure| failure.outcome(event.attempts, wall),
                    |()| Outcome::Done,
                );
                match &outcome {
                    Outcome::Done => {
                        tracing::debug!(event = event.id, kind = event.kind, "acted on")
                    }
                    Outcome::Again(at, why) => {
                        tracing::info!(event = event.id, kind = event.kind, %at, why, "later")
                    }
                    Outcome::Dead(why) => {
                        tracing::error!(event = event.id, kind = event.kind, why, "given up")
                    }
                }
                (event, outcome)
            })
            .collect();
        let write = move |c: &mut store::Conn| {
            settled
                .iter()
                .try_for_each(|(e, o)| gateway_events::settle(c, e, o))
        };
        Ok(self.store.write(Lane::Settle, write).await?)
    }
}

/// The desk knows it, or it belongs to a payment that is none of ours.
async fn known(
    observed: Observed,
    gateway: &StripeGateway,
    intent: Option<&str>,
) -> Result<(), Failure> {
    match (observed, intent) {
        (Observed::Known, _) | (Observed::Unknown, None) => Ok(()),
        (Observed::Unknown, Some(intent)) if !is_ours(&gateway.look(intent).await?) => Ok(()),
        (Observed::Unknown, Some(intent)) => {
            Err(Failure::lasting(format!("the desk does not know {intent}")))
        }
    }
}

/// The gateway's account may serve others, too.
fn is_ours(seen: &Seen) -> bool {
    seen.payment.is_some() || seen.order.is_some()
}

/// Why an event is not done.
struct Failure {
    why: String,
    /// Whether it may be given up: it is not the gateway or the database that is away.
    lasting: bool,
}

impl Failure {
    fn lasting(why: String) -> Failure {
        Failure { why, lasting: true }
    }

    fn outcome(&self, attempts: i32, wall: UtcTime) -> Outcome {
        let tries = usize::try_from(attempts).unwrap_or_default();
        match PAUSES.get(tries) {
            Some(pause) => Outcome::Again(wall.plus_seconds(*pause), self.why.clone()),
            None if self.lasting => Outcome::Dead(self.why.clone()),
            None => Outcome::Again(
                wall.plus_seconds(PAUSES[PAUSES.len() - 1]),
                self.why.clone(),
            ),
        }
    }
}

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Failure {
        Failure {
            why: error.to_string(),
            lasting: !matches!(error, GatewayError::NoAnswer(_)),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure {
            why: problem.to_string(),
            lasting: problem.kind() != Kind::Overload,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_object_is_tried_for_about_a_day() {
        let wall: UtcTime = "2026-07-01T00:00:00Z".parse().unwrap();
        let failure = Failure::lasting("unknown".to_owned());
        let mut at = wall;
        for attempts in 0..12 {
            let Outcome::Again(next, why) = failure.outcome(attempts, at) else {
                panic!("given up after {attempts}")
            };
            assert!(next > at && why == "unknown");
            at = next;
        }
        assert!(
            (80_000..90_000).contains(&(at.as_seconds() - wall.as_seconds())),
            "{at}"
        );
        assert_eq!(failure.outcome(12, at), Outcome::Dead("unknown".to_owned()));
    }

    #[test]
    fn an_absent_gateway_or_database_never_kills_an_event() {
        let wall: UtcTime = "2026-07-01T00:00:00Z".parse().unwrap();
        let away = Failure::from(GatewayError::NoAnswer("503".into()));
        let busy = Failure::from(Problem::new(domain::Slug::Overload));
        for failure in [away, busy] {
            assert!(
                matches!(failure.outcome(1_000, wall), Outcome::Again(at, _) if at == wall.plus_seconds(21_600))
            );
        }
        assert!(matches!(
            Failure::from(GatewayError::Unknown).outcome(12, wall),
            Outcome::Dead(_)
        ));
    }
}
