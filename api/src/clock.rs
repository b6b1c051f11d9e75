//! The one place that reads the machine's clocks.

mod believed;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use domain::{Clock, TournamentId, UtcTime};
use tokio::sync::Notify;

use believed::Believed;

/// The machine's clock, and for rehearsals a desk clock of its own for each tournament that was given one.
pub struct MachineClock {
    /// Microseconds between a tournament's desk clock and the wall clock.
    offsets: RwLock<BTreeMap<TournamentId, i64>>,
    started: Instant,
    believed: Mutex<Believed>,
    moved: Arc<Notify>,
}

/// Why a desk clock was not moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the desk clock stands at {now} and moves only forward")]
pub struct Backward {
    /// Where it stands.
    pub now: UtcTime,
}

impl Default for MachineClock {
    fn default() -> Self {
        MachineClock {
            offsets: RwLock::default(),
            started: Instant::now(),
            believed: Mutex::default(),
            moved: Arc::default(),
        }
    }
}

impl MachineClock {
    /// Sets a tournament's desk clock going from this instant. One that was set before moves only forward. The timers
    /// are woken.
    ///
    /// # Errors
    /// [`Backward`], and the clock goes on as before.
    pub fn set(&self, tournament: &TournamentId, at: UtcTime) -> Result<(), Backward> {
        let wall = self.wall().as_micros();
        let mut offsets = self.offsets.write().unwrap_or_else(PoisonError::into_inner);
        let offset = at.as_micros() - wall;
        if let Some(known) = offsets.get(tournament).filter(|known| offset < **known) {
            let now = UtcTime::from_micros(wall + known);
            return Err(Backward { now });
        }
        offsets.insert(tournament.clone(), offset);
        drop(offsets);
        self.moved.notify_waiters();
        Ok(())
    }

    /// Wakes whoever waits for a desk clock to be moved.
    #[must_use]
    pub fn moved(&self) -> Arc<Notify> {
        Arc::clone(&self.moved)
    }
}

impl Clock for MachineClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the machine's clock"
    )]
    fn wall(&self) -> UtcTime {
        let mut believed = self.believed.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = UtcTime::from(jiff::Timestamp::now()).as_micros();
        let ran = i64::try_from(self.started.elapsed().as_micros()).unwrap_or(i64::MAX);
        UtcTime::from_micros(believed.hear(shown, ran))
    }

    fn desk(&self, tournament: &TournamentId) -> UtcTime {
        let offset = self
            .offsets
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(tournament)
            .copied();
        UtcTime::from_micros(self.wall().as_micros() + offset.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desk_clock_begins_anywhere_and_moves_only_forward() {
        let clock = MachineClock::default();
        let (here, there) = ("here".parse().unwrap(), "there".parse().unwrap());
        let start: UtcTime = "2019-02-10T12:00:00Z".parse().unwrap();
        clock.set(&here, start).unwrap();
        let stands = clock.desk(&here);
        assert!(
            stands >= start && stands < start.plus_seconds(60),
            "{stands}"
        );
        assert!(clock.desk(&there) >= clock.wall().plus_seconds(-60));

        clock.set(&here, start.plus_seconds(3_600)).unwrap();
        assert!(clock.desk(&here) >= start.plus_seconds(3_600));
        let refused = clock.set(&here, start).unwrap_err();
        assert!(refused.now >= start.plus_seconds(3_600));
        assert!(clock.desk(&here) >= start.plus_seconds(3_600));
    }
}
