//! Seats: who takes one, and whether a whole order fits. Pure; the true counts come from the write.

use std::collections::BTreeMap;

use domain::SectionId;
use rules::{Ordering, Regulation};
use store::counts::Counts;

/// One figure of the regulation, or of the organiser.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Limit {
    sections: Vec<SectionId>,
    seats: i64,
}

impl Limit {
    fn covers(&self, section: Option<&SectionId>) -> bool {
        self.sections.is_empty() || section.is_some_and(|s| self.sections.contains(s))
    }
}

/// The seats of a tournament and how many are taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seats {
    limits: Vec<Limit>,
    taken: BTreeMap<Option<SectionId>, i64>,
}

/// A figure that is below what is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Over {
    /// The sections that share the seats; empty for the whole tournament.
    pub sections: Vec<SectionId>,
    /// How many there are.
    pub seats: i64,
    /// How many are taken.
    pub taken: i64,
}

/// The text leaves the capacity to the organiser, who has not set it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CapacityNotSet;

impl Seats {
    /// From the regulation, the organiser's figure, and how many entries of each section stand in each state.
    ///
    /// # Errors
    /// [`CapacityNotSet`].
    pub fn new(
        regulation: &Regulation,
        organiser: Option<i64>,
        counts: &Counts,
    ) -> Result<Seats, CapacityNotSet> {
        let mut limits = Vec::new();
        for rule in regulation.capacity() {
            let seats = rule
                .seats
                .map(i64::from)
                .or(organiser)
                .ok_or(CapacityNotSet)?;
            limits.push(Limit {
                sections: rule.sections.clone(),
                seats,
            });
        }
        let by_payment = regulation.order() == Ordering::ByPayment;
        let mut taken = BTreeMap::new();
        for (section, status, count) in counts.iter() {
            if status.takes_seat(by_payment) {
                *taken.entry(section.clone()).or_default() += count;
            }
        }
        Ok(Seats { limits, taken })
    }

    /// Takes a seat for each of these sections, all or none; whether they fit.
    pub fn take(&mut self, sections: &[Option<SectionId>]) -> bool {
        let mut after = self.taken.clone();
        for section in sections {
            *after.entry(section.clone()).or_default() += 1;
        }
        let fits = self.limits.iter().all(|limit| {
            let asked = sections.iter().any(|s| limit.covers(s.as_ref()));
            !asked || within(limit, &after)
        });
        if fits {
            self.taken = after;
        }
        fits
    }

    /// Gives a seat back.
    pub fn give_back(&mut self, section: &Option<SectionId>) {
        if let Some(count) = self.taken.get_mut(section) {
            *count -= 1;
        }
    }

    /// Free seats under the tightest figure that covers a section; `None` where none does.
    #[must_use]
    pub fn free(&self, section: Option<&SectionId>) -> Option<i64> {
        self.limits
            .iter()
            .filter(|l| l.covers(section))
            .map(|l| l.seats - count(l, &self.taken))
            .min()
    }

    /// Whether more seats are taken than a figure allows.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over().next().is_some()
    }

    /// The figures that are below what is taken.
    pub fn over(&self) -> impl Iterator<Item = Over> {
        let over = self
            .limits
            .iter()
            .filter(|limit| !within(limit, &self.taken));
        over.map(|limit| Over {
            sections: limit.sections.clone(),
            seats: limit.seats,
            taken: count(limit, &self.taken),
        })
    }
}

fn count(limit: &Limit, taken: &BTreeMap<Option<SectionId>, i64>) -> i64 {
    taken
        .iter()
        .filter(|(section, _)| limit.covers(section.as_ref()))
        .map(|(_, count)| count)
        .sum()
}

fn within(limit: &Limit, taken: &BTreeMap<Option<SectionId>, i64>) -> bool {
    count(limit, taken) <= limit.seats
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(limits: &[(&[&str], i64)]) -> Seats {
        let limit = |(sections, seats): &(&[&str], i64)| Limit {
            sections: sections.iter().map(|s| s.parse().unwrap()).collect(),
            seats: *seats,
        };
        Seats {
            limits: limits.iter().map(limit).collect(),
            taken: BTreeMap::new(),
        }
    }

    fn sections(names: &[&str]) -> Vec<Option<SectionId>> {
        names.iter().map(|n| Some(n.parse().unwrap())).collect()
    }

    #[test]
    fn an_order_fits_as_a_whole_or_not_at_all() {
        let mut hall = seats(&[(&["A"], 2), (&["B"], 1), (&[], 2)]);
        assert!(!hall.take(&sections(&["B", "B"])));
        assert!(hall.take(&sections(&["A", "B"])));
        assert!(
            !hall.take(&sections(&["A"])),
            "the hall is full though A is not"
        );
        hall.give_back(&sections(&["B"])[0]);
        assert!(
            hall.take(&[None]),
            "an entry without a section takes a seat of the hall"
        );
        assert!(!hall.is_over());
    }

    #[test]
    fn a_full_section_leaves_the_others_alone() {
        let mut hall = seats(&[(&["A"], 1), (&["B"], 1)]);
        assert!(hall.take(&sections(&["A"])));
        assert!(!hall.take(&sections(&["A"])));
        assert!(hall.take(&sections(&["B"])));
        assert_eq!(hall.free(sections(&["A"])[0].as_ref()), Some(0));
        assert_eq!(hall.free(None), None);
    }
}
