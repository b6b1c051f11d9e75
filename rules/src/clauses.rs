//! Clauses about who may enter, what comes back, and byes.

use std::sync::Arc;

use domain::{BasisPoints, ByePoints, RefundMethod, SectionId, Text};

use crate::conditions::{Condition, Trust};
use crate::sums::Sums;
use crate::terms::Window;

/// A condition of entry.
#[derive(Clone, Debug)]
pub(crate) struct Admission {
    /// Positions of the sections it is for; empty for all.
    pub sections: Vec<usize>,
    pub when: Condition,
    pub needs: Condition,
    pub trust: Trust,
    pub article: String,
    /// A code and a sentence of the organiser's own.
    pub code: Option<String>,
    pub text: Option<Text>,
    pub line: usize,
}

impl Admission {
    pub(crate) fn covers(&self, section: usize) -> bool {
        self.sections.is_empty() || self.sections.contains(&section)
    }
}

/// The cancellation clause.
#[derive(Clone, Debug)]
pub(crate) struct RefundClause {
    /// How money goes back where no tier says otherwise.
    pub method: RefundMethod,
    pub article: String,
    pub tiers: Vec<RefundTier>,
}

/// What is kept when a player leaves within a window.
#[derive(Clone, Debug)]
pub(crate) struct RefundTier {
    pub id: String,
    pub article: String,
    pub text: Text,
    /// The sections that it is for; none for all.
    pub sections: Vec<SectionId>,
    /// Rows whose sums it decides about; none for the entry fee.
    pub of: Vec<Arc<str>>,
    /// What the organiser has to have seen for it to hold.
    pub proof: Option<Text>,
    pub requested: Window,
    pub keep_share: BasisPoints,
    /// Kept besides the share.
    pub keep_amount: Sums,
    /// Kept at least.
    pub keep_least: Sums,
    pub method: RefundMethod,
    pub line: usize,
}

/// The clause about byes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByeClause {
    pub article: String,
    pub rules: Vec<ByeRule>,
    /// A bye in the first round leaves the second one unpaired.
    pub unpaired: Vec<Unpaired>,
}

/// What a bye leaves out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpaired {
    /// A bye in this round
    pub bye_in: u32,
    /// leaves that one out too.
    pub leaves_out: u32,
    pub line: usize,
}

/// Byes of one worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByeRule {
    pub points: ByePoints,
    /// First and last round in which one may be asked for.
    pub rounds: (u32, u32),
    /// How many at most.
    pub most: Option<u32>,
    pub line: usize,
}
