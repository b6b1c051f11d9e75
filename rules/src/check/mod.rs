//! A linter with proof: every class of entrant between the boundaries that a regulation names.

mod clauses;
mod dates;
pub(crate) mod example;
mod messages;
mod money;
mod packages;
mod purse;
mod reach;
mod rounding;
mod rows;
mod tiers;
mod writing;

use domain::{Currency, Text};

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

/// What the walk may cost and what the gateway can charge in a currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The least that the gateway can charge, in minor units.
    pub minimum_charge: i64,
    /// The most.
    pub maximum_charge: i64,
    /// What it can charge is a multiple of this.
    pub charge_step: i64,
    /// How many classes may be looked at before a section is left *not proved*; those of the first currency count. A whole file
    /// has a budget of its own beside it, shared by its sections and currencies.
    pub classes: u32,
}

impl Limits {
    /// Classes for each section that take well under a second.
    pub const CLASSES: u32 = 200_000;

    /// Of a gateway that can charge every sum.
    pub const ANY_SUM: Limits = Limits {
        minimum_charge: 1,
        maximum_charge: i64::MAX,
        charge_step: 1,
        classes: Limits::CLASSES,
    };
}

/// Everything that is wrong or doubtful, and how much was looked at for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Errors first, then by line.
    pub findings: Vec<Finding>,
    /// How many classes of entrants were looked at.
    pub classes: u64,
}

/// Everything that is wrong or doubtful, errors first, then by line, where every currency has the same limits.
#[must_use]
pub fn check(regulation: &Regulation, limits: &Limits) -> Vec<Finding> {
    checked(regulation, &|_| *limits).findings
}

/// The same with limits for each currency, and with how many classes were looked at.
#[must_use]
pub fn checked(regulation: &Regulation, limits: &dyn Fn(Currency) -> Limits) -> Checked {
    let mut findings = Vec::new();
    clauses::check(regulation, &mut findings);
    dates::check(regulation, &mut findings);
    rounding::check(regulation, &mut findings);
    writing::check(regulation, &mut findings);
    let classes = limits(regulation.currency()).classes;
    let looked = rows::check(regulation, classes, &mut findings);
    money::check(regulation, limits, &looked.sections, &mut findings);
    findings.sort_by(|a, b| {
        (a.severity, a.line, a.code, &a.row).cmp(&(b.severity, b.line, b.code, &b.row))
    });
    Checked {
        findings,
        classes: looked.classes,
    }
}

/// Notes something without anybody it happens to.
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

/// Notes something that happens to somebody, or in some case.
fn show(
    findings: &mut Vec<Finding>,
    severity: Severity,
    code: &'static str,
    (line, row): (usize, &str),
    example: String,
) {
    find(findings, severity, code, line, Some(row));
    if let Some(finding) = findings.last_mut() {
        finding.example = Some(example);
    }
}
