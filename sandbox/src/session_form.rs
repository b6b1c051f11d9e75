//! What a Checkout Session is asked for with, and what Stripe refuses there.

use serde_json::Value;

use crate::currency;
use crate::form::Form;
use crate::refusal::Refusal;
use crate::session_object::{Item, Session, Status};
use crate::table::Object;
use crate::world::{Timer, World};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// The languages of Stripe's own page; Catalan is not among them.
const LOCALES: &[&str] = &[
    "auto", "bg", "cs", "da", "de", "el", "en", "en-GB", "es", "es-419", "et", "fi", "fil", "fr",
    "fr-CA", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "mt", "nb", "nl", "pl", "pt",
    "pt-BR", "ro", "ru", "sk", "sl", "sv", "th", "tr", "vi", "zh", "zh-HK", "zh-TW",
];

const KNOWN: &[&str] = &[
    "mode",
    "line_items",
    "success_url",
    "cancel_url",
    "metadata",
    "payment_intent_data",
    "expires_at",
    "client_reference_id",
    "customer_email",
    "customer_creation",
    "locale",
    "payment_method_types",
    "allowed_payment_method_types",
    "ui_mode",
    "submit_type",
    "currency",
    "billing_address_collection",
    "allow_promotion_codes",
    "automatic_tax",
];

pub(crate) fn create(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(KNOWN)?;
    check_mode(form)?;
    let success_url = url(form, "success_url")?.ok_or_else(|| missing("success_url"))?;
    let cancel_url = url(form, "cancel_url")?;
    let locale = form.one_of("locale", LOCALES)?.map(str::to_owned);
    let customer_email = email(form, "customer_email")?;
    let (currency, items) = items(world, form)?;
    let expires_at = expires_at(form, world.now())?;
    let metadata = form.metadata("metadata")?;
    let intent_metadata = form.metadata("payment_intent_data[metadata]")?;
    let client_reference_id = form.text("client_reference_id").map(str::to_owned);
    if client_reference_id
        .as_ref()
        .is_some_and(|reference| reference.chars().count() > 200)
    {
        return Err(
            Refusal::invalid("Invalid string: must be at most 200 characters")
                .param("client_reference_id"),
        );
    }
    let id = world.new_id("cs_test_");
    let session = Session {
        url: format!("{}c/pay/{id}", world.base),
        id,
        created: world.now(),
        expires_at,
        status: Status::Open,
        paid: false,
        success_url,
        cancel_url,
        client_reference_id,
        customer_email,
        payer_email: None,
        locale,
        metadata,
        currency,
        items,
        intent: None,
        intent_metadata,
        intent_description: form
            .text("payment_intent_data[description]")
            .map(str::to_owned),
        intent_receipt_email: email(form, "payment_intent_data[receipt_email]")?,
    };
    let total = session.total();
    currency::check_charge(total, &session.currency, "line_items").map_err(|refusal| {
        let message = format!(
            "The Checkout Session's total amount due: {}",
            refusal.message()
        );
        refusal.reworded(message)
    })?;
    let answer = session.json();
    world.set_timer(expires_at * 1000, Timer::ExpireSession(session.id.clone()));
    world.sessions.add(session);
    Ok(answer)
}

fn check_mode(form: &Form) -> Result<(), Refusal> {
    form.one_of("ui_mode", &["hosted_page"])?;
    if let Some(mode) = form.text("mode").filter(|mode| *mode != "payment") {
        return Err(Refusal::invalid(format!(
            "Invalid mode: {mode}; this server knows only payment."
        ))
        .param("mode"));
    }
    form.required("mode")?;
    form.check_card_is_in("payment_method_types")?;
    form.check_card_is_in("allowed_payment_method_types")
}

fn missing(key: &str) -> Refusal {
    Refusal::invalid(format!("Missing required param: {key}."))
        .code("parameter_missing")
        .param(key)
}

fn url(form: &Form, key: &str) -> Result<Option<String>, Refusal> {
    match form.text(key) {
        Some(url) if !url.starts_with("http://") && !url.starts_with("https://") => {
            Err(Refusal::invalid("Not a valid URL")
                .code("url_invalid")
                .param(key))
        }
        url => Ok(url.map(str::to_owned)),
    }
}

fn email(form: &Form, key: &str) -> Result<Option<String>, Refusal> {
    let Some(address) = form.text(key) else {
        return Ok(None);
    };
    let valid = address.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && !host.ends_with('.')
            && !address.contains(char::is_whitespace)
    });
    if valid {
        Ok(Some(address.to_owned()))
    } else {
        Err(
            Refusal::invalid(format!("Invalid email address: {address}"))
                .code("email_invalid")
                .param(key),
        )
    }
}

/// Between half an hour and a day from now; a day when not given.
fn expires_at(form: &Form, now: i64) -> Result<i64, Refusal> {
    let expires_at = form.integer("expires_at")?.unwrap_or(now + 24 * HOUR);
    let refused = if expires_at < now + 30 * MINUTE {
        "at least 30 minutes"
    } else if expires_at > now + 24 * HOUR {
        "less than 24 hours"
    } else {
        return Ok(expires_at);
    };
    let message =
        format!("The `expires_at` timestamp must be {refused} from Checkout Session creation.");
    Err(Refusal::invalid(message).param("expires_at"))
}

fn items(world: &mut World, form: &Form) -> Result<(String, Vec<Item>), Refusal> {
    let mut items = Vec::new();
    let mut currency: Option<String> = None;
    for index in form.indices("line_items") {
        let key = |rest: &str| format!("line_items[{index}]{rest}");
        if form.has(&key("[price]")) {
            return Err(Refusal::missing(
                "price",
                form.required(&key("[price]"))?,
                &key("[price]"),
            )
            .status(400));
        }
        let param = key("[price_data][currency]");
        let own = currency::parse(form.required(&param)?, &param)?;
        if currency.as_ref().is_some_and(|other| *other != own) {
            return Err(Refusal::invalid(
                "All prices of a Checkout Session must have the same currency.",
            )
            .param(param));
        }
        currency = Some(own);
        let name = form
            .required(&key("[price_data][product_data][name]"))?
            .to_owned();
        let unit_amount = at_least(form, &key("[price_data][unit_amount]"), 0)?;
        let quantity = at_least(form, &key("[quantity]"), 1)?;
        if unit_amount
            .checked_mul(quantity)
            .is_none_or(|sum| sum > 99_999_999)
        {
            return Err(Refusal::invalid("Invalid integer: too large")
                .code("amount_too_large")
                .param(key("[price_data][unit_amount]")));
        }
        let (id, price, product) = (
            world.new_id("li_"),
            world.new_id("price_"),
            world.new_id("prod_"),
        );
        items.push(Item {
            id,
            price,
            product,
            name,
            unit_amount,
            quantity,
        });
    }
    let currency = currency.ok_or_else(|| missing("line_items"))?;
    if items.len() > 100 {
        return Err(
            Refusal::invalid("A Checkout Session takes at most 100 line items.")
                .param("line_items"),
        );
    }
    Ok((currency, items))
}

fn at_least(form: &Form, key: &str, least: i64) -> Result<i64, Refusal> {
    let value = form.required_integer(key)?;
    if value < least {
        return Err(Refusal::invalid(format!(
            "This value must be greater than or equal to {least}."
        ))
        .code("parameter_invalid_integer")
        .param(key));
    }
    Ok(value)
}
