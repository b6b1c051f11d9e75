//! Identifiers: 64 bits, time-ordered, made before the write; outside always text with a prefix, never a number.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde::{Deserialize, Serialize};

use crate::UtcTime;

/// Crockford's base 32: no I, L, O, U, so that a reference can be read aloud.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn encode(mut value: u64, digits: usize) -> String {
    let mut text = vec![b'0'; digits];
    for place in text.iter_mut().rev() {
        *place = ALPHABET[(value & 31) as usize];
        value >>= 5;
    }
    text.into_iter().map(char::from).collect()
}

fn decode(text: &str) -> Option<u64> {
    text.bytes().try_fold(0u64, |value, byte| {
        let digit = match byte.to_ascii_lowercase() {
            b'o' => 0,
            b'i' | b'l' => 1,
            letter => ALPHABET.iter().position(|a| *a == letter)? as u64,
        };
        value.checked_mul(32)?.checked_add(digit)
    })
}

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {kind}: {text}")]
pub struct IdError {
    /// Which kind of id was expected.
    pub kind: &'static str,
    /// What was given.
    pub text: String,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, encode(self.0.cast_unsigned(), 13))
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let refuse = || IdError { kind: stringify!($name), text: text.chars().take(40).collect() };
                let digits = text.strip_prefix($prefix).filter(|d| d.len() == 13).ok_or_else(refuse)?;
                decode(digits).and_then(|v| i64::try_from(v).ok()).map($name).ok_or_else(refuse)
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// Who owns tournaments.
    OrganiserId = "org_";
    /// What one payer pays at once.
    OrderId = "ord_";
    /// One entrant in one section.
    EntryId = "ent_";
    /// Money that came in, or an attempt at it.
    PaymentId = "pay_";
    /// Money that goes back.
    RefundId = "ref_";
    /// A machine's key.
    KeyId = "key_";
    /// One thing to be sent to one subscriber.
    DeliveryId = "dlv_";
}

/// Hands out 63-bit numbers that grow with the wall clock: 41 bits of milliseconds since 2020, 22 bits that start at
/// random and count up within a millisecond.
#[derive(Debug, Default)]
pub struct IdSource(AtomicI64);

impl IdSource {
    /// The next number at this instant; `noise` is any random number, so that two processes do not meet.
    pub fn next(&self, wall: UtcTime, noise: u32) -> i64 {
        const EPOCH_2020_MS: i64 = 1_577_836_800_000;
        let millis = (wall.as_micros() / 1_000 - EPOCH_2020_MS).max(0) & ((1 << 41) - 1);
        let fresh = (millis << 22) | i64::from(noise & ((1 << 21) - 1));
        let step = |last: i64| Some(fresh.max(last.saturating_add(1)));
        match self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, step)
        {
            Ok(last) | Err(last) => fresh.max(last.saturating_add(1)),
        }
    }
}

macro_rules! slugs {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The slug as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
                if (1..=64).contains(&text.len()) && text.chars().all(plain) {
                    return Ok($name(text.into()));
                }
                Err(IdError { kind: stringify!($name), text: text.chars().take(40).collect() })
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

slugs! {
    /// A tournament, by the `id` of its regulation (`ciutat-barcelona-2026`): letters, digits, `-` and `_`, at most 64.
    TournamentId;
    /// A section of a tournament, as the regulation names it (`A`, `primario`).
    SectionId;
}

/// The short reference that a payer sees and can read aloud: eight characters and two check characters (ISO 7064
/// MOD 97-10 over the value), as `7K3M-9QXA-42`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OrderReference(String);

impl OrderReference {
    /// The reference of a random number; its lowest 40 bits count.
    #[must_use]
    pub fn from_random(random: u64) -> Self {
        let value = random & ((1 << 40) - 1);
        let body = encode(value, 8).to_ascii_uppercase();
        OrderReference(format!(
            "{}-{}-{:02}",
            &body[..4],
            &body[4..],
            98 - (value * 100) % 97
        ))
    }

    /// The reference as it is shown and stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<OrderReference> for String {
    fn from(reference: OrderReference) -> String {
        reference.0
    }
}

impl TryFrom<String> for OrderReference {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl FromStr for OrderReference {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let refuse = || IdError {
            kind: "OrderReference",
            text: text.chars().take(40).collect(),
        };
        let plain: String = text.chars().filter(|c| *c != '-' && *c != ' ').collect();
        let (body, check) = plain
            .split_at_checked(8)
            .filter(|(_, c)| c.len() == 2)
            .ok_or_else(refuse)?;
        let reference = OrderReference::from_random(decode(body).ok_or_else(refuse)?);
        if reference.0.ends_with(check) {
            Ok(reference)
        } else {
            Err(refuse())
        }
    }
}

impl fmt::Display for OrderReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_and_another_kind_is_refused() {
        let order = OrderId(IdSource::default().next("2026-07-01T00:00:00Z".parse().unwrap(), 7));
        assert_eq!(order.to_string().parse::<OrderId>(), Ok(order));
        assert!(order.to_string().parse::<EntryId>().is_err());
        assert!("ord_".parse::<OrderId>().is_err());
        assert!("ord_zzzzzzzzzzzzz".parse::<OrderId>().is_err());
    }

    #[test]
    fn numbers_grow_though_the_clock_stands_or_steps_back() {
        let source = IdSource::default();
        let later: UtcTime = "2026-07-01T00:00:01Z".parse().unwrap();
        let first = source.next(later, u32::MAX);
        let second = source.next(later.plus_seconds(-5), 0);
        assert!(second > first);
    }

    #[test]
    fn one_wrong_character_or_two_swapped_are_noticed() {
        let reference = OrderReference::from_random(0x12_3456_789a);
        assert_eq!(reference.as_str().parse(), Ok(reference.clone()));
        assert_eq!(
            reference.as_str().to_lowercase().replace('-', "").parse(),
            Ok(reference.clone())
        );
        let text = reference.as_str();
        for (place, letter) in text.char_indices().filter(|(_, c)| *c != '-') {
            let other = if letter == '7' { '8' } else { '7' };
            let mut wrong = text.to_owned();
            wrong.replace_range(place..=place, &other.to_string());
            assert!(wrong.parse::<OrderReference>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn slugs_are_plain() {
        assert!("ciutat-barcelona-2026".parse::<TournamentId>().is_ok());
        for wrong in ["", "a b", "../x", &"x".repeat(65)] {
            assert!(wrong.parse::<SectionId>().is_err(), "{wrong}");
        }
    }
}
