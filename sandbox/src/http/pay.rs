//! The page of a Checkout Session, where the payer picks or types a test card.

use actix_web::http::StatusCode;
use actix_web::http::header::ACCEPT_LANGUAGE;
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use super::html::{escape, page, see_other};
use super::language::{Words, words};
use crate::cards::{Behaviour, CARDS};
use crate::currency;
use crate::form::Form;
use crate::intent_object;
use crate::refusal::Refusal;
use crate::session_object::{Session, Status};
use crate::sessions;
use crate::shared::Shared;
use crate::world::World;

pub(super) async fn show(
    request: HttpRequest,
    id: Path<String>,
    shared: Data<Shared>,
) -> HttpResponse {
    shared.peek(|world| draw(world, &id, accepted(&request), None))
}

/// `card_number` and `email`, or `card` for one from the list, as the page's form sends them.
pub(super) async fn pay(
    request: HttpRequest,
    id: Path<String>,
    body: Bytes,
    shared: Data<Shared>,
) -> HttpResponse {
    let form = Form::parse(&body);
    let number = form
        .text("card_number")
        .or(form.text("card"))
        .unwrap_or_default();
    shared.enter(
        |world| match sessions::pay(world, &id, number, form.text("email")) {
            Ok(()) => forward(world, &id),
            Err(refusal) => draw(world, &id, accepted(&request), Some(&refusal)),
        },
    )
}

pub(super) fn accepted(request: &HttpRequest) -> Option<&str> {
    request
        .headers()
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
}

/// On to the bank's page, or to where the session says.
fn forward(world: &World, id: &str) -> HttpResponse {
    let Some(session) = world.sessions.find(id) else {
        return see_other("/");
    };
    let intent = session
        .intent
        .as_ref()
        .and_then(|intent| world.intents.find(intent));
    match intent.and_then(|intent| intent.action_url.as_ref()) {
        Some(url) => see_other(url),
        None => see_other(&session.success_url()),
    }
}

/// The page as the session stands, with the error of the last attempt.
pub(super) fn draw(
    world: &World,
    id: &str,
    accepted: Option<&str>,
    error: Option<&Refusal>,
) -> HttpResponse {
    let Some(session) = world.sessions.find(id) else {
        let words = words(None, accepted);
        return page(
            StatusCode::NOT_FOUND,
            words.tag,
            words.unknown,
            &format!("<h1>{}</h1>", words.unknown),
        );
    };
    let words = words(session.locale.as_deref(), accepted);
    let intent = session
        .intent
        .as_ref()
        .and_then(|intent| world.intents.find(intent));
    let last = error.map(Refusal::inner).or_else(|| {
        let unauthenticated =
            intent.filter(|intent| intent.status == intent_object::Status::RequiresPaymentMethod);
        unauthenticated.and_then(|intent| intent.last_payment_error.clone())
    });
    match session.status {
        Status::Open => {
            let message = last.map(|error| explain(words, &error));
            let status = if error.is_some() {
                StatusCode::PAYMENT_REQUIRED
            } else {
                StatusCode::OK
            };
            let prefix = message.map_or_else(String::new, |_| format!("{}: ", words.error));
            let title = format!("{prefix}{} {}", words.pay, session.total_text());
            page(status, words.tag, &title, &open(session, words, message))
        }
        Status::Complete => {
            let link = link(&session.success_url(), words.continue_);
            page(
                StatusCode::OK,
                words.tag,
                words.paid,
                &format!("<h1>{}</h1>{link}", words.paid),
            )
        }
        Status::Expired => {
            let link = session
                .cancel_url
                .as_deref()
                .map(|url| link(url, words.continue_))
                .unwrap_or_default();
            page(
                StatusCode::GONE,
                words.tag,
                words.expired,
                &format!("<h1>{}</h1>{link}", words.expired),
            )
        }
    }
}

fn link(url: &str, text: &str) -> String {
    format!("<p><a href=\"{}\">{text}</a></p>", escape(url))
}

fn explain(words: &'static Words, error: &serde_json::Value) -> &'static str {
    match (
        error["code"].as_str().unwrap_or_default(),
        error["decline_code"].as_str().unwrap_or_default(),
    ) {
        ("incorrect_number", _) => words.wrong_number,
        ("expired_card", _) => words.expired_card,
        ("incorrect_cvc", _) => words.code,
        ("payment_intent_authentication_failure", _) => words.unauthenticated,
        (_, "insufficient_funds") => words.funds,
        _ => words.declined,
    }
}

fn open(session: &Session, words: &Words, error: Option<&str>) -> String {
    let total = session.total_text();
    let lines: String = session
        .items
        .iter()
        .map(|item| {
            let sum = currency::display(item.unit_amount * item.quantity, &session.currency);
            let times = if item.quantity == 1 {
                String::new()
            } else {
                format!(" × {}", item.quantity)
            };
            format!(
                "<tr><td>{}{times}</td><td>{sum}</td></tr>",
                escape(&item.name)
            )
        })
        .collect();
    let error_box = error.map_or_else(String::new, |error| {
        format!("<div class=\"error\" role=\"alert\" id=\"error\"><p><strong>{error}</strong></p><p>{}</p></div>", words.retry)
    });
    let invalid = if error.is_some() {
        " aria-invalid=\"true\""
    } else {
        ""
    };
    let described = if error.is_some() {
        "hint error"
    } else {
        "hint"
    };
    let email = if session.customer_email.is_none() {
        format!(
            "<label for=\"email\">{}</label><input id=\"email\" name=\"email\" type=\"email\" autocomplete=\"email\">",
            words.email
        )
    } else {
        String::new()
    };
    let back = session
        .cancel_url
        .as_deref()
        .map(|url| link(url, words.back))
        .unwrap_or_default();
    let (pay, choose, typed, number) = (words.pay, words.choose, words.type_number, words.number);
    format!(
        "<h1>{pay} {total}</h1><p class=\"note\">{rehearsal}</p>{error_box}\
         <table><tbody>{lines}</tbody><tfoot><tr><th scope=\"row\">{total_word}</th><th>{total}</th></tr></tfoot></table>\
         <form method=\"post\">{email}\
         <label for=\"card\">{choose}</label><select id=\"card\" name=\"card\">{options}<option value=\"\">{typed}</option></select>\
         <label for=\"card_number\">{number}</label><p class=\"hint\" id=\"hint\">{hint}</p>\
         <input id=\"card_number\" name=\"card_number\" inputmode=\"numeric\" autocomplete=\"off\" maxlength=\"23\" aria-describedby=\"{described}\"{invalid}>\
         <button>{pay} {total}</button></form>{back}",
        rehearsal = words.rehearsal,
        total_word = words.total,
        options = options(words),
        hint = words.number_hint,
    )
}

/// The cards that a rehearsal wants most.
fn options(words: &Words) -> String {
    let shown = CARDS.iter().filter_map(|card| {
        let says = match card.behaviour {
            Behaviour::Succeeds if card.country == "US" => card.brand,
            Behaviour::Declines(decline)
                if decline.code == "card_declined" && decline.decline_code == "generic_decline" =>
            {
                words.declined
            }
            Behaviour::Declines(decline) if decline.decline_code == "insufficient_funds" => {
                words.funds
            }
            Behaviour::Declines(decline) if decline.code == "expired_card" => words.expired_card,
            Behaviour::Authenticates(None) => words.bank,
            _ => return None,
        };
        let number = card.number;
        Some(format!(
            "<option value=\"{number}\">{number}: {says}</option>"
        ))
    });
    shown.collect()
}
