//! What to try by hand, ready to be pasted: the examples of the OpenAPI description, which the page to try it shows too.

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::rest;

/// The tournament that every example is about.
const TOURNAMENT: &str = "ciutat-barcelona-2026";

/// The examples as lines for a shell.
pub(super) struct Examples {
    /// A price, over REST.
    pub quote: String,
    /// An order, over REST.
    pub order: String,
    /// Another player's order, over gRPC.
    pub message: String,
}

impl Examples {
    /// The examples for doors at these addresses.
    pub(super) fn at(rest: &str, grpc: &str) -> Result<Examples, Failure> {
        let (quote, order) = (body("quotes")?, body("orders")?);
        let curl = |what: &str, more: &str, body: &Value| {
            format!(
                "curl -s {rest}/v1/tournaments/{TOURNAMENT}/{what} -H 'content-type: application/json'{more} -d '{body}'"
            )
        };
        let grpc = grpc.trim_start_matches("http://");
        Ok(Examples {
            quote: curl("quotes", "", &quote),
            order: curl("orders", " -H 'idempotency-key: try-1'", &order),
            message: format!(
                "grpcurl -plaintext -H 'idempotency-key: try-2' -d '{}' {grpc} enroc.registration.v1.RegistrationService/Register",
                message()?
            ),
        })
    }
}

/// The body that the OpenAPI description shows for a POST.
fn body(what: &str) -> Result<Value, Failure> {
    let document = serde_json::to_value(rest::document())?;
    let operation = &document["paths"][format!("/v1/tournaments/{{tournament}}/{what}")]["post"];
    let body = &operation["requestBody"]["content"]["application/json"]["example"];
    if body.is_null() {
        return Err(Failure::broken(format!("there is no example of {what}")));
    }
    Ok(body.clone())
}

/// The order as protobuf's JSON has it, of somebody else: nobody enters twice.
///
/// # Errors
/// Where the OpenAPI description has no order.
pub fn message() -> Result<Value, Failure> {
    let order = body("orders")?;
    let word = |kind: &str, word: &Value| {
        format!(
            "{kind}_{}",
            word.as_str().unwrap_or_default().to_uppercase()
        )
    };
    let payer = &order["payer"];
    let entry = &order["entries"][0];
    let mut entrant = entry["entrant"].clone();
    entrant["name"] = "Serra, Berta".into();
    entrant["sex"] = if entrant["sex"] == "f" {
        "SEX_FEMALE"
    } else {
        "SEX_MALE"
    }
    .into();
    Ok(json!({
        "tournament": TOURNAMENT,
        "payer": { "name": payer["name"], "email": payer["email"], "language": word("LANGUAGE", &payer["language"]) },
        "consents": payer["consents"],
        "entries": [{ "entry": { "section": entry["section"], "entrant": entrant } }],
    }))
}
