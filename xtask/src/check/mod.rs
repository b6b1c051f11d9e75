//! `cargo xtask check`: what can be said of the code without running it.

mod arrows;
mod house;
mod lints;
mod product;
mod programs;
mod sizes;
mod words;

use clap::ValueEnum;

use crate::Result;
use crate::report::Report;

/// One check; the quick ones first.
#[derive(Clone, Copy, ValueEnum)]
pub enum Check {
    /// rustfmt changes nothing
    Fmt,
    /// No Rust file over 500 lines; those over 300 are listed
    Sizes,
    /// Crates use only the crates that the house allows
    Arrows,
    /// The program is built with nothing that is for tests alone
    Product,
    /// No machine's own paths, no stubs, no floating point near money
    Words,
    /// buf's STANDARD rules over the proto files
    Buf,
    /// cargo-deny: licences, banned crates, sources (`deny.toml`)
    Deny,
    /// clippy over all targets, a warning is an error
    Clippy,
}

impl Check {
    pub fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Sizes => "sizes",
            Self::Arrows => "arrows",
            Self::Product => "product",
            Self::Words => "words",
            Self::Buf => "buf",
            Self::Deny => "deny",
            Self::Clippy => "clippy",
        }
    }

    pub fn look(self) -> Result {
        match self {
            Self::Fmt => lints::fmt(),
            Self::Sizes => sizes::look(),
            Self::Arrows => arrows::look(),
            Self::Product => product::look(),
            Self::Words => words::look(),
            Self::Buf => programs::buf(),
            Self::Deny => programs::deny(),
            Self::Clippy => lints::clippy(),
        }
    }
}

/// Runs the checks asked for, or all; every one of them, also after a red one.
pub fn run(checks: &[Check]) -> Result {
    let checks = if checks.is_empty() {
        Check::value_variants()
    } else {
        checks
    };
    let mut report = Report::default();
    for check in checks {
        report.step(check.name(), || check.look());
    }
    report.finish()
}

/// Green without faults, else red with one a line.
fn none(faults: &[String]) -> Result {
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n").into())
    }
}
