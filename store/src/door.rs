//! The write door: the one way to a write transaction.
//!
//! Every write is an errand in a bounded lane. A writer takes one errand at a time, opens the transaction, runs the
//! errand's closure and commits. SQLite has one writer, so nobody ever fights for its lock; PostgreSQL has several, of
//! which one serves settlements only. The writer owns the transaction and the errand owns its answer, so that a later
//! writer can run several errands under one commit.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::{Conn, StoreError};

/// How many settlements may wait; beyond them something is broken rather than busy.
const SETTLE_BOUND: usize = 4096;

/// Which line an errand waits in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// What a person at a door waits for. Refused at once when its line is full.
    Desk,
    /// Webhooks, cursors, timers: what has happened already and must be written down. Takes turns with the desk, so a
    /// rush never refuses it.
    Settle,
}

/// What an errand wants done with the transaction it ran in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Commit,
    Rollback,
}

/// One write, waiting for its turn.
pub(crate) trait Errand: Send {
    /// Whether nobody waits for the answer any more.
    fn forgotten(&self) -> bool;
    /// Runs inside an open transaction, perhaps not for the first time.
    fn run(&mut self, conn: &mut Conn) -> Wish;
    /// Says how the transaction ended.
    fn answer(self: Box<Self>, end: Result<(), StoreError>);
}

/// A closure and whoever waits for it.
pub(crate) struct Task<T, E, F> {
    work: F,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Task<T, E, F> {
    pub(crate) fn new(work: F) -> (Box<Self>, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        let task = Task {
            work,
            outcome: None,
            reply,
        };
        (Box::new(task), answer)
    }
}

impl<T, E, F> Errand for Task<T, E, F>
where
    T: Send,
    E: From<StoreError> + Send,
    F: FnMut(&mut Conn) -> Result<T, E> + Send,
{
    fn forgotten(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(&mut self, conn: &mut Conn) -> Wish {
        self.outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(conn))).ok();
        match self.outcome {
            Some(Ok(_)) => Wish::Commit,
            Some(Err(_)) | None => Wish::Rollback,
        }
    }

    fn answer(self: Box<Self>, end: Result<(), StoreError>) {
        let outcome = match (end, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(StoreError::broken("the closure panicked").into()),
            (Err(error), _) => Err(error.into()),
        };
        // Whoever asked may have gone; what was committed stays.
        drop(self.reply.send(outcome));
    }
}

/// The two lanes.
pub(crate) struct Queue {
    lines: Mutex<Lines>,
    news: Condvar,
    desk_bound: usize,
}

struct Lines {
    desk: VecDeque<Box<dyn Errand>>,
    settle: VecDeque<Box<dyn Errand>>,
    desk_is_next: bool,
    open: bool,
}

impl Queue {
    pub(crate) fn new(desk_bound: usize) -> Self {
        Queue {
            lines: Mutex::new(Lines {
                desk: VecDeque::new(),
                settle: VecDeque::new(),
                desk_is_next: false,
                open: true,
            }),
            news: Condvar::new(),
            desk_bound,
        }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, lane: Lane, errand: Box<dyn Errand>) -> Result<(), StoreError> {
        let mut lines = self.lines();
        if !lines.open {
            return Err(StoreError::Unreachable("the store is closed".into()));
        }
        let (line, bound) = match lane {
            Lane::Desk => (&mut lines.desk, self.desk_bound),
            Lane::Settle => (&mut lines.settle, SETTLE_BOUND),
        };
        if line.len() >= bound {
            return Err(StoreError::Overloaded);
        }
        line.push_back(errand);
        drop(lines);
        // Not notify_one: it could wake a writer that serves the other lane only.
        self.news.notify_all();
        Ok(())
    }

    /// The next errand, waiting for one; none once the door is closed and the lines are empty.
    pub(crate) fn take(&self, lanes: Lanes) -> Option<Box<dyn Errand>> {
        let mut lines = self.lines();
        loop {
            if let Some(errand) = lines.next(lanes) {
                return Some(errand);
            }
            if !lines.open {
                return None;
            }
            lines = self
                .news
                .wait(lines)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn waiting(&self, lane: Lane) -> usize {
        let lines = self.lines();
        match lane {
            Lane::Desk => lines.desk.len(),
            Lane::Settle => lines.settle.len(),
        }
    }

    pub(crate) fn close(&self) {
        self.lines().open = false;
        self.news.notify_all();
    }
}

/// Which lanes a writer serves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lanes {
    Both,
    SettleOnly,
}

impl Lines {
    fn next(&mut self, lanes: Lanes) -> Option<Box<dyn Errand>> {
        if lanes == Lanes::SettleOnly {
            return self.settle.pop_front();
        }
        let desk_first = self.desk_is_next;
        self.desk_is_next = !desk_first;
        if desk_first {
            self.desk.pop_front().or_else(|| self.settle.pop_front())
        } else {
            self.settle.pop_front().or_else(|| self.desk.pop_front())
        }
    }
}
