//! The world behind its one mutex, with the wall clock brought in at each entry.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

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

    /// Waits until the test clock has moved on by so much, by itself or because it was advanced.
    pub(crate) async fn pass(&self, milliseconds: u64) {
        let from = self.peek(|world| world.now_ms());
        self.pass_from(from, milliseconds).await;
    }

    /// The same, counted from an instant of the test clock: whoever saw what happened then may have moved it on already.
    pub(crate) async fn pass_from(&self, from: i64, milliseconds: u64) {
        let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
        let until = from.saturating_add(milliseconds);
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let left = self.peek(|world| until - world.now_ms());
            if left <= 0 {
                return;
            }
            let _either =
                tokio::time::timeout(Duration::from_millis(left.unsigned_abs()), changed).await;
        }
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
