//! Disputes: opened by a card or by hand, closed lost or won. <https://docs.stripe.com/api/disputes>

use serde_json::{Value, json};

use crate::balance::{self, Movement};
use crate::events;
use crate::form::{Form, Metadata};
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;

/// Days, in seconds, that there are to answer.
const TIME_TO_ANSWER: i64 = 9 * 24 * 3600;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    NeedsResponse,
    Won,
    Lost,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::NeedsResponse => "needs_response",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Dispute {
    id: String,
    created: i64,
    amount: i64,
    currency: String,
    charge: String,
    intent: String,
    brand: &'static str,
    reason: String,
    status: Status,
    metadata: Metadata,
    /// As they were booked, newest last.
    transactions: Vec<Value>,
}

/// Everything that could be sent in as evidence; nothing is.
const EVIDENCE: &[&str] = &[
    "access_activity_log",
    "billing_address",
    "cancellation_policy",
    "cancellation_policy_disclosure",
    "cancellation_rebuttal",
    "customer_communication",
    "customer_email_address",
    "customer_name",
    "customer_purchase_ip",
    "customer_signature",
    "duplicate_charge_documentation",
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "receipt",
    "refund_policy",
    "refund_policy_disclosure",
    "refund_refusal_explanation",
    "service_date",
    "service_documentation",
    "shipping_address",
    "shipping_carrier",
    "shipping_date",
    "shipping_documentation",
    "shipping_tracking_number",
    "uncategorized_file",
    "uncategorized_text",
];

impl Object for Dispute {
    const KIND: &'static str = "dispute";
    const PARAM: &'static str = "dispute";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        let mut evidence: serde_json::Map<_, _> = EVIDENCE
            .iter()
            .map(|name| ((*name).to_owned(), Value::Null))
            .collect();
        evidence.insert("enhanced_evidence".into(), json!({}));
        json!({
            "id": self.id,
            "object": "dispute",
            "amount": self.amount,
            "balance_transactions": self.transactions,
            "charge": self.charge,
            "created": self.created,
            "currency": self.currency,
            "enhanced_eligibility_types": [],
            "evidence": evidence,
            "evidence_details": {
                "due_by": self.created + TIME_TO_ANSWER,
                "enhanced_eligibility": {},
                "has_evidence": false,
                "past_due": false,
                "submission_count": 0,
            },
            "is_charge_refundable": false,
            "livemode": false,
            "metadata": self.metadata,
            "payment_intent": self.intent,
            "payment_method_details": {
                "card": { "brand": self.brand, "case_type": "chargeback", "network": self.brand, "network_reason_code": "10.4" },
                "type": "card",
            },
            "reason": self.reason,
            "status": self.status.name(),
        })
    }
}

/// The cardholder disputes what is left of a charge: the money leaves at once.
pub(crate) fn open(world: &mut World, charge: &str, reason: &str) -> Result<(), Refusal> {
    let found = world.charges.get(charge)?;
    let amount = found.refundable();
    if found.charged_back || amount == 0 {
        return Err(Refusal::state(format!(
            "Charge {charge} has nothing left to dispute."
        )));
    }
    let (currency, intent, brand) = (
        found.currency.clone(),
        found.intent.clone(),
        found.card.brand,
    );
    let id = world.new_id("du_");
    let transaction = balance::book(world, Movement::Dispute, &id, -amount, &currency);
    let transactions = vec![world.balance.get(&transaction)?.json()];
    let dispute = Dispute {
        id,
        created: world.now(),
        amount,
        currency,
        charge: charge.to_owned(),
        intent,
        brand,
        reason: reason.to_owned(),
        status: Status::NeedsResponse,
        metadata: Metadata::new(),
        transactions,
    };
    let snapshot = dispute.json();
    world.disputes.add(dispute);
    let found = world.charges.get_mut(charge)?;
    (found.disputed, found.charged_back) = (true, true);
    events::emit(world, "charge.dispute.created", snapshot.clone());
    events::emit(world, "charge.dispute.funds_withdrawn", snapshot);
    Ok(())
}

/// The dispute ends. Won, the money comes back and the charge can be refunded again.
pub(crate) fn end(world: &mut World, id: &str, won: bool) -> Result<(), Refusal> {
    let dispute = world.disputes.get(id)?;
    if dispute.status != Status::NeedsResponse {
        return Err(Refusal::state("This dispute is already closed."));
    }
    let (amount, currency, charge) = (
        dispute.amount,
        dispute.currency.clone(),
        dispute.charge.clone(),
    );
    let reversal =
        won.then(|| balance::book(world, Movement::DisputeReversal, id, amount, &currency));
    let reversal = match reversal {
        Some(transaction) => Some(world.balance.get(&transaction)?.json()),
        None => None,
    };
    let dispute = world.disputes.get_mut(id)?;
    dispute.status = if won { Status::Won } else { Status::Lost };
    dispute.transactions.extend(reversal);
    let snapshot = dispute.json();
    if won {
        world.charges.get_mut(&charge)?.charged_back = false;
        events::emit(world, "charge.dispute.funds_reinstated", snapshot.clone());
    }
    events::emit(world, "charge.dispute.closed", snapshot);
    Ok(())
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    Ok(world.disputes.get(id)?.json())
}

/// Accepting a dispute loses it.
pub(crate) fn close(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    end(world, id, false)?;
    Ok(world.disputes.get(id)?.json())
}

pub(crate) fn update(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&["metadata"])?;
    let mut metadata = world.disputes.get(id)?.metadata.clone();
    form.merge_metadata("metadata", &mut metadata)?;
    let dispute = world.disputes.get_mut(id)?;
    let before = std::mem::replace(&mut dispute.metadata, metadata);
    let snapshot = dispute.json();
    events::emit_update(
        world,
        "charge.dispute.updated",
        snapshot.clone(),
        json!({ "metadata": before }),
    );
    Ok(snapshot)
}

pub(crate) fn list(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "limit",
        "starting_after",
        "ending_before",
        "created",
        "charge",
        "payment_intent",
    ])?;
    let (charge, intent) = (form.text("charge"), form.text("payment_intent"));
    world.disputes.page("/v1/disputes", form, |dispute| {
        charge.is_none_or(|id| id == dispute.charge) && intent.is_none_or(|id| id == dispute.intent)
    })
}
