//! Attempts to pay a payment intent: what the card does, 3-D Secure, and the slow methods' end.

use serde_json::json;

use crate::balance::{self, Movement};
use crate::cards::{Behaviour, Decline};
use crate::charges::Charge;
use crate::intent_object::Status;
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::{Timer, World};
use crate::{disputes, events, sessions};

/// Charges the intent's payment method. A decline is an error, with the intent open again; so is a card that
/// asks for 3-D Secure when the attempt is unattended.
pub(crate) fn attempt(world: &mut World, id: &str, unattended: bool) -> Result<(), Refusal> {
    match behaviour(world, id)? {
        Behaviour::Authenticates(_) if unattended => Err(refuse(world, id, UNATTENDED)?),
        Behaviour::Declines(decline) => Err(refuse(world, id, decline)?),
        Behaviour::Authenticates(_) => ask_to_authenticate(world, id),
        Behaviour::Processes { succeeds } => process(world, id, succeeds),
        _ => succeed(world, id),
    }
}

const UNATTENDED: Decline = Decline {
    code: "authentication_required",
    decline_code: "authentication_required",
    message: "Your card was declined. This transaction requires authentication.",
};

fn behaviour(world: &World, id: &str) -> Result<Behaviour, Refusal> {
    let method = world
        .intents
        .get(id)?
        .payment_method
        .clone()
        .unwrap_or_default();
    Ok(world.methods.get(&method)?.card.behaviour)
}

fn ask_to_authenticate(world: &mut World, id: &str) -> Result<(), Refusal> {
    let url = format!("{}authenticate/{id}", world.base);
    let intent = world.intents.get_mut(id)?;
    intent.status = Status::RequiresAction;
    intent.action_url = Some(format!("{url}?client_secret={}", intent.client_secret));
    intent.last_payment_error = None;
    let snapshot = intent.json();
    events::emit(world, "payment_intent.requires_action", snapshot);
    Ok(())
}

/// Ends 3-D Secure. The card may still be declined after a good authentication.
pub(crate) fn authenticate(world: &mut World, id: &str, passed: bool) -> Result<(), Refusal> {
    let status = world.intents.get(id)?.status;
    if status != Status::RequiresAction {
        return Err(Refusal::state(format!(
            "This PaymentIntent has a status of {} and asks for no action.",
            status.name()
        )));
    }
    if !passed {
        let error = Refusal::invalid("The provided PaymentMethod has failed authentication. Provide a new PaymentMethod to try again.")
            .code("payment_intent_authentication_failure");
        return fail(world, id, &error);
    }
    match behaviour(world, id)? {
        Behaviour::Authenticates(Some(decline)) => refuse(world, id, decline).map(drop),
        _ => succeed(world, id),
    }
}

fn process(world: &mut World, id: &str, succeeds: bool) -> Result<(), Refusal> {
    let intent = world.intents.get_mut(id)?;
    intent.status = Status::Processing;
    intent.last_payment_error = None;
    let snapshot = intent.json();
    events::emit(world, "payment_intent.processing", snapshot);
    world.set_timer_later(Timer::SettleIntent {
        id: id.to_owned(),
        succeeds,
    });
    sessions::settle(world, id)
}

/// Ends the processing of an asynchronous payment.
pub(crate) fn settle(world: &mut World, id: &str, succeeds: bool) -> Result<(), Refusal> {
    let status = world.intents.get(id)?.status;
    if status != Status::Processing {
        return Err(Refusal::state(format!(
            "This PaymentIntent has a status of {}, not processing.",
            status.name()
        )));
    }
    if succeeds {
        return succeed(world, id);
    }
    refuse(
        world,
        id,
        Decline {
            code: "payment_intent_payment_attempt_failed",
            decline_code: "generic_decline",
            message: "The payment failed.",
        },
    )?;
    sessions::settle(world, id)
}

fn succeed(world: &mut World, id: &str) -> Result<(), Refusal> {
    let charge = new_charge(world, id, None)?;
    let charge_id = charge.id.clone();
    let (amount, currency) = (charge.amount, charge.currency.clone());
    world.charges.add(charge);
    let transaction = balance::book(world, Movement::Charge, &charge_id, amount, &currency);
    let charge = world.charges.get_mut(&charge_id)?;
    charge.balance_transaction = Some(transaction);
    let snapshot = charge.json();
    events::emit(world, "charge.succeeded", snapshot);
    let intent = world.intents.get_mut(id)?;
    intent.status = Status::Succeeded;
    intent.latest_charge = Some(charge_id.clone());
    intent.last_payment_error = None;
    intent.action_url = None;
    let snapshot = intent.json();
    events::emit(world, "payment_intent.succeeded", snapshot);
    sessions::settle(world, id)?;
    if let Behaviour::Disputed(reason) = behaviour(world, id)? {
        return disputes::open(world, &charge_id, reason);
    }
    Ok(())
}

/// Books a failed charge and gives the 402 that tells of it.
fn refuse(world: &mut World, id: &str, decline: Decline) -> Result<Refusal, Refusal> {
    let charge = new_charge(world, id, Some(decline))?;
    let charge_id = charge.id.clone();
    let snapshot = charge.json();
    world.charges.add(charge);
    world.intents.get_mut(id)?.latest_charge = Some(charge_id.clone());
    events::emit(world, "charge.failed", snapshot);
    let error = decline.refusal().with("charge", charge_id);
    fail(world, id, &error)?;
    let intent = world.intents.get(id)?;
    let method = intent
        .last_payment_error
        .as_ref()
        .map_or(json!(null), |error| error["payment_method"].clone());
    Ok(error
        .with("payment_method", method)
        .with("payment_intent", intent.json()))
}

/// The intent asks for another payment method.
fn fail(world: &mut World, id: &str, error: &Refusal) -> Result<(), Refusal> {
    let method = world
        .intents
        .get(id)?
        .payment_method
        .clone()
        .unwrap_or_default();
    let method = world.methods.get(&method)?.json();
    let intent = world.intents.get_mut(id)?;
    intent.status = Status::RequiresPaymentMethod;
    intent.payment_method = None;
    intent.action_url = None;
    intent.last_payment_error = Some(error.clone().with("payment_method", method).inner());
    let snapshot = intent.json();
    events::emit(world, "payment_intent.payment_failed", snapshot);
    Ok(())
}

fn new_charge(world: &mut World, id: &str, failure: Option<Decline>) -> Result<Charge, Refusal> {
    let charge_id = world.new_id("ch_");
    let created = world.now();
    let intent = world.intents.get(id)?;
    let method = world
        .methods
        .get(intent.payment_method.as_deref().unwrap_or_default())?;
    Ok(Charge {
        id: charge_id,
        created,
        amount: intent.amount,
        currency: intent.currency.clone(),
        intent: intent.id.clone(),
        method: method.id.clone(),
        card: method.card,
        email: intent.receipt_email.clone(),
        description: intent.description.clone(),
        metadata: intent.metadata.clone(),
        failure,
        amount_refunded: 0,
        disputed: false,
        charged_back: false,
        authenticated: matches!(method.card.behaviour, Behaviour::Authenticates(_)),
        balance_transaction: None,
    })
}
