//! Idempotency keys as Stripe treats them. <https://docs.stripe.com/api/idempotent_requests>

use std::collections::HashMap;

use crate::form::Form;
use crate::refusal::Refusal;

/// Keys are forgotten after this long on the test clock, in seconds.
const KEPT: i64 = 24 * 3600;
const LONGEST: usize = 255;

/// An answer as it went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
    /// The `Request-Id` of the request that was carried out.
    pub(crate) request: String,
}

#[derive(Debug)]
struct Entry {
    path: String,
    form: Form,
    since: i64,
    answer: Option<Answer>,
}

#[derive(Debug, Default)]
pub(crate) struct Keys {
    entries: HashMap<String, Entry>,
    next_prune: i64,
}

impl Keys {
    /// Takes the key for a request, or gives the answer to replay.
    pub(crate) fn begin(
        &mut self,
        key: &str,
        path: &str,
        form: &Form,
        now: i64,
    ) -> Result<Option<Answer>, Refusal> {
        if key.len() > LONGEST {
            return Err(Refusal::invalid(
                "Idempotency keys can be up to 255 characters long.",
            ));
        }
        let Some(entry) = self.entries.get(key) else {
            self.entries.insert(
                key.to_owned(),
                Entry {
                    path: path.to_owned(),
                    form: form.clone(),
                    since: now,
                    answer: None,
                },
            );
            return Ok(None);
        };
        let other = format!(
            "Try using a key other than '{key}' if you meant to execute a different request."
        );
        if entry.path != path {
            let first = &entry.path;
            return Err(Refusal::key_reused(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for ('{path}' vs '{first}'). {other}"
            )));
        }
        if entry.form != *form {
            return Err(Refusal::key_reused(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. {other}"
            )));
        }
        match &entry.answer {
            Some(answer) => Ok(Some(answer.clone())),
            None => Err(Refusal::key_in_use(key)),
        }
    }

    /// Stores the answer, or sets the key free when nothing was carried out.
    pub(crate) fn finish(&mut self, key: &str, answer: Option<Answer>) {
        match answer {
            Some(answer) => {
                if let Some(entry) = self.entries.get_mut(key) {
                    entry.answer = Some(answer);
                }
            }
            None => {
                self.entries.remove(key);
            }
        }
    }

    /// Forgets the finished keys that are older than a day.
    /// Looks once a minute.
    pub(crate) fn prune(&mut self, now: i64) {
        if now < self.next_prune {
            return;
        }
        self.next_prune = now + 60;
        self.entries
            .retain(|_, entry| entry.answer.is_none() || entry.since + KEPT > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_answered_and_forgotten() {
        let mut keys = Keys::default();
        let form = Form::parse(b"amount=1");
        let answer = Answer {
            status: 500,
            body: "{}".into(),
            request: "req_1".into(),
        };
        assert_eq!(keys.begin("k", "/v1/refunds", &form, 0).unwrap(), None);
        assert_eq!(
            keys.begin("k", "/v1/refunds", &form, 0).unwrap_err().status,
            409
        );
        keys.finish("k", Some(answer.clone()));
        assert_eq!(
            keys.begin("k", "/v1/refunds", &form, 5).unwrap(),
            Some(answer)
        );
        let differing = keys
            .begin("k", "/v1/refunds", &Form::parse(b"amount=2"), 5)
            .unwrap_err();
        assert_eq!(
            (differing.status, differing.inner()["type"].as_str()),
            (400, Some("idempotency_error"))
        );
        assert_eq!(
            keys.begin("k", "/v1/other", &form, 5).unwrap_err().status,
            400
        );
        keys.prune(KEPT - 60);
        assert!(keys.begin("k", "/v1/refunds", &form, 5).unwrap().is_some());
        keys.prune(KEPT);
        assert_eq!(keys.begin("k", "/v1/refunds", &form, KEPT).unwrap(), None);
        keys.finish("k", None);
        assert_eq!(keys.begin("k", "/v1/other", &form, KEPT).unwrap(), None);
        assert!(
            keys.begin(&"k".repeat(256), "/v1/refunds", &form, 0)
                .is_err()
        );
    }
}
