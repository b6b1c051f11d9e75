//! The three languages of Enroc and a sentence said in each.

use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A language that Enroc speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Catalan.
    Ca,
    /// Spanish.
    Es,
    /// English: the answer where nothing else is asked for.
    #[default]
    En,
}

impl Language {
    /// All of them, in the order of the pages.
    pub const ALL: [Language; 3] = [Language::Ca, Language::Es, Language::En];

    /// The BCP 47 code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Language::Ca => "ca",
            Language::Es => "es",
            Language::En => "en",
        }
    }

    /// The first language of an `Accept-Language` header (RFC 9110, 12.5.4) that Enroc speaks, in the header's order
    /// of weights; English where none is.
    #[must_use]
    pub fn accepted(header: &str) -> Language {
        let mut offers: Vec<(u32, Language)> = header
            .split(',')
            .filter_map(|offer| {
                let mut parts = offer.trim().split(';');
                let language = parts.next()?.split('-').next()?.parse().ok()?;
                Some((weight(parts.next()), language))
            })
            .filter(|(weight, _)| *weight > 0)
            .collect();
        offers.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        offers
            .first()
            .map_or(Language::En, |(_, language)| *language)
    }
}

/// A `q=0.8` in thousandths; 1000 where none is given.
fn weight(parameter: Option<&str>) -> u32 {
    let Some(value) = parameter.and_then(|p| p.trim().strip_prefix("q=")) else {
        return 1_000;
    };
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    let digits: String = part.chars().chain("000".chars()).take(3).collect();
    whole.parse::<u32>().unwrap_or(0).saturating_mul(1_000) + digits.parse::<u32>().unwrap_or(0)
}

impl FromStr for Language {
    type Err = ();

    fn from_str(code: &str) -> Result<Self, ()> {
        match code.to_ascii_lowercase().as_str() {
            "ca" => Ok(Language::Ca),
            "es" => Ok(Language::Es),
            "en" => Ok(Language::En),
            _ => Err(()),
        }
    }
}

/// One sentence in Catalan, Spanish and English. Shared, as a quote repeats the regulation's own.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(Arc<Sentences>);

/// What a [`Text`] says.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentences {
    /// Catalan.
    pub ca: Box<str>,
    /// Spanish.
    pub es: Box<str>,
    /// English.
    pub en: Box<str>,
}

impl Deref for Text {
    type Target = Sentences;

    fn deref(&self) -> &Sentences {
        &self.0
    }
}

impl Text {
    /// The three sentences.
    pub fn new(ca: impl Into<Box<str>>, es: impl Into<Box<str>>, en: impl Into<Box<str>>) -> Self {
        Text(Arc::new(Sentences {
            ca: ca.into(),
            es: es.into(),
            en: en.into(),
        }))
    }

    /// The sentence in one language.
    #[must_use]
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::Ca => &self.ca,
            Language::Es => &self.es,
            Language::En => &self.en,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_read_by_weight() {
        for (header, language) in [
            ("ca", Language::Ca),
            ("es-ES,es;q=0.9", Language::Es),
            ("fr;q=1, en;q=0.2, ca;q=0.8", Language::Ca),
            ("es;q=0, fr", Language::En),
            ("", Language::En),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }
}
