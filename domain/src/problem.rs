//! What is answered when something is refused or fails: a kind, a slug, the fields, and a sentence in three languages.

use std::fmt;

use crate::{Language, Reason, Slug, Text};

/// The kinds of the design's one table; each door maps a kind to its own status.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Kind {
    /// The bytes are not JSON, or not protobuf.
    Malformed,
    /// Fields are wrong, or the regulation does not admit the order.
    Invalid,
    /// Nobody is signed in.
    Unauthenticated,
    /// Somebody is, and may not.
    Denied,
    /// There is no such thing.
    NotFound,
    /// Another got there first, or the key was used for something else.
    Conflict,
    /// The thing is not in a state for this.
    IllegalState,
    /// The gateway refuses the payment.
    PaymentRefused,
    /// More bytes than the limit.
    TooLarge,
    /// Try later.
    Overload,
    /// Our fault.
    Internal,
}

/// An error with what caused it, on one line.
#[must_use]
pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// One field that is wrong, and the rule it breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldFault {
    /// Path of the field (`entries[0].entrant.birth_date`).
    pub field: String,
    /// Stable code of the rule (`not_a_date`).
    pub rule: String,
    /// The sentence.
    pub text: Text,
}

/// A refusal or a failure, ready for any door.
#[derive(Debug)]
pub struct Problem {
    /// Which problem of the table.
    pub slug: Slug,
    /// The fields, where fields are at fault.
    pub fields: Vec<FieldFault>,
    /// What exactly, where the slug's own sentence is not enough.
    pub detail: Option<Text>,
    /// Seconds after which another try makes sense.
    pub retry_after: Option<u32>,
    /// The cause, for the log and never for the answer.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Problem {
    /// A problem with nothing more to say than its slug.
    #[must_use]
    pub fn new(slug: Slug) -> Self {
        Problem {
            slug,
            fields: Vec::new(),
            detail: None,
            retry_after: None,
            source: None,
        }
    }

    /// A failure of ours, with its cause for the log.
    #[must_use]
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Problem {
            source: Some(source.into()),
            ..Problem::new(Slug::Internal)
        }
    }

    /// An order that the regulation does not admit, with the rules engine's reasons as field faults.
    #[must_use]
    pub fn ineligible(reasons: &[Reason]) -> Self {
        let fields = reasons
            .iter()
            .map(|r| FieldFault {
                field: r.field.clone(),
                rule: r.code.clone(),
                text: r.text.clone(),
            })
            .collect();
        Problem {
            fields,
            ..Problem::new(Slug::Ineligible)
        }
    }

    /// The same problem naming one more field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>, rule: impl Into<String>, text: Text) -> Self {
        self.fields.push(FieldFault {
            field: field.into(),
            rule: rule.into(),
            text,
        });
        self
    }

    /// The same problem with a sentence of its own.
    #[must_use]
    pub fn detail(mut self, text: Text) -> Self {
        self.detail = Some(text);
        self
    }

    /// The kind of its slug.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.slug.kind()
    }

    /// The sentence to show.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        self.detail
            .as_ref()
            .unwrap_or(&self.slug.title())
            .in_language(language)
            .to_owned()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.slug.as_str(), self.sentence(Language::En))?;
        for fault in &self.fields {
            write!(f, "; {}: {} ({})", fault.field, fault.text.en, fault.rule)?;
        }
        match &self.source {
            Some(source) => write!(f, "; {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}
