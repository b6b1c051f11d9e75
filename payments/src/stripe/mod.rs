//! Stripe behind the port, through async-stripe. Nobody else knows Stripe's words, scales or status codes.

mod asks;
mod calls;
mod find;
mod list;
mod scales;
mod seen;
mod settings;

use async_trait::async_trait;
use domain::PaymentKind;
use registration::{
    Gateway, GatewayError, Opened, PaymentAsk, RefundCall, Seen, SeenDispute, SeenRefund, SeenState,
};
use stripe_checkout::checkout_session::{ExpireCheckoutSession, RetrieveCheckoutSession};
use stripe_core::dispute::RetrieveDispute;
use stripe_core::payment_intent::{CancelPaymentIntent, RetrievePaymentIntent};
use stripe_core::refund::{ListRefund, RetrieveRefund};
use stripe_shared::{CheckoutSession, PaymentIntent};

pub(crate) use list::Page;
pub use scales::{ScaleError, maximum, minimum, step};
pub use settings::{STRIPE, SettingFault, StripeSettings};

use calls::Calls;

/// As many as Stripe lists at once. An order has far fewer refunds.
const PAGE: i64 = 100;

/// One Stripe account.
pub struct StripeGateway {
    account: String,
    calls: Calls,
}

impl StripeGateway {
    /// Makes the gateway; no call is made yet.
    ///
    /// # Errors
    /// Every fault of the settings at once.
    pub fn new(settings: &StripeSettings) -> Result<StripeGateway, Vec<SettingFault>> {
        settings.validate()?;
        let calls = Calls::new(settings).map_err(|_| {
            vec![SettingFault {
                setting: "base_url",
                rule: "not_an_address",
                text: "is not an address",
            }]
        })?;
        Ok(StripeGateway {
            account: format!("stripe:{}", settings.account),
            calls,
        })
    }

    /// The refunds of a charge, newest first.
    ///
    /// # Errors
    /// [`GatewayError`].
    pub async fn refunds_of_charge(&self, charge: &str) -> Result<Vec<SeenRefund>, GatewayError> {
        let request = ListRefund::new().charge(plain(charge)?).limit(PAGE);
        self.calls
            .send(&request)
            .await?
            .data
            .iter()
            .map(seen::refund)
            .collect()
    }

    async fn look_session(&self, id: &str) -> Result<Seen, GatewayError> {
        let request = RetrieveCheckoutSession::new(id).expand(expanded("payment_intent."));
        seen::session(&self.calls.send(&request).await?)
    }

    async fn look_intent(&self, id: &str) -> Result<Seen, GatewayError> {
        let request = RetrievePaymentIntent::new(id).expand(expanded(""));
        seen::intent(&self.calls.send(&request).await?)
    }

    /// Makes the call that opens; says nothing of what an earlier one has made.
    async fn make(&self, ask: &PaymentAsk) -> Result<Opened, GatewayError> {
        match ask.method {
            PaymentKind::Session => {
                let request = asks::session(ask).map_err(unsayable)?;
                self.calls
                    .send_once(&request, &ask.key)
                    .await
                    .map(opened_page)
            }
            PaymentKind::Intent => {
                let request = asks::intent(ask).map_err(unsayable)?;
                self.calls
                    .send_once(&request, &ask.key)
                    .await
                    .map(opened_intent)
            }
            PaymentKind::Slip | PaymentKind::Transfer => {
                Err(refused("payment_method", "is no card payment"))
            }
        }
    }
}

#[async_trait]
impl Gateway for StripeGateway {
    fn account(&self) -> &str {
        &self.account
    }

    fn minimum(&self, currency: domain::Currency) -> Option<i64> {
        minimum(currency)
    }

    fn maximum(&self, currency: domain::Currency) -> i64 {
        maximum(currency)
    }

    fn step(&self, currency: domain::Currency) -> i64 {
        step(currency)
    }

    async fn open(&self, ask: &PaymentAsk) -> Result<Opened, GatewayError> {
        match self.make(ask).await {
            // The page or intent may have been made before the failure.
            Err(GatewayError::KeySpent(why)) => self
                .opened_before(ask)
                .await?
                .ok_or(GatewayError::KeySpent(why)),
            answer => answer,
        }
    }

    async fn look(&self, reference: &str) -> Result<Seen, GatewayError> {
        match kind(reference)? {
            Kind::Session => self.look_session(reference).await,
            Kind::Intent => self.look_intent(reference).await,
        }
    }

    async fn close(&self, reference: &str) -> Result<Seen, GatewayError> {
        let closed = match kind(reference)? {
            Kind::Session => {
                let request =
                    ExpireCheckoutSession::new(reference).expand(expanded("payment_intent."));
                self.calls
                    .send(&request)
                    .await
                    .and_then(|session| seen::session(&session))
            }
            Kind::Intent => {
                let request = CancelPaymentIntent::new(reference).expand(expanded(""));
                self.calls
                    .send(&request)
                    .await
                    .and_then(|intent| seen::intent(&intent))
            }
        };
        let Err(GatewayError::Refused { code, .. }) = closed else {
            return closed;
        };
        let seen = self.look(reference).await?;
        match seen.state {
            // It may still be paid, so it is not closed, whatever the reason.
            SeenState::Open | SeenState::Refused(_) => {
                Err(GatewayError::NoAnswer(format!("still open: {code}")))
            }
            SeenState::Processing | SeenState::Succeeded { .. } | SeenState::Closed => Ok(seen),
        }
    }

    async fn refund(&self, call: &RefundCall) -> Result<SeenRefund, GatewayError> {
        if let Some(made) = self.made_before(call).await? {
            return seen::refund(&made);
        }
        let request = asks::refund(call).map_err(unsayable)?;
        match self.calls.send_once(&request, &call.key).await {
            Ok(made) => seen::refund(&made),
            Err(GatewayError::KeySpent(why)) => {
                let made = self.made_before(call).await?;
                seen::refund(&made.ok_or(GatewayError::KeySpent(why))?)
            }
            Err(error) => Err(error),
        }
    }

    async fn look_refund(&self, reference: &str) -> Result<SeenRefund, GatewayError> {
        seen::refund(
            &self
                .calls
                .send(&RetrieveRefund::new(plain(reference)?))
                .await?,
        )
    }

    async fn look_dispute(&self, reference: &str) -> Result<SeenDispute, GatewayError> {
        seen::dispute(
            &self
                .calls
                .send(&RetrieveDispute::new(plain(reference)?))
                .await?,
        )
    }
}

fn opened_page(made: CheckoutSession) -> Opened {
    Opened {
        reference: made.id.to_string(),
        intent: made
            .payment_intent
            .map(|intent| intent.into_id().to_string()),
        url: made.url,
        client_secret: None,
    }
}

fn opened_intent(made: PaymentIntent) -> Opened {
    Opened {
        reference: made.id.to_string(),
        intent: Some(made.id.to_string()),
        url: None,
        client_secret: made.client_secret,
    }
}

enum Kind {
    Session,
    Intent,
}

fn kind(reference: &str) -> Result<Kind, GatewayError> {
    match plain(reference)?.split('_').next() {
        Some("cs") => Ok(Kind::Session),
        Some("pi") => Ok(Kind::Intent),
        _ => Err(GatewayError::Unknown),
    }
}

/// An id that may stand in a path: Stripe's are letters, digits and underscores.
fn plain(id: &str) -> Result<&str, GatewayError> {
    let good = !id.is_empty()
        && id.len() <= 255
        && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if good {
        Ok(id)
    } else {
        Err(GatewayError::Unknown)
    }
}

fn expanded(path: &str) -> Vec<String> {
    vec![format!("{path}latest_charge")]
}

fn refused(code: &str, message: &str) -> GatewayError {
    GatewayError::Refused {
        code: code.to_owned(),
        message: message.to_owned(),
    }
}

fn unsayable(error: ScaleError) -> GatewayError {
    refused("amount_not_chargeable", &error.to_string())
}
