//! The body of a request: at most 1 MiB, JSON, with no field that nobody knows.

use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use domain::{Problem, Slug, Text};
use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;

use super::refusal::Refusal;

/// The most that a body may have.
pub(super) const LIMIT: usize = 1 << 20;
/// A body that is too large is read on to here, so that the caller hears why instead of a broken connection.
const PATIENCE: usize = 16 * LIMIT;

/// A body as it came.
pub(super) struct Raw(pub Bytes);

impl FromRequest for Raw {
    type Error = Refusal;
    type Future = LocalBoxFuture<'static, Result<Raw, Refusal>>;

    fn from_request(_: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let payload = payload.take();
        Box::pin(async move { Ok(Raw(read(payload).await?)) })
    }
}

/// Nobody needs longer to send what they began to send.
const SLOWEST: Duration = Duration::from_secs(60);

async fn read(payload: Payload) -> Result<Bytes, Refusal> {
    match tokio::time::timeout(SLOWEST, read_all(payload)).await {
        Ok(read) => read,
        Err(_) => Err(Slug::MalformedBody.into()),
    }
}

/// Most bodies come in one piece, which is not copied.
async fn read_all(mut payload: Payload) -> Result<Bytes, Refusal> {
    let (mut body, mut rest, mut seen) = (Bytes::new(), BytesMut::new(), 0_usize);
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|cause| Problem {
            source: Some(cause.to_string().into()),
            ..Problem::new(Slug::MalformedBody)
        })?;
        let first = seen == 0;
        seen = seen.saturating_add(chunk.len());
        if seen > PATIENCE {
            break;
        }
        if first {
            body = chunk;
        } else if seen <= LIMIT {
            rest.extend_from_slice(&chunk);
        }
    }
    if seen > LIMIT {
        return Err(Slug::TooLarge.into());
    }
    if rest.is_empty() {
        return Ok(body);
    }
    Ok([body, rest.freeze()].concat().into())
}

/// A body read as JSON. None at all counts as `{}`.
pub(super) struct Body<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Refusal;
    type Future = LocalBoxFuture<'static, Result<Body<T>, Refusal>>;

    fn from_request(_: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let payload = payload.take();
        Box::pin(async move {
            let bytes = read(payload).await?;
            let text = if bytes.is_empty() { b"{}" } else { &bytes[..] };
            Ok(Body(parse(text)?))
        })
    }
}

fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Problem> {
    // Serde would take a list as the fields of a struct in their order.
    if text.trim_ascii_start().starts_with(b"[") {
        let (rule, text) = wrong_type();
        return Err(Problem::new(Slug::InvalidFields).field("body", rule, text));
    }
    if let Ok(value) = serde_json::from_slice(text) {
        return Ok(value);
    }
    // Read once more, slowly, to learn where it is wrong.
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Where a word is expected and something else stands, serde_json speaks as if it were no JSON.
        let is_json = serde_json::from_slice::<IgnoredAny>(text).is_ok();
        refuse(&error.path().to_string(), error.inner(), is_json)
    })?;
    json.end().map_err(|error| refuse(".", &error, false))?;
    Ok(value)
}

/// Bytes that are no JSON are malformed; JSON that is not what the operation takes has a field at fault.
fn refuse(path: &str, error: &serde_json::Error, is_json: bool) -> Problem {
    if !is_json && error.classify() != Category::Data {
        let place = format!("{}:{}", error.line(), error.column());
        let text = Text::new(
            format!("No és JSON vàlid (línia i columna {place})."),
            format!("No es JSON válido (línea y columna {place})."),
            format!("It is not valid JSON (line and column {place})."),
        );
        return Problem::new(Slug::MalformedBody).field("body", "not_json", text);
    }
    let said = error.to_string();
    let (rule, text) = rule_of(&said);
    let named = said.split('`').nth(1).unwrap_or_default();
    let field = match (rule, path) {
        ("wrong_type", ".") => "body".to_owned(),
        ("wrong_type", path) => path.to_owned(),
        (_, ".") => named.to_owned(),
        (_, path) if path == named || path.ends_with(&format!(".{named}")) => path.to_owned(),
        (_, path) => format!("{path}.{named}"),
    };
    Problem::new(Slug::InvalidFields).field(field, rule, text)
}

/// The rule behind serde's sentence.
fn rule_of(said: &str) -> (&'static str, Text) {
    if said.starts_with("unknown field") {
        let text = Text::new(
            "No hi ha cap camp amb aquest nom.",
            "No hay ningún campo con ese nombre.",
            "There is no field of this name.",
        );
        return ("unknown_field", text);
    }
    if said.starts_with("duplicate field") {
        let text = Text::new(
            "Hi és dues vegades.",
            "Está dos veces.",
            "It is there twice.",
        );
        return ("duplicate_field", text);
    }
    if said.starts_with("missing field") {
        let text = Text::new("Cal omplir-lo.", "Hay que rellenarlo.", "It is required.");
        return ("required", text);
    }
    wrong_type()
}

fn wrong_type() -> (&'static str, Text) {
    let text = Text::new(
        "El valor no és del tipus que toca.",
        "El valor no es del tipo que corresponde.",
        "The value is not of the right type.",
    );
    ("wrong_type", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::QuoteIn;

    fn fault(text: &str) -> (Slug, String, String) {
        let problem = parse::<QuoteIn>(text.as_bytes()).unwrap_err();
        let field = &problem.fields[0];
        (problem.slug, field.field.clone(), field.rule.clone())
    }

    #[test]
    fn what_is_wrong_with_a_body_is_named_with_its_path() {
        for (text, slug, field, rule) in [
            ("{", Slug::MalformedBody, "body", "not_json"),
            ("{} {}", Slug::MalformedBody, "body", "not_json"),
            ("\u{feff}{}", Slug::MalformedBody, "body", "not_json"),
            ("[1]", Slug::InvalidFields, "body", "wrong_type"),
            (
                r#"{"when":1}"#,
                Slug::InvalidFields,
                "when",
                "unknown_field",
            ),
            (r#"{"at":1}"#, Slug::InvalidFields, "at", "wrong_type"),
            (
                r#"{"entries":[{"entrant":{"grades":{"rating":true}}}]}"#,
                Slug::InvalidFields,
                "entries[0].entrant.grades.rating",
                "wrong_type",
            ),
            (
                r#"{"entries":[{"entrant":{"grades":{"rating":{}}}}]}"#,
                Slug::InvalidFields,
                "entries[0].entrant.grades.rating",
                "wrong_type",
            ),
            (
                r#"{"at":"x","at":"y"}"#,
                Slug::InvalidFields,
                "at",
                "duplicate_field",
            ),
            (
                r#"{"entries":[{"entrant":{"elo":2000}}]}"#,
                Slug::InvalidFields,
                "entries[0].entrant.elo",
                "unknown_field",
            ),
            (
                r#"{"entries":[{"entrant":{"rating":"high"}}]}"#,
                Slug::InvalidFields,
                "entries[0].entrant.rating",
                "wrong_type",
            ),
        ] {
            assert_eq!(
                fault(text),
                (slug, field.to_owned(), rule.to_owned()),
                "{text}"
            );
        }
    }
}
