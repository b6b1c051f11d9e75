//! A writer: a thread with a connection of its own that carries out errands, as many to a commit as may share it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use diesel::connection::{
    AnsiTransactionManager, Connection, InstrumentationEvent, TransactionManager,
};
use diesel::result::{DatabaseErrorKind, Error as DieselError};

use crate::batch::{Batch, End};
use crate::conn::{Address, Role};
use crate::door::{Lanes, Queue};
use crate::errand::Errand;
use crate::error::{Cause, stored};
use crate::journal::NewRow;
use crate::{Conn, StoreError, tournaments};

/// How often an errand runs before its caller hears that the database is busy.
const ATTEMPTS: u32 = 6;
/// After so long no further attempt begins: the caller has waited enough.
const PATIENCE: Duration = Duration::from_secs(8);

type Transactions = <Conn as Connection>::TransactionManager;

pub(crate) struct Writer {
    address: Address,
    lanes: Lanes,
    conn: Option<Conn>,
    mishap: Mishap,
}

impl Writer {
    /// A writer that connects when its first errand comes.
    pub(crate) fn new(address: Address, lanes: Lanes) -> Self {
        Writer {
            address,
            lanes,
            conn: None,
            mishap: Mishap::default(),
        }
    }

    /// Connects now, so that a wrong URL is known at once.
    pub(crate) fn connect(&mut self) -> Result<&mut Conn, StoreError> {
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => {
                let mut conn = Conn::open(&self.address, Role::Writer)?;
                conn.set_instrumentation(self.mishap.watcher());
                conn
            }
        };
        Ok(self.conn.insert(conn))
    }

    /// Serves the queue on a thread of its own until the door closes.
    pub(crate) fn spawn(mut self, queue: Arc<Queue>) -> std::io::Result<JoinHandle<()>> {
        thread::Builder::new()
            .name("enroc-writer".into())
            .spawn(move || {
                while let Some(errands) = queue.take(self.lanes) {
                    let island = errands[0].ask().map(|ask| ask.tournament.clone());
                    #[cfg(feature = "controls")]
                    let errands = self.line_up(&queue, errands);
                    let done = catch_unwind(AssertUnwindSafe(|| self.carry_out(errands)));
                    if done.is_err() {
                        self.conn = None;
                    }
                    queue.release(island.as_ref());
                }
            })
    }

    #[cfg(feature = "controls")]
    fn line_up(
        &mut self,
        queue: &Queue,
        mut errands: Vec<Box<dyn Errand>>,
    ) -> Vec<Box<dyn Errand>> {
        crate::control::line_up(&queue.race, || {
            let Ok(conn) = self.connect() else { return };
            if (1..=ATTEMPTS).any(|_| begin(conn).is_ok()) {
                Batch::default().run(conn, &mut errands);
                rollback(conn);
            }
        });
        errands
    }

    /// All under one commit; where one of them stands in the way of the others, each by itself.
    fn carry_out(&mut self, mut errands: Vec<Box<dyn Errand>>) {
        errands.retain(|errand| !errand.forgotten());
        for late in errands.extract_if(.., |errand| errand.late()) {
            late.answer(Err(StoreError::Overloaded));
        }
        let begun = Instant::now();
        let mut attempt = 1;
        let end = loop {
            if errands.is_empty() {
                return;
            }
            match self.attempt(&mut errands) {
                End::Failed(error)
                    if error.is_passing() && attempt < ATTEMPTS && begun.elapsed() < PATIENCE =>
                {
                    tracing::debug!(attempt, %error, "writes run again");
                    thread::sleep(pause(attempt));
                    attempt += 1;
                }
                end => break end,
            }
        };
        match end {
            End::AsWished | End::Refused => {
                errands.into_iter().for_each(|errand| errand.answer(Ok(())))
            }
            End::Failed(error) if errands.len() == 1 || error.is_passing() => {
                // Each hears the same; an error cannot be had twice.
                let again = error.of_the_same_kind();
                let mut errors = std::iter::once(error).chain(std::iter::repeat_with(again));
                for errand in errands {
                    errand.answer(errors.next().map_or(Ok(()), Err));
                }
            }
            End::Failed(StoreError::InDoubt(cause)) => {
                let said = cause.to_string();
                for errand in errands {
                    errand.answer(Err(StoreError::InDoubt(said.clone().into())));
                }
            }
            End::Apart | End::Failed(_) => {
                errands
                    .into_iter()
                    .for_each(|errand| self.carry_out(vec![errand]));
            }
        }
    }

    /// One transaction.
    fn attempt(&mut self, errands: &mut [Box<dyn Errand>]) -> End {
        let mishap = self.mishap.clone();
        let conn = match self.connect() {
            Ok(conn) => conn,
            Err(error) => return End::Failed(error),
        };
        let mut batch = Batch::default();
        let end = match begin(conn) {
            Err(error) => End::Failed(error.into()),
            Ok(()) => {
                mishap.forget();
                #[cfg(feature = "controls")]
                crate::control::rewind();
                let end = batch.run(conn, errands);
                match (end, mishap.seen()) {
                    (End::AsWished, None) => match commit(conn) {
                        Ok(()) => End::AsWished,
                        Err(error) => End::Failed(error),
                    },
                    (end, seen) => {
                        rollback(conn);
                        match (end, seen) {
                            // A lone errand that wished it: whatever it met is in its answer.
                            (End::Refused, Some(seen)) if seen.is_passing() => End::Failed(seen),
                            (End::Refused, _) => End::AsWished,
                            (End::Failed(error), _) => End::Failed(error),
                            (End::AsWished | End::Apart, Some(seen)) => End::Failed(seen),
                            (end, None) => end,
                        }
                    }
                }
            }
        };
        let lost = matches!(
            end,
            End::Failed(StoreError::Unreachable(_) | StoreError::InDoubt(_))
        );
        if lost || Transactions::is_broken_transaction_manager(conn) {
            self.conn = None;
        }
        match end {
            End::Failed(StoreError::InDoubt(cause)) => self.look_up(batch.proof(), cause),
            end => end,
        }
    }

    /// After a COMMIT without an answer: whether the first journal row of the transaction stands.
    fn look_up(&mut self, proof: Option<&NewRow>, cause: Cause) -> End {
        let Some(row) = proof else {
            return End::Failed(StoreError::InDoubt(cause));
        };
        for attempt in 1..ATTEMPTS {
            match self.stands(row) {
                Ok(true) => return End::AsWished,
                Ok(false) => return End::Failed(StoreError::Unreachable(cause)),
                Err(error) => {
                    tracing::warn!(attempt, %error, "a commit is still in doubt");
                    self.conn = None;
                    thread::sleep(pause(attempt));
                }
            }
        }
        End::Failed(StoreError::InDoubt(cause))
    }

    /// Under the tournament's lock, for which a transaction that is still being committed makes everybody wait.
    fn stands(&mut self, row: &NewRow) -> Result<bool, StoreError> {
        let conn = self.connect()?;
        begin(conn)?;
        let id = stored("journal.tournament_id", row.tournament_id.parse())?;
        let found = tournaments::lock(conn, &id).and_then(|_| row.stands(conn));
        rollback(conn);
        found
    }
}

/// Ten milliseconds, doubled each time, and up to as much again so that two that collided do not meet anew.
fn pause(attempt: u32) -> Duration {
    let base = 10 << attempt.min(6);
    Duration::from_millis(base / 2 + rand::random_range(0..=base / 2))
}

fn begin(conn: &mut Conn) -> Result<(), DieselError> {
    match conn {
        // Said in full, as a server's default could be stricter: the row lock comes first, then fresh rows are read.
        Conn::Pg(c) => {
            AnsiTransactionManager::begin_transaction_sql(c, "BEGIN ISOLATION LEVEL READ COMMITTED")
        }
        // A deferred transaction that reads and then writes fails under load, whatever the busy timeout.
        Conn::Sqlite(c) => AnsiTransactionManager::begin_transaction_sql(c, "BEGIN IMMEDIATE"),
    }
}

fn commit(conn: &mut Conn) -> Result<(), StoreError> {
    let error = match Transactions::commit_transaction(conn) {
        Ok(()) => return Ok(()),
        Err(DieselError::RollbackErrorOnCommit { commit_error, .. }) => *commit_error,
        Err(error) => error,
    };
    match StoreError::from(error) {
        StoreError::Unreachable(cause) => Err(StoreError::InDoubt(cause)),
        other => Err(other),
    }
}

/// A rollback that fails leaves a broken connection, which is thrown away; the errand's own error matters more.
fn rollback(conn: &mut Conn) {
    if let Err(error) = Transactions::rollback_transaction(conn) {
        tracing::debug!(%error, "a rollback failed");
    }
}

/// The worst that a statement of the running transaction met, whatever the closure made of the error.
///
/// After a failed statement PostgreSQL answers COMMIT with a rollback and no error, while SQLite would commit the rest.
/// So a transaction in which a statement failed is never committed, on either engine.
#[derive(Clone, Default)]
struct Mishap(Arc<AtomicU8>);

const FAILED: u8 = 1;
const DUPLICATE: u8 = 2;
const BUSY: u8 = 3;
const LOST: u8 = 4;

impl Mishap {
    fn watcher(&self) -> impl FnMut(InstrumentationEvent<'_>) + Send + 'static {
        let worst = Arc::clone(&self.0);
        move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::FinishQuery {
                error: Some(error), ..
            } = event
            {
                worst.fetch_max(rank(error), Ordering::Relaxed);
            }
        }
    }

    fn forget(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn seen(&self) -> Option<StoreError> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            DUPLICATE => Some(StoreError::Duplicate),
            BUSY => Some(StoreError::Busy),
            LOST => Some(StoreError::Unreachable("the connection was lost".into())),
            _ => Some(StoreError::broken(
                "a statement failed and its transaction was to be committed",
            )),
        }
    }
}

fn rank(error: &DieselError) -> u8 {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => DUPLICATE,
        DieselError::DatabaseError(DatabaseErrorKind::ClosedConnection, _) => LOST,
        error if crate::error::is_busy(error) => BUSY,
        _ => FAILED,
    }
}
