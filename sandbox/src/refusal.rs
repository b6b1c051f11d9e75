//! What the server says no with: Stripe's error envelope and its HTTP status.

use serde_json::{Map, Value, json};

/// A refusal in Stripe's form, see <https://docs.stripe.com/api/errors>.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    kind: &'static str,
    code: Option<&'static str>,
    message: String,
    param: Option<String>,
    /// Further members of the envelope: `decline_code`, `charge`, `payment_intent`, `payment_method`.
    more: Map<String, Value>,
    /// Whether execution had begun, so that an idempotency key replays this answer.
    pub(crate) executed: bool,
}

impl Refusal {
    fn new(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            code: None,
            message: message.into(),
            param: None,
            more: Map::new(),
            executed: false,
        }
    }

    /// The request itself is wrong: 400, never stored under an idempotency key.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request_error", message)
    }

    /// The request is well formed but the object's state forbids it: 400, stored under the key.
    pub(crate) fn state(message: impl Into<String>) -> Self {
        Self {
            executed: true,
            ..Self::invalid(message)
        }
    }

    /// The issuer said no: 402, stored under the key.
    pub(crate) fn card(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            executed: true,
            code: Some(code),
            ..Self::new(402, "card_error", message)
        }
    }

    pub(crate) fn missing(kind: &str, id: &str, param: &str) -> Self {
        let found = Self {
            code: Some("resource_missing"),
            ..Self::invalid(format!("No such {kind}: '{id}'"))
        };
        Self {
            status: 404,
            ..found
        }
        .param(param)
    }

    pub(crate) fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(401, "invalid_request_error", message)
    }

    pub(crate) fn no_such_route(method: &str, path: &str) -> Self {
        Self::new(
            404,
            "invalid_request_error",
            format!("Unrecognized request URL ({method}: {path})."),
        )
    }

    pub(crate) fn key_in_use(key: &str) -> Self {
        Self::new(
            409,
            "invalid_request_error",
            format!(
                "There is currently another in-progress request using this Idempotent Key: {key}."
            ),
        )
        .code("idempotency_key_in_use")
    }

    pub(crate) fn key_reused(message: String) -> Self {
        Self::new(400, "idempotency_error", message)
    }

    pub(crate) fn server_error() -> Self {
        Self {
            executed: true,
            ..Self::new(500, "api_error", "An unknown error occurred.")
        }
    }

    pub(crate) fn rate_limited() -> Self {
        Self::new(429, "invalid_request_error", "Request rate limit exceeded.").code("rate_limit")
    }

    pub(crate) fn code(self, code: &'static str) -> Self {
        Self {
            code: Some(code),
            ..self
        }
    }

    pub(crate) fn param(self, param: impl Into<String>) -> Self {
        Self {
            param: Some(param.into()),
            ..self
        }
    }

    pub(crate) fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.more.insert(member.to_owned(), value.into());
        self
    }

    pub(crate) fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// The same refusal in other words.
    pub(crate) fn reworded(self, message: String) -> Self {
        Self { message, ..self }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The inner object, as it also stands in `last_payment_error`.
    pub(crate) fn inner(&self) -> Value {
        let mut error = self.more.clone();
        error.insert("type".into(), json!(self.kind));
        error.insert("message".into(), json!(self.message));
        if let Some(code) = self.code {
            error.insert("code".into(), json!(code));
            error.insert(
                "doc_url".into(),
                json!(format!(
                    "https://docs.stripe.com/error-codes#{}",
                    code.replace('_', "-")
                )),
            );
        }
        if let Some(param) = &self.param {
            error.insert("param".into(), json!(param));
        }
        Value::Object(error)
    }

    pub(crate) fn envelope(&self) -> Value {
        json!({ "error": self.inner() })
    }
}
