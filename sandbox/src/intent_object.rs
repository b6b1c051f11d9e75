//! The payment intent itself, as it is kept and as it is shown.

use serde_json::{Value, json};

use crate::form::Metadata;
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Processing,
    Succeeded,
    Canceled,
}

impl Status {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RequiresPaymentMethod => "requires_payment_method",
            Self::RequiresConfirmation => "requires_confirmation",
            Self::RequiresAction => "requires_action",
            Self::Processing => "processing",
            Self::Succeeded => "succeeded",
            Self::Canceled => "canceled",
        }
    }

    /// Before the money moves: everything may still change.
    pub(crate) fn open(self) -> bool {
        matches!(
            self,
            Self::RequiresPaymentMethod | Self::RequiresConfirmation | Self::RequiresAction
        )
    }
}

#[derive(Debug)]
pub(crate) struct Intent {
    pub(crate) id: String,
    pub(crate) client_secret: String,
    pub(crate) created: i64,
    /// In the currency's API units.
    pub(crate) amount: i64,
    pub(crate) currency: String,
    pub(crate) status: Status,
    pub(crate) metadata: Metadata,
    pub(crate) description: Option<String>,
    pub(crate) receipt_email: Option<String>,
    pub(crate) statement_descriptor_suffix: Option<String>,
    pub(crate) return_url: Option<String>,
    /// Automatic payment methods, with whether those that redirect are allowed.
    pub(crate) automatic: Option<bool>,
    pub(crate) payment_method: Option<String>,
    pub(crate) latest_charge: Option<String>,
    pub(crate) last_payment_error: Option<Value>,
    pub(crate) action_url: Option<String>,
    pub(crate) canceled_at: Option<i64>,
    pub(crate) cancellation_reason: Option<String>,
    /// The Checkout Session that made it.
    pub(crate) session: Option<String>,
}

impl Intent {
    pub(crate) fn new(world: &mut World, amount: i64, currency: &str) -> Self {
        let id = world.new_id("pi_");
        let client_secret = world.new_id(&format!("{id}_secret_"));
        Self {
            id,
            client_secret,
            created: world.now(),
            amount,
            currency: currency.to_owned(),
            status: Status::RequiresPaymentMethod,
            metadata: Metadata::new(),
            description: None,
            receipt_email: None,
            statement_descriptor_suffix: None,
            return_url: None,
            automatic: None,
            payment_method: None,
            latest_charge: None,
            last_payment_error: None,
            action_url: None,
            canceled_at: None,
            cancellation_reason: None,
            session: None,
        }
    }

    /// A refusal for the state that it is in, with the intent in the envelope as Stripe puts it.
    pub(crate) fn unexpected(&self, message: String) -> Refusal {
        Refusal::state(message)
            .code("payment_intent_unexpected_state")
            .with("payment_intent", self.json())
    }
}

impl Object for Intent {
    const KIND: &'static str = "payment_intent";
    const PARAM: &'static str = "intent";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        let received = if self.status == Status::Succeeded {
            self.amount
        } else {
            0
        };
        let next_action = self.action_url.as_ref().map(|url| {
            json!({ "type": "redirect_to_url", "redirect_to_url": { "url": url, "return_url": self.return_url } })
        });
        let automatic = self
            .automatic
            .map(|redirects| json!({ "enabled": true, "allow_redirects": if redirects { "always" } else { "never" } }));
        let processing =
            (self.status == Status::Processing).then(|| json!({ "type": "card", "card": {} }));
        json!({
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_capturable": 0,
            "amount_details": { "tip": {} },
            "amount_received": received,
            "application": null,
            "application_fee_amount": null,
            "automatic_payment_methods": automatic,
            "canceled_at": self.canceled_at,
            "cancellation_reason": self.cancellation_reason,
            "capture_method": "automatic",
            "client_secret": self.client_secret,
            "confirmation_method": "automatic",
            "created": self.created,
            "currency": self.currency,
            "customer": null,
            "description": self.description,
            "last_payment_error": self.last_payment_error,
            "latest_charge": self.latest_charge,
            "livemode": false,
            "metadata": self.metadata,
            "next_action": next_action,
            "on_behalf_of": null,
            "payment_method": self.payment_method,
            "payment_method_options": {},
            "payment_method_types": ["card"],
            "processing": processing,
            "receipt_email": self.receipt_email,
            "review": null,
            "setup_future_usage": null,
            "shipping": null,
            "statement_descriptor": null,
            "statement_descriptor_suffix": self.statement_descriptor_suffix,
            "status": self.status.name(),
            "transfer_data": null,
            "transfer_group": null,
        })
    }
}
