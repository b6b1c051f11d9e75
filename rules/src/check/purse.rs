//! How much may be done to look at a whole file, so that one at every limit of the language is told of in a second.

/// In comparisons. The largest real files take a few thousand.
const WORK: u64 = 25_000_000;

/// What is left, and by how many it is shared.
pub(super) struct Purse {
    left: u64,
    shares: usize,
}

impl Purse {
    pub(super) fn of(shares: usize) -> Purse {
        Purse { left: WORK, shares }
    }

    /// The share of the next one. What it leaves the later ones have.
    pub(super) fn share(&self) -> u64 {
        let shares = u64::try_from(self.shares).unwrap_or(u64::MAX);
        self.left / shares.max(1)
    }

    /// The next one has spent so much.
    pub(super) fn spend(&mut self, work: u64) {
        self.shares = self.shares.saturating_sub(1);
        self.left = self.left.saturating_sub(work);
    }
}
