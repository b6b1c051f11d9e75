//! The walk over the classes of entrants of a section who pay in one currency: depth first, condition by condition, splitting only on a fact that
//! the next one waits for, and going on only once with classes that differ in nothing that still matters.

pub(crate) mod ground;
pub(crate) mod steps;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use self::ground::Ground;
use self::steps::{Ahead, Step, admitted, decided};
use crate::conditions::{FactSet, View};
use crate::fees::{Adjustment, Change, Choice, Combine, Of, Price, Stage};
use crate::price;

/// What the walk through a section has seen.
#[derive(Default)]
pub(crate) struct Seen {
    /// How many classes were looked at.
    pub classes: u32,
    /// How much was done for it.
    pub work: u64,
    /// Where the budget ran out.
    pub stopped: Option<View>,
    /// Whether anybody is admitted.
    pub anybody: bool,
    /// Somebody admitted without a price in any currency.
    pub hole: Option<View>,
    /// Rows that gave a base, and adjustments that changed a price, by their place.
    pub rows: BTreeSet<usize>,
    pub adjustments: BTreeSet<usize>,
    /// Rows of which somebody has both, where the file says that one applies: the places of the two.
    pub overlaps: BTreeMap<(usize, usize), View>,
    /// Reductions that take more than there is, by their place.
    pub large: BTreeMap<usize, Large>,
    /// Reductions that somewhere take no more than there is.
    pub fitting: BTreeSet<usize>,
    /// Every total but those that were agreed one by one, each with somebody who pays it and the place of the row of its base.
    pub totals: BTreeMap<i64, (View, usize)>,
}

/// A reduction that takes more than there is.
#[derive(Clone)]
pub(crate) struct Large {
    /// Somebody it happens to.
    pub view: View,
    /// The place of the row of the base.
    pub row: usize,
    /// How much there is.
    pub there: i64,
    /// How much it takes.
    pub taken: i64,
}

/// A class of entrants on its way.
#[derive(Clone)]
struct Class {
    view: View,
    /// For each fact the place of its value; [`OPEN`] where it is not known.
    values: Vec<u16>,
    /// The row of the base.
    row: Option<usize>,
    base: i64,
    /// With how much the stage began.
    start: i64,
    running: i64,
    ended: u64,
    /// The adjustment that would count of a stage of which one does.
    winner: Option<Winner>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Winner {
    place: usize,
    worth: i64,
}

const OPEN: u16 = u16::MAX;

/// All of a class that still matters at a step.
#[derive(PartialEq, Eq, Hash)]
struct Rest {
    step: usize,
    sums: [i64; 3],
    row: Option<usize>,
    ended: u64,
    winner: Option<Winner>,
    values: Box<[u16]>,
}

/// How much work a class is by itself, where a comparison is one.
pub(crate) const CLASS: u64 = 24;
/// How much it is to make ready for a step.
const AHEAD: u64 = 128;

/// What a step comes to for a class.
enum Next {
    On,
    /// Nothing more is to be looked at.
    End,
    /// These facts have to be known.
    Open(FactSet),
}

/// Walks through the section while the budget lasts, of classes and of work.
pub(crate) fn walk(ground: &Ground<'_>, classes: u32, work: u64) -> Seen {
    let steps = steps::of(ground);
    let ready = u64::try_from(steps.len()).map_or(work, |steps| work.saturating_sub(steps * AHEAD));
    let mut walk = Walk {
        costs: steps.iter().map(Step::cost).collect(),
        ahead: steps::ahead(ground, &steps),
        steps,
        ground,
        left: classes,
        work: ready,
        been: HashSet::new(),
        seen: Seen::default(),
    };
    walk.go(
        0,
        Class {
            view: ground.nobody,
            values: vec![OPEN; ground.classes.len()],
            row: None,
            base: 0,
            start: 0,
            running: 0,
            ended: 0,
            winner: None,
        },
    );
    walk.seen.classes = classes - walk.left;
    walk.seen.work = work - walk.work;
    walk.seen
}

struct Walk<'r, 'g> {
    ground: &'g Ground<'r>,
    steps: Vec<Step<'r>>,
    costs: Vec<u64>,
    ahead: Vec<Ahead>,
    left: u32,
    work: u64,
    been: HashSet<Rest>,
    seen: Seen,
}

impl Walk<'_, '_> {
    fn go(&mut self, from: usize, mut class: Class) {
        if self.seen.stopped.is_some() {
            return;
        }
        if self.left == 0 || self.work == 0 {
            self.seen.stopped = Some(class.view);
            return;
        }
        self.left -= 1;
        self.work = self.work.saturating_sub(CLASS);
        for step in from..self.steps.len() {
            self.work = self.work.saturating_sub(self.costs[step]);
            match self.take(step, &mut class) {
                Next::On => {}
                Next::End => return,
                Next::Open(facts) => return self.split(step, &class, facts),
            }
        }
        self.leaf(&class);
    }

    fn split(&mut self, step: usize, class: &Class, facts: FactSet) {
        let Some(place) = self.ground.place(facts) else {
            // A fact without classes: nothing can be said about it.
            self.seen.stopped.get_or_insert(class.view);
            return;
        };
        if !self.been.insert(self.rest(step, class)) {
            return;
        }
        let values = self.ground.classes[place].1.len();
        for value in 0..values {
            let alike = self.ahead[step].alike[place].get(value).copied();
            let number = u16::try_from(value).unwrap_or(OPEN);
            if alike.unwrap_or(0) != number {
                continue;
            }
            if let Some(view) = self.ground.with(&class.view, place, value) {
                let mut class = class.clone();
                class.view = view;
                class.values[place] = number;
                self.go(step, class);
            }
        }
    }

    fn rest(&self, step: usize, class: &Class) -> Rest {
        let ahead = &self.ahead[step];
        let known = class.values.iter().zip(&ahead.alike);
        let known = known.map(|(value, alike)| {
            let alike = alike.get(usize::from(*value)).copied();
            alike.unwrap_or(OPEN)
        });
        Rest {
            step,
            sums: [
                if ahead.base { class.base } else { 0 },
                class.start.min(ahead.start),
                class.running,
            ],
            // Which row it is matters only where another one would be told with it.
            row: class.row.map(|row| if self.is_only() { row } else { 0 }),
            ended: class.ended,
            winner: class.winner,
            values: known.collect(),
        }
    }

    fn is_only(&self) -> bool {
        self.ground.fees.choose == Choice::Only
    }

    fn take(&mut self, step: usize, class: &mut Class) -> Next {
        match self.steps[step] {
            Step::Admit(row) => match admitted(row, &class.view) {
                Ok(true) => Next::On,
                Ok(false) => Next::End,
                Err(missing) => Next::Open(missing),
            },
            Step::Row(place, row) => {
                self.seen.anybody = true;
                if class.row.is_some() && !self.is_only() {
                    return Next::On;
                }
                match decided(&row.when, row.trust, &class.view) {
                    Err(missing) => return Next::Open(missing),
                    Ok(false) => return Next::On,
                    Ok(true) => {}
                }
                if let Some(other) = class.row {
                    let both = (place.min(other), place.max(other));
                    self.seen.overlaps.entry(both).or_insert(class.view);
                } else if let Some(sum) = price::row_sum(row, self.ground.section, &class.view) {
                    self.seen.rows.insert(place);
                    class.row = Some(place);
                    (class.base, class.start, class.running) = (sum, sum, sum);
                    class.ended = row.ends;
                }
                Next::On
            }
            Step::Elsewhere(_) if class.row.is_some() => Next::On,
            Step::Elsewhere(row) => {
                self.seen.anybody = true;
                match decided(&row.when, row.trust, &class.view) {
                    Err(missing) => Next::Open(missing),
                    Ok(false) => Next::On,
                    // What they pay in that currency is looked at on its own walk.
                    Ok(true) => Next::End,
                }
            }
            Step::Priced if class.row.is_none() => {
                self.seen.hole.get_or_insert(class.view);
                Next::End
            }
            Step::Priced => Next::On,
            Step::End(row) if row.bit & class.ended != 0 => Next::On,
            Step::End(row) => match decided(&row.when, row.trust, &class.view) {
                Err(missing) => Next::Open(missing),
                Ok(made) => {
                    if made {
                        class.ended |= row.ends;
                    }
                    Next::On
                }
            },
            Step::Adjust(stage, place, row, change) => {
                self.adjust((stage, place, row), change, class)
            }
            Step::Close(stage) => {
                if let Some(Winner { place, worth }) = class.winner.take() {
                    self.make(stage, place, worth, class);
                }
                class.start = class.running;
                Next::On
            }
        }
    }

    fn adjust(
        &mut self,
        (stage, place, row): (&Stage, usize, &Adjustment),
        change: Change,
        class: &mut Class,
    ) -> Next {
        let running = match stage.combine {
            Combine::Sum => class.running,
            Combine::Best | Combine::Last => class.start,
        };
        let is_asked = row.times.is_none_or(|question| {
            let question = FactSet::of_question(question);
            class.view.known[0].has(question)
        });
        let change = price::multiplied(row, change, &class.view);
        let worth = self.worth(stage, change, class.base, running);
        let of = (self.ground.section, self.ground.currency);
        let made = price::made(stage, of, class.running, worth);
        let idle = match (stage.combine, class.winner) {
            // It changes nothing, whether it applies or not.
            (Combine::Sum, _) => made == 0,
            (Combine::Best, Some(winner)) => winner.worth <= worth,
            (Combine::Last, Some(_)) => true,
            (_, None) => false,
        };
        // As long as nobody knows how often, nobody knows how much.
        if idle && is_asked || row.bit & class.ended != 0 {
            return Next::On;
        }
        match decided(&row.when, row.trust, &class.view) {
            Err(missing) => return Next::Open(missing),
            Ok(false) => {}
            Ok(true) if stage.combine == Combine::Sum => self.make(stage, place, worth, class),
            Ok(true) => class.winner = Some(Winner { place, worth }),
        }
        Next::On
    }

    fn worth(&self, stage: &Stage, change: Change, base: i64, running: i64) -> i64 {
        let of = match stage.of {
            Of::Base => base,
            Of::Running => running,
        };
        price::delta(change, of, self.ground.fees.unit.of(self.ground.currency))
    }

    /// Makes an adjustment. One that alone takes more than its stage begins with is noted: several that come to more
    /// together are what "never below zero" is for.
    fn make(&mut self, stage: &Stage, place: usize, worth: i64, class: &mut Class) {
        let section = self.ground.section;
        let of = (section, self.ground.currency);
        let made = price::made(stage, of, class.running, worth);
        if made == 0 {
            return;
        }
        class.running += made;
        self.seen.adjustments.insert(place);
        let mut rows = self.ground.fees.adjustments();
        let change = rows.nth(place).and_then(|row| {
            let change = row.changes[section]?;
            Some(price::multiplied(row, change, &class.view))
        });
        let of = match stage.of {
            Of::Base => class.base,
            Of::Running => class.start,
        };
        let taken = change.map_or(0, |change| -price::delta(change, of, 1));
        let (Some(row), 1..) = (class.row, class.start.min(taken)) else {
            return;
        };
        if taken > class.start {
            let large = Large {
                view: class.view,
                row,
                there: class.start,
                taken,
            };
            self.seen.large.entry(place).or_insert(large);
        } else {
            self.seen.fitting.insert(place);
        }
    }

    fn leaf(&mut self, class: &Class) {
        let fees = self.ground.fees;
        debug_assert_eq!(
            price::amount(fees, self.ground.section, &class.view),
            Some(class.running),
            "the walk prices as the engine does"
        );
        let Some(row) = class.row else { return };
        if fees.rows[row].amounts[self.ground.section] != Some(Price::Agreed) {
            let total = self.seen.totals.entry(class.running);
            total.or_insert((class.view, row));
        }
    }
}
