//! The Checkout Session itself, as it is kept and as it is shown.

use serde_json::{Value, json};

use crate::currency;
use crate::form::Metadata;
use crate::table::{Object, fill};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Open,
    Complete,
    Expired,
}

/// One line of what is bought.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) price: String,
    pub(crate) product: String,
    pub(crate) name: String,
    pub(crate) unit_amount: i64,
    pub(crate) quantity: i64,
}

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) expires_at: i64,
    pub(crate) status: Status,
    pub(crate) paid: bool,
    pub(crate) url: String,
    pub(crate) success_url: String,
    pub(crate) cancel_url: Option<String>,
    pub(crate) client_reference_id: Option<String>,
    pub(crate) customer_email: Option<String>,
    pub(crate) payer_email: Option<String>,
    pub(crate) locale: Option<String>,
    pub(crate) metadata: Metadata,
    pub(crate) currency: String,
    pub(crate) items: Vec<Item>,
    pub(crate) intent: Option<String>,
    pub(crate) intent_metadata: Metadata,
    pub(crate) intent_description: Option<String>,
    pub(crate) intent_receipt_email: Option<String>,
}

impl Session {
    pub(crate) fn total(&self) -> i64 {
        self.items
            .iter()
            .map(|item| item.unit_amount * item.quantity)
            .sum()
    }

    /// The total as a payer reads it.
    pub(crate) fn total_text(&self) -> String {
        currency::display(self.total(), &self.currency)
    }

    /// Where the payer goes after paying.
    pub(crate) fn success_url(&self) -> String {
        self.success_url.replace("{CHECKOUT_SESSION_ID}", &self.id)
    }

    /// The `line_items` list, which appears only when expanded.
    pub(crate) fn line_items(&self) -> Value {
        let data: Vec<Value> = self.items.iter().map(|item| self.line_item(item)).collect();
        json!({ "object": "list", "data": data, "has_more": false, "url": format!("/v1/checkout/sessions/{}/line_items", self.id) })
    }

    fn line_item(&self, item: &Item) -> Value {
        let total = item.unit_amount * item.quantity;
        json!({
            "id": item.id,
            "object": "item",
            "amount_discount": 0,
            "amount_subtotal": total,
            "amount_tax": 0,
            "amount_total": total,
            "currency": self.currency,
            "description": item.name,
            "price": {
                "id": item.price,
                "object": "price",
                "active": false,
                "billing_scheme": "per_unit",
                "created": self.created,
                "currency": self.currency,
                "livemode": false,
                "lookup_key": null,
                "metadata": {},
                "nickname": null,
                "product": item.product,
                "recurring": null,
                "tax_behavior": "unspecified",
                "tiers_mode": null,
                "transform_quantity": null,
                "type": "one_time",
                "unit_amount": item.unit_amount,
                "unit_amount_decimal": item.unit_amount.to_string(),
            },
            "quantity": item.quantity,
        })
    }
}

impl Object for Session {
    const KIND: &'static str = "checkout.session";
    const PARAM: &'static str = "session";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        let (status, url) = match self.status {
            Status::Open => ("open", Some(&self.url)),
            Status::Complete => ("complete", None),
            Status::Expired => ("expired", None),
        };
        let email = self.payer_email.as_ref().or(self.customer_email.as_ref());
        let details = email.map(|email| {
            json!({ "address": null, "email": email, "name": null, "phone": null, "tax_exempt": "none", "tax_ids": null })
        });
        let mut session = json!({
            "id": self.id,
            "object": "checkout.session",
            "amount_subtotal": self.total(),
            "amount_total": self.total(),
            "cancel_url": self.cancel_url,
            "client_reference_id": self.client_reference_id,
            "created": self.created,
            "currency": self.currency,
            "customer_details": details,
            "customer_email": self.customer_email,
            "expires_at": self.expires_at,
            "locale": self.locale,
            "metadata": self.metadata,
            "mode": "payment",
            "payment_intent": self.intent,
            "payment_status": if self.paid { "paid" } else { "unpaid" },
            "status": status,
            "success_url": self.success_url,
            "url": url,
        });
        fill(&mut session, unused());
        session
    }
}

/// What stays the same in every session of this server.
fn unused() -> Value {
    json!({
        "after_expiration": null,
        "allow_promotion_codes": null,
        "automatic_tax": { "enabled": false, "liability": null, "status": null },
        "billing_address_collection": null,
        "client_secret": null,
        "consent": null,
        "consent_collection": null,
        "custom_fields": [],
        "custom_text": { "after_submit": null, "shipping_address": null, "submit": null, "terms_of_service_acceptance": null },
        "customer": null,
        "customer_creation": "if_required",
        "invoice": null,
        "invoice_creation": null,
        "livemode": false,
        "payment_link": null,
        "payment_method_collection": "if_required",
        "payment_method_options": {},
        "payment_method_types": ["card"],
        "phone_number_collection": { "enabled": false },
        "recovered_from": null,
        "setup_intent": null,
        "shipping_address_collection": null,
        "shipping_cost": null,
        "shipping_options": [],
        "submit_type": null,
        "subscription": null,
        "total_details": { "amount_discount": 0, "amount_shipping": 0, "amount_tax": 0 },
        "ui_mode": "hosted_page",
    })
}
