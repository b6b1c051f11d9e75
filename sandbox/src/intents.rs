//! PaymentIntents: create, update, confirm, cancel, list. <https://docs.stripe.com/api/payment_intents>

use serde_json::{Value, json};

use crate::form::{Form, Metadata};
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;
use crate::{attempts, currency, events, methods};

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

    fn unexpected(&self, message: String) -> Refusal {
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

/// Parameters that can be given when it is made, changed or confirmed.
const COMMON: &[&str] = &[
    "metadata",
    "description",
    "receipt_email",
    "statement_descriptor_suffix",
    "payment_method",
    "payment_method_data",
    "payment_method_types",
    "payment_method_options",
    "amount",
    "currency",
];
const CONFIRMING: &[&str] = &[
    "return_url",
    "use_stripe_sdk",
    "off_session",
    "error_on_requires_action",
];
const AUTOMATIC: &[&str] = &[
    "confirm",
    "automatic_payment_methods",
    "capture_method",
    "confirmation_method",
];

pub(crate) fn create(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[COMMON, CONFIRMING, AUTOMATIC].concat())?;
    let amount = form.required_integer("amount")?;
    let currency = currency::parse(form.required("currency")?, "currency")?;
    currency::check_charge(amount, &currency, "amount")?;
    form.one_of("capture_method", &["automatic", "automatic_async"])?;
    form.one_of("confirmation_method", &["automatic"])?;
    let confirm = form.boolean("confirm")?.unwrap_or(false);
    if form.has("return_url") && !confirm {
        return Err(
            Refusal::invalid("You can only provide `return_url` when `confirm=true`.")
                .param("return_url"),
        );
    }
    let mut intent = Intent::new(world, amount, &currency);
    intent.automatic = automatic_methods(form)?;
    change(world, &mut intent, form)?;
    if confirm {
        check_confirmable(&intent, form)?;
    }
    let id = intent.id.clone();
    events::emit(world, "payment_intent.created", intent.json());
    world.intents.add(intent);
    if confirm {
        attempts::attempt(world, &id)?;
    }
    Ok(world.intents.get(&id)?.json())
}

/// Automatic methods are the rule unless the types are named or it is switched off.
fn automatic_methods(form: &Form) -> Result<Option<bool>, Refusal> {
    let types = form.list("payment_method_types");
    if let Some(other) = types.iter().find(|kind| **kind != "card") {
        return Err(
            Refusal::invalid(format!("The payment method type \"{other}\" is invalid."))
                .param("payment_method_types"),
        );
    }
    let enabled = form
        .boolean("automatic_payment_methods[enabled]")?
        .unwrap_or(types.is_empty());
    let key = "automatic_payment_methods[allow_redirects]";
    let redirects = form.one_of(key, &["always", "never"])?.unwrap_or("always") == "always";
    Ok(enabled.then_some(redirects))
}

fn change(world: &mut World, intent: &mut Intent, form: &Form) -> Result<(), Refusal> {
    let before = intent.metadata.clone();
    form.merge_metadata("metadata", &mut intent.metadata)
        .inspect_err(|_| intent.metadata = before)?;
    for (key, field) in [
        ("description", &mut intent.description),
        ("receipt_email", &mut intent.receipt_email),
        (
            "statement_descriptor_suffix",
            &mut intent.statement_descriptor_suffix,
        ),
        ("return_url", &mut intent.return_url),
    ] {
        if form.has(key) {
            *field = form.text(key).map(str::to_owned);
        }
    }
    if let Some(method) = methods::named(world, form)? {
        intent.payment_method = Some(method);
        if intent.status == Status::RequiresPaymentMethod {
            intent.status = Status::RequiresConfirmation;
        }
    }
    Ok(())
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&["client_secret"])?;
    Ok(world.intents.get(id)?.json())
}

/// Works on a taken-out copy of the changeable fields, so that a refusal changes nothing.
pub(crate) fn update(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(COMMON)?;
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
        return Err(intent.unexpected(format!(
            "This PaymentIntent's {key} could not be updated because it has a status of {}.",
            intent.status.name()
        )));
    }
    let amount = form.integer("amount")?.unwrap_or(intent.amount);
    let currency = currency::parse(
        form.text("currency").unwrap_or(&intent.currency),
        "currency",
    )?;
    currency::check_charge(amount, &currency, "amount")?;
    form.metadata("metadata")?;
    let mut draft = Intent::new(world, amount, &currency);
    change(world, &mut draft, form)?;
    let intent = world.intents.get_mut(id)?;
    (intent.amount, intent.currency) = (amount, currency);
    form.merge_metadata("metadata", &mut intent.metadata)?;
    if form.has("description") {
        intent.description = draft.description;
    }
    if form.has("receipt_email") {
        intent.receipt_email = draft.receipt_email;
    }
    if form.has("statement_descriptor_suffix") {
        intent.statement_descriptor_suffix = draft.statement_descriptor_suffix;
    }
    if draft.payment_method.is_some() {
        (intent.payment_method, intent.status, intent.action_url) =
            (draft.payment_method, Status::RequiresConfirmation, None);
    }
    Ok(intent.json())
}

pub(crate) fn confirm(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[COMMON, CONFIRMING, &["client_secret"]].concat())?;
    let intent = world.intents.get(id)?;
    if !intent.status.open() {
        let why = if intent.status == Status::Succeeded {
            "it has already succeeded after being previously confirmed".to_owned()
        } else {
            format!("it has a status of {}", intent.status.name())
        };
        return Err(intent.unexpected(format!(
            "You cannot confirm this PaymentIntent because {why}."
        )));
    }
    if intent.session.is_some() {
        return Err(intent.unexpected(
            "You cannot confirm this PaymentIntent because it belongs to a Checkout Session."
                .into(),
        ));
    }
    let method = methods::named(world, form)?;
    let intent = world.intents.get_mut(id)?;
    if method.is_none() && intent.payment_method.is_none() {
        return Err(intent.unexpected(
            "You cannot confirm this PaymentIntent because it's missing a payment method. Update it with a payment method and confirm it again.".into(),
        ));
    }
    check_confirmable(intent, form)?;
    if let Some(url) = form.text("return_url") {
        intent.return_url = Some(url.to_owned());
    }
    if let Some(email) = form.text("receipt_email") {
        intent.receipt_email = Some(email.to_owned());
    }
    intent.payment_method = method.or(intent.payment_method.take());
    attempts::attempt(world, id)?;
    Ok(world.intents.get(id)?.json())
}

fn check_confirmable(intent: &Intent, form: &Form) -> Result<(), Refusal> {
    if intent.automatic == Some(true) && intent.return_url.is_none() && !form.has("return_url") {
        return Err(Refusal::invalid(
            "This PaymentIntent accepts payment methods that may redirect the customer, so you must provide a `return_url`. \
             If you don't want them, set `automatic_payment_methods[allow_redirects]` to `never`.",
        )
        .param("return_url"));
    }
    let missing = intent.payment_method.is_none()
        && !form.has("payment_method")
        && !form.has("payment_method_data");
    if missing {
        return Err(Refusal::invalid(
            "You must provide a `payment_method` to confirm a PaymentIntent.",
        )
        .code("parameter_missing")
        .param("payment_method"));
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
