//! The control handle: the test clock, faults, and what the outside world does to a payment.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use serde_json::Value;

use crate::faults::{ApiFault, Faults, WebhookFault};
use crate::outbox::{self, Sent, Waiting, Webhook};
use crate::refusal::Refusal;
use crate::shared::{Shared, wall_ms};
use crate::table::{Object, Table};
use crate::world::World;
use crate::{attempts, disputes, expand, refunds, sessions};

/// Why the sandbox did not do what the handle asked.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("there is no kind of object called {0}")]
    NoSuchKind(String),
    #[error("{message}")]
    Stripe { status: u16, message: String },
}

impl Refused {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NoSuchKind(_) => StatusCode::NOT_FOUND,
            Self::Stripe { status, .. } => {
                StatusCode::from_u16(*status).unwrap_or(StatusCode::BAD_REQUEST)
            }
        }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::Stripe {
            status: refusal.status,
            message: refusal.message().to_owned(),
        }
    }
}

/// Acts on a running sandbox from the same process; `/_sandbox` offers the same over HTTP.
#[derive(Clone)]
pub struct Control(pub(crate) Arc<Shared>);

impl Control {
    /// The test clock, in Unix seconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.0.peek(|world| world.now())
    }

    /// Moves the test clock forward; sessions, keys, refunds and webhooks that fall due do so at once.
    pub fn advance(&self, by: Duration) {
        self.0.enter(|world| world.advance(by, wall_ms()));
    }

    /// The next calls of an operation go wrong.
    pub fn fail(&self, fault: ApiFault) {
        self.0.enter(|world| world.faults.api.push(fault));
    }

    /// The next webhooks of a kind go wrong.
    pub fn twist(&self, fault: WebhookFault) {
        self.0.enter(|world| world.faults.webhook.push(fault));
    }

    /// Sends events from now on to this endpoint.
    pub fn set_webhook(&self, endpoint: Webhook) {
        self.0.enter(|world| world.outbox.endpoint = Some(endpoint));
    }

    pub fn clear_faults(&self) {
        self.0.enter(|world| world.faults = Faults::default());
    }

    /// All objects of a kind, oldest first: `payment_intents`, `charges`, `refunds`, `checkout_sessions`,
    /// `disputes`, `payment_methods`, `balance_transactions`, `events`.
    ///
    /// # Errors
    /// For another kind.
    pub fn objects(&self, kind: &str) -> Result<Vec<Value>, Refused> {
        self.0.peek(|world| match kind {
            "payment_intents" => Ok(all(&world.intents)),
            "charges" => Ok(all(&world.charges)),
            "refunds" => Ok(all(&world.refunds)),
            "checkout_sessions" => Ok(all(&world.sessions)),
            "disputes" => Ok(all(&world.disputes)),
            "payment_methods" => Ok(all(&world.methods)),
            "balance_transactions" => Ok(all(&world.balance)),
            "events" => Ok(all(&world.events)),
            other => Err(Refused::NoSuchKind(other.to_owned())),
        })
    }

    /// One object by its id.
    #[must_use]
    pub fn object(&self, id: &str) -> Option<Value> {
        self.0.peek(|world| expand::find(world, id))
    }

    /// The webhooks that were sent, each attempt by itself, oldest first.
    #[must_use]
    pub fn sent(&self) -> Vec<Sent> {
        self.0.peek(|world| world.outbox.sent.clone())
    }

    /// The webhooks that wait: held by a fault, or for their next attempt.
    #[must_use]
    pub fn waiting(&self) -> Vec<Waiting> {
        self.0.peek(|world| world.outbox.waiting())
    }

    /// Lets go of held webhooks, all or those of one event; how many they were.
    pub fn release(&self, event: Option<&str>) -> usize {
        self.0.enter(|world| {
            let now = world.now_ms();
            world.outbox.release(event, now)
        })
    }

    /// Sends an event once more.
    ///
    /// # Errors
    /// When there is no such event.
    pub fn resend(&self, event: &str) -> Result<Value, Refused> {
        self.act(event, |world| outbox::resend(world, event))
    }

    /// Waits until no webhook is due. Held and delayed ones do not count, nor those that failed and wait for their
    /// next attempt.
    pub async fn settled(&self) {
        loop {
            let changed = self.0.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let due = self.0.peek(|world| {
                world
                    .outbox
                    .next_due()
                    .is_some_and(|due| due <= world.now_ms())
            });
            if !due {
                return;
            }
            changed.await;
        }
    }

    /// Pays an open Checkout Session as its page does; gives the session. A 3-D Secure card leaves it open until
    /// [`Self::authenticate`].
    ///
    /// # Errors
    /// The issuer's refusal, or that the session is not open.
    pub fn pay(&self, session: &str, card_number: &str) -> Result<Value, Refused> {
        self.act(session, |world| {
            sessions::pay(world, session, card_number, None)
        })
    }

    /// Ends 3-D Secure as its page does; gives the intent.
    ///
    /// # Errors
    /// When the intent asks for no action.
    pub fn authenticate(&self, intent: &str, succeeds: bool) -> Result<Value, Refused> {
        self.act(intent, |world| {
            attempts::authenticate(world, intent, succeeds)
        })
    }

    /// Ends the processing of an asynchronous payment; gives the intent.
    ///
    /// # Errors
    /// When the intent is not in processing.
    pub fn settle_payment(&self, intent: &str, succeeds: bool) -> Result<Value, Refused> {
        self.act(intent, |world| attempts::settle(world, intent, succeeds))
    }

    /// A pending refund succeeds.
    ///
    /// # Errors
    /// When it is not pending.
    pub fn settle_refund(&self, refund: &str) -> Result<Value, Refused> {
        self.act(refund, |world| refunds::settle(world, refund))
    }

    /// A refund fails, also one that had succeeded.
    ///
    /// # Errors
    /// When it has failed already.
    pub fn fail_refund(&self, refund: &str, reason: &str) -> Result<Value, Refused> {
        self.act(refund, |world| refunds::fail(world, refund, reason))
    }

    /// The cardholder disputes a charge; gives the charge.
    ///
    /// # Errors
    /// When there is nothing left to dispute.
    pub fn dispute(&self, charge: &str, reason: &str) -> Result<Value, Refused> {
        self.act(charge, |world| disputes::open(world, charge, reason))
    }

    /// A dispute ends, won or lost.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn close_dispute(&self, dispute: &str, won: bool) -> Result<Value, Refused> {
        self.act(dispute, |world| disputes::end(world, dispute, won))
    }

    /// The faults that are still to come.
    pub(crate) fn faults(&self) -> Faults {
        self.0.peek(|world| world.faults.clone())
    }

    /// Acts on one object and shows it afterwards.
    fn act(
        &self,
        id: &str,
        act: impl FnOnce(&mut World) -> Result<(), Refusal>,
    ) -> Result<Value, Refused> {
        self.0.enter(|world| {
            act(world)?;
            Ok(expand::find(world, id).unwrap_or_default())
        })
    }
}

fn all<T: Object>(table: &Table<T>) -> Vec<Value> {
    table.rows().map(Object::json).collect()
}
