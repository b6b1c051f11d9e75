//! A writer: a thread with a connection of its own that carries out errands, one transaction each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use diesel::connection::{
    AnsiTransactionManager, Connection, InstrumentationEvent, TransactionManager,
};
use diesel::result::{DatabaseErrorKind, Error as DieselError};

use crate::conn::{Address, Role};
use crate::door::{Errand, Lanes, Queue, Wish};
use crate::{Conn, StoreError};

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
                while let Some(errand) = queue.take(self.lanes) {
                    let done = catch_unwind(AssertUnwindSafe(|| self.carry_out(errand)));
                    if done.is_err() {
                        self.conn = None;
                    }
                }
            })
    }

    fn carry_out(&mut self, mut errand: Box<dyn Errand>) {
        if errand.forgotten() {
            return;
        }
        let begun = Instant::now();
        let mut attempt = 1;
        loop {
            let end = self.attempt(errand.as_mut());
            match end {
                Err(error)
                    if error.is_passing() && attempt < ATTEMPTS && begun.elapsed() < PATIENCE =>
                {
                    tracing::debug!(attempt, %error, "a write runs again");
                    thread::sleep(pause(attempt));
                    attempt += 1;
                }
                end => return errand.answer(end),
            }
        }
    }

    /// One transaction. `Ok` when it ended as the errand wished.
    fn attempt(&mut self, errand: &mut dyn Errand) -> Result<(), StoreError> {
        let mishap = self.mishap.clone();
        let conn = self.connect()?;
        let end = match begin(conn) {
            Ok(()) => {
                mishap.forget();
                match (errand.run(conn), mishap.seen()) {
                    (Wish::Commit, None) => commit(conn),
                    (Wish::Commit, Some(error)) => {
                        rollback(conn);
                        Err(error)
                    }
                    (Wish::Rollback, seen) => {
                        rollback(conn);
                        seen.filter(StoreError::is_passing).map_or(Ok(()), Err)
                    }
                }
            }
            Err(error) => Err(error.into()),
        };
        if Transactions::is_broken_transaction_manager(conn)
            || matches!(
                end,
                Err(StoreError::Unreachable(_) | StoreError::InDoubt(_))
            )
        {
            self.conn = None;
        }
        end
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
        tracing::warn!(%error, "a rollback failed");
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
