//! Webhooks: the signature over the raw bytes, and the few fields of an event that do not change with Stripe's versions.
//! The object in an event is never read: it is fetched anew. <https://docs.stripe.com/webhooks>

use domain::{Problem, Slug, Text, UtcTime};
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::Secret;

/// How far the signature's instant may be from now, before or after, in seconds.
pub const TOLERANCE: i64 = 300;

const HEADER: &str = "Stripe-Signature";

/// What is read of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// Stripe's id of the event (`evt_…`).
    pub id: String,
    /// What happened (`checkout.session.completed`): a hint at what to look at, never a fact.
    pub kind: String,
    /// When, in Unix seconds; one event may bear the second of another.
    pub created: Option<i64>,
    /// The version of Stripe's interface that the rest of the body follows.
    pub api_version: Option<String>,
    /// Whether money is real.
    pub livemode: Option<bool>,
    /// Stripe's id of the object; some kinds, that do not concern us, have none.
    pub object: Option<String>,
    /// What the object is (`payment_intent`).
    pub object_kind: Option<String>,
}

/// Why a webhook is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WebhookRefusal {
    /// There is no header.
    #[error("the {HEADER} header is missing")]
    Missing,
    /// The header is none of Stripe's, or no secret of ours gives its signature.
    #[error("the {HEADER} header does not fit the body")]
    Bad,
    /// The signature is right, but too old or of the future.
    #[error("the {HEADER} header is {0} seconds away from now")]
    Old(i64),
    /// Signed by Stripe, yet no event: which field, and what it must be.
    #[error("the body is no event: {field} ({rule})")]
    Body {
        /// The field (`data.object`), or `body`.
        field: &'static str,
        /// The rule it breaks.
        rule: &'static str,
    },
}

/// Checks the signature of a body with any of the secrets, and reads the envelope.
///
/// # Errors
/// [`WebhookRefusal`]; nothing of the body is read before the signature is right.
pub fn verify(
    secrets: &[Secret],
    header: Option<&str>,
    body: &[u8],
    now: UtcTime,
) -> Result<Envelope, WebhookRefusal> {
    let header = header
        .filter(|text| !text.trim().is_empty())
        .ok_or(WebhookRefusal::Missing)?;
    let signed = Signed::read(header).ok_or(WebhookRefusal::Bad)?;
    if !secrets.iter().any(|secret| signed.fits(secret, body)) {
        return Err(WebhookRefusal::Bad);
    }
    let distance = now.as_seconds().saturating_sub(signed.second);
    if distance.unsigned_abs() > TOLERANCE.unsigned_abs() {
        return Err(WebhookRefusal::Old(distance));
    }
    envelope(body)
}

/// The header: `t=1614556800,v1=5257a8…,v1=…,v0=…`. Only `v1` counts.
struct Signed<'a> {
    stamp: &'a str,
    second: i64,
    signatures: Vec<[u8; 32]>,
}

impl<'a> Signed<'a> {
    fn read(header: &'a str) -> Option<Signed<'a>> {
        let pairs = || {
            header
                .split(',')
                .filter_map(|part| part.trim().split_once('='))
        };
        let mut stamps = pairs()
            .filter(|(name, _)| *name == "t")
            .map(|(_, value)| value);
        let (Some(stamp), None) = (stamps.next(), stamps.next()) else {
            return None;
        };
        let signatures = pairs()
            .filter(|(name, _)| *name == "v1")
            .filter_map(|(_, hex)| unhex(hex))
            .collect();
        Some(Signed {
            stamp,
            second: stamp.parse().ok()?,
            signatures,
        })
    }

    /// In constant time for each signature.
    fn fits(&self, secret: &Secret, body: &[u8]) -> bool {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.reveal().as_bytes()) else {
            return false;
        };
        mac.update(self.stamp.as_bytes());
        mac.update(b".");
        mac.update(body);
        self.signatures
            .iter()
            .any(|signature| mac.clone().verify_slice(signature).is_ok())
    }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digits = std::str::from_utf8(pair)
            .ok()
            .filter(|d| !d.starts_with('+'))?;
        *byte = u8::from_str_radix(digits, 16).ok()?;
    }
    Some(bytes)
}

fn envelope(body: &[u8]) -> Result<Envelope, WebhookRefusal> {
    let event: Value = serde_json::from_slice(body).map_err(|_| WebhookRefusal::Body {
        field: "body",
        rule: "not_json",
    })?;
    let text = |pointer: &str| {
        event
            .pointer(pointer)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let required = |field, pointer: &str| {
        text(pointer)
            .filter(|t| !t.is_empty())
            .ok_or(WebhookRefusal::Body {
                field,
                rule: "required",
            })
    };
    if !event.pointer("/data/object").is_some_and(Value::is_object) {
        return Err(WebhookRefusal::Body {
            field: "data.object",
            rule: "required",
        });
    }
    Ok(Envelope {
        id: required("id", "/id")?,
        kind: required("type", "/type")?,
        created: event.pointer("/created").and_then(Value::as_i64),
        api_version: text("/api_version"),
        livemode: event.pointer("/livemode").and_then(Value::as_bool),
        object: text("/data/object/id"),
        object_kind: text("/data/object/object"),
    })
}

impl From<WebhookRefusal> for Problem {
    fn from(refusal: WebhookRefusal) -> Problem {
        let (slug, field, rule) = match refusal {
            WebhookRefusal::Missing => (Slug::BadSignature, HEADER, "missing_signature"),
            WebhookRefusal::Bad => (Slug::BadSignature, HEADER, "bad_signature"),
            WebhookRefusal::Old(_) => (Slug::BadSignature, HEADER, "old_signature"),
            WebhookRefusal::Body { field, rule } => (Slug::MalformedBody, field, rule),
        };
        Problem::new(slug).field(field, rule, sentence(rule))
    }
}

fn sentence(rule: &str) -> Text {
    match rule {
        "missing_signature" => Text::new(
            "Falta la signatura.",
            "Falta la firma.",
            "The signature is missing.",
        ),
        "bad_signature" => Text::new(
            "La signatura no correspon al cos.",
            "La firma no corresponde al cuerpo.",
            "The signature does not fit the body.",
        ),
        "old_signature" => Text::new(
            "La signatura dista més de cinc minuts d'ara.",
            "La firma dista más de cinco minutos de ahora.",
            "The signature is more than five minutes away from now.",
        ),
        "not_json" => Text::new("No és JSON.", "No es JSON.", "It is not JSON."),
        _ => Text::new("Hi ha de ser.", "Debe estar.", "It must be there."),
    }
}
