//! What a price of a section goes through, one condition after the other, and what of an entrant still matters where.

use std::collections::HashMap;

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
    pub alike: Vec<Vec<u16>>,
    /// Whether a percentage of the base is still to come.
    pub base: bool,
    /// Beyond this it does not matter with how much a stage began.
    pub start: i64,
}

/// What matters from each step on.
pub(crate) fn ahead(ground: &Ground<'_>, steps: &[Step<'_>]) -> Vec<Ahead> {
    let mut all = Vec::new();
    let mut alike: Vec<Vec<u16>> = ground
        .classes
        .iter()
        .map(|(_, values)| vec![0; values.len()])
        .collect();
    let mut base = false;
    for step in steps.iter().rev() {
        for (condition, trust) in step.conditions() {
            refine(ground, condition, trust, &mut alike);
        }
        if let Step::Adjust(_, _, row, _) = step
            && let Some(question) = row.times
        {
            apart(ground, FactSet::of_question(question), &mut alike);
        }
        if let Step::Adjust(stage, _, _, Change::Share(_)) = step {
            base |= stage.of == Of::Base;
        }
        let differing = |alike: &Vec<u16>| {
            let differ = alike.iter().any(|value| *value != 0);
            if differ { alike.clone() } else { Vec::new() }
        };
        all.push(Ahead {
            alike: alike.iter().map(differing).collect(),
            base,
            start: start(ground.section, step),
        });
    }
    all.reverse();
    all
}

/// Parts all values of a fact.
fn apart(ground: &Ground<'_>, fact: FactSet, alike: &mut [Vec<u16>]) {
    if let Some(place) = ground.place(fact) {
        let values = ground.classes[place].1.len();
        alike[place] = (0..).take(values).collect();
    }
}

/// Parts the values that a condition tells apart.
fn refine(ground: &Ground<'_>, condition: &Condition, trust: Trust, alike: &mut [Vec<u16>]) {
    let mut tests = Vec::new();
    condition.tests(&mut tests);
    let of_money = tests.iter().any(|test| FactSet::OF_MONEY.has(test.reads()));
    for ((facts, values), alike) in ground.classes.iter().zip(alike) {
        if of_money && FactSet::OF_MONEY.has(*facts) {
            // When it was paid says when the money can have come, whatever a condition asks.
            *alike = (0..).take(values.len()).collect();
            continue;
        }
        for test in tests.iter().filter(|test| test.reads() == *facts) {
            let test = Condition::Test((*test).clone());
            let mut firsts = HashMap::new();
            for ((place, view), value) in (0..).zip(values).zip(alike.iter_mut()) {
                let told = test.holds(view, trust);
                *value = *firsts.entry((*value, told)).or_insert(place);
            }
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
