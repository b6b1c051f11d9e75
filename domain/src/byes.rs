//! Byes: rounds that an entrant asks not to play.

use serde::{Deserialize, Serialize};

use crate::Reason;

/// What a bye is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByePoints {
    /// Half a point.
    Half,
    /// Nothing.
    Zero,
}

/// One round asked off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByeRequest {
    /// From 1.
    pub round: u32,
    /// What it would be worth.
    pub points: ByePoints,
}

/// Whether the byes may be asked for; the arbiter still decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByeAnswer {
    /// Whether they may be asked for.
    pub allowed: bool,
    /// Why not.
    pub reasons: Vec<Reason>,
    /// Rounds in which the entrant is not paired besides those asked for (a bye in round 8 that leaves round 9 out).
    pub unpaired: Vec<u32>,
}
