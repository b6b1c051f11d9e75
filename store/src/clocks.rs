//! Waits that several machines share, each with a clock of its own.
//!
//! Leases, back-offs and looks end at an instant of the wall clock, which may be set back: what was to last a second would
//! then last for as long as the clock was ahead. So each wait says when it began, and one that began in the future is over.

use domain::UtcTime;

/// The clocks of two nodes are nearer to each other than so many seconds, or one of them is wrong.
pub const CLOCKS_APART: i64 = 60;

/// A wait that began after this was begun by a clock that was ahead. Microseconds, as columns have it.
pub(crate) fn ahead(wall: UtcTime) -> i64 {
    wall.plus_seconds(CLOCKS_APART).as_micros()
}
