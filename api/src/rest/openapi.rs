//! The door described by itself: OpenAPI 3.1, made from the handlers, with a page to try it.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::OpenApi as Document;
use utoipa::openapi::path::ParameterBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::{cancellation, gateways, orders, payments, regulations, rules, staff, tournaments};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Enroc",
        description = "The registration desk of a chess tournament: it prices an entry from the tournament's own regulations, holds a seat, takes the money, gives it back when the regulations say so, and tells the pairing software who plays.\n\nMoney is `{amount, currency}` in ISO 4217 minor units, instants are RFC 3339, ids are text. A problem is `application/problem+json` (RFC 9457) with `type` `urn:enroc:problem:<slug>`, in the language of `Accept-Language` (`ca`, `es`, `en`). An unknown field is refused. A body has at most 1 MiB.\n\nWhat changes something takes an `Idempotency-Key` (1 to 255 visible ASCII characters): a repeat with the same body is answered as the first was, one with another body is refused with 409; a refusal stores nothing. Programs should send one with every order and payment.",
    ),
    modifiers(&Bearer, &Examples),
    paths(
        tournaments::list,
        tournaments::one,
        regulations::list,
        regulations::one,
        regulations::check,
        rules::quote,
        rules::eligibility,
        rules::refund,
        rules::byes,
        orders::register,
        orders::one,
        orders::refunds,
        orders::byes,
        payments::open,
        payments::slip,
        cancellation::preview,
        cancellation::cancel,
        gateways::events,
        staff::lists::orders,
        staff::lists::journal,
        staff::lists::back_office,
        staff::tournament::capacity,
        staff::tournament::code,
        staff::regulations::list,
        staff::regulations::publish,
        staff::regulations::preview,
        staff::entries::approve,
        staff::entries::reject,
        staff::entries::place,
        staff::entries::fact,
        staff::entries::byes,
        staff::left::prove,
        staff::left::deposit,
        staff::left::deposits,
        staff::money::cancel,
        staff::money::refund,
        staff::money::confirm,
        staff::money::refuse,
        staff::money::give_back,
        staff::money::transferred,
    ),
    tags(
        (name = "tournaments", description = "What may be entered"),
        (name = "rules", description = "The rules engine, asked; changes nothing"),
        (name = "orders", description = "What a payer does; all but the first need the order's token"),
        (name = "staff", description = "What staff do, with a key"),
        (name = "gateways", description = "What gateways tell"),
    ),
)]
struct Door;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut Document) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The token of an order, or a key (`enr_…`)."))
            .build();
        document
            .components
            .get_or_insert_with(Default::default)
            .add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// What the page to try it sends where nobody changes it: whole requests that are answered.
#[derive(Deserialize)]
struct Tried {
    /// Stands in every path that names one.
    tournament: String,
    /// The body of the POST at each path.
    bodies: BTreeMap<String, Value>,
}

struct Examples;

impl Modify for Examples {
    fn modify(&self, document: &mut Document) {
        let tried: Tried = match serde_json::from_str(include_str!("examples.json")) {
            Ok(tried) => tried,
            Err(error) => return tracing::error!(%error, "the examples cannot be read"),
        };
        for (path, item) in &mut document.paths.paths {
            for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
                let parameters = operation.parameters.iter_mut().flatten();
                for parameter in parameters.filter(|p| p.name == "tournament") {
                    let example = Some(Value::from(tried.tournament.as_str()));
                    *parameter = ParameterBuilder::from(parameter.clone())
                        .example(example)
                        .build();
                }
            }
            let body = item
                .post
                .as_mut()
                .and_then(|post| post.request_body.as_mut());
            let content = body.and_then(|body| body.content.get_mut("application/json"));
            if let (Some(content), Some(example)) = (content, tried.bodies.get(path)) {
                content.example = Some(example.clone());
            }
        }
    }
}

/// The page to try it: Swagger UI, which is served beside it, made to fit a phone.
pub(super) async fn page() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .body(include_str!("docs.html"))
}

/// The document that `/v1/openapi.json` serves.
#[must_use]
pub fn document() -> Document {
    Door::openapi()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_document_is_the_code_s() {
        let mut text = document().to_pretty_json().unwrap();
        text.push('\n');
        crate::docs::assert_page("openapi.json", &text);
    }
}
