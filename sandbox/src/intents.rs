//! Payment intents: create, update, confirm, cancel, list. <https://docs.stripe.com/api/payment_intents>

use serde_json::Value;

use crate::form::{Form, Metadata};
use crate::intent_object::{Intent, Status};
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;
use crate::{attempts, currency, events, methods};

/// Parameters of creating and of updating.
const DETAILS: &[&str] = &[
    "amount",
    "currency",
    "metadata",
    "description",
    "receipt_email",
    "statement_descriptor_suffix",
    "payment_method",
    "payment_method_data",
    "payment_method_types",
    "allowed_payment_method_types",
];
/// Parameters of creating with `confirm=true` and of confirming.
const CONFIRMING: &[&str] = &[
    "return_url",
    "off_session",
    "error_on_requires_action",
    "use_stripe_sdk",
];

/// What a request changes, read in full before anything is changed.
struct Changes {
    metadata: Metadata,
    /// Each given or not; given empty removes.
    description: Option<Option<String>>,
    receipt_email: Option<Option<String>>,
    statement_descriptor_suffix: Option<Option<String>>,
    return_url: Option<Option<String>>,
    payment_method: Option<String>,
}

impl Changes {
    fn read(world: &mut World, form: &Form, mut metadata: Metadata) -> Result<Self, Refusal> {
        form.merge_metadata("metadata", &mut metadata)?;
        let given = |key: &str| form.has(key).then(|| form.text(key).map(str::to_owned));
        Ok(Self {
            metadata,
            description: given("description"),
            receipt_email: given("receipt_email"),
            statement_descriptor_suffix: given("statement_descriptor_suffix"),
            return_url: given("return_url"),
            payment_method: methods::named(world, form)?,
        })
    }

    fn apply(self, intent: &mut Intent) {
        intent.metadata = self.metadata;
        for (field, given) in [
            (&mut intent.description, self.description),
            (&mut intent.receipt_email, self.receipt_email),
            (
                &mut intent.statement_descriptor_suffix,
                self.statement_descriptor_suffix,
            ),
            (&mut intent.return_url, self.return_url),
        ] {
            if let Some(value) = given {
                *field = value;
            }
        }
        if let Some(method) = self.payment_method {
            intent.payment_method = Some(method);
            intent.status = Status::RequiresConfirmation;
            intent.action_url = None;
        }
    }
}

pub(crate) fn create(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    let own: &[&str] = &[
        "confirm",
        "automatic_payment_methods",
        "capture_method",
        "confirmation_method",
    ];
    form.only(&[DETAILS, CONFIRMING, own].concat())?;
    let amount = form.required_integer("amount")?;
    let currency = currency::parse(form.required("currency")?, "currency")?;
    currency::check_charge(amount, &currency, "amount")?;
    form.one_of("capture_method", &["automatic", "automatic_async"])?;
    form.one_of("confirmation_method", &["automatic"])?;
    let confirm = form.boolean("confirm")?.unwrap_or(false);
    if let Some(early) = CONFIRMING.iter().find(|key| form.has(key) && !confirm) {
        return Err(Refusal::invalid(format!(
            "You can only provide `{early}` when `confirm=true`."
        ))
        .param(*early));
    }
    let automatic = automatic_methods(form)?;
    let unattended = unattended(form)?;
    let changes = Changes::read(world, form, Metadata::new())?;
    let mut intent = Intent::new(world, amount, &currency);
    intent.automatic = automatic;
    changes.apply(&mut intent);
    if confirm {
        check_confirmable(&intent)?;
    }
    let id = intent.id.clone();
    events::emit(world, "payment_intent.created", intent.json());
    world.intents.add(intent);
    if confirm {
        attempts::attempt(world, &id, unattended)?;
    }
    Ok(world.intents.get(&id)?.json())
}

/// Automatic methods are the rule unless the types are named, as older API versions do, or it is switched off; gives
/// whether those that redirect are allowed.
fn automatic_methods(form: &Form) -> Result<Option<bool>, Refusal> {
    let named = form.has_list("payment_method_types");
    for key in ["payment_method_types", "allowed_payment_method_types"] {
        form.check_card_is_in(key)?;
    }
    let enabled = form.boolean("automatic_payment_methods[enabled]")?;
    if enabled == Some(true) && named {
        return Err(Refusal::invalid(
            "You may only specify one of these parameters: automatic_payment_methods, payment_method_types.",
        ));
    }
    let key = "automatic_payment_methods[allow_redirects]";
    let redirects = form.one_of(key, &["always", "never"])?.unwrap_or("always") == "always";
    Ok(enabled.unwrap_or(!named).then_some(redirects))
}

/// Whether nobody is there to authenticate.
fn unattended(form: &Form) -> Result<bool, Refusal> {
    let off_session = form.boolean("off_session")?.unwrap_or(false);
    Ok(off_session || form.boolean("error_on_requires_action")?.unwrap_or(false))
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&["client_secret"])?;
    Ok(world.intents.get(id)?.json())
}

pub(crate) fn update(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(DETAILS)?;
    let intent = world.intents.get(id)?;
    let moves_money = [
        "amount",
        "currency",
        "payment_method",
        "payment_method_data",
    ]
    .iter()
    .find(|key| form.has(key));
    if let Some(key) = moves_money.filter(|_| !intent.status.open()) {
        let status = intent.status.name();
        return Err(intent.unexpected(format!(
            "This PaymentIntent's {key} could not be updated because it has a status of {status}. You may only update the {key} of a \
             PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action."
        )));
    }
    let amount = form.integer("amount")?.unwrap_or(intent.amount);
    let currency = currency::parse(
        form.text("currency").unwrap_or(&intent.currency),
        "currency",
    )?;
    currency::check_charge(amount, &currency, "amount")?;
    let metadata = intent.metadata.clone();
    let changes = Changes::read(world, form, metadata)?;
    let intent = world.intents.get_mut(id)?;
    (intent.amount, intent.currency) = (amount, currency);
    changes.apply(intent);
    Ok(intent.json())
}

pub(crate) fn confirm(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    let own: &[&str] = &[
        "payment_method",
        "payment_method_data",
        "receipt_email",
        "client_secret",
    ];
    form.only(&[CONFIRMING, own].concat())?;
    let intent = world.intents.get(id)?;
    let refused = match intent.status {
        Status::Succeeded => {
            Some("it has already succeeded after being previously confirmed".to_owned())
        }
        status if !status.open() => Some(format!("it has a status of {}", status.name())),
        _ if intent.session.is_some() => Some("it belongs to a Checkout Session".to_owned()),
        _ => None,
    };
    if let Some(why) = refused {
        return Err(intent.unexpected(format!(
            "You cannot confirm this PaymentIntent because {why}."
        )));
    }
    let unattended = unattended(form)?;
    let metadata = intent.metadata.clone();
    let changes = Changes::read(world, form, metadata)?;
    let intent = world.intents.get_mut(id)?;
    changes.apply(intent);
    check_confirmable(intent)?;
    attempts::attempt(world, id, unattended)?;
    Ok(world.intents.get(id)?.json())
}

fn check_confirmable(intent: &Intent) -> Result<(), Refusal> {
    if intent.payment_method.is_none() {
        return Err(intent.unexpected(
            "You cannot confirm this PaymentIntent because it's missing a payment method. Update it with a payment method and \
             confirm it again, or confirm it with one."
                .to_owned(),
        ));
    }
    if intent.automatic == Some(true) && intent.return_url.is_none() {
        return Err(Refusal::invalid(
            "This PaymentIntent accepts payment methods that may redirect the customer, so you must provide a `return_url`. \
             If you don't want them, set `automatic_payment_methods[allow_redirects]` to `never`.",
        )
        .param("return_url"));
    }
    Ok(())
}

pub(crate) fn cancel(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&["cancellation_reason"])?;
    let reasons = [
        "duplicate",
        "fraudulent",
        "requested_by_customer",
        "abandoned",
    ];
    let reason = form.one_of("cancellation_reason", &reasons)?;
    let intent = world.intents.get(id)?;
    if intent.session.is_some() {
        return Err(intent.unexpected(
            "You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Session instead.".into(),
        ));
    }
    if !intent.status.open() {
        return Err(intent.unexpected(format!(
            "You cannot cancel this PaymentIntent because it has a status of {}. Only a PaymentIntent with one of the following \
             statuses may be canceled: requires_payment_method, requires_confirmation, requires_action.",
            intent.status.name()
        )));
    }
    end(world, id, reason)?;
    Ok(world.intents.get(id)?.json())
}

/// Cancels an open intent, whoever asked.
pub(crate) fn end(world: &mut World, id: &str, reason: Option<&str>) -> Result<(), Refusal> {
    let now = world.now();
    let intent = world.intents.get_mut(id)?;
    intent.status = Status::Canceled;
    intent.canceled_at = Some(now);
    intent.cancellation_reason = reason.map(str::to_owned);
    intent.action_url = None;
    let snapshot = intent.json();
    events::emit(world, "payment_intent.canceled", snapshot);
    Ok(())
}

pub(crate) fn list(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "limit",
        "starting_after",
        "ending_before",
        "created",
        "customer",
    ])?;
    let customer = form.text("customer");
    world
        .intents
        .page("/v1/payment_intents", form, |_| customer.is_none())
}
