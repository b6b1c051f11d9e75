//! Codes and titles: the values that a fact can have.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::IdError;

/// As FIDE's rating list has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub enum Sex {
    /// Male.
    #[serde(rename = "m")]
    Male,
    /// Female.
    #[serde(rename = "f")]
    Female,
}

/// A FIDE title (FIDE Handbook B.01).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the titles are their own names")]
pub enum Title {
    Gm,
    Im,
    Fm,
    Cm,
    Wgm,
    Wim,
    Wfm,
    Wcm,
}

impl FromStr for Title {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Ok(match text {
            "GM" => Title::Gm,
            "IM" => Title::Im,
            "FM" => Title::Fm,
            "CM" => Title::Cm,
            "WGM" => Title::Wgm,
            "WIM" => Title::Wim,
            "WFM" => Title::Wfm,
            "WCM" => Title::Wcm,
            _ => {
                return Err(IdError {
                    kind: "Title",
                    text: text.chars().take(40).collect(),
                });
            }
        })
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Title::Gm => "GM",
            Title::Im => "IM",
            Title::Fm => "FM",
            Title::Cm => "CM",
            Title::Wgm => "WGM",
            Title::Wim => "WIM",
            Title::Wfm => "WFM",
            Title::Wcm => "WCM",
        })
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident, $range:expr, $letter:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize)]
        pub struct $name(String);

        impl $name {
            /// The code as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                if $range.contains(&text.len()) && text.bytes().all($letter) {
                    return Ok($name(text.to_owned()));
                }
                Err(IdError { kind: stringify!($name), text: text.chars().take(40).collect() })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

codes! {
    /// A federation by its FIDE code (`ESP`, `FRA`): three capitals. The flag that a player has at FIDE. Which codes there
    /// are is FIDE's to say, and changes: a list of ours would shut out a player whose federation is new.
    Federation, (3..=3), |b: u8| b.is_ascii_uppercase();
    /// The federation whose licence is in force (`FIDE`, `FEDA`, `FCE`): two to eight capitals or digits.
    Licence, (2..=8), |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
}

/// A pupil's level at school.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the levels are their own names")]
pub enum Level {
    Initial,
    Primary,
    Secondary,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_capitals() {
        assert!("ESP".parse::<Federation>().is_ok());
        for wrong in ["esp", "ES", "ESPA", "E P", "E5P", "ÉSP"] {
            assert!(wrong.parse::<Federation>().is_err(), "{wrong}");
        }
    }
}
