//! Instants: UTC, microseconds, and the two clocks that hand them out.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::{Language, TournamentId};

/// An instant in UTC, truncated to the microsecond when it is made, so that both databases give back what they took.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UtcTime(i64);

impl UtcTime {
    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn from_micros(micros: i64) -> Self {
        let (low, high) = (
            Timestamp::MIN.as_microsecond(),
            Timestamp::MAX.as_microsecond(),
        );
        UtcTime(micros.clamp(low, high))
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub fn as_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// This instant and so many seconds more (or less).
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        UtcTime::from_micros(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }

    /// The same instant for jiff.
    #[must_use]
    pub fn timestamp(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// The instant in a zone as a language writes it, to the minute, or to the second where it has seconds:
    /// `20/08/2026, 14:00 (Europe/Madrid)`.
    #[must_use]
    pub fn in_language(self, language: Language, zone: &TimeZone) -> String {
        let there = self.timestamp().to_zoned(zone.clone());
        let day = match language {
            Language::En => there.strftime("%-d %B %Y").to_string(),
            Language::Ca | Language::Es => there.strftime("%d/%m/%Y").to_string(),
        };
        let clock = if there.second() == 0 {
            "%H:%M"
        } else {
            "%H:%M:%S"
        };
        let name = zone.iana_name().unwrap_or("UTC");
        format!("{day}, {} ({name})", there.strftime(clock))
    }
}

impl From<Timestamp> for UtcTime {
    fn from(instant: Timestamp) -> Self {
        UtcTime(instant.as_microsecond())
    }
}

impl FromStr for UtcTime {
    type Err = jiff::Error;

    /// Reads RFC 3339 with its offset.
    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        Ok(text.parse::<Timestamp>()?.into())
    }
}

impl fmt::Display for UtcTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.timestamp().fmt(f)
    }
}

impl Serialize for UtcTime {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for UtcTime {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The two clocks of a desk. Nothing but an implementation of this reads the machine's clock.
pub trait Clock: Send + Sync {
    /// The wall clock: signatures, leases, back-off, gateways. A jump of the machine's is followed when it has stood for a
    /// minute.
    fn wall(&self) -> UtcTime;

    /// The desk clock of one tournament: what rules, holds and the journal's `at` use. Equal to the wall clock but in
    /// rehearsals, where each tournament has an offset of its own; moves back only where a machine's clock that was ahead is
    /// set right.
    fn desk(&self, tournament: &TournamentId) -> UtcTime;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_keep_microseconds_and_no_more() {
        let instant: UtcTime = "2026-07-20T23:59:59.1234567+02:00".parse().unwrap();
        assert_eq!(instant.to_string(), "2026-07-20T21:59:59.123456Z");
        assert_eq!(
            instant.plus_seconds(-1).as_seconds() + 1,
            instant.as_seconds()
        );
    }

    #[test]
    fn instants_are_written_as_the_language_does() {
        let zone = TimeZone::get("Europe/Madrid").unwrap();
        let at: UtcTime = "2026-08-20T12:00:00Z".parse().unwrap();
        assert_eq!(
            at.in_language(Language::Ca, &zone),
            "20/08/2026, 14:00 (Europe/Madrid)"
        );
        assert_eq!(
            at.plus_seconds(-1).in_language(Language::En, &zone),
            "20 August 2026, 13:59:59 (Europe/Madrid)"
        );
    }
}
