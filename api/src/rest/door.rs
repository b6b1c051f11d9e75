//! Around every handler: a request id, a span for the log, and the body of a problem.

use std::time::Instant;

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_LANGUAGE, ALLOW, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue,
};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse};
use domain::{Language, Problem, Slug};
use tracing::Instrument;

use super::refusal::{Refusal, render};
use super::visit::KEY;
use crate::fault::{self, Names};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The middleware. Neither bodies nor headers nor what stands after `?` are logged.
pub(super) async fn answer<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let began = Instant::now();
    let id = request_id(request.headers());
    let language = language(request.headers());
    // Most requests log nothing at the usual level; what is refused says its own id.
    let span = tracing::debug_span!("rest", request_id = id.as_str());
    async move {
        let answered = next.call(request).await?;
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
        if let Ok(value) = HeaderValue::from_str(&id) {
            headers.insert(REQUEST_ID, value);
        }
        if !headers.contains_key(CACHE_CONTROL) {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let (status, path) = (answered.status().as_u16(), answered.request().path());
        tracing::debug!(status, path, micros, "answered");
        Ok(answered)
    }
    .instrument(span)
    .await
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
        return Some(match error.as_error::<Refusal>() {
            Some(refusal) => Found::Ours(&refusal.0),
            None => Found::Theirs(slug_of(answered.status())),
        });
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
fn request_id(headers: &HeaderMap) -> String {
    let plain = |text: &&str| {
        (8..=64).contains(&text.len())
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    headers
        .get(REQUEST_ID)
        .and_then(|value| value.to_str().ok())
        .filter(plain)
        .map_or_else(|| format!("{:016x}", rand::random::<u64>()), str::to_owned)
}
