//! Around every call: its id and language, its measure, and tonic's own refusals under the house's names.
//!
//! tonic refuses a message that is no protobuf as `INTERNAL` and one that is too long as `OUT_OF_RANGE`, before any service
//! sees it. Both are the caller's fault here: `INVALID_ARGUMENT` and `RESOURCE_EXHAUSTED`, with the same details as every
//! other problem. What names no service or no method of one is `UNIMPLEMENTED`, with them too.

use std::borrow::Cow;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use domain::{Language, Problem, Slug};
use tonic::Code;
use tonic::body::Body;
use tonic::codegen::http::header::ACCEPT_LANGUAGE;
use tonic::codegen::http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use tower::{Layer, Service};

use super::is_served;
use super::refusal;
use super::visit::names;
use crate::{fault, measure};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const STATUS: HeaderName = HeaderName::from_static("grpc-status");
const DETAILS: HeaderName = HeaderName::from_static("grpc-status-details-bin");
const MESSAGE: HeaderName = HeaderName::from_static("grpc-message");

/// What is known of a call before its message is read.
#[derive(Clone, Debug)]
pub struct Call {
    /// The language of its problems.
    pub language: Language,
    /// Its id, the caller's own or ours.
    pub request_id: String,
}

impl Call {
    fn of(headers: &HeaderMap) -> Call {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let given = text(REQUEST_ID).filter(|id| is_plain(id));
        Call {
            language: text(ACCEPT_LANGUAGE).map_or(Language::En, Language::accepted),
            request_id: given.map_or_else(
                || format!("{:016x}", rand::random::<u64>()),
                ToOwned::to_owned,
            ),
        }
    }
}

/// Whether an id may go into the log and back as it came.
fn is_plain(id: &str) -> bool {
    (8..=64).contains(&id.len())
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Puts an [`Edge`] around a service.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeLayer;

impl<S> Layer<S> for EdgeLayer {
    type Service = Edge<S>;

    fn layer(&self, inner: S) -> Edge<S> {
        Edge { inner }
    }
}

/// A service and the edge around it.
#[derive(Clone, Debug)]
pub struct Edge<S> {
    inner: S,
}

type Answer<E> = Pin<Box<dyn Future<Output = Result<Response<Body>, E>> + Send>>;

impl<S> Service<Request<Body>> for Edge<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Send,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Answer<S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Answer<S::Error> {
        let begun = Instant::now();
        let call = Call::of(request.headers());
        let route = request.uri().path().to_owned();
        request.extensions_mut().insert(call.clone());
        let answer = self.inner.call(request);
        Box::pin(async move {
            let mut response = answer.await?;
            if let Some(slug) = refused_by_tonic(response.headers(), &route) {
                let problem = Problem::new(slug);
                fault::log(&problem);
                let told = fault::told(&problem, &names(None));
                response = refusal::status(&told, call.language, &call.request_id).into_http();
            }
            let code = code(response.headers());
            let known = code != Code::Unimplemented;
            let route = if known { &route } else { "none" };
            tracing::debug!(request = call.request_id, ?code, "answered");
            measure::count("grpc", "call", route, &word_of(code), begun);
            if let Ok(mut id) = HeaderValue::from_str(&call.request_id) {
                // No two are alike: kept out of HPACK's table (RFC 7541, 7.1.3), where it would push others out.
                id.set_sensitive(true);
                response.headers_mut().insert(REQUEST_ID, id);
            }
            Ok(response)
        })
    }
}

/// The code of an answer: one without a body has it in its head, and only a refusal has no body.
fn code(headers: &HeaderMap) -> Code {
    headers
        .get(STATUS)
        .map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
}

fn word_of(code: Code) -> Cow<'static, str> {
    match code {
        Code::Ok => "Ok".into(),
        code => format!("{code:?}").into(),
    }
}

/// The name of what tonic refused by itself: an answer of ours always has details.
fn refused_by_tonic(headers: &HeaderMap, route: &str) -> Option<Slug> {
    if headers.contains_key(DETAILS) {
        return None;
    }
    match code(headers) {
        Code::Internal => Some(Slug::MalformedBody),
        Code::OutOfRange | Code::ResourceExhausted => Some(Slug::TooLarge),
        // One that says something is about a compression, which the caller can mend.
        Code::Unimplemented if !headers.contains_key(MESSAGE) => {
            Some(match route.split('/').nth(1).is_some_and(is_served) {
                true => Slug::UnknownMethod,
                false => Slug::UnknownPath,
            })
        }
        _ => None,
    }
}
