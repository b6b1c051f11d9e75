//! Around every handler: a request id, a span for the log, the body of a problem, and the measures.

use std::time::Instant;

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{
    ACCEPT_LANGUAGE, ALLOW, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse};
use domain::{Language, Problem, Slug};
use tracing::Instrument;

use super::refusal::{Refusal, render};
use super::visit::KEY;
use crate::fault::{self, Names};
use crate::measure;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The middleware. HEAD is answered as GET is: what writes the answer knows that it was HEAD, and leaves the body out
/// (RFC 9110, 9.3.2). Neither bodies nor headers nor what stands after `?` are logged.
///
/// # Errors
/// Those of what it stands around; handlers answer theirs.
pub async fn answer<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let (began, method) = (Instant::now(), measure::word_of(request.method()));
    if *request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
    }
    let value = request_id(request.headers());
    let id = value.to_str().unwrap_or_default().to_owned();
    let language = language(request.headers());
    // Most requests log nothing at the usual level; what is refused says its own id.
    let span = tracing::debug_span!("rest", request_id = id.as_str());
    let answered = next.call(request).instrument(span.clone()).await?;
    let mut answered = match problem_of(&answered) {
        None => answered.map_into_left_body(),
        Some(found) => {
            let allow = answered.headers().get(ALLOW).cloned();
            let request = answered.request();
            let mut body = match found {
                Found::Ours(problem) => refuse(problem, request, language, &id),
                Found::Theirs(slug) => refuse(&Problem::new(slug), request, language, &id),
            };
            if let Some(methods) = allow {
                body.headers_mut().insert(ALLOW, with_head(methods));
            }
            answered.into_response(body).map_into_right_body()
        }
    };
    let headers = answered.headers_mut();
    headers.insert(REQUEST_ID, value);
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    measure::rest(method, &answered, began);
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    let (status, path) = (answered.status().as_u16(), answered.request().path());
    tracing::debug!(parent: &span, status, path, micros, "answered");
    Ok(answered)
}

fn refuse(problem: &Problem, request: &HttpRequest, language: Language, id: &str) -> HttpResponse {
    let (method, path) = (request.method().as_str(), request.path());
    tracing::info_span!("refused", request_id = id, method, path).in_scope(|| fault::log(problem));
    let names = names(request);
    render(&fault::told(problem, &names), language, id)
}

/// A request is about what the first parameter of its path names.
fn names(request: &HttpRequest) -> Names<'_> {
    Names {
        authorization: "Authorization",
        key: KEY,
        message: "body",
        subject: request.match_info().iter().next().map(|(name, _)| name),
    }
}

/// What takes GET takes HEAD.
fn with_head(methods: HeaderValue) -> HeaderValue {
    match methods.to_str() {
        Ok(text) if text.split(", ").any(|method| method == "GET") => {
            HeaderValue::from_str(&format!("{text}, HEAD")).unwrap_or(methods)
        }
        _ => methods,
    }
}

enum Found<'a> {
    /// A refusal of ours.
    Ours(&'a Problem),
    /// One of the framework's, by its status.
    Theirs(Slug),
}

fn problem_of<B>(answered: &ServiceResponse<B>) -> Option<Found<'_>> {
    if let Some(error) = answered.response().error() {
        if let Some(refusal) = error.as_error::<Refusal>() {
            return Some(Found::Ours(&refusal.0));
        }
        // Pages bring their own.
        let page = error.as_error::<InternalError<&'static str>>().is_some();
        return (!page).then(|| Found::Theirs(slug_of(answered.status())));
    }
    match answered.status() {
        StatusCode::METHOD_NOT_ALLOWED => Some(Found::Theirs(Slug::UnknownMethod)),
        _ => None,
    }
}

fn slug_of(status: StatusCode) -> Slug {
    match status {
        StatusCode::NOT_FOUND => Slug::UnknownPath,
        StatusCode::METHOD_NOT_ALLOWED => Slug::UnknownMethod,
        StatusCode::PAYLOAD_TOO_LARGE => Slug::TooLarge,
        status if status.is_client_error() => Slug::MalformedBody,
        _ => Slug::Internal,
    }
}

/// The language of a request's problems.
pub(super) fn language(headers: &HeaderMap) -> Language {
    headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .map_or(Language::En, Language::accepted)
}

/// The caller's own id of the request where it is short and plain, else a fresh one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let plain = |value: &&HeaderValue| {
        (8..=64).contains(&value.len())
            && value
                .as_bytes()
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || *b == b'-' || *b == b'_')
    };
    let fresh = || HeaderValue::try_from(format!("{:016x}", rand::random::<u64>())).ok();
    let own = headers.get(REQUEST_ID).filter(plain).cloned();
    own.or_else(fresh)
        .unwrap_or_else(|| HeaderValue::from_static("none"))
}
