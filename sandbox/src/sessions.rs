//! Checkout Sessions in `mode=payment`: their life from open to complete or expired.
//! <https://docs.stripe.com/api/checkout/sessions>

use serde_json::Value;

use crate::form::Form;
use crate::intent_object::{self, Intent};
use crate::intents;
use crate::refusal::Refusal;
use crate::session_object::Status;
use crate::table::Object;
use crate::world::World;
use crate::{attempts, events, methods};

/// Pays an open session with a card, as the payer does on its page. The intent is made here, at the first attempt.
/// The error is the issuer's refusal or the session's state.
pub(crate) fn pay(
    world: &mut World,
    id: &str,
    number: &str,
    email: Option<&str>,
) -> Result<(), Refusal> {
    let session = world.sessions.get(id)?;
    if session.status != Status::Open {
        return Err(Refusal::state("This Checkout Session is no longer open."));
    }
    let card = methods::by_number(number, "card_number")?;
    let intent = match &session.intent {
        Some(intent) => intent.clone(),
        None => make_intent(world, id)?,
    };
    let payer_email = email.map(str::to_owned).or_else(|| {
        world
            .sessions
            .find(id)
            .and_then(|session| session.customer_email.clone())
    });
    let method = methods::add(world, card, payer_email.as_deref());
    let found = world.intents.get_mut(&intent)?;
    if !found.status.open() {
        return Err(Refusal::state(
            "This Checkout Session's payment is under way.",
        ));
    }
    found.payment_method = Some(method);
    found.return_url = None;
    world.sessions.get_mut(id)?.payer_email = payer_email;
    attempts::attempt(world, &intent, false)
}

fn make_intent(world: &mut World, id: &str) -> Result<String, Refusal> {
    let session = world.sessions.get(id)?;
    let (amount, currency) = (session.total(), session.currency.clone());
    let mut intent = Intent::new(world, amount, &currency);
    let session = world.sessions.get_mut(id)?;
    intent.session = Some(id.to_owned());
    intent.metadata.clone_from(&session.intent_metadata);
    intent.description.clone_from(&session.intent_description);
    intent
        .receipt_email
        .clone_from(&session.intent_receipt_email);
    session.intent = Some(intent.id.clone());
    let made = intent.id.clone();
    events::emit(world, "payment_intent.created", intent.json());
    world.intents.add(intent);
    Ok(made)
}

/// Takes over what became of the session's intent, if it has one.
pub(crate) fn settle(world: &mut World, intent: &str) -> Result<(), Refusal> {
    let intent = world.intents.get(intent)?;
    let status = intent.status;
    let Some(id) = intent.session.clone() else {
        return Ok(());
    };
    let session = world.sessions.get_mut(&id)?;
    let was_open = session.status == Status::Open;
    session.status = Status::Complete;
    session.paid = status == intent_object::Status::Succeeded;
    let kind = match (was_open, session.paid) {
        (true, _) => "checkout.session.completed",
        (false, true) => "checkout.session.async_payment_succeeded",
        (false, false) => "checkout.session.async_payment_failed",
    };
    let snapshot = session.json();
    events::emit(world, kind, snapshot);
    Ok(())
}

/// Expires an open session and cancels its intent.
pub(crate) fn end(world: &mut World, id: &str) -> Result<(), Refusal> {
    let session = world.sessions.get_mut(id)?;
    if session.status != Status::Open {
        return Err(Refusal::state(
            "Only Checkout Sessions with a status in [\"open\"] can be expired.",
        ));
    }
    session.status = Status::Expired;
    let snapshot = session.json();
    let intent = session.intent.clone();
    events::emit(world, "checkout.session.expired", snapshot);
    match intent {
        Some(intent) => intents::end(world, &intent, Some("expired")),
        None => Ok(()),
    }
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    Ok(world.sessions.get(id)?.json())
}

pub(crate) fn line_items(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&["limit", "starting_after", "ending_before"])?;
    Ok(world.sessions.get(id)?.line_items())
}

pub(crate) fn update(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&["metadata"])?;
    let mut metadata = world.sessions.get(id)?.metadata.clone();
    form.merge_metadata("metadata", &mut metadata)?;
    let session = world.sessions.get_mut(id)?;
    session.metadata = metadata;
    Ok(session.json())
}

pub(crate) fn expire(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    end(world, id)?;
    Ok(world.sessions.get(id)?.json())
}

pub(crate) fn list(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "limit",
        "starting_after",
        "ending_before",
        "created",
        "payment_intent",
        "status",
        "customer_details",
    ])?;
    form.one_of("status", &["open", "complete", "expired"])?;
    let (intent, status) = (form.text("payment_intent"), form.text("status"));
    let email = form.text("customer_details[email]");
    world
        .sessions
        .page("/v1/checkout/sessions", form, |session| {
            let named = match session.status {
                Status::Open => "open",
                Status::Complete => "complete",
                Status::Expired => "expired",
            };
            intent.is_none_or(|id| session.intent.as_deref() == Some(id))
                && status.is_none_or(|status| status == named)
                && email.is_none_or(|email| {
                    session
                        .payer_email
                        .as_deref()
                        .or(session.customer_email.as_deref())
                        == Some(email)
                })
        })
}
