//! The test bank's page for 3-D Secure, with its two buttons.

use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::html::{page, see_other};
use super::language::words;
use super::pay::accepted;
use crate::attempts;
use crate::currency;
use crate::form::Form;
use crate::intent_object::{Intent, Status};
use crate::session_object;
use crate::shared::Shared;
use crate::world::World;

pub(super) async fn show(
    request: HttpRequest,
    id: Path<String>,
    shared: Data<Shared>,
) -> HttpResponse {
    let form = Form::parse(request.query_string().as_bytes());
    shared.peek(|world| draw(world, &id, &form, accepted(&request)))
}

/// `decision` is `authenticate` or `fail`.
pub(super) async fn decide(
    request: HttpRequest,
    id: Path<String>,
    body: Bytes,
    shared: Data<Shared>,
) -> HttpResponse {
    let form = Form::parse(request.query_string().as_bytes());
    let passed = Form::parse(&body).text("decision") == Some("authenticate");
    shared.enter(|world| {
        let Some(intent) = find(world, &id, &form) else {
            return draw(world, &id, &form, accepted(&request));
        };
        let id = intent.id.clone();
        match attempts::authenticate(world, &id, passed) {
            Ok(()) => forward(world, &id),
            Err(_) => draw(world, &id, &form, accepted(&request)),
        }
    })
}

/// The intent, for whoever holds its client secret.
fn find<'a>(world: &'a World, id: &str, form: &Form) -> Option<&'a Intent> {
    world
        .intents
        .find(id)
        .filter(|intent| form.text("client_secret") == Some(intent.client_secret.as_str()))
}

fn draw(world: &World, id: &str, form: &Form, accepted: Option<&str>) -> HttpResponse {
    let intent = find(world, id, form);
    let session = intent
        .and_then(|intent| intent.session.as_ref())
        .and_then(|session| world.sessions.find(session));
    let words = words(
        session.and_then(|session| session.locale.as_deref()),
        accepted,
    );
    let Some(intent) = intent else {
        return page(
            StatusCode::NOT_FOUND,
            words.tag,
            words.unknown,
            &format!("<h1>{}</h1>", words.unknown),
        );
    };
    if intent.status != Status::RequiresAction {
        return page(
            StatusCode::CONFLICT,
            words.tag,
            words.nothing_to_do,
            &format!("<h1>{}</h1>", words.nothing_to_do),
        );
    }
    let sum = currency::display(intent.amount, &intent.currency);
    let (bank, asks, yes, no) = (words.bank, words.bank_asks, words.authenticate, words.fail);
    let body = format!(
        "<h1>{bank}</h1><p>{asks} <strong>{sum}</strong></p><form method=\"post\">\
         <button name=\"decision\" value=\"authenticate\">{yes}</button>\
         <button class=\"plain\" name=\"decision\" value=\"fail\">{no}</button></form>"
    );
    page(StatusCode::OK, words.tag, bank, &body)
}

/// A session's payer goes on to its success page or back to its page; others to the intent's `return_url`.
fn forward(world: &World, id: &str) -> HttpResponse {
    let Some(intent) = world.intents.find(id) else {
        return see_other("/");
    };
    let succeeded = intent.status == Status::Succeeded;
    if let Some(session) = intent
        .session
        .as_ref()
        .and_then(|session| world.sessions.find(session))
    {
        let done = session.status == session_object::Status::Complete;
        return see_other(&if done {
            session.success_url()
        } else {
            session.url.clone()
        });
    }
    let Some(url) = &intent.return_url else {
        return HttpResponse::Ok()
            .content_type("text/plain")
            .body(intent.status.name());
    };
    let joint = if url.contains('?') { '&' } else { '?' };
    let outcome = if succeeded { "succeeded" } else { "failed" };
    let query = format!(
        "payment_intent={id}&payment_intent_client_secret={}&redirect_status={outcome}",
        intent.client_secret
    );
    see_other(&format!("{url}{joint}{query}"))
}
