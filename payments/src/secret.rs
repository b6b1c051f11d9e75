//! Keys that no log shows.

use std::fmt;

/// A key of the gateway (`sk_…`) or of its webhooks (`whsec_…`).
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The key itself.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Secret(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Secret(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn no_log_shows_a_key() {
        let shown = format!("{:?}", Some(Secret::from("whsec_abc")));
        assert!(!shown.contains("abc"), "{shown}");
    }
}
