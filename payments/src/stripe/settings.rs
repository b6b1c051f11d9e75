//! What the gateway must be told, and what it refuses to start with.

use std::time::Duration;

use crate::Secret;

/// Stripe's own address.
pub const STRIPE: &str = "https://api.stripe.com/";

/// One Stripe account.
#[derive(Clone, Debug)]
pub struct StripeSettings {
    /// Our name for the account (`main`): payments of it name `stripe:main`.
    pub account: String,
    /// `sk_…` or `rk_…`.
    pub secret_key: Secret,
    /// `whsec_…`; two while one replaces the other.
    pub webhook_secrets: Vec<Secret>,
    /// Where Stripe is, with a slash at its end.
    pub base_url: String,
    /// How long one attempt at a call may take.
    pub timeout: Duration,
    /// How long a call may take in all.
    pub deadline: Duration,
    /// Attempts after the first.
    pub retries: u32,
}

impl StripeSettings {
    /// Stripe itself; ten seconds an attempt, two attempts more, 25 seconds in all.
    #[must_use]
    pub fn new(
        account: impl Into<String>,
        secret_key: Secret,
        webhook_secrets: Vec<Secret>,
    ) -> Self {
        StripeSettings {
            account: account.into(),
            secret_key,
            webhook_secrets,
            base_url: STRIPE.to_owned(),
            timeout: Duration::from_secs(10),
            deadline: Duration::from_secs(25),
            retries: 2,
        }
    }

    /// Everything that is wrong, at once.
    ///
    /// # Errors
    /// One [`SettingFault`] for each setting that is.
    pub fn validate(&self) -> Result<(), Vec<SettingFault>> {
        let faults: Vec<SettingFault> = [
            self.account_fault(),
            self.key_fault(),
            self.webhook_fault(),
            self.address_fault(),
            self.time_fault(),
        ]
        .into_iter()
        .flatten()
        .collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    fn account_fault(&self) -> Option<SettingFault> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let good = (1..=32).contains(&self.account.len()) && self.account.chars().all(plain);
        (!good).then_some(SettingFault {
            setting: "account",
            rule: "not_a_name",
            text: "is 1 to 32 small letters, digits and hyphens",
        })
    }

    fn key_fault(&self) -> Option<SettingFault> {
        let key = self.secret_key.reveal();
        let fault = |rule, text| {
            Some(SettingFault {
                setting: "secret_key",
                rule,
                text,
            })
        };
        if key.is_empty() {
            return fault("missing", "is missing");
        }
        let known = ["sk_test_", "rk_test_", "sk_live_", "rk_live_"]
            .iter()
            .any(|start| key.strip_prefix(start).is_some_and(|rest| !rest.is_empty()));
        if !known || !key.chars().all(|c| c.is_ascii_graphic()) {
            return fault(
                "not_a_key",
                "is none of sk_test_…, rk_test_…, sk_live_…, rk_live_…",
            );
        }
        None
    }

    fn webhook_fault(&self) -> Option<SettingFault> {
        let fault = |rule, text| {
            Some(SettingFault {
                setting: "webhook_secrets",
                rule,
                text,
            })
        };
        if self.webhook_secrets.is_empty() {
            return fault(
                "missing",
                "is missing: without it anybody could report a payment",
            );
        }
        let good = |secret: &Secret| {
            let rest = secret.reveal().strip_prefix("whsec_").unwrap_or_default();
            !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic())
        };
        if self.webhook_secrets.iter().all(good) {
            None
        } else {
            fault("not_a_secret", "has one that is not whsec_…")
        }
    }

    fn address_fault(&self) -> Option<SettingFault> {
        let fault = |rule, text| {
            Some(SettingFault {
                setting: "base_url",
                rule,
                text,
            })
        };
        let live = self.secret_key.reveal().starts_with("sk_live_")
            || self.secret_key.reveal().starts_with("rk_live_");
        if live && self.base_url != STRIPE {
            return fault(
                "live_key_elsewhere",
                "is not Stripe's though the key is live",
            );
        }
        if !self.base_url.ends_with('/') {
            return fault("no_slash", "must end with a slash");
        }
        let host = self
            .base_url
            .strip_prefix("http://")
            .and_then(|rest| rest.split('/').next());
        let here = host.is_some_and(|host| {
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
            ["127.0.0.1", "[::1]", "localhost"].contains(&name)
        });
        if here || self.base_url.starts_with("https://") {
            None
        } else {
            fault(
                "not_secret",
                "must begin with https:// unless it is this machine",
            )
        }
    }

    fn time_fault(&self) -> Option<SettingFault> {
        let wrong = self.timeout.is_zero() || self.deadline < self.timeout;
        wrong.then_some(SettingFault {
            setting: "timeout",
            rule: "too_short",
            text: "must be above zero and at most the deadline",
        })
    }
}

/// A setting that is wrong, and the rule it breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{setting} {text} ({rule})")]
pub struct SettingFault {
    /// Which setting of the account.
    pub setting: &'static str,
    /// Stable code of the rule.
    pub rule: &'static str,
    /// What is wrong, to be read after the setting's name.
    pub text: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> StripeSettings {
        StripeSettings::new("main", "sk_test_1".into(), vec!["whsec_1".into()])
    }

    fn rules(settings: &StripeSettings) -> Vec<(&'static str, &'static str)> {
        settings
            .validate()
            .err()
            .unwrap_or_default()
            .iter()
            .map(|f| (f.setting, f.rule))
            .collect()
    }

    #[test]
    fn good_settings_pass() {
        let sandbox = StripeSettings {
            base_url: "http://127.0.0.1:9/".into(),
            ..settings()
        };
        let live = StripeSettings {
            secret_key: "rk_live_1".into(),
            ..settings()
        };
        for good in [settings(), sandbox, live] {
            assert_eq!(rules(&good), [], "{good:?}");
        }
    }

    #[test]
    fn a_live_key_goes_to_stripe_only() {
        for key in ["sk_live_1", "rk_live_1"] {
            for address in [
                "http://127.0.0.1:9/",
                "https://api.stripe.com.example/",
                "https://api.stripe.com",
            ] {
                let wrong = StripeSettings {
                    secret_key: key.into(),
                    base_url: address.into(),
                    ..settings()
                };
                assert_eq!(
                    rules(&wrong),
                    [("base_url", "live_key_elsewhere")],
                    "{key} {address}"
                );
            }
        }
    }

    #[test]
    fn an_address_is_secret_and_ends_with_a_slash() {
        for (address, rule) in [
            ("http://127.0.0.1:9", "no_slash"),
            ("http://gateway.example/", "not_secret"),
            ("http://127.0.0.1.example/", "not_secret"),
            ("ftp://localhost/", "not_secret"),
            ("/", "not_secret"),
        ] {
            let wrong = StripeSettings {
                base_url: address.into(),
                ..settings()
            };
            assert_eq!(rules(&wrong), [("base_url", rule)], "{address}");
        }
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let wrong = StripeSettings {
            account: "Main Street".into(),
            secret_key: "pk_test_1".into(),
            webhook_secrets: vec![],
            base_url: "http://x".into(),
            timeout: Duration::ZERO,
            ..settings()
        };
        let told = rules(&wrong);
        assert_eq!(
            told,
            [
                ("account", "not_a_name"),
                ("secret_key", "not_a_key"),
                ("webhook_secrets", "missing"),
                ("base_url", "no_slash"),
                ("timeout", "too_short")
            ]
        );
        let empty = StripeSettings {
            webhook_secrets: vec!["".into()],
            secret_key: "".into(),
            ..settings()
        };
        assert_eq!(
            rules(&empty),
            [
                ("secret_key", "missing"),
                ("webhook_secrets", "not_a_secret")
            ]
        );
    }

    #[test]
    fn a_key_and_a_secret_are_more_than_their_beginning() {
        for key in ["sk_test_", "rk_live_", "sk_test", "whsec_1", "sk_test_ 1"] {
            let wrong = StripeSettings {
                secret_key: key.into(),
                ..settings()
            };
            assert!(
                rules(&wrong).contains(&("secret_key", "not_a_key")),
                "{key}"
            );
        }
        for secret in ["whsec_", "we_1", "sk_test_1", "whsec_ 1", " "] {
            let wrong = StripeSettings {
                webhook_secrets: vec!["whsec_1".into(), secret.into()],
                ..settings()
            };
            assert_eq!(
                rules(&wrong),
                [("webhook_secrets", "not_a_secret")],
                "{secret}"
            );
        }
    }
}
