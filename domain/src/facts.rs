//! Facts: what a rule may ask about an entrant, and how sure each is.

use serde::{Deserialize, Serialize};

/// How sure a fact is.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The entrant says so.
    #[default]
    Declared,
    /// A list says so.
    Listed {
        /// Which list (`fide-standard`).
        list: String,
        /// Which period of it (`2026-12`).
        period: String,
    },
    /// Somebody of the organiser, or a code that the organiser gave out, says so.
    Checked {
        /// Who: a key, an account or a code.
        by: String,
    },
}

/// The name of a fact, as regulations and answers call it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "each is the field of the same name in Player or Team"
)]
pub enum FactName {
    Sex,
    BirthDate,
    Federation,
    Title,
    Rating,
    Licences,
    Disability,
    Invited,
    PreviousParticipant,
    AgreedPrice,
    Club,
    Institution,
    Coach,
    Roster,
    Answers,
}

impl FactName {
    /// Every fact, in the order in which answers tell them.
    pub const ALL: [FactName; 15] = [
        FactName::Sex,
        FactName::BirthDate,
        FactName::Federation,
        FactName::Title,
        FactName::Rating,
        FactName::Licences,
        FactName::Disability,
        FactName::Invited,
        FactName::PreviousParticipant,
        FactName::AgreedPrice,
        FactName::Club,
        FactName::Institution,
        FactName::Coach,
        FactName::Roster,
        FactName::Answers,
    ];

    /// The name as regulations, JSON and proto write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            FactName::Sex => "sex",
            FactName::BirthDate => "birth_date",
            FactName::Federation => "federation",
            FactName::Title => "title",
            FactName::Rating => "rating",
            FactName::Licences => "licences",
            FactName::Disability => "disability",
            FactName::Invited => "invited",
            FactName::PreviousParticipant => "previous_participant",
            FactName::AgreedPrice => "agreed_price",
            FactName::Club => "club",
            FactName::Institution => "institution",
            FactName::Coach => "coach",
            FactName::Roster => "roster",
            FactName::Answers => "answers",
        }
    }
}
