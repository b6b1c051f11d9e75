//! One call to Stripe: the same key over all its attempts, and what its answer means.
//!
//! The library's own retries draw a random key for each call, which a crash forgets; so each attempt here is one request
//! with the caller's key. <https://docs.stripe.com/api/idempotent_requests>

use std::time::Duration;

use domain::crash_point;
use registration::GatewayError;
use stripe::{ApiErrors, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use tokio::time::{Instant, sleep};

use super::StripeSettings;

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(4);

/// Makes calls.
pub(super) struct Calls {
    client: stripe::Client,
    timeout: Duration,
    deadline: Duration,
    retries: u32,
}

impl Calls {
    /// # Errors
    /// Where the key or the address cannot be put into a request.
    pub(super) fn new(settings: &StripeSettings) -> Result<Calls, StripeError> {
        let client = stripe::ClientBuilder::new(settings.secret_key.reveal())
            .url(&settings.base_url)
            .app_info("enroc", Some(env!("CARGO_PKG_VERSION").to_owned()), None)
            .build()?;
        Ok(Calls {
            client,
            timeout: settings.timeout,
            deadline: settings.deadline,
            retries: settings.retries,
        })
    }

    /// Reads, or does what may be done twice.
    pub(super) async fn send<R>(&self, request: &R) -> Result<R::Output, GatewayError>
    where
        R: StripeRequest + Sync,
        R::Output: miniserde::Deserialize + Send,
    {
        self.attempts(request, &RequestStrategy::Once).await
    }

    /// Does what must be done once, under a key of ours.
    pub(super) async fn send_once<R>(
        &self,
        request: &R,
        key: &str,
    ) -> Result<R::Output, GatewayError>
    where
        R: StripeRequest + Sync,
        R::Output: miniserde::Deserialize + Send,
    {
        let key = IdempotencyKey::new(key).map_err(|error| GatewayError::Refused {
            code: "idempotency_key".to_owned(),
            message: error.to_string(),
        })?;
        self.attempts(request, &RequestStrategy::Idempotent(key))
            .await
    }

    async fn attempts<R>(
        &self,
        request: &R,
        strategy: &RequestStrategy,
    ) -> Result<R::Output, GatewayError>
    where
        R: StripeRequest + Sync,
        R::Output: miniserde::Deserialize + Send,
    {
        let begun = Instant::now();
        let (call, mut retries) = (name::<R>(), 0);
        loop {
            let left = self.deadline.saturating_sub(begun.elapsed());
            let attempt = request
                .customize()
                .request_strategy(strategy.clone())
                .timeout(self.timeout.min(left));
            crash_point("before", call);
            let answer = attempt.send(&self.client).await;
            crash_point("after", call);
            let last = match answer {
                Ok(answer) => return Ok(answer),
                Err(error) => verdict(&error),
            };
            let pause = pause(retries, rand::random());
            let late = begun.elapsed() + pause >= self.deadline;
            if late || retries >= self.retries || matches!(last, Verdict::Final(_)) {
                return Err(last.given_up(strategy));
            }
            tracing::debug!(?last, ?pause, "another attempt with the same key");
            retries += 1;
            sleep(pause).await;
        }
    }
}

/// What the library calls a request: `CreateRefund`.
fn name<R>() -> &'static str {
    let path = std::any::type_name::<R>();
    path.rsplit("::").next().unwrap_or(path)
}

/// The pause before the next attempt: it doubles, and `chance` takes away up to half of it.
fn pause(retries: u32, chance: u16) -> Duration {
    let whole = FIRST_PAUSE
        .saturating_mul(2_u32.saturating_pow(retries))
        .min(LONGEST_PAUSE);
    whole - whole * u32::from(chance) / (2 * (u32::from(u16::MAX) + 1))
}

/// What an answer that is not the object asked for means.
#[derive(Debug)]
enum Verdict {
    /// The call is over.
    Final(GatewayError),
    /// Stripe failed, and stores that under the key if the call had begun: a repeat may bring the same for a day.
    Failed(String),
    /// Nothing is known, or it did not begin: the same call with the same key may be made again.
    Again(String),
}

impl Verdict {
    /// What the caller hears when no other attempt is made.
    fn given_up(self, strategy: &RequestStrategy) -> GatewayError {
        match (self, strategy) {
            (Verdict::Final(error), _) => error,
            (Verdict::Failed(why), RequestStrategy::Idempotent(_)) => GatewayError::KeySpent(why),
            (Verdict::Failed(why) | Verdict::Again(why), _) => GatewayError::NoAnswer(why),
        }
    }
}

fn verdict(error: &StripeError) -> Verdict {
    match error {
        StripeError::Stripe(said, status) => judge(said, *status),
        // The library drops the status of an answer that is not Stripe's own JSON, as a proxy's 502 is.
        StripeError::JSONDeserialize(why) | StripeError::ClientError(why) => {
            Verdict::Again(why.clone())
        }
        StripeError::Timeout => Verdict::Again("no answer in time".to_owned()),
        StripeError::ConfigError(why) => Verdict::Final(GatewayError::NoAnswer(why.clone())),
    }
}

/// <https://docs.stripe.com/error-low-level>
fn judge(said: &ApiErrors, status: u16) -> Verdict {
    let code = code(said);
    let told = || format!("{status} {code}");
    match status {
        404 => Verdict::Final(GatewayError::Unknown),
        // Nothing was done, and nothing will be until an operator mends the key: not the payer's fault.
        401 | 403 => {
            tracing::error!(status, code, "Stripe does not accept the secret key");
            Verdict::Final(GatewayError::NoAnswer(told()))
        }
        409 | 424 | 429 => Verdict::Again(told()),
        500.. => Verdict::Failed(told()),
        _ => Verdict::Final(GatewayError::Refused {
            code: code.to_owned(),
            message: message(said),
        }),
    }
}

/// The issuer's own reason where there is one (`insufficient_funds`), else Stripe's code, else its type.
pub(super) fn code(said: &ApiErrors) -> &str {
    let code = said.code.as_ref().map(|code| code.as_str());
    said.decline_code
        .as_deref()
        .or(code)
        .unwrap_or(said.type_.as_str())
}

/// Stripe's sentence, unless it quotes an address.
fn message(said: &ApiErrors) -> String {
    let sentence = said.message.as_deref().unwrap_or_default();
    match &said.param {
        Some(param) if param.contains("email") || sentence.contains('@') => {
            format!("{param} is refused")
        }
        _ => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(json: &str, status: u16) -> StripeError {
        let error: stripe_shared::Error = miniserde::json::from_str(json).unwrap();
        StripeError::Stripe(error.error, status)
    }

    fn shown(error: &StripeError) -> String {
        match verdict(error) {
            Verdict::Again(why) => format!("again: {why}"),
            Verdict::Failed(why) => format!("failed: {why}"),
            Verdict::Final(error) => error.to_string(),
        }
    }

    #[test]
    fn answers_mean_what_the_table_says() {
        let card = r#"{"error":{"type":"card_error","code":"card_declined","decline_code":"insufficient_funds","message":"Your card has insufficient funds."}}"#;
        let small = r#"{"error":{"type":"invalid_request_error","code":"amount_too_small","message":"Amount must be at least 0.50 eur"}}"#;
        let missing = r#"{"error":{"type":"invalid_request_error","code":"resource_missing","param":"intent","message":"No such payment_intent: 'pi_1'"}}"#;
        let in_use = r#"{"error":{"type":"idempotency_error","code":"idempotency_key_in_use","message":"in use"}}"#;
        let reused = r#"{"error":{"type":"idempotency_error","message":"Keys can only be used with the same parameters"}}"#;
        let api = r#"{"error":{"type":"api_error","message":"An error occurred"}}"#;
        let limited = r#"{"error":{"type":"invalid_request_error","code":"rate_limit","message":"Too many requests"}}"#;
        let key = r#"{"error":{"type":"invalid_request_error","message":"Invalid API Key provided: sk_test_***"}}"#;
        let email = r#"{"error":{"type":"invalid_request_error","code":"email_invalid","param":"customer_email","message":"Invalid email address: ann@"}}"#;
        for (json, status, meaning) in [
            (
                card,
                402,
                "the gateway refuses (insufficient_funds): Your card has insufficient funds.",
            ),
            (
                small,
                400,
                "the gateway refuses (amount_too_small): Amount must be at least 0.50 eur",
            ),
            (missing, 404, "the gateway knows no such object"),
            (in_use, 409, "again: 409 idempotency_key_in_use"),
            (
                reused,
                400,
                "the gateway refuses (idempotency_error): Keys can only be used with the same parameters",
            ),
            (api, 500, "failed: 500 api_error"),
            (api, 503, "failed: 503 api_error"),
            (limited, 429, "again: 429 rate_limit"),
            (
                key,
                401,
                "no answer from the gateway: 401 invalid_request_error",
            ),
            (
                email,
                400,
                "the gateway refuses (email_invalid): customer_email is refused",
            ),
        ] {
            assert_eq!(shown(&said(json, status)), meaning);
        }
        let none = [
            StripeError::Timeout,
            StripeError::ClientError("reset".into()),
            StripeError::JSONDeserialize("x".into()),
        ];
        for error in none {
            assert!(shown(&error).starts_with("again: "), "{error}");
        }
    }

    #[test]
    fn pauses_double_and_are_never_less_than_half() {
        let millis = |retries, chance| pause(retries, chance).as_millis();
        assert_eq!(
            [millis(0, 0), millis(1, 0), millis(2, 0), millis(30, 0)],
            [250, 500, 1_000, 4_000]
        );
        assert_eq!([millis(0, u16::MAX), millis(30, u16::MAX)], [125, 2_000]);
    }
}
