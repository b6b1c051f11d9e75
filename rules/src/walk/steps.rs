//! What a price of a section goes through, one condition after the other, and what of an entrant still matters where.

use std::rc::Rc;

use super::ground::Ground;
use crate::clauses::Admission;
use crate::conditions::{Condition, FactSet, Trust, View};
use crate::fees::{Adjustment, Change, Choice, Combine, FeeRow, Of, Price, Stage};

/// One thing to decide.
pub(crate) enum Step<'r> {
    /// Whether they are let in.
    Admit(&'r Admission),
    /// Whether this row, by its place in the file, gives the base. The lowest row is the first in the order of the sums.
    Row(usize, &'r FeeRow),
    /// Whether this row gives a base to who pays in another currency.
    Elsewhere(&'r FeeRow),
    /// Now there has to be a base.
    Priced,
    /// Whether an adjustment is made that ends others.
    End(&'r Adjustment),
    /// What an adjustment does, by its place among all.
    Adjust(&'r Stage, usize, &'r Adjustment, Change),
    /// The one adjustment that counts of its stage is made.
    Close(&'r Stage),
}

impl<'r> Step<'r> {
    fn conditions(&self) -> Vec<(&'r Condition, Trust)> {
        match self {
            Step::Admit(row) => vec![(&row.when, row.trust), (&row.needs, row.trust)],
            Step::Row(_, row) | Step::Elsewhere(row) => vec![(&row.when, row.trust)],
            Step::End(row) | Step::Adjust(_, _, row, _) => vec![(&row.when, row.trust)],
            Step::Priced | Step::Close(_) => Vec::new(),
        }
    }

    /// How much work it is to decide it.
    pub(super) fn cost(&self) -> u64 {
        let conditions = self.conditions().into_iter();
        conditions.fold(1, |cost, (condition, _)| cost + cost_of(condition))
    }
}

/// How much work it is to decide a condition.
pub(crate) fn cost_of(condition: &Condition) -> u64 {
    u64::try_from(condition.says()).unwrap_or(u64::MAX)
}

/// The steps of a section in one currency, in their order.
pub(crate) fn of<'r>(ground: &Ground<'r>) -> Vec<Step<'r>> {
    let (fees, section) = (ground.fees, ground.section);
    let sum = |row: &FeeRow| match row.amounts[section] {
        Some(Price::Fixed(sum)) => sum,
        // The class of those who agreed a price stands for all sums from nothing on.
        Some(Price::Agreed) | None => 0,
    };
    let rows = fees.rows.iter().enumerate();
    let here = |row: &FeeRow| row.currency == ground.currency;
    let (mut rows, elsewhere): (Vec<_>, Vec<_>) = rows
        .filter(|(_, row)| row.amounts[section].is_some())
        .partition(|(_, row)| here(row));
    if fees.choose != Choice::First {
        rows.sort_by_key(|(_, row)| sum(row));
    }
    let here = |row: &&'r Adjustment| row.is_in(ground.currency) && row.changes[section].is_some();
    let ending = fees.adjustments().filter(here).filter(|row| row.ends != 0);
    let mut steps: Vec<Step<'r>> = ground
        .admissions
        .iter()
        .map(|row| Step::Admit(row))
        .collect();
    steps.extend(rows.into_iter().map(|(place, row)| Step::Row(place, row)));
    steps.extend(elsewhere.into_iter().map(|(_, row)| Step::Elsewhere(row)));
    steps.push(Step::Priced);
    steps.extend(ending.map(Step::End));
    let mut place = 0;
    for stage in &fees.stages {
        let mut of_stage: Vec<Step<'r>> = Vec::new();
        for row in &stage.adjustments {
            let change = row.changes[section].filter(|_| row.is_in(ground.currency));
            of_stage.extend(change.map(|change| Step::Adjust(stage, place, row, change)));
            place += 1;
        }
        if stage.combine == Combine::Last {
            of_stage.reverse();
        }
        steps.extend(of_stage);
        steps.push(Step::Close(stage));
    }
    steps
}

/// For one step what matters from it on.
pub(crate) struct Ahead {
    /// For each fact the first value that is like each of its values; empty where all are alike.
    pub alike: Vec<Rc<[u16]>>,
    /// Whether a percentage of the base is still to come.
    pub base: bool,
    /// Beyond this it does not matter with how much a stage began.
    pub start: i64,
}

/// What matters from each step on.
pub(crate) fn ahead(ground: &Ground<'_>, steps: &[Step<'_>]) -> Vec<Ahead> {
    let mut all = Vec::new();
    let facts = ground.classes.iter();
    let mut parted: Vec<Parted> = facts.map(|(_, values)| Parted::of(values.len())).collect();
    let mut base = false;
    for step in steps.iter().rev() {
        for (condition, trust) in step.conditions() {
            refine(ground, condition, trust, &mut parted);
        }
        if let Step::Adjust(_, _, row, _) = step
            && let Some(question) = row.times
            && let Some(place) = ground.place(FactSet::of_question(question))
        {
            parted[place].all();
        }
        if let Step::Adjust(stage, _, _, Change::Share(_)) = step {
            base |= stage.of == Of::Base;
        }
        all.push(Ahead {
            alike: parted.iter_mut().map(Parted::alike).collect(),
            base,
            start: start(ground.section, step),
        });
    }
    all.reverse();
    all
}

/// The values of a fact, as far as they are told apart.
struct Parted {
    /// The first value that is like each.
    firsts: Vec<u16>,
    /// How many different ones there are.
    kinds: usize,
    /// The same, as it was last told; empty where all are alike.
    told: Rc<[u16]>,
    is_told: bool,
}

impl Parted {
    fn of(values: usize) -> Parted {
        Parted {
            firsts: vec![0; values],
            kinds: 1,
            told: Rc::default(),
            is_told: true,
        }
    }

    /// Each value is one of its own.
    fn all(&mut self) {
        self.firsts = (0..).take(self.firsts.len()).collect();
        self.kinds = self.firsts.len();
        self.is_told = false;
    }

    /// Parts values of which something different is told.
    fn by(&mut self, told: impl Fn(usize) -> Option<bool>) {
        if self.kinds == self.firsts.len() {
            return;
        }
        let mut firsts = vec![[u16::MAX; 3]; self.firsts.len()];
        let mut kinds = 0;
        for (place, value) in self.firsts.iter_mut().enumerate() {
            let first = &mut firsts[usize::from(*value)][told(place).map_or(2, usize::from)];
            if *first == u16::MAX {
                *first = u16::try_from(place).unwrap_or(u16::MAX);
                kinds += 1;
            }
            *value = *first;
        }
        self.is_told &= kinds == self.kinds;
        self.kinds = kinds;
    }

    fn alike(&mut self) -> Rc<[u16]> {
        if !self.is_told && self.kinds > 1 {
            self.told = self.firsts.as_slice().into();
            self.is_told = true;
        }
        Rc::clone(&self.told)
    }
}

/// Parts the values that a condition tells apart.
fn refine(ground: &Ground<'_>, condition: &Condition, trust: Trust, parted: &mut [Parted]) {
    let mut tests = Vec::new();
    condition.tests(&mut tests);
    if tests.iter().any(|test| FactSet::OF_MONEY.has(test.reads())) {
        for ((facts, _), parted) in ground.classes.iter().zip(parted.iter_mut()) {
            // When it was paid says when the money can have come, whatever a condition asks.
            if FactSet::OF_MONEY.has(*facts) {
                parted.all();
            }
        }
    }
    for test in tests {
        let facts = test.reads();
        let place = ground.classes.iter().position(|(of, _)| *of == facts);
        if let Some(place) = place {
            let values = &ground.classes[place].1;
            parted[place].by(|value| test.holds(&values[value], trust));
        }
    }
}

/// The largest sum that a reduction of the step's stage takes; anything where one takes a percentage, or is multiplied.
fn start(section: usize, step: &Step<'_>) -> i64 {
    let (Step::Adjust(stage, ..) | Step::Close(stage)) = step else {
        return i64::MAX;
    };
    let changes = stage.adjustments.iter();
    let changes = changes.filter_map(|row| Some((row.changes[section]?, row.times)));
    let largest = changes.map(|change| match change {
        (Change::Amount(amount), None) => amount.saturating_neg(),
        (Change::Amount(_), Some(_)) | (Change::Share(_), _) => i64::MAX,
    });
    largest.fold(0, i64::max)
}

/// Whether a condition holds, or which facts have to be known first. One whose facts are known, but not at the grade that
/// it asks for, does not.
pub(crate) fn decided(condition: &Condition, trust: Trust, view: &View) -> Result<bool, FactSet> {
    condition.holds(view, trust).map_or_else(
        || {
            let missing = condition.reads().without(view.known[0]);
            if missing.is_empty() {
                Ok(false)
            } else {
                Err(missing)
            }
        },
        Ok,
    )
}

/// Whether somebody is let in by a condition of entry, or which facts have to be known first.
pub(crate) fn admitted(row: &Admission, view: &View) -> Result<bool, FactSet> {
    if crate::admit::admitted(row, view) {
        return Ok(true);
    }
    decided(&row.when, row.trust, view)?;
    decided(&row.needs, row.trust, view)?;
    Ok(false)
}
