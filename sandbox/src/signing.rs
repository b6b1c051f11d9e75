//! The body and the signature of a webhook, right or wrong on purpose.
//! <https://docs.stripe.com/webhooks/signature>

use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::faults::Twist;

/// Changes the body as a fault says.
pub(crate) fn twist_body(body: &mut Value, twist: &Twist) {
    match twist {
        Twist::ApiVersion(version) => body["api_version"] = json!(version),
        Twist::UnknownKind(kind) => body["type"] = json!(kind),
        Twist::MissingField(pointer) => {
            let Some((parent, member)) = pointer.rsplit_once('/') else {
                return;
            };
            if let Some(object) = body.pointer_mut(parent).and_then(Value::as_object_mut) {
                object.remove(member);
            }
        }
        _ => {}
    }
}

/// The `Stripe-Signature` header: `t=…,v1=…`, HMAC-SHA256 over `t.body`.
pub(crate) fn signature(secret: &str, wall: i64, body: &str, twists: &[Twist]) -> String {
    let mut at = wall;
    let mut secrets = vec![secret.to_owned()];
    for twist in twists {
        match twist {
            Twist::OldTimestamp(age) => at -= age,
            Twist::WrongSignature => secrets = vec![format!("{secret}_wrong")],
            Twist::SecondSignature(other) => secrets.insert(0, other.clone()),
            _ => {}
        }
    }
    let signed = secrets
        .iter()
        .map(|secret| format!(",v1={}", hex_hmac(secret, &format!("{at}.{body}"))));
    format!("t={at}{}", signed.collect::<String>())
}

fn hex_hmac(secret: &str, message: &str) -> String {
    // HMAC takes a key of any length, so the error arm is never reached.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return String::new();
    };
    mac.update(message.as_bytes());
    mac.finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_follow_the_twists() {
        let plain = signature("whsec_a", 1000, "{}", &[]);
        assert_eq!(
            plain,
            format!("t=1000,v1={}", hex_hmac("whsec_a", "1000.{}"))
        );
        assert!(
            signature("whsec_a", 1000, "{}", &[Twist::OldTimestamp(400)]).starts_with("t=600,v1=")
        );
        assert_ne!(
            signature("whsec_a", 1000, "{}", &[Twist::WrongSignature]),
            plain
        );
        let both = signature(
            "whsec_a",
            1000,
            "{}",
            &[Twist::SecondSignature("whsec_b".into())],
        );
        assert_eq!(both.matches(",v1=").count(), 2);
        assert!(both.ends_with(plain.trim_start_matches("t=1000")));
    }

    #[test]
    fn hmac_is_the_published_one() {
        // RFC 4231, test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hex_hmac("Jefe", "what do ya want for nothing?"), expected);
    }
}
