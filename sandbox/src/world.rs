//! Everything the server knows: the objects, the test clock, and what is due. Pure: the shell brings the
//! wall clock in through [`World::arrive`].

use std::collections::BTreeMap;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::balance::BalanceTransaction;
use crate::charges::Charge;
use crate::disputes::Dispute;
use crate::events::Event;
use crate::faults::Faults;
use crate::idempotency::Keys;
use crate::intent_object::Intent;
use crate::methods::Method;
use crate::outbox::Outbox;
use crate::refunds::Refund;
use crate::session_object::Session;
use crate::table::Table;
use crate::{attempts, refunds, sessions};

/// Something that happens by itself when the test clock reaches it.
#[derive(Clone, Debug)]
pub(crate) enum Timer {
    ExpireSession(String),
    SettleIntent { id: String, succeeds: bool },
    SettleRefund(String),
    FailRefund(String),
}

/// The request being answered, as events name it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    pub(crate) request: Option<String>,
    pub(crate) key: Option<String>,
}

pub(crate) struct World {
    /// Ends with `/`.
    pub(crate) base: String,
    /// How long asynchronous things take on the test clock.
    pub(crate) later: Duration,
    pub(crate) caller: Caller,
    pub(crate) intents: Table<Intent>,
    pub(crate) charges: Table<Charge>,
    pub(crate) refunds: Table<Refund>,
    pub(crate) sessions: Table<Session>,
    pub(crate) disputes: Table<Dispute>,
    pub(crate) methods: Table<Method>,
    pub(crate) balance: Table<BalanceTransaction>,
    pub(crate) events: Table<Event>,
    pub(crate) outbox: Outbox,
    pub(crate) keys: Keys,
    pub(crate) faults: Faults,
    timers: BTreeMap<(i64, u64), Timer>,
    timers_set: u64,
    ahead_ms: i64,
    now_ms: i64,
    random: StdRng,
}

impl World {
    pub(crate) fn new(base: String, later: Duration, wall_ms: i64) -> Self {
        Self {
            base,
            later,
            caller: Caller::default(),
            intents: Table::default(),
            charges: Table::default(),
            refunds: Table::default(),
            sessions: Table::default(),
            disputes: Table::default(),
            methods: Table::default(),
            balance: Table::default(),
            events: Table::default(),
            outbox: Outbox::default(),
            keys: Keys::default(),
            faults: Faults::default(),
            timers: BTreeMap::new(),
            timers_set: 0,
            ahead_ms: 0,
            now_ms: wall_ms,
            random: StdRng::from_os_rng(),
        }
    }

    /// The test clock, in Unix seconds.
    pub(crate) fn now(&self) -> i64 {
        self.now_ms.div_euclid(1000)
    }

    /// The test clock, in Unix milliseconds.
    pub(crate) fn now_ms(&self) -> i64 {
        self.now_ms
    }

    /// Brings the wall clock in and does what has become due, each thing at its own instant.
    pub(crate) fn arrive(&mut self, wall_ms: i64) {
        let target = wall_ms.saturating_add(self.ahead_ms).max(self.now_ms);
        while let Some(entry) = self
            .timers
            .first_entry()
            .filter(|entry| entry.key().0 <= target)
        {
            let ((due, _), timer) = entry.remove_entry();
            self.now_ms = due.max(self.now_ms);
            self.run(timer);
        }
        self.now_ms = target;
        self.keys.prune(self.now());
    }

    /// Moves the test clock forward; what falls due then happens at once.
    pub(crate) fn advance(&mut self, by: Duration, wall_ms: i64) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX / 4);
        self.ahead_ms = self.ahead_ms.saturating_add(by);
        self.arrive(wall_ms);
    }

    pub(crate) fn set_timer(&mut self, at_ms: i64, timer: Timer) {
        self.timers_set += 1;
        self.timers.insert((at_ms, self.timers_set), timer);
    }

    pub(crate) fn set_timer_later(&mut self, timer: Timer) {
        let later = i64::try_from(self.later.as_millis()).unwrap_or(i64::MAX / 4);
        self.set_timer(self.now_ms + later, timer);
    }

    /// When the next timer is due on the test clock, in Unix milliseconds.
    pub(crate) fn next_timer(&self) -> Option<i64> {
        self.timers.keys().next().map(|(due, _)| *due)
    }

    fn run(&mut self, timer: Timer) {
        self.caller = Caller::default();
        // Whoever settled the object by hand in the meantime was first; the timer then has nothing to do.
        let _too_late = match timer {
            Timer::ExpireSession(id) => sessions::end(self, &id),
            Timer::SettleIntent { id, succeeds } => attempts::settle(self, &id, succeeds),
            Timer::SettleRefund(id) => refunds::settle(self, &id),
            Timer::FailRefund(id) => refunds::fail(self, &id, "expired_or_canceled_card"),
        };
    }

    /// A new id: the prefix and 24 random letters and digits.
    pub(crate) fn new_id(&mut self, prefix: &str) -> String {
        const ALPHABET: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut id = prefix.to_owned();
        id.extend(
            (0..24).map(|_| char::from(ALPHABET[self.random.random_range(0..ALPHABET.len())])),
        );
        id
    }
}
