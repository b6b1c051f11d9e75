//! Instants between which no condition changes its mind.

use domain::{Instants, UtcTime};

use crate::conditions::{Condition, Test};

/// Instants at which a condition begins or ends to hold, each kind in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boundaries {
    pub registered: Vec<UtcTime>,
    pub paid: Vec<UtcTime>,
    pub received: Vec<UtcTime>,
}

impl Boundaries {
    pub(crate) fn of<'c>(conditions: impl Iterator<Item = &'c Condition>) -> Boundaries {
        let mut tests = Vec::new();
        for condition in conditions {
            condition.tests(&mut tests);
        }
        let mut found = Boundaries::default();
        for test in tests {
            let (ends, window) = match test {
                Test::Registered(window) => (&mut found.registered, window),
                Test::Paid(window) => (&mut found.paid, window),
                Test::Received(window) => (&mut found.received, window),
                _ => continue,
            };
            ends.extend([window.from, window.before].into_iter().flatten());
        }
        for ends in [&mut found.registered, &mut found.paid, &mut found.received] {
            ends.sort_unstable();
            ends.dedup();
        }
        found
    }

    /// How many stretches of time there are, each kind of instant by each other.
    pub(crate) fn stretches(&self) -> usize {
        let kinds = [&self.registered, &self.paid, &self.received];
        kinds.map(|ends| ends.len() + 1).iter().product()
    }

    /// The next instant after these at which something changes for whoever does nothing meanwhile. A payment that is said,
    /// and so the arrival of its money, waits for nobody: only one that is not, `money`, goes along with the form.
    pub(crate) fn next(&self, at: Instants, money: bool) -> Option<UtcTime> {
        let after = |ends: &[UtcTime], at| ends.get(stretch(ends, at)).copied();
        let of_money = || {
            [
                after(&self.paid, at.paid),
                after(&self.received, at.received),
            ]
        };
        let of_money = if money { of_money() } else { [None; 2] };
        let registered = after(&self.registered, at.registered);
        of_money.into_iter().flatten().chain(registered).min()
    }
}

/// Which stretch between boundaries an instant lies in.
pub(crate) fn stretch(boundaries: &[UtcTime], at: UtcTime) -> usize {
    boundaries.partition_point(|boundary| *boundary <= at)
}
