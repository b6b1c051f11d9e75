//! One write, waiting for its turn: a closure and whoever waits for its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::island::Island;
use crate::known::Ask;
use crate::{Conn, StoreError};

/// What an errand wants done with what it did.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Commit,
    Rollback,
}

/// One write.
pub(crate) trait Errand: Send {
    /// What it will ask, where it is a change of a tournament.
    fn ask(&self) -> Option<&Ask>;
    /// Whether nobody waits for the answer any more.
    fn forgotten(&self) -> bool;
    /// Whether whoever waits for the answer has waited too long for it to begin now.
    fn late(&self) -> bool;
    /// Runs inside an open transaction, perhaps not for the first time. The island is that of the tournament it asks for,
    /// if there is such.
    fn run(&mut self, conn: &mut Conn, island: Option<&mut Island>) -> Wish;
    /// Says how the transaction ended.
    fn answer(self: Box<Self>, end: Result<(), StoreError>);
}

pub(crate) struct Task<T, E, F> {
    ask: Option<Ask>,
    begin_by: Option<Instant>,
    work: F,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Task<T, E, F> {
    pub(crate) fn new(
        ask: Option<Ask>,
        begin_by: Option<Instant>,
        work: F,
    ) -> (Box<Self>, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        let task = Task {
            ask,
            begin_by,
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
    F: FnMut(&mut Conn, Option<&mut Island>) -> Result<T, E> + Send,
{
    fn ask(&self) -> Option<&Ask> {
        self.ask.as_ref()
    }

    fn forgotten(&self) -> bool {
        self.reply.is_closed()
    }

    fn late(&self) -> bool {
        self.begin_by.is_some_and(|by| Instant::now() > by)
    }

    fn run(&mut self, conn: &mut Conn, island: Option<&mut Island>) -> Wish {
        self.outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(conn, island))).ok();
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
