//! The world behind its one mutex, with the wall clock brought in at each entry.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::world::World;

pub(crate) struct Shared {
    world: Mutex<World>,
    pub(crate) secret_key: String,
    /// Woken after each entry: something may have become due, or have been sent.
    pub(crate) changed: Notify,
}

impl Shared {
    pub(crate) fn new(world: World, secret_key: String) -> Self {
        Self {
            world: Mutex::new(world),
            secret_key,
            changed: Notify::new(),
        }
    }

    /// Enters the world after whatever has become due by now, and wakes those who wait for a change.
    pub(crate) fn enter<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        let result = self.peek(act);
        self.changed.notify_waiters();
        result
    }

    /// The same, waking nobody.
    pub(crate) fn peek<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        world.arrive(wall_ms());
        act(&mut world)
    }
}

/// The wall clock in Unix milliseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "the sandbox stands for a company with a clock of its own"
)]
pub(crate) fn wall_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
