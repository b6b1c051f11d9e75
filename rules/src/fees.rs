//! Rows that price: base fees, adjustments in stages, promotions.

use std::sync::Arc;

use domain::{FactName, Text};

use crate::conditions::{Condition, FactSet, Trust};
use crate::sums::Sums;

/// A row of the fee table.
#[derive(Clone, Debug)]
pub(crate) struct FeeRow {
    pub id: Arc<str>,
    pub article: Arc<str>,
    pub text: Text,
    pub when: Condition,
    pub trust: Trust,
    /// Its sums are in this one, and it applies to nobody who pays in another.
    pub currency: u8,
    /// One for each section, in the order of the file.
    pub amounts: Vec<Option<Price>>,
    /// Adjustments that are not made where this row gives the base.
    pub ends: Ended,
    pub line: usize,
}

/// What a row charges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Price {
    /// Minor units.
    Fixed(i64),
    /// What was agreed with this player: the fact `agreed_price`.
    Agreed,
}

/// How the base is chosen among the rows that apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    Lowest,
    First,
    /// The file says that there is one; where `check` was not asked and there are more, the lowest.
    Only,
}

/// No entry costs more minor units: it is the largest sum that a file can write, in a currency of four decimals. So a total is
/// within reach of 64 bits whatever is added up.
pub(crate) const MOST: i64 = 10_000_000_000_000;

/// A bit for each adjustment of the file, by its place in it.
pub(crate) type Ended = u64;
/// How many adjustments a file may have.
pub(crate) const ADJUSTMENTS: usize = 64;

/// The fee table.
#[derive(Clone, Debug)]
pub(crate) struct Fees {
    pub choose: Choice,
    /// What a percentage comes to is a multiple of this many minor units.
    pub unit: Sums,
    pub rows: Vec<FeeRow>,
    pub stages: Vec<Stage>,
    pub promotions: Vec<Promotion>,
}

/// The stage of what takes away, by default and wherever a stage is called so.
pub(crate) const REDUCTIONS: &str = "reductions";
/// The stage of what adds.
pub(crate) const CHARGES: &str = "charges";

/// Adjustments that are made together, and how they combine.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub id: String,
    pub combine: Combine,
    pub of: Of,
    /// Minor units below which this stage takes nothing off, one for each section.
    pub least: Vec<Option<Sums>>,
    pub adjustments: Vec<Adjustment>,
}

/// How the adjustments of a stage combine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    /// All that apply add up.
    Sum,
    /// The one that is best for the payer counts.
    Best,
    /// The last one of the file that applies counts.
    Last,
}

/// What a percentage is taken of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    /// The base fee.
    Base,
    /// What it has come to so far.
    Running,
}

/// A reduction or a charge.
#[derive(Clone, Debug)]
pub(crate) struct Adjustment {
    pub id: Arc<str>,
    pub article: Arc<str>,
    pub text: Text,
    pub when: Condition,
    pub trust: Trust,
    /// It applies to nobody who pays in another; a percentage may be of every one.
    pub currency: Option<u8>,
    /// One for each section, in the order of the file.
    pub changes: Vec<Option<Change>>,
    /// The question of a number by whose answer its sum is multiplied.
    pub times: Option<u8>,
    /// A deposit: it comes back to who has finished.
    pub comes_back: bool,
    /// Its own bit.
    pub bit: Ended,
    /// Adjustments that are not made where this one is.
    pub ends: Ended,
    pub line: usize,
}

impl Adjustment {
    /// Whether it is for who pays in this currency.
    pub(crate) fn is_in(&self, currency: u8) -> bool {
        self.currency.is_none_or(|own| own == currency)
    }
}

/// By how much. Negative is a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Minor units.
    Amount(i64),
    /// Signed basis points.
    Share(i32),
}

/// A price for several entries together.
#[derive(Clone, Debug)]
pub(crate) struct Promotion {
    pub id: Arc<str>,
    pub article: Arc<str>,
    pub text: Text,
    /// Positions of the sections, all different; of teams two.
    pub sections: Vec<usize>,
    /// It joins entries that are paid in this one; a percentage may be of every one.
    pub currency: Option<u8>,
    pub same: Same,
    pub line: usize,
}

/// Whose entries they are, and what they cost.
#[derive(Clone, Debug)]
pub(crate) enum Same {
    /// Two teams of one institution with at least so many pupils in both: what the two cost together, in minor units.
    Institution { shared: usize, together: i64 },
    /// One player with these facts.
    Person {
        when: Condition,
        trust: Trust,
        off: Off,
    },
}

/// What a player's entries in several sections cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Off {
    /// So many minor units for all of them.
    Together(i64),
    /// The last of them costs so much less.
    Last(Change),
}

impl Promotion {
    /// Whether it is for who pays in this currency.
    pub(crate) fn is_in(&self, currency: u8) -> bool {
        self.currency.is_none_or(|own| own == currency)
    }

    /// What it reads of an entrant.
    pub(crate) fn reads(&self) -> FactSet {
        match &self.same {
            Same::Institution { .. } => {
                FactSet::of(FactName::Institution).union(FactSet::of(FactName::Roster))
            }
            Same::Person { when, .. } => when.reads(),
        }
    }
}

impl Fees {
    /// Facts that the price of some entry depends on.
    pub(crate) fn reads(&self) -> FactSet {
        self.conditions().fold(FactSet::EMPTY, |facts, condition| {
            facts.union(condition.reads())
        })
    }

    /// Every condition that a price depends on.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let rows = self.rows.iter().map(|row| &row.when);
        let adjustments = self.adjustments().map(|adjustment| &adjustment.when);
        let promotions = self.promotions.iter().filter_map(|row| match &row.same {
            Same::Institution { .. } => None,
            Same::Person { when, .. } => Some(when),
        });
        rows.chain(adjustments).chain(promotions)
    }

    /// Those that the price of one entry alone depends on, in this currency.
    pub(crate) fn conditions_in(&self, currency: u8) -> impl Iterator<Item = &Condition> {
        let rows = self.rows.iter().filter(move |row| row.currency == currency);
        let adjustments = self.adjustments().filter(move |row| row.is_in(currency));
        rows.map(|row| &row.when)
            .chain(adjustments.map(|row| &row.when))
    }

    /// Whether a price of a section changes after the form: it goes by the payment, or by others.
    pub(crate) fn goes_on(&self, section: usize) -> bool {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| row.amounts[section].is_some());
        let adjustments = self.adjustments();
        let adjustments = adjustments.filter(|row| row.changes[section].is_some());
        let mut conditions = rows
            .map(|row| &row.when)
            .chain(adjustments.map(|row| &row.when));
        conditions.any(|when| !when.reads().both(FactSet::LATER).is_empty())
    }

    /// The places of the promotions of these names.
    pub(crate) fn promotions_called(&self, names: &[String]) -> Vec<usize> {
        let called = |name: &String| {
            let mut rows = self.promotions.iter();
            rows.position(|row| *row.id == **name)
        };
        names.iter().filter_map(called).collect()
    }

    pub(crate) fn adjustments(&self) -> impl Iterator<Item = &Adjustment> {
        self.stages.iter().flat_map(|stage| &stage.adjustments)
    }
}
