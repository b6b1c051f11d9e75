//! The port to where card money moves. An adapter implements it; nothing here knows whose gateway it is.
//!
//! Every call carries a key of ours that was saved before the call, so that a repeat after a crash or a time-out is the
//! same call. A key is given up only where the gateway has stored a failure under it. No call is made inside a
//! transaction.

use async_trait::async_trait;
use domain::{
    Currency, Language, Money, OrderId, OrderReference, PaymentId, PaymentKind, RefundId,
    TournamentId, UtcTime,
};

/// A payment to be opened: a hosted page, or an intent for a form of the payer's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaymentAsk {
    /// Ours; goes into the gateway's metadata.
    pub payment: PaymentId,
    /// Ours; goes into the gateway's metadata.
    pub order: OrderId,
    /// Ours; goes into the gateway's metadata and is what the payer reads.
    pub reference: OrderReference,
    /// Ours; goes into the gateway's metadata.
    pub tournament: TournamentId,
    /// [`PaymentKind::Session`] or [`PaymentKind::Intent`].
    pub method: PaymentKind,
    /// What is to be paid.
    pub amount: Money,
    /// What the payer reads beside the sum.
    pub description: String,
    /// Where a receipt goes.
    pub email: Option<String>,
    /// The language of the page.
    pub language: Language,
    /// Where the page sends the payer back to.
    pub return_url: String,
    /// When the page closes by itself, by the wall clock.
    pub expires_at: UtcTime,
    /// No call for this payment was made before this instant of the wall clock.
    pub since: UtcTime,
    /// Idempotency key of this call; goes into the gateway's metadata.
    pub key: String,
}

/// A payment as the gateway opened it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// The gateway's id of the page or intent.
    pub reference: String,
    /// The gateway's id of the intent, where it has one already.
    pub intent: Option<String>,
    /// The hosted page.
    pub url: Option<String>,
    /// What the payer's own form needs.
    pub client_secret: Option<String>,
}

/// How a payment stands at the gateway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeenState {
    /// May still be paid.
    Open,
    /// On its way.
    Processing,
    /// The money is in: how much, and when the charge was made, by the wall clock.
    Succeeded {
        /// What came in.
        received: Money,
        /// When the charge was made.
        charged_at: UtcTime,
    },
    /// The last try was refused; another may follow while the page is open.
    Refused(String),
    /// Closed, nothing was paid.
    Closed,
}

/// A payment as the gateway shows it now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The gateway's id of what was looked at: the page or the intent.
    pub reference: String,
    /// The gateway's id of the intent.
    pub intent: Option<String>,
    /// Our payment, from the metadata.
    pub payment: Option<PaymentId>,
    /// Our order, from the metadata.
    pub order: Option<OrderId>,
    /// The key of the call that made it, from the metadata.
    pub key: Option<String>,
    /// How it stands.
    pub state: SeenState,
}

/// A refund to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefundCall {
    /// Ours; goes into the gateway's metadata.
    pub refund: RefundId,
    /// Ours; goes into the gateway's metadata.
    pub order: OrderId,
    /// The gateway's id of the intent to refund.
    pub intent: String,
    /// How much.
    pub amount: Money,
    /// Idempotency key of this call.
    pub key: String,
}

/// How a refund stands at the gateway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefundState {
    /// The gateway has it, the payer not yet.
    Pending,
    /// The payer has it.
    Succeeded,
    /// It came back, or was cancelled.
    Failed(String),
}

/// A refund as the gateway shows it now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenRefund {
    /// The gateway's id.
    pub reference: String,
    /// The gateway's id of the refunded intent.
    pub intent: Option<String>,
    /// Our refund, from the metadata; none where it was made by hand at the gateway.
    pub refund: Option<RefundId>,
    /// How much.
    pub amount: Money,
    /// How it stands.
    pub state: RefundState,
}

/// A dispute as the gateway shows it now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenDispute {
    /// The gateway's id.
    pub reference: String,
    /// The gateway's id of the disputed intent.
    pub intent: String,
    /// How much the gateway took back.
    pub amount: Money,
    /// `None` while it runs; then whether the organiser won.
    pub won: Option<bool>,
}

/// Why the gateway did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// It refuses, and will again: code and sentence.
    #[error("the gateway refuses ({code}): {message}")]
    Refused {
        /// The gateway's code (`amount_too_small`, `charge_already_refunded`).
        code: String,
        /// Its sentence, for the log.
        message: String,
    },
    /// It has no such object.
    #[error("the gateway knows no such object")]
    Unknown,
    /// No answer, or one that says nothing about the outcome: the same call with the same key may be made again.
    #[error("no answer from the gateway: {0}")]
    NoAnswer(String),
    /// It failed and stored that: it answers the same to every repeat under this key. Nothing that the call made was
    /// found, so that it may be made again under another key.
    #[error("the gateway keeps failing under this key: {0}")]
    KeySpent(String),
}

/// Where card money moves.
#[async_trait]
pub trait Gateway: Send + Sync {
    /// The gateway and its account as payments name it (`stripe:main`).
    fn account(&self) -> &str;

    /// The least that it charges in a currency, minor units; `None` where that is not known.
    fn minimum(&self, currency: Currency) -> Option<i64>;

    /// The most that it charges in a currency, minor units.
    fn maximum(&self, _: Currency) -> i64 {
        i64::MAX
    }

    /// What it charges in a currency is a multiple of so many minor units.
    fn step(&self, _: Currency) -> i64 {
        1
    }

    /// Opens a hosted page or an intent, or finds the one that the call with this key has opened.
    ///
    /// # Errors
    /// [`GatewayError`].
    async fn open(&self, ask: &PaymentAsk) -> Result<Opened, GatewayError>;

    /// How a page or an intent stands now.
    ///
    /// # Errors
    /// [`GatewayError`].
    async fn look(&self, reference: &str) -> Result<Seen, GatewayError>;

    /// Closes a page or an intent so that nothing can be paid on it any more, and says how it stands then: closed, or
    /// paid or processing because that came first.
    ///
    /// # Errors
    /// [`GatewayError::NoAnswer`] keeps the seat.
    async fn close(&self, reference: &str) -> Result<Seen, GatewayError>;

    /// Sends a refund, or finds the one that an earlier call for it has made, under whatever key.
    ///
    /// # Errors
    /// [`GatewayError`].
    async fn refund(&self, call: &RefundCall) -> Result<SeenRefund, GatewayError>;

    /// How a refund stands now.
    ///
    /// # Errors
    /// [`GatewayError`].
    async fn look_refund(&self, reference: &str) -> Result<SeenRefund, GatewayError>;

    /// How a dispute stands now.
    ///
    /// # Errors
    /// [`GatewayError`].
    async fn look_dispute(&self, reference: &str) -> Result<SeenDispute, GatewayError>;
}
