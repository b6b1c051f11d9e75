//! What promotions over the entries of one person come to: any total of one section may meet any of another, and smaller
//! promotions that lie within one may be made before it.

use std::collections::{BTreeSet, HashMap};

use super::purse::Purse;
use super::rows::OfSection;
use crate::Regulation;
use crate::clauses::Admission;
use crate::conditions::{Condition, FactSet, Trust};
use crate::fees::{Off, Promotion, Same};
use crate::walk::ground::Ground;
use crate::walk::walk;

/// What an order that a promotion takes something off is asked for.
pub(super) struct Asked {
    /// Every sum, where it takes something off.
    pub asked: BTreeSet<i64>,
    /// The most that the entries cost one by one.
    pub most: i64,
    /// Whether there is no other sum.
    pub is_proved: bool,
}

/// How many sums are put together for one promotion.
const SUMS: usize = 200_000;

/// What a promotion of one person comes to in a currency, where each section's walk has this budget.
pub(super) fn asked(
    regulation: &Regulation,
    (currency, classes): (u8, u32),
    sections: &[OfSection],
    promotion: &Promotion,
) -> Asked {
    let Same::Person { when, trust, off } = &promotion.same else {
        return Asked::nothing();
    };
    let mut sums = Sums {
        regulation,
        currency,
        singles: sections
            .iter()
            .map(|of| of.totals.keys().copied().collect())
            .collect(),
        known: HashMap::new(),
        left: SUMS,
    };
    let mut found = Asked::nothing();
    let mut own = sums.singles.clone();
    if *when != Condition::ALWAYS {
        let walks = regulation.fees.promotions.iter();
        let walks: usize = walks.map(|row| row.sections.len()).sum();
        let work = Purse::of(walks * regulation.currencies.len()).share();
        for section in &promotion.sections {
            let those = those(when, *trust);
            let mut ground = Ground::of(regulation, *section, currency);
            ground.admissions.push(&those);
            let seen = walk(&ground, classes, work);
            own[*section] = seen.totals.into_keys().collect();
            found.is_proved &= seen.stopped.is_none();
        }
    }
    // Whom a condition tells apart by the player alone, it tells apart in all sections.
    if when.reads().both(FactSet::INSTANTS).is_empty() {
        sums.singles.clone_from(&own);
    }
    match *off {
        Off::Together(together) => sums.together(mask(promotion), &own, together, &mut found),
        Off::Last(_) => sums.last(promotion, &own, &mut found),
    }
    found.is_proved &= sums.left > 0;
    found
}

impl Asked {
    fn nothing() -> Asked {
        Asked {
            asked: BTreeSet::new(),
            most: 0,
            is_proved: true,
        }
    }
}

/// A condition of entry that lets in those for whom this holds.
fn those(when: &Condition, trust: Trust) -> Admission {
    Admission {
        sections: Vec::new(),
        when: Condition::ALWAYS,
        needs: when.clone(),
        trust,
        article: String::new(),
        code: None,
        text: None,
        line: 0,
    }
}

/// A bit for each section.
fn mask(promotion: &Promotion) -> u64 {
    promotion
        .sections
        .iter()
        .fold(0, |bits, section| bits | 1 << section)
}

/// What one person's entries in some sections may have come to.
struct Sums<'r> {
    regulation: &'r Regulation,
    currency: u8,
    /// What one costs by itself, for each section.
    singles: Vec<Vec<i64>>,
    known: HashMap<u64, BTreeSet<i64>>,
    left: usize,
}

impl Sums<'_> {
    /// What an order of some of the entries is asked for where the others stand.
    fn together(&mut self, all: u64, own: &[Vec<i64>], together: i64, found: &mut Asked) {
        let mut standing = all;
        while standing > 0 && self.left > 0 {
            standing = (standing - 1) & all;
            self.left -= 1;
            let most = self.most(all & !standing, own);
            if standing == 0 {
                found.most = most;
            }
            for paid in self.of(standing) {
                if paid.saturating_add(most) > together {
                    found.asked.insert((together - paid).max(0));
                }
            }
        }
    }

    /// The most that these entries cost one by one, the last of which is of somebody whom the promotion is for.
    fn most(&mut self, sections: u64, own: &[Vec<i64>]) -> i64 {
        let last = own.iter().enumerate();
        let last = last.filter(|(section, _)| sections & 1 << section != 0);
        let most = last.filter_map(|(section, totals)| {
            let others = self.of(sections & !(1 << section));
            Some(totals.last()?.saturating_add(*others.last()?))
        });
        most.max().unwrap_or(0)
    }

    /// What the last entry is asked for that costs less, whatever the others cost.
    fn last(&self, promotion: &Promotion, own: &[Vec<i64>], found: &mut Asked) {
        for total in promotion.sections.iter().flat_map(|section| &own[*section]) {
            found.most = found.most.max(*total);
            let amount = self.amount(promotion, *total, 0);
            if amount < 0 {
                found.asked.insert((total + amount).max(0));
            }
        }
    }

    /// With an entry in each of these sections.
    fn of(&mut self, sections: u64) -> BTreeSet<i64> {
        if sections == 0 {
            return BTreeSet::from([0]);
        }
        if let Some(known) = self.known.get(&sections) {
            return known.clone();
        }
        let first = sections.trailing_zeros();
        let alone = self.of(sections & !(1 << first));
        let singles = self.singles[first as usize].clone();
        let mut found = self.added(&singles, &alone);
        let promotions = &self.regulation.fees.promotions;
        for promotion in promotions {
            let within = mask(promotion);
            let is_made = matches!(promotion.same, Same::Person { .. })
                && promotion.is_in(self.currency)
                && within & !sections == 0
                && within & 1 << first != 0;
            if is_made && self.left > 0 {
                let together = self.after(promotion);
                let rest = self.of(sections & !within);
                found.extend(self.added(&together, &rest));
            }
        }
        self.known.insert(sections, found.clone());
        found
    }

    /// What the entries of a promotion come to once it is made.
    fn after(&mut self, promotion: &Promotion) -> Vec<i64> {
        let mut found = BTreeSet::new();
        for section in &promotion.sections {
            let others = self.of(mask(promotion) & !(1 << section));
            for total in self.singles[*section].clone() {
                for others in &others {
                    let amount = self.amount(promotion, total, *others);
                    if amount < 0 {
                        found.insert(others.saturating_add(total + amount).max(0));
                    }
                }
                self.left = self.left.saturating_sub(others.len());
            }
        }
        found.into_iter().collect()
    }

    /// Each sum of the one with each of the other, as long as there is room.
    fn added(&mut self, some: &[i64], others: &BTreeSet<i64>) -> BTreeSet<i64> {
        self.left = self.left.saturating_sub(some.len() * others.len());
        if self.left == 0 {
            return BTreeSet::new();
        }
        let sums = some
            .iter()
            .flat_map(|one| others.iter().map(move |other| one.saturating_add(*other)));
        sums.collect()
    }

    /// What a promotion takes off the last entry, which costs so much where the others cost so much.
    fn amount(&self, promotion: &Promotion, total: i64, others: i64) -> i64 {
        let unit = self.regulation.fees.unit.of(self.currency);
        match promotion.same {
            Same::Person { off, .. } => off.amount(total, others, unit),
            Same::Institution { .. } => 0,
        }
    }
}
