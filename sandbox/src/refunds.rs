//! Refunds: made, settled, failed late. <https://docs.stripe.com/api/refunds>

use serde_json::{Value, json};

use crate::balance::{self, Movement};
use crate::cards::Behaviour;
use crate::charges::Charge;
use crate::form::{Form, Metadata};
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::{Timer, World};
use crate::{currency, events};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Pending,
    Succeeded,
    Failed,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Refund {
    id: String,
    created: i64,
    amount: i64,
    currency: String,
    pub(crate) charge: String,
    intent: String,
    reason: Option<String>,
    metadata: Metadata,
    status: Status,
    failure: Option<String>,
    balance_transaction: String,
    failure_balance_transaction: Option<String>,
}

impl Object for Refund {
    const KIND: &'static str = "refund";
    const PARAM: &'static str = "id";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        let mut refund = json!({
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "balance_transaction": self.balance_transaction,
            "charge": self.charge,
            "created": self.created,
            "currency": self.currency,
            "destination_details": { "card": { "type": "refund" }, "type": "card" },
            "metadata": self.metadata,
            "payment_intent": self.intent,
            "reason": self.reason,
            "receipt_number": null,
            "source_transfer_reversal": null,
            "status": self.status.name(),
            "transfer_reversal": null,
        });
        if let Some(failure) = &self.failure {
            refund["failure_reason"] = json!(failure);
            refund["failure_balance_transaction"] = json!(self.failure_balance_transaction);
        }
        if self.status == Status::Pending {
            refund["pending_reason"] = json!("processing");
        }
        refund
    }
}

pub(crate) fn create(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "charge",
        "payment_intent",
        "amount",
        "reason",
        "metadata",
        "currency",
        "instructions_email",
    ])?;
    let reason = form
        .one_of(
            "reason",
            &["duplicate", "fraudulent", "requested_by_customer"],
        )?
        .map(str::to_owned);
    let metadata = form.metadata("metadata")?;
    let asked = form.integer("amount")?;
    let charge = charge_of(world, form)?;
    check(charge, asked)?;
    let amount = asked.unwrap_or_else(|| charge.refundable());
    let (charge_id, behaviour) = (charge.id.clone(), charge.card.behaviour);
    let (currency, intent) = (charge.currency.clone(), charge.intent.clone());
    let id = world.new_id("re_");
    let balance_transaction = balance::book(world, Movement::Refund, &id, -amount, &currency);
    let status = if behaviour == Behaviour::RefundPends {
        Status::Pending
    } else {
        Status::Succeeded
    };
    let refund = Refund {
        id: id.clone(),
        created: world.now(),
        amount,
        currency,
        charge: charge_id.clone(),
        intent,
        reason,
        metadata,
        status,
        failure: None,
        balance_transaction,
        failure_balance_transaction: None,
    };
    let snapshot = refund.json();
    world.refunds.add(refund);
    let charge = world.charges.get_mut(&charge_id)?;
    charge.amount_refunded += amount;
    let charge = charge.json();
    events::emit(world, "charge.refunded", charge);
    events::emit(world, "refund.created", snapshot.clone());
    match behaviour {
        Behaviour::RefundPends => world.set_timer_later(Timer::SettleRefund(id)),
        Behaviour::RefundFailsLate => world.set_timer_later(Timer::FailRefund(id)),
        _ => {}
    }
    Ok(snapshot)
}

/// The charge to give back from, named by itself or through its intent.
fn charge_of<'a>(world: &'a World, form: &Form) -> Result<&'a Charge, Refusal> {
    let charge = form.text("charge");
    let Some(intent) = form.text("payment_intent") else {
        let id = charge.ok_or_else(|| {
            Refusal::invalid("One of the following params should be provided for this request: payment_intent or charge.")
                .code("parameter_missing")
        })?;
        return world.charges.get(id);
    };
    let found = world
        .intents
        .find(intent)
        .ok_or_else(|| Refusal::missing("payment_intent", intent, "payment_intent"))?;
    let paid = found
        .latest_charge
        .as_ref()
        .and_then(|id| world.charges.find(id))
        .filter(|charge| charge.paid());
    match paid {
        Some(paid) if charge.is_none_or(|id| id == paid.id) => Ok(paid),
        _ => Err(Refusal::state(format!(
            "This PaymentIntent ({intent}) does not have a successful charge to refund."
        ))),
    }
}

fn check(charge: &Charge, asked: Option<i64>) -> Result<(), Refusal> {
    if asked.is_some_and(|amount| amount < 1) {
        return Err(Refusal::invalid("Invalid positive integer")
            .code("parameter_invalid_integer")
            .param("amount"));
    }
    if !charge.paid() {
        return Err(Refusal::state(format!(
            "Charge {} is not paid and cannot be refunded.",
            charge.id
        )));
    }
    if charge.charged_back {
        return Err(Refusal::state(format!(
            "Charge {} has been charged back; cannot issue a refund.",
            charge.id
        ))
        .code("charge_disputed"));
    }
    let left = charge.refundable();
    if left == 0 {
        return Err(
            Refusal::state(format!("Charge {} has already been refunded.", charge.id))
                .code("charge_already_refunded"),
        );
    }
    if asked.is_some_and(|amount| amount > left) {
        let (asked, left) = (
            asked.unwrap_or(left),
            currency::display(left, &charge.currency),
        );
        let asked = currency::display(asked, &charge.currency);
        return Err(Refusal::state(format!(
            "Refund amount ({asked}) is greater than unrefunded amount on charge ({left})"
        ))
        .param("amount"));
    }
    Ok(())
}

/// A pending refund reaches the card.
pub(crate) fn settle(world: &mut World, id: &str) -> Result<(), Refusal> {
    let refund = world.refunds.get_mut(id)?;
    if refund.status != Status::Pending {
        return Err(Refusal::state(format!(
            "Refund {id} has a status of {}, not pending.",
            refund.status.name()
        )));
    }
    refund.status = Status::Succeeded;
    let snapshot = refund.json();
    tell(world, &snapshot, "pending");
    Ok(())
}

/// A refund fails, even one that had succeeded: the money returns to the account and can be refunded again.
pub(crate) fn fail(world: &mut World, id: &str, reason: &str) -> Result<(), Refusal> {
    let refund = world.refunds.get(id)?;
    let before = refund.status.name();
    if refund.status == Status::Failed {
        return Err(Refusal::state(format!("Refund {id} has failed already.")));
    }
    let (amount, currency, charge) = (
        refund.amount,
        refund.currency.clone(),
        refund.charge.clone(),
    );
    let transaction = balance::book(world, Movement::RefundFailure, id, amount, &currency);
    world.charges.get_mut(&charge)?.amount_refunded -= amount;
    let refund = world.refunds.get_mut(id)?;
    refund.status = Status::Failed;
    refund.failure = Some(reason.to_owned());
    refund.failure_balance_transaction = Some(transaction);
    let snapshot = refund.json();
    events::emit(world, "refund.failed", snapshot.clone());
    tell(world, &snapshot, before);
    Ok(())
}

/// Tells of a change of status under both names that Stripe uses.
fn tell(world: &mut World, refund: &Value, before: &str) {
    for kind in ["refund.updated", "charge.refund.updated"] {
        events::emit_update(world, kind, refund.clone(), json!({ "status": before }));
    }
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    Ok(world.refunds.get(id)?.json())
}

pub(crate) fn update(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&["metadata"])?;
    let mut metadata = world.refunds.get(id)?.metadata.clone();
    form.merge_metadata("metadata", &mut metadata)?;
    let refund = world.refunds.get_mut(id)?;
    let before = std::mem::replace(&mut refund.metadata, metadata);
    let snapshot = refund.json();
    for kind in ["refund.updated", "charge.refund.updated"] {
        events::emit_update(world, kind, snapshot.clone(), json!({ "metadata": before }));
    }
    Ok(snapshot)
}

pub(crate) fn cancel(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    world.refunds.get(id)?;
    Err(Refusal::state(
        "You can only cancel a refund that has a status of requires_action.",
    ))
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
    world.refunds.page("/v1/refunds", form, |refund| {
        charge.is_none_or(|id| id == refund.charge) && intent.is_none_or(|id| id == refund.intent)
    })
}
