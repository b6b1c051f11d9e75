//! The desk's secret, and what is made from it: payers' tokens, codes, identities and fingerprints, never stored plain.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{OrderId, TournamentId};
use hmac::{Hmac, Mac};
use serde::Serialize;
use sha2::Sha256;

/// Thirty-two bytes behind every token of a desk. Its `Debug` shows nothing.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// The secret of these bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Secret(bytes)
    }

    /// A keyed hash (HMAC-SHA-256) of parts; the purpose keeps one use apart from another.
    #[must_use]
    pub fn hash(&self, purpose: &str, parts: &[&str]) -> String {
        URL_SAFE_NO_PAD.encode(self.mac(purpose, parts).finalize().into_bytes())
    }

    fn mac(&self, purpose: &str, parts: &[&str]) -> Hmac<Sha256> {
        // HMAC pads a key to the hash's block with zeros (RFC 2104, 2); padded here, it cannot be of a wrong length.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        let mut mac = <Hmac<Sha256> as hmac::digest::KeyInit>::new((&block).into());
        for part in std::iter::once(&purpose).chain(parts) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }

    /// What tells this secret from any other, without telling it.
    #[must_use]
    pub fn mark(&self) -> String {
        self.hash("secret-mark", &[])
    }

    /// The secret token of an order's link: it can be made again for a mail, and a new generation voids it.
    #[must_use]
    pub fn order_token(&self, order: OrderId, generation: i32) -> String {
        self.hash(
            "order-token",
            &[&order.to_string(), &generation.to_string()],
        )
    }

    /// Whether a token is the order's, in constant time.
    #[must_use]
    pub fn is_order_token(&self, token: &str, order: OrderId, generation: i32) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(token) else {
            return false;
        };
        self.mac(
            "order-token",
            &[&order.to_string(), &generation.to_string()],
        )
        .verify_slice(&bytes)
        .is_ok()
    }

    /// Who an entrant is, as the unique index knows it.
    #[must_use]
    pub fn identity(&self, tournament: &TournamentId, identity: &str) -> String {
        self.hash("identity", &[tournament.as_str(), identity])
    }

    /// An invitation code as it is stored; case, spaces and dashes do not count.
    #[must_use]
    pub fn code(&self, tournament: &TournamentId, code: &str) -> String {
        let plain: String = code
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_uppercase)
            .collect();
        self.hash("code", &[tournament.as_str(), &plain])
    }

    /// What a request asked, for the comparison of repeats.
    #[must_use]
    pub fn fingerprint(&self, request: &impl Serialize) -> String {
        let text = serde_json::to_string(request).unwrap_or_default();
        self.hash("fingerprint", &[&text])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_its_order_and_generation_only() {
        let secret = Secret::new([7; 32]);
        let token = secret.order_token(OrderId(5), 1);
        assert!(secret.is_order_token(&token, OrderId(5), 1));
        assert!(!secret.is_order_token(&token, OrderId(6), 1));
        assert!(!secret.is_order_token(&token, OrderId(5), 2));
        assert!(!secret.is_order_token("", OrderId(5), 1));
        assert!(!Secret::new([8; 32]).is_order_token(&token, OrderId(5), 1));
    }

    #[test]
    fn parts_cannot_slide_into_each_other() {
        let secret = Secret::new([7; 32]);
        assert_ne!(
            secret.hash("a", &["bc", "d"]),
            secret.hash("a", &["b", "cd"])
        );
        let t: TournamentId = "t".parse().unwrap();
        assert_eq!(secret.code(&t, "abcd-2345"), secret.code(&t, "ABCD 2345"));
    }
}
