//! The walk through both regulations at once.

use domain::{Currency, SectionId};

use super::groups::{Answer, Groups};
use super::{Diff, Outcome};
use crate::Regulation;
use crate::boundaries::Boundaries;
use crate::classes::Classes;
use crate::conditions::{FactSet, View};
use crate::price;
use crate::undecided::{Undecided, undecided};
use crate::walk::ground::fixed;

pub(super) struct Walk<'r> {
    sides: [&'r Regulation; 2],
    sections: [usize; 2],
    classes: Classes,
    left: u32,
    stopped: bool,
    found: Groups,
}

impl<'r> Walk<'r> {
    pub(super) fn new(
        before: &'r Regulation,
        after: &'r Regulation,
        sections: [usize; 2],
        left: u32,
    ) -> Walk<'r> {
        let sides = [before, after];
        let conditions = || {
            sides.iter().zip(sections).flat_map(|(side, section)| {
                let rows = side
                    .admissions
                    .iter()
                    .filter(move |row| row.covers(section));
                let needs = rows.flat_map(|row| [&row.when, &row.needs]);
                side.fees.conditions().chain(needs)
            })
        };
        let windows = sides.iter().flat_map(|side| {
            let window = side.entry.window;
            [window.from, window.before]
        });
        let boundaries = Boundaries::of(conditions());
        let mut instants = boundaries.registered.clone();
        instants.extend(windows.flatten());
        instants.sort_unstable();
        instants.dedup();
        if let Some(first) = instants.first() {
            instants.insert(0, first.plus_seconds(-1));
        }
        Walk {
            sides,
            sections,
            classes: Classes::of(conditions(), &after.vocabulary).during(&instants, &boundaries),
            left,
            stopped: false,
            found: Groups::default(),
        }
    }

    pub(super) fn run(&mut self, currency: Currency) {
        let [_, after] = self.sides;
        let mut nobody = View::nobody(self.sides[0].play.begins);
        nobody.known[0] = self.fixed();
        nobody.currency = after.vocabulary.place_of(currency);
        self.split(&nobody);
    }

    /// Who is let in and when does not go by the currency, and is told with the first one only.
    pub(super) fn tell(
        self,
        section: &SectionId,
        currency: Currency,
        first: bool,
        diff: &mut Diff,
    ) {
        if self.stopped && diff.not_proved.last() != Some(section) {
            diff.not_proved.push(section.clone());
        }
        let [_, after] = self.sides;
        let is_price = |outcome: &Outcome| matches!(outcome, Outcome::Price { .. });
        let told = self.found.told(after, self.sections[1], currency);
        let told = told.filter(|one| first || is_price(&one.before) || is_price(&one.after));
        diff.differences.extend(told);
    }

    /// What is the same for all entrants, where both are for the same kind of them.
    fn fixed(&self) -> FactSet {
        let [before, after] = [0, 1].map(|side| {
            let section = self.sections[side];
            self.sides[side].sections[section].kind
        });
        if before == after {
            fixed(before)
        } else {
            FactSet::EMPTY
        }
    }

    fn split(&mut self, view: &View) {
        if self.left == 0 {
            self.stopped = true;
            return;
        }
        self.left -= 1;
        // When one enters matters always: a window may have moved.
        if !view.known[0].has(FactSet::REGISTERED) {
            return self.split_on(view, FactSet::REGISTERED);
        }
        for (side, section) in self.sides.into_iter().zip(self.sections) {
            if !side.entry.window.holds(view.at.registered) {
                continue;
            }
            if let Undecided::On(facts) = undecided(side, section, view) {
                return self.split_on(view, facts);
            }
        }
        let [before, after] = [0, 1].map(|side| self.outcome(side, view));
        if before.outcome != after.outcome {
            let [_, regulation] = self.sides;
            self.found.add(regulation, before, after, view);
        }
    }

    fn split_on(&mut self, view: &View, facts: FactSet) {
        let mut by_fact = self.classes.by_fact.iter();
        let Some((of, values)) = by_fact.find(|(of, _)| facts.has(*of)).cloned() else {
            // A fact without classes, such as a roster: nothing can be said about it.
            self.stopped = true;
            return;
        };
        for value in &values {
            let mut class = view.with(of, value);
            class.known[0] = class.known[0].union(of);
            if class.may_be() {
                self.split(&class);
            }
        }
    }

    fn outcome(&self, side: usize, view: &View) -> Answer {
        let (regulation, section) = (self.sides[side], self.sections[side]);
        if !regulation.entry.window.holds(view.at.registered) {
            return Answer::without_price(Outcome::Closed);
        }
        if let Undecided::Refused = undecided(regulation, section, view) {
            return Answer::without_price(Outcome::Refused);
        }
        let mut lines = Vec::new();
        let tell = |piece: price::Piece<'_>| lines.push((piece.rule.to_string(), piece.amount));
        match price::price(&regulation.fees, section, view, tell) {
            Some(total) => Answer::of_price(total, lines),
            None => Answer::without_price(Outcome::NoPrice),
        }
    }
}
