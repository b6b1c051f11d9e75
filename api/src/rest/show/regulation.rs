//! Versions of regulations, and what is found in a text.

use domain::{Text, TournamentId, UtcTime};
use rules::check::Severity;
use serde::Serialize;
use store::tournaments::Published;
use store::versions::Version;
use utoipa::ToSchema;

use super::journal::ActorOut;
use super::quote::TextOut;
use crate::wire::Found;

/// One thing found in the text of a regulation.
#[derive(Debug, Serialize, ToSchema)]
pub struct FindingOut {
    /// `error`: it must not be published so; `warning`: somebody should look.
    #[schema(value_type = String)]
    pub severity: Severity,
    /// Stable code; `unreadable` where the text is no regulation.
    #[schema(example = "hole")]
    pub code: &'static str,
    /// Line of the text, from 1.
    pub line: usize,
    /// The row or section; none where it is about none.
    pub row: Option<String>,
    /// What is wrong.
    #[schema(value_type = TextOut)]
    pub message: Text,
    /// Somebody it happens to; none where it is about nobody.
    pub example: Option<String>,
}

impl From<Found> for FindingOut {
    fn from(found: Found) -> Self {
        FindingOut {
            severity: found.severity,
            code: found.code,
            line: found.line,
            row: found.row,
            message: found.message,
            example: found.example,
        }
    }
}

pub(in crate::rest) fn findings(
    found: impl IntoIterator<Item = impl Into<Found>>,
) -> Vec<FindingOut> {
    found.into_iter().map(|one| one.into().into()).collect()
}

/// What a look at a text came to.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegulationCheckOut {
    /// Whether it is a regulation without errors; warnings do not count.
    pub good: bool,
    /// The `id` that it says; none where it is no regulation.
    #[schema(value_type = Option<String>)]
    pub tournament: Option<TournamentId>,
    /// Errors first, then by line.
    pub findings: Vec<FindingOut>,
}

/// A published version.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionOut {
    /// Its number, from 1.
    pub version: i32,
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    /// Version of the regulation language.
    pub language: i32,
    /// When it was published.
    #[schema(value_type = String, format = DateTime)]
    pub published_at: UtcTime,
    /// The text, in TOML, byte for byte; only where one version is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Who published it; only for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<ActorOut>,
    /// Why, in that person's words; only for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl VersionOut {
    /// As everybody may see it.
    pub(in crate::rest) fn of(version: Version) -> Self {
        VersionOut {
            version: version.version,
            hash: version.hash,
            language: version.language,
            published_at: version.published_at,
            source: None,
            actor: None,
            reason: None,
        }
    }

    /// With its text.
    pub(in crate::rest) fn whole((version, published): (Version, Published)) -> Self {
        VersionOut {
            source: Some(published.source),
            ..VersionOut::of(version)
        }
    }

    /// With who and why.
    pub(in crate::rest) fn for_staff(version: Version) -> Self {
        let (actor, reason) = (version.actor.clone(), version.reason.clone());
        VersionOut {
            actor: Some(actor.into()),
            reason: Some(reason),
            ..VersionOut::of(version)
        }
    }
}

/// Published versions.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionsOut {
    /// By number.
    pub versions: Vec<VersionOut>,
    /// `after` of the next page; none on the last.
    pub next: Option<String>,
}

/// The version that counts after a text was published.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublicationOut {
    /// Its number.
    pub version: i32,
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    /// Whether this published it; not where it was the published text already.
    pub new: bool,
    /// What is doubtful about it.
    pub findings: Vec<FindingOut>,
}
