//! Payment methods, cards only. <https://docs.stripe.com/api/payment_methods>

use serde_json::{Value, json};

use crate::cards::{self, Card};
use crate::form::{Form, Metadata};
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) id: String,
    created: i64,
    pub(crate) card: &'static Card,
    email: Option<String>,
    name: Option<String>,
    metadata: Metadata,
}

impl Object for Method {
    const KIND: &'static str = "PaymentMethod";
    const PARAM: &'static str = "payment_method";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "payment_method",
            "allow_redisplay": "unspecified",
            "billing_details": billing(self.email.as_deref(), self.name.as_deref()),
            "card": {
                "brand": self.card.brand,
                "checks": { "address_line1_check": null, "address_postal_code_check": null, "cvc_check": "pass" },
                "country": self.card.country,
                "display_brand": self.card.brand,
                "exp_month": EXPIRES.0,
                "exp_year": EXPIRES.1,
                "fingerprint": fingerprint(self.card),
                "funding": "credit",
                "generated_from": null,
                "last4": self.card.last4(),
                "networks": { "available": [self.card.brand], "preferred": null },
                "regulated_status": "unregulated",
                "three_d_secure_usage": { "supported": true },
                "wallet": null,
            },
            "created": self.created,
            "customer": null,
            "livemode": false,
            "metadata": self.metadata,
            "type": "card",
        })
    }
}

/// Month and year that every test card shows.
pub(crate) const EXPIRES: (u8, u16) = (12, 2034);

pub(crate) fn billing(email: Option<&str>, name: Option<&str>) -> Value {
    json!({
        "address": { "city": null, "country": null, "line1": null, "line2": null, "postal_code": null, "state": null },
        "email": email,
        "name": name,
        "phone": null,
        "tax_id": null,
    })
}

/// The same for the same card number, as Stripe's is.
pub(crate) fn fingerprint(card: &Card) -> String {
    format!("Sandbox{}", &card.number[card.number.len() - 9..])
}

/// The method that a request names: an id, a `pm_card_…` token, or a card in `payment_method_data`.
pub(crate) fn named(world: &mut World, form: &Form) -> Result<Option<String>, Refusal> {
    if let Some(id) = form.text("payment_method") {
        if let Some(card) = cards::by_token(id) {
            return Ok(Some(add(world, card, None)));
        }
        return match world.methods.find(id) {
            Some(method) => Ok(Some(method.id.clone())),
            None => Err(Refusal::missing(Method::KIND, id, "payment_method").status(400)),
        };
    }
    if form.has("payment_method_data[type]") {
        return from_form(
            world,
            form,
            "payment_method_data[card]",
            "payment_method_data[billing_details]",
        )
        .map(Some);
    }
    Ok(None)
}

pub(crate) fn add(world: &mut World, card: &'static Card, email: Option<&str>) -> String {
    let id = world.new_id("pm_");
    let created = world.now();
    let method = Method {
        id: id.clone(),
        created,
        card,
        email: email.map(str::to_owned),
        name: None,
        metadata: Metadata::new(),
    };
    world.methods.add(method);
    id
}

fn from_form(world: &mut World, form: &Form, card: &str, billing: &str) -> Result<String, Refusal> {
    let (token, number) = (format!("{card}[token]"), format!("{card}[number]"));
    let found = match form.text(&token) {
        Some(name) => cards::by_token(name)
            .ok_or_else(|| Refusal::missing("token", name, &token).status(400))?,
        None => by_number(form.required(&number)?, &number)?,
    };
    let id = add(world, found, form.text(&format!("{billing}[email]")));
    world.methods.get_mut(&id)?.name = form.text(&format!("{billing}[name]")).map(str::to_owned);
    Ok(id)
}

/// A card by its number, or the refusal that a number outside the list gets.
pub(crate) fn by_number(number: &str, param: &str) -> Result<&'static Card, Refusal> {
    cards::by_number(number).ok_or_else(|| {
        Refusal::card("incorrect_number", "Your card number is incorrect.").param(param)
    })
}

pub(crate) fn create(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "type",
        "card",
        "billing_details",
        "metadata",
        "allow_redisplay",
    ])?;
    form.required("type")?;
    form.one_of("type", &["card"])?;
    let metadata = form.metadata("metadata")?;
    let id = from_form(world, form, "card", "billing_details")?;
    let method = world.methods.get_mut(&id)?;
    method.metadata = metadata;
    Ok(method.json())
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    Ok(world.methods.get(id)?.json())
}
