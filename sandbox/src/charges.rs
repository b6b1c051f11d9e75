//! Charges: one for each attempt. <https://docs.stripe.com/api/charges>

use serde_json::{Value, json};

use crate::cards::{Card, Decline};
use crate::form::{Form, Metadata};
use crate::methods::{EXPIRES, billing, fingerprint};
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Charge {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) amount: i64,
    pub(crate) currency: String,
    pub(crate) intent: String,
    pub(crate) method: String,
    pub(crate) card: &'static Card,
    pub(crate) email: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) metadata: Metadata,
    pub(crate) failure: Option<Decline>,
    /// Sum of the refunds that are pending or have succeeded.
    pub(crate) amount_refunded: i64,
    /// Has ever been disputed.
    pub(crate) disputed: bool,
    /// The money is with the cardholder's bank: a dispute is open or lost.
    pub(crate) charged_back: bool,
    /// Passed 3-D Secure.
    pub(crate) authenticated: bool,
    pub(crate) balance_transaction: Option<String>,
}

impl Charge {
    pub(crate) fn paid(&self) -> bool {
        self.failure.is_none()
    }

    pub(crate) fn refundable(&self) -> i64 {
        if self.paid() {
            self.amount - self.amount_refunded
        } else {
            0
        }
    }

    fn outcome(&self) -> Value {
        match self.failure {
            None => json!({
                "advice_code": null,
                "network_advice_code": null,
                "network_decline_code": null,
                "network_status": "approved_by_network",
                "reason": null,
                "seller_message": "Payment complete.",
                "type": "authorized",
            }),
            Some(decline) => json!({
                "advice_code": null,
                "network_advice_code": null,
                "network_decline_code": null,
                "network_status": "declined_by_network",
                "reason": decline.decline_code,
                "seller_message": "The bank did not return any further details with this decline.",
                "type": "issuer_declined",
            }),
        }
    }

    fn method_details(&self) -> Value {
        let secured = self.authenticated.then(|| {
            json!({
                "authentication_flow": "challenge",
                "electronic_commerce_indicator": "05",
                "exemption_indicator": null,
                "result": "authenticated",
                "result_reason": null,
                "transaction_id": null,
                "version": "2.2.0",
            })
        });
        json!({
            "card": {
                "amount_authorized": self.paid().then_some(self.amount),
                "authorization_code": null,
                "brand": self.card.brand,
                "checks": { "address_line1_check": null, "address_postal_code_check": null, "cvc_check": "pass" },
                "country": self.card.country,
                "exp_month": EXPIRES.0,
                "exp_year": EXPIRES.1,
                "fingerprint": fingerprint(self.card),
                "funding": "credit",
                "installments": null,
                "last4": self.card.last4(),
                "mandate": null,
                "network": self.card.brand,
                "network_transaction_id": null,
                "regulated_status": "unregulated",
                "three_d_secure": secured,
                "wallet": null,
            },
            "type": "card",
        })
    }
}

impl Object for Charge {
    const KIND: &'static str = "charge";
    const PARAM: &'static str = "charge";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "charge",
            "amount": self.amount,
            "amount_captured": if self.paid() { self.amount } else { 0 },
            "amount_refunded": self.amount_refunded,
            "application": null,
            "application_fee": null,
            "application_fee_amount": null,
            "balance_transaction": self.balance_transaction,
            "billing_details": billing(self.email.as_deref(), None),
            "calculated_statement_descriptor": "SANDBOX",
            "captured": self.paid(),
            "created": self.created,
            "currency": self.currency,
            "customer": null,
            "description": self.description,
            "disputed": self.disputed,
            "failure_balance_transaction": null,
            "failure_code": self.failure.map(|decline| decline.code),
            "failure_message": self.failure.map(|decline| decline.message),
            "fraud_details": {},
            "livemode": false,
            "metadata": self.metadata,
            "on_behalf_of": null,
            "outcome": self.outcome(),
            "paid": self.paid(),
            "payment_intent": self.intent,
            "payment_method": self.method,
            "payment_method_details": self.method_details(),
            "receipt_email": self.email,
            "receipt_number": null,
            "receipt_url": null,
            "refunded": self.paid() && self.amount_refunded == self.amount,
            "review": null,
            "shipping": null,
            "source_transfer": null,
            "statement_descriptor": null,
            "statement_descriptor_suffix": null,
            "status": if self.paid() { "succeeded" } else { "failed" },
            "transfer_data": null,
            "transfer_group": null,
        })
    }
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    Ok(world.charges.get(id)?.json())
}

pub(crate) fn list(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "limit",
        "starting_after",
        "ending_before",
        "created",
        "payment_intent",
        "customer",
    ])?;
    let (intent, customer) = (form.text("payment_intent"), form.text("customer"));
    world.charges.page("/v1/charges", form, |charge| {
        intent.is_none_or(|id| id == charge.intent) && customer.is_none()
    })
}
