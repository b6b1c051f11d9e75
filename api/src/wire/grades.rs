//! How sure facts are, as a request says it, and whose word may say so.

use std::collections::BTreeMap;

use domain::{FactName, Grade};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::faults::{At, Faults, Rule};

/// Whose word facts may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Facts are declared; no key came with the request.
    Anybody,
    /// Facts are declared, whoever asks.
    Entrant,
    /// A key with the role rules: facts may be listed or checked.
    Rules,
}

/// How sure a fact is.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum GradeIn {
    /// The entrant says so.
    Declared,
    /// A list says so.
    Listed {
        /// Which list (`fide-standard`).
        list: String,
        /// Which period of it (`2026-12`).
        period: String,
    },
    /// Somebody of the organiser says so.
    Checked {
        /// Who: a key or an account.
        by: String,
    },
}

impl From<GradeIn> for Grade {
    fn from(grade: GradeIn) -> Grade {
        match grade {
            GradeIn::Declared => Grade::Declared,
            GradeIn::Listed { list, period } => Grade::Listed { list, period },
            GradeIn::Checked { by } => Grade::Checked { by },
        }
    }
}

/// The grades that a request gives to facts; only the rules' word may give any.
pub(super) fn grades(
    faults: &mut Faults,
    field: At<'_>,
    named: BTreeMap<String, GradeIn>,
    word: Word,
) -> BTreeMap<FactName, Grade> {
    if word != Word::Rules && named.values().any(|grade| *grade != GradeIn::Declared) {
        faults.forbid(field, word);
        return BTreeMap::new();
    }
    named
        .into_iter()
        .filter_map(|(name, grade)| {
            let fact = fact_name(&name);
            if fact.is_none() {
                faults.add(format_args!("{field}.{name}"), Rule::UnknownValue);
            }
            Some((fact?, grade.into()))
        })
        .collect()
}

/// A fact by its name.
#[must_use]
pub fn fact_name(name: &str) -> Option<FactName> {
    FactName::ALL.into_iter().find(|fact| fact.as_str() == name)
}
