//! What staff ask: each request as a plain struct.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::MoneyIn;

/// An act that needs no more than a reason.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct ReasonIn {
    /// Why.
    pub reason: Option<String>,
}

/// Where an entry is to play.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct SectionIn {
    /// The section, as the regulation names it.
    pub section: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// What staff found a declared fact to be.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct FactIn {
    /// Whether it is as declared.
    pub upheld: Option<bool>,
    /// What it is instead, as text; none as if the fact were not there.
    pub value: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// The arbiter's decision on the byes of an entry.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct DecisionIn {
    /// Whether they are granted.
    pub granted: Option<bool>,
    /// Why.
    pub reason: Option<String>,
}

/// The figure that a text leaves to the organiser.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct CapacityIn {
    /// Seats.
    pub capacity: Option<i64>,
    /// Why.
    pub reason: Option<String>,
}

/// An invitation code to be given out.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct CodeIn {
    /// What the organiser calls it; no name of a person.
    pub label: Option<String>,
    /// How many entries may use it; one where nothing is said.
    pub uses: Option<i32>,
    /// A price agreed with whom it is given to.
    pub agreed_price: Option<MoneyIn>,
    /// Why.
    pub reason: Option<String>,
}

/// A sum to give back.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct StaffRefundIn {
    /// The sum, at most what is left of what was paid.
    pub amount: Option<MoneyIn>,
    /// `card` or `transfer`; to the card it came from where nothing is said. What no card can take goes by transfer.
    pub method: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// Money of a slip or transfer that is in.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct ConfirmationIn {
    /// What came in.
    pub received: Option<MoneyIn>,
    /// Why.
    pub reason: Option<String>,
}

/// A refund that was transferred.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct TransferIn {
    /// The bank's reference.
    pub reference: Option<String>,
    /// Why.
    pub reason: Option<String>,
}
