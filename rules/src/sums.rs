//! Sums of a regulation that has several currencies: fixed in each, and never made one from the other.

/// How many currencies a file may have.
pub(crate) const CURRENCIES: usize = 4;
/// Two files that are compared may have as many each.
const KNOWN: usize = 2 * CURRENCIES;

/// A sum in each currency, in its minor units, by its place in the vocabulary; zero where none is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sums([i64; KNOWN]);

impl Sums {
    /// The same number of minor units in each.
    pub(crate) const fn of_each(minor: i64) -> Sums {
        Sums([minor; KNOWN])
    }

    pub(crate) fn set(&mut self, currency: u8, minor: i64) {
        if let Some(sum) = self.0.get_mut(usize::from(currency)) {
            *sum = minor;
        }
    }

    pub(crate) fn of(&self, currency: u8) -> i64 {
        self.0.get(usize::from(currency)).copied().unwrap_or(0)
    }
}
