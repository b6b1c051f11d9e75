//! The inbox of events: each stored once and answered at once, acted on afterwards from the object fetched anew.

mod failure;
mod subject;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::{Problem, crash_point};
use futures_util::StreamExt;
use registration::{Desk, Gateway, Observed, SeenDispute, SeenRefund};
use store::Lane;
use store::gateway_events::{self, GatewayEvent, Outcome};
use tokio::sync::Notify;

use crate::StripeGateway;
use crate::webhook::Envelope;
use failure::Failure;
use subject::Subject;

/// Events in one step.
const BATCH: usize = 100;
/// Objects fetched at once.
const AT_ONCE: usize = 8;
/// How often due events are looked for when nothing wakes the loop.
const REST: Duration = Duration::from_secs(2);

/// Takes events and shows the desk what they are about. Any number of processes may: what the desk does is guarded.
pub struct Inbox {
    desk: Desk,
    gateways: Vec<Arc<StripeGateway>>,
    wake: Notify,
}

impl Inbox {
    /// An inbox for these accounts.
    #[must_use]
    pub fn new(desk: Desk, gateways: Vec<Arc<StripeGateway>>) -> Self {
        Inbox {
            desk,
            gateways,
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
        let wall = self.desk.clock().wall();
        let fresh = self
            .desk
            .store()
            .write(Lane::Settle, move |c| {
                gateway_events::insert(c, &event, wall)
            })
            .await?;
        crash_point("stored", "event");
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
        let wall = self.desk.clock().wall();
        let limit = i64::try_from(BATCH).unwrap_or(i64::MAX);
        let due = self
            .desk
            .store()
            .read(move |c| gateway_events::due(c, wall, limit))
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
                crash_point("settled", "event");
                self.settle(events, &acted).await
            })
            .buffer_unordered(AT_ONCE);
        while let Some(settled) = work.next().await {
            settled?;
        }
        Ok(count)
    }

    /// Acts on events as they come, until `stop` is ready; what is half done then is done again after the next start.
    pub async fn run(&self, stop: impl Future<Output = ()>) {
        tokio::pin!(stop);
        loop {
            let step = tokio::select! {
                biased;
                () = &mut stop => return,
                step = self.step() => step,
            };
            let rest = match step {
                Ok(BATCH) => continue,
                Ok(_) => REST,
                Err(problem) => {
                    tracing::error!(%problem, "the inbox of the gateway stands still");
                    REST
                }
            };
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
            Subject::Payment(id) => self.show_payment(gateway, id).await,
            Subject::Refund(id) => {
                self.show_refund(gateway, gateway.look_refund(id).await?)
                    .await
            }
            Subject::RefundsOf(charge) => {
                for seen in gateway.refunds_of_charge(charge).await? {
                    self.show_refund(gateway, seen).await?;
                }
                Ok(())
            }
            Subject::Dispute(id) => {
                self.show_dispute(gateway, gateway.look_dispute(id).await?)
                    .await
            }
        }
    }

    async fn show_payment(&self, gateway: &StripeGateway, id: &str) -> Result<(), Failure> {
        match self
            .desk
            .observe_payment(gateway.account(), gateway.look(id).await?)
            .await?
        {
            Observed::Known | Observed::Foreign => Ok(()),
            Observed::NotYet => Err(Failure::lasting(format!("the desk does not know {id} yet"))),
        }
    }

    async fn show_refund(&self, gateway: &StripeGateway, seen: SeenRefund) -> Result<(), Failure> {
        let intent = seen.intent.clone();
        let observed = self.desk.observe_refund(gateway.account(), seen).await?;
        match (observed, intent) {
            (Observed::Known, _) | (Observed::Foreign, None) => Ok(()),
            (Observed::NotYet, None) => Err(Failure::lasting(
                "the desk does not know the refund yet".to_owned(),
            )),
            (_, Some(intent)) => self.catch_up(gateway, &intent).await,
        }
    }

    async fn show_dispute(
        &self,
        gateway: &StripeGateway,
        seen: SeenDispute,
    ) -> Result<(), Failure> {
        // An inquiry that took no money back is for the organiser to answer at Stripe; the desk has nothing to book.
        if seen.amount.amount == 0 {
            return Ok(());
        }
        let intent = seen.intent.clone();
        match self.desk.observe_dispute(gateway.account(), seen).await? {
            Observed::Known => Ok(()),
            Observed::NotYet | Observed::Foreign => self.catch_up(gateway, &intent).await,
        }
    }

    /// A refund or dispute that the desk does not know: of a payment that is none of ours, or one that has overtaken its
    /// payment, which is then shown first.
    async fn catch_up(&self, gateway: &StripeGateway, intent: &str) -> Result<(), Failure> {
        let payment = gateway.look(intent).await?;
        match self
            .desk
            .observe_payment(gateway.account(), payment)
            .await?
        {
            Observed::Foreign => Ok(()),
            Observed::Known | Observed::NotYet => Err(Failure::lasting(format!(
                "it overtook its payment {intent}"
            ))),
        }
    }

    async fn settle(
        &self,
        events: Vec<GatewayEvent>,
        acted: &Result<(), Failure>,
    ) -> Result<(), Problem> {
        let wall = self.desk.clock().wall();
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
                .try_for_each(|(e, o)| gateway_events::settle(c, e, o, wall))
        };
        Ok(self.desk.store().write(Lane::Settle, write).await?)
    }
}
