//! Stripe's objects as the desk sees them. Nothing is guessed: a state that is not in the tables is no answer.

use std::collections::HashMap;
use std::fmt::Display;

use domain::{RefundId, UtcTime};
use registration::{GatewayError, RefundState, Seen, SeenDispute, SeenRefund, SeenState};
use stripe_shared::{
    CheckoutSession, CheckoutSessionPaymentStatus, CheckoutSessionStatus, Dispute, DisputeStatus,
    PaymentIntent, PaymentIntentStatus, Refund,
};
use stripe_types::Expandable;

use super::calls::code;
use super::scales::from_stripe;

type Metadata = HashMap<String, String>;

/// The metadata by which our objects are known again.
pub(super) mod tag {
    /// [`domain::PaymentId`].
    pub const PAYMENT: &str = "payment";
    /// [`domain::OrderId`].
    pub const ORDER: &str = "order";
    /// [`domain::OrderReference`].
    pub const REFERENCE: &str = "reference";
    /// [`domain::TournamentId`].
    pub const TOURNAMENT: &str = "tournament";
    /// [`domain::RefundId`].
    pub const REFUND: &str = "refund";
    /// The idempotency key of the call that made it: how it is known again where another key has taken its place.
    pub const KEY: &str = "key";
}

fn strange(what: impl Display) -> GatewayError {
    GatewayError::NoAnswer(what.to_string())
}

fn id<T: std::str::FromStr>(metadata: &Metadata, name: &str) -> Option<T> {
    metadata.get(name)?.parse().ok()
}

/// A page. Its intent, and the intent's latest charge, must be expanded where they exist.
pub(super) fn session(session: &CheckoutSession) -> Result<Seen, GatewayError> {
    let nothing = Metadata::new();
    let metadata = session.metadata.as_ref().unwrap_or(&nothing);
    Ok(Seen {
        reference: session.id.to_string(),
        intent: session
            .payment_intent
            .as_ref()
            .map(|intent| intent.id().to_string()),
        payment: id(metadata, tag::PAYMENT),
        order: id(metadata, tag::ORDER),
        key: metadata.get(tag::KEY).cloned(),
        state: session_state(session)?,
    })
}

fn session_state(session: &CheckoutSession) -> Result<SeenState, GatewayError> {
    let intent = match &session.payment_intent {
        None => None,
        Some(Expandable::Object(intent)) => Some(intent_state(intent)?),
        Some(Expandable::Id(id)) => return Err(strange(format!("{id} came without its state"))),
    };
    // Money that is in or on its way counts, whatever the page says.
    if let Some(state @ (SeenState::Succeeded { .. } | SeenState::Processing)) = intent {
        return Ok(state);
    }
    if session.payment_status == CheckoutSessionPaymentStatus::Paid {
        return Err(strange("the page is paid but its intent is not"));
    }
    match &session.status {
        Some(CheckoutSessionStatus::Expired | CheckoutSessionStatus::Complete) => {
            Ok(SeenState::Closed)
        }
        Some(CheckoutSessionStatus::Open) => Ok(match intent {
            Some(refused @ SeenState::Refused(_)) => refused,
            _ => SeenState::Open,
        }),
        Some(other) => Err(strange(format!("a page of status {}", other.as_str()))),
        None => Err(strange("a page without a status")),
    }
}

/// An intent. Its latest charge must be expanded.
pub(super) fn intent(intent: &PaymentIntent) -> Result<Seen, GatewayError> {
    Ok(Seen {
        reference: intent.id.to_string(),
        intent: Some(intent.id.to_string()),
        payment: id(&intent.metadata, tag::PAYMENT),
        order: id(&intent.metadata, tag::ORDER),
        key: intent.metadata.get(tag::KEY).cloned(),
        state: intent_state(intent)?,
    })
}

fn intent_state(intent: &PaymentIntent) -> Result<SeenState, GatewayError> {
    Ok(match &intent.status {
        PaymentIntentStatus::Succeeded => {
            let charge = intent
                .latest_charge
                .as_ref()
                .and_then(Expandable::as_object);
            let charge = charge
                .ok_or_else(|| strange(format!("{} succeeded without its charge", intent.id)))?;
            SeenState::Succeeded {
                received: from_stripe(intent.amount_received, &intent.currency.to_string())
                    .map_err(strange)?,
                charged_at: UtcTime::from_micros(charge.created.saturating_mul(1_000_000)),
            }
        }
        PaymentIntentStatus::Processing | PaymentIntentStatus::RequiresCapture => {
            SeenState::Processing
        }
        PaymentIntentStatus::Canceled => SeenState::Closed,
        PaymentIntentStatus::RequiresPaymentMethod => match &intent.last_payment_error {
            Some(error) => SeenState::Refused(code(error).to_owned()),
            None => SeenState::Open,
        },
        PaymentIntentStatus::RequiresAction | PaymentIntentStatus::RequiresConfirmation => {
            SeenState::Open
        }
        other => return Err(strange(format!("an intent of status {}", other.as_str()))),
    })
}

/// A refund.
pub(super) fn refund(refund: &Refund) -> Result<SeenRefund, GatewayError> {
    let state = match refund.status.as_deref() {
        Some("pending" | "requires_action") => RefundState::Pending,
        Some("succeeded") => RefundState::Succeeded,
        Some("failed") => RefundState::Failed(
            refund
                .failure_reason
                .clone()
                .unwrap_or_else(|| "unknown".to_owned()),
        ),
        Some("canceled") => RefundState::Failed("canceled".to_owned()),
        other => return Err(strange(format!("a refund of status {other:?}"))),
    };
    Ok(SeenRefund {
        reference: refund.id.to_string(),
        intent: refund
            .payment_intent
            .as_ref()
            .map(|intent| intent.id().to_string()),
        refund: ours(refund),
        amount: from_stripe(refund.amount, &refund.currency.to_string()).map_err(strange)?,
        state,
    })
}

/// Our refund that a refund was made for; none where it was made by hand.
pub(super) fn ours(refund: &Refund) -> Option<RefundId> {
    id(refund.metadata.as_ref()?, tag::REFUND)
}

/// Whether the call with this key made the object of these metadata.
pub(super) fn made_by(metadata: &Metadata, key: &str) -> bool {
    metadata.get(tag::KEY).is_some_and(|made| made == key)
}

/// A dispute. An inquiry (`warning_…`) has taken nothing back. A prevented one has, where a balance transaction says so.
pub(super) fn dispute(dispute: &Dispute) -> Result<SeenDispute, GatewayError> {
    let intent = dispute
        .payment_intent
        .as_ref()
        .map(|intent| intent.id().to_string());
    let moved = !dispute.balance_transactions.is_empty();
    let (taken, won) = match &dispute.status {
        DisputeStatus::NeedsResponse | DisputeStatus::UnderReview => (true, None),
        DisputeStatus::WarningNeedsResponse | DisputeStatus::WarningUnderReview => (false, None),
        DisputeStatus::Lost => (true, Some(false)),
        DisputeStatus::Won => (true, Some(true)),
        DisputeStatus::WarningClosed => (false, Some(true)),
        DisputeStatus::Prevented => (moved, Some(!moved)),
        other => return Err(strange(format!("a dispute of status {}", other.as_str()))),
    };
    let amount = if taken { dispute.amount } else { 0 };
    Ok(SeenDispute {
        reference: dispute.id.to_string(),
        // Every payment of ours has an intent; a dispute of a bare charge is somebody else's.
        intent: intent.ok_or(GatewayError::Unknown)?,
        amount: from_stripe(amount, &dispute.currency.to_string()).map_err(strange)?,
        won,
    })
}

#[cfg(test)]
mod published;
