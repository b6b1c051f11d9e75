//! A linter with proof: every class of entrant between the boundaries that a regulation names.

mod clauses;
pub(crate) mod example;
mod messages;
mod walk;

use domain::Text;

use crate::Regulation;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The regulation must not be published so.
    Error,
    /// Somebody should look.
    Warning,
}

/// One thing that `check` found.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Finding {
    /// How bad.
    pub severity: Severity,
    /// Stable code (`hole`, `dead_row`).
    pub code: &'static str,
    /// Line of the file, from 1; the first where the finding is about no line.
    pub line: usize,
    /// The row or section, where there is one.
    pub row: Option<String>,
    /// What is wrong.
    pub message: Text,
    /// Somebody it happens to.
    pub example: Option<String>,
}

/// What the walk may cost and what the gateway can charge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The least that the gateway can charge in the regulation's currency, in minor units.
    pub minimum_charge: i64,
    /// How many classes may be looked at before a section is left *not proved*.
    pub classes: u32,
}

impl Limits {
    /// Classes for each section that take well under a second.
    pub const CLASSES: u32 = 200_000;
}

/// Everything that is wrong or doubtful, errors first, then by line.
#[must_use]
pub fn check(regulation: &Regulation, limits: &Limits) -> Vec<Finding> {
    let mut findings = Vec::new();
    clauses::check(regulation, limits, &mut findings);
    walk::check(regulation, limits, &mut findings);
    findings.sort_by(|a, b| {
        (a.severity, a.line, a.code, &a.row).cmp(&(b.severity, b.line, b.code, &b.row))
    });
    findings
}

fn find(
    findings: &mut Vec<Finding>,
    severity: Severity,
    code: &'static str,
    line: usize,
    row: Option<&str>,
) {
    findings.push(Finding {
        severity,
        code,
        line,
        row: row.map(str::to_owned),
        message: messages::of(code),
        example: None,
    });
}
