//! Guards against races.
//!
//! A check goes by what it reads under the tournament's lock, so that nothing of it changes before the commit; and a row is
//! written back only where it still stands as it was read. `docs/guards.md` says of each guard where it stands and what
//! happens without it. In the program they cannot be switched off; the tests can, with the feature `controls`, in a race
//! that must then go wrong.

/// What keeps two who come at once from both being let through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// Entries by section and state are those of the locked row.
    Seat,
    /// The last form number is that of the locked row.
    FormNumber,
    /// The last journal number is that of the locked row.
    JournalNumber,
    /// Who is in already is asked under the lock.
    Person,
    /// The uses of a code are counted under the lock.
    Code,
    /// Who has a limited row is counted under the lock.
    Claim,
    /// What a key was used for is looked up under the lock.
    Key,
    /// Where an order's entries stand is read under the lock.
    Entry,
    /// How an order's payments stand is read under the lock.
    Payment,
    /// What an order gave back, and how its refunds stand, is read under the lock.
    Refund,
    /// An entry, a payment or a refund is written back only where it still stands as it was read.
    State,
    /// The version that a decision goes by is that of the locked row.
    Version,
}

/// What a check goes by, as it was read under the lock.
#[cfg(not(feature = "controls"))]
pub const fn under_lock<T>(_: Guard, read: T) -> T {
    read
}

/// Whether the guard is there.
#[cfg(not(feature = "controls"))]
#[must_use]
pub const fn stands(_: Guard) -> bool {
    true
}

#[cfg(feature = "controls")]
pub use crate::control::{stands, under_lock};
