//! The text of a regulation, and what is found in it.

use domain::{Text, TournamentId};
use registration::{Checked, Publish};
use rules::Fault;
use rules::check::{Finding, Severity};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Faults, Read, Rule};

/// A text to look at.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RegulationTextIn {
    /// The text, in TOML.
    pub source: Option<String>,
}

impl RegulationTextIn {
    /// The text.
    ///
    /// # Errors
    /// [`domain::Slug::InvalidFields`] where there is none.
    pub fn read(self) -> Read<String> {
        let mut faults = Faults::default();
        let source = text(self.source, &mut faults);
        faults.finish(source.map(|source| (source, None)))
    }
}

/// A text that is to be the next version.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PublishIn {
    /// The text, in TOML.
    pub source: Option<String>,
    /// The number of the version that it takes the place of; where another was published meanwhile, nothing is.
    pub replaces: Option<i32>,
    /// Why; must be said.
    pub reason: Option<String>,
}

impl PublishIn {
    /// What is to be published, and why.
    ///
    /// # Errors
    /// [`domain::Slug::InvalidFields`] with everything that is missing.
    pub fn read(self) -> Read<Publish> {
        let mut faults = Faults::default();
        let source = text(self.source, &mut faults);
        let replaces = faults.required("replaces", self.replaces);
        if replaces.is_some_and(|version| version < 1) {
            faults.add("replaces", Rule::OutOfRange);
        }
        let reason = faults.reason(self.reason);
        let asked = source.zip(replaces).zip(reason);
        faults.finish(
            asked.map(|((source, replaces), reason)| (Publish { source, replaces }, Some(reason))),
        )
    }
}

fn text(source: Option<String>, faults: &mut Faults) -> Option<String> {
    faults.required("source", source.filter(|text| !domain::is_blank(text)))
}

/// One thing found in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// How bad.
    pub severity: Severity,
    /// Stable code.
    pub code: &'static str,
    /// Line of the text, from 1.
    pub line: usize,
    /// The row or section, where it is about one.
    pub row: Option<String>,
    /// What is wrong.
    pub message: Text,
    /// Somebody it happens to.
    pub example: Option<String>,
}

impl From<Fault> for Found {
    /// Faults of a text are told in the language of its keys.
    fn from(fault: Fault) -> Self {
        let reason = fault.reason;
        Found {
            severity: Severity::Error,
            code: "unreadable",
            line: fault.line,
            row: None,
            message: Text::new(reason.clone(), reason.clone(), reason),
            example: None,
        }
    }
}

impl From<Finding> for Found {
    fn from(finding: Finding) -> Self {
        Found {
            severity: finding.severity,
            code: finding.code,
            line: finding.line,
            row: finding.row,
            message: finding.message,
            example: finding.example,
        }
    }
}

/// What a look at a text came to: whether it is good, whose it is, and what was found.
#[must_use]
pub fn looked_at(checked: Checked) -> (bool, Option<TournamentId>, Vec<Found>) {
    let (tournament, found): (_, Vec<Found>) = match checked {
        Checked::Unreadable(faults) => (None, faults.into_iter().map(Found::from).collect()),
        Checked::Read(id, findings) => (Some(id), findings.into_iter().map(Found::from).collect()),
    };
    let errors = found.iter().any(|found| found.severity == Severity::Error);
    (!errors, tournament, found)
}
