//! Why a text is not a regulation.

use std::fmt;

/// One fault of a regulation file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// Why a text is not a regulation: every fault found, in the order of the lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegulationError {
    /// Never empty.
    pub faults: Vec<Fault>,
}

impl fmt::Display for RegulationError {
    /// One `file:line: reason` a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, fault) in self.faults.iter().enumerate() {
            let separator = if position == 0 { "" } else { "\n" };
            write!(
                f,
                "{separator}{}:{}: {}",
                fault.file, fault.line, fault.reason
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for RegulationError {}
