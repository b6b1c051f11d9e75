//! Faults on demand: what shall go wrong with the next calls and the next webhooks.

use serde::{Deserialize, Serialize};

fn once() -> u32 {
    1
}

/// The next calls of an operation go wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiFault {
    /// `payment_intents.create`, `refunds.*` or `*`; the names are those of the README.
    pub operation: String,
    pub trouble: Trouble,
    pub when: When,
    /// How many calls are hit; 1 when left out.
    #[serde(default = "once")]
    pub times: u32,
}

/// What the caller sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// 500; stored under the idempotency key, as Stripe does.
    ServerError,
    /// 429; never stored.
    RateLimited,
    /// No answer for so many milliseconds of the test clock, then the connection closes.
    Hang(u64),
    /// The connection closes without an answer.
    Disconnect,
    /// The answer comes so many milliseconds of the test clock late. Before the effect, the idempotency key is in use meanwhile.
    Slow(u64),
}

/// Whether the request is carried out before it goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    BeforeEffect,
    AfterEffect,
}

/// The next webhooks of a kind go wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookFault {
    /// `refund.created`, `payment_intent.*` or `*`.
    pub kind: String,
    pub twist: Twist,
    /// How many events are hit; 1 when left out.
    #[serde(default = "once")]
    pub times: u32,
}

/// What happens to a webhook on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Twist {
    /// Sent twice.
    Duplicate,
    /// Sent after the next one.
    Reorder,
    /// Kept back until released.
    Hold,
    /// Sent so many milliseconds later on the test clock.
    Delay(u64),
    /// Never sent.
    Drop,
    WrongSignature,
    /// Signed as of so many seconds ago.
    OldTimestamp(i64),
    /// Signed with this secret and with the right one, as while a secret is rolled.
    SecondSignature(String),
    /// Names this API version.
    ApiVersion(String),
    /// Lacks the member at this JSON pointer, such as `/data/object/amount`.
    MissingField(String),
    /// Names this event kind.
    UnknownKind(String),
}

/// The faults that are still to come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Faults {
    pub(crate) api: Vec<ApiFault>,
    pub(crate) webhook: Vec<WebhookFault>,
}

impl Faults {
    /// Uses up one time of the first fault that fits the operation.
    pub(crate) fn next_api(&mut self, operation: &str) -> Option<(Trouble, When)> {
        let place = self
            .api
            .iter()
            .position(|fault| fault.times > 0 && matches(&fault.operation, operation))?;
        self.api[place].times -= 1;
        let found = (self.api[place].trouble.clone(), self.api[place].when);
        self.api.retain(|fault| fault.times > 0);
        Some(found)
    }

    /// Uses up one time of every fault that fits the kind: several may twist one event.
    pub(crate) fn next_twists(&mut self, kind: &str) -> Vec<Twist> {
        let hit = self
            .webhook
            .iter_mut()
            .filter(|fault| fault.times > 0 && matches(&fault.kind, kind));
        let twists = hit
            .map(|fault| {
                fault.times -= 1;
                fault.twist.clone()
            })
            .collect();
        self.webhook.retain(|fault| fault.times > 0);
        twists
    }
}

/// Whether `pattern` (a name, a `family.*`, or `*`) covers `name`.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(family) => name.starts_with(family),
        None => pattern == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_used_up_in_order() {
        let fault = |operation: &str, trouble, times| ApiFault {
            operation: operation.into(),
            trouble,
            when: When::BeforeEffect,
            times,
        };
        let mut faults = Faults {
            api: vec![
                fault("refunds.*", Trouble::ServerError, 2),
                fault("*", Trouble::Disconnect, 1),
            ],
            webhook: vec![
                WebhookFault {
                    kind: "*".into(),
                    twist: Twist::Duplicate,
                    times: 1,
                },
                WebhookFault {
                    kind: "refund.created".into(),
                    twist: Twist::WrongSignature,
                    times: 1,
                },
            ],
        };
        let mut next = |operation: &str| faults.next_api(operation).map(|(trouble, _)| trouble);
        assert_eq!(next("refunds.create"), Some(Trouble::ServerError));
        assert_eq!(next("payment_intents.create"), Some(Trouble::Disconnect));
        assert_eq!(next("payment_intents.create"), None);
        assert_eq!(next("refunds.retrieve"), Some(Trouble::ServerError));
        assert_eq!(next("refunds.create"), None);
        assert_eq!(
            faults.next_twists("refund.created"),
            [Twist::Duplicate, Twist::WrongSignature]
        );
        assert_eq!(faults.next_twists("refund.created"), []);
    }
}
