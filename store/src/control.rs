//! Control runs: the same race with guards switched off. Feature `controls`, for tests only.
//!
//! A store in a race runs its change once for nothing and rolls it back, then waits until the other racers have done the
//! same, and only then takes the lock. So each racer's checks have seen how things stood before any of them wrote, every
//! time. A check whose guard is off goes by that; the others read again under the lock.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::guard::Guard;

/// A racer that does not come makes the test red, not endless.
const PATIENCE: Duration = Duration::from_secs(120);

/// A race of so many stores on one database, each with one change.
pub struct Race {
    without: Vec<Guard>,
    racers: usize,
    arrived: Mutex<usize>,
    news: Condvar,
}

impl Race {
    /// Without these guards.
    #[must_use]
    pub fn new(racers: usize, without: &[Guard]) -> Arc<Race> {
        Arc::new(Race {
            without: without.to_vec(),
            racers,
            arrived: Mutex::new(0),
            news: Condvar::new(),
        })
    }

    /// Waits until as many as race have come.
    fn wait(&self) {
        let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
        *arrived += 1;
        let all = arrived.div_ceil(self.racers) * self.racers;
        self.news.notify_all();
        let waited = self
            .news
            .wait_timeout_while(arrived, PATIENCE, |arrived| *arrived < all);
        let waited = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.1.timed_out(), "a racer did not come");
    }
}

/// The race that a store is in.
#[derive(Default)]
pub(crate) struct Entered(Mutex<Option<Arc<Race>>>);

impl Entered {
    pub(crate) fn set(&self, race: Option<Arc<Race>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = race;
    }

    fn get(&self) -> Option<Arc<Race>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// What the checks of a writer's change saw before the lock, in their order.
#[derive(Default)]
struct Before {
    race: Option<Arc<Race>>,
    is_noted: bool,
    notes: HashMap<(Guard, TypeId), Notes>,
}

#[derive(Default)]
struct Notes {
    seen: Vec<Box<dyn Any>>,
    next: usize,
}

thread_local! {
    /// Of the writer whose thread this is.
    static BEFORE: RefCell<Before> = RefCell::default();
}

/// Before a writer carries out a change: in a race, runs it for nothing and waits for the others.
pub(crate) fn line_up(entered: &Entered, run_for_nothing: impl FnOnce()) {
    let race = entered.get();
    BEFORE.set(Before {
        race: race.clone(),
        ..Before::default()
    });
    if let Some(race) = race {
        run_for_nothing();
        BEFORE.with_borrow_mut(|before| before.is_noted = true);
        race.wait();
    }
}

/// Before an attempt at a change.
pub(crate) fn rewind() {
    BEFORE.with_borrow_mut(|before| {
        for notes in before.notes.values_mut() {
            notes.next = 0;
        }
    });
}

/// What a check goes by: what was read under the lock, or with its guard off what stood before it.
pub fn under_lock<T: Clone + 'static>(guard: Guard, read: T) -> T {
    if stands(guard) {
        return read;
    }
    BEFORE.with_borrow_mut(|before| {
        let is_noted = before.is_noted;
        let notes = before.notes.entry((guard, TypeId::of::<T>())).or_default();
        if !is_noted {
            notes.seen.push(Box::new(read.clone()));
            return read;
        }
        let earlier = notes.seen.get(notes.next);
        notes.next += 1;
        let earlier = earlier.and_then(|seen| seen.downcast_ref());
        earlier.cloned().unwrap_or(read)
    })
}

/// Whether the guard is there.
#[must_use]
pub fn stands(guard: Guard) -> bool {
    BEFORE.with_borrow(|before| {
        let race = before.race.as_ref();
        race.is_none_or(|race| !race.without.contains(&guard))
    })
}
