//! The store: a pool of readers, the write door, and the bridge between them and async code.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use diesel::connection::{AnsiTransactionManager, Connection, TransactionManager};
use diesel::r2d2::{HandleError, ManageConnection, Pool, PooledConnection, R2D2Connection};
use tokio::sync::{Semaphore, oneshot};

use crate::change::{Change, Stamp};
use crate::conn::{Address, Role};
use crate::door::{Lane, Lanes, Queue, Sharing};
use crate::errand::{Errand, Task};
use crate::island::Island;
use crate::known::Ask;
use crate::migrate;
use crate::writer::Writer;
use crate::{Conn, Engine, StoreError};

/// Writers on PostgreSQL, beside the one that serves settlements only.
const POSTGRES_WRITERS: usize = 7;
/// How long a reader waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the database is and how much of it to use.
#[derive(Clone)]
pub struct Settings {
    /// `sqlite:PATH` or `postgres://…`.
    pub url: String,
    /// Connections for reading.
    pub readers: u32,
    /// How many writes may wait in the desk's lane before the next is refused.
    pub writer_queue: usize,
    /// How long a write may wait in the desk's lane until it begins.
    pub writer_patience: Duration,
}

impl Settings {
    /// Eight readers, and a line of 256 in which nobody waits longer than eight seconds.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Settings {
            url: url.into(),
            readers: 8,
            writer_queue: 256,
            writer_patience: Duration::from_secs(8),
        }
    }
}

/// The database of a desk. Clones are cheap and share it.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    engine: Engine,
    pool: Pool<Manager>,
    seats: Arc<Semaphore>,
    queue: Arc<Queue>,
    writer_patience: Duration,
    writers: Mutex<Vec<JoinHandle<()>>>,
}

impl Store {
    /// Opens the database. An SQLite file is made if need be and migrated; a PostgreSQL database must have exactly this
    /// program's migrations. Blocks: for start-up.
    ///
    /// # Errors
    /// [`StoreError::Address`], [`StoreError::Unreachable`], or [`StoreError::Schema`] naming the versions.
    pub fn open(settings: &Settings) -> Result<Store, StoreError> {
        let address = Address::parse(&settings.url)?;
        migrate::at_start(&address)?;

        let sharing = match address.engine() {
            Engine::Sqlite => Sharing::All,
            Engine::Postgres => Sharing::Alike,
        };
        let queue = Arc::new(Queue::new(settings.writer_queue, sharing));
        let mut first = Writer::new(address.clone(), Lanes::Both);
        first.connect()?;
        let mut writers = vec![first];
        if address.engine() == Engine::Postgres {
            writers.push(Writer::new(address.clone(), Lanes::SettleOnly));
            writers
                .extend((1..POSTGRES_WRITERS).map(|_| Writer::new(address.clone(), Lanes::Both)));
        }

        let readers = settings.readers.max(1);
        let pool = Pool::builder()
            .max_size(readers)
            .min_idle(Some(1))
            .test_on_check_out(false)
            .connection_timeout(PATIENCE)
            .error_handler(Box::new(Told))
            .build(Manager(address.clone()))
            .map_err(|e| StoreError::Unreachable(Box::new(e)))?;
        let threads = writers
            .into_iter()
            .map(|writer| writer.spawn(Arc::clone(&queue)))
            .collect::<Result<_, _>>()
            .map_err(StoreError::broken)?;
        Ok(Store(Arc::new(Inner {
            engine: address.engine(),
            pool,
            seats: Arc::new(Semaphore::new(readers as usize)),
            queue,
            writer_patience: settings.writer_patience,
            writers: Mutex::new(threads),
        })))
    }

    /// Which engine is behind it.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.0.engine
    }

    /// Reads, off the async threads. Everything that one call reads is of one instant; a write fails.
    ///
    /// # Errors
    /// What the closure answers; [`StoreError::Overloaded`] when no reader comes free in five seconds.
    pub async fn read<T, E>(
        &self,
        f: impl FnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let turn = Arc::clone(&self.0.seats).acquire_owned();
        let Ok(Ok(seat)) = tokio::time::timeout(PATIENCE, turn).await else {
            return Err(StoreError::Overloaded.into());
        };
        let pool = self.0.pool.clone();
        let work = move || {
            let _seat = seat;
            let mut conn = snapshot(&pool)?;
            let answer = f(&mut conn);
            // A connection whose transaction does not end is thrown away by the pool.
            drop(Transactions::rollback_transaction(&mut *conn));
            answer
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(answer) => answer,
            Err(panic) => Err(StoreError::broken(panic).into()),
        }
    }

    /// The one door to a write transaction. `f` runs inside it, on a writer's thread, and may run again after a
    /// serialization failure, a deadlock or a lost connection, so it carries its ids, instants and randomness.
    /// `Ok` commits and `Err` rolls back; a transaction in which a statement failed is never committed.
    ///
    /// If the future is dropped before its turn, nothing happens; once begun, the write runs to its end.
    ///
    /// ```compile_fail,E0728
    /// # async fn network() {}
    /// # async fn f(store: store::Store) -> Result<(), store::StoreError> {
    /// store.write(store::Lane::Desk, |_| { network().await; Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// What the closure answers; [`StoreError::Overloaded`] at once when the lane is full, and after
    /// [`Settings::writer_patience`] in the desk's where it did not begin; [`StoreError::Busy`] when every attempt met
    /// another's lock; [`StoreError::InDoubt`] when the connection was lost during the commit.
    pub async fn write<T, E>(
        &self,
        lane: Lane,
        mut f: impl FnMut(&mut Conn) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let work = move |conn: &mut Conn, _: Option<&mut Island>| f(conn);
        let (task, answer) = Task::new(None, self.begin_by(lane), work);
        self.errand(lane, task, answer).await
    }

    /// A write that changes one tournament, whose row is locked: [`Store::write`] for what may share a commit with other
    /// changes of the same tournament. `f` gets `None` where there is no such tournament.
    ///
    /// # Errors
    /// Those of [`Store::write`]. A commit whose answer was lost is looked up by its journal row; only where the database
    /// stays away is it [`StoreError::InDoubt`].
    pub async fn change<T, E>(
        &self,
        lane: Lane,
        ask: Ask,
        stamp: Stamp,
        mut f: impl FnMut(Option<&mut Change<'_>>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let work = move |conn: &mut Conn, island: Option<&mut Island>| match island {
            Some(island) => f(Some(&mut island.change(conn, &stamp))),
            None => f(None),
        };
        let (task, answer) = Task::new(Some(ask), self.begin_by(lane), work);
        self.errand(lane, task, answer).await
    }

    /// What has happened already may wait for ever.
    fn begin_by(&self, lane: Lane) -> Option<Instant> {
        match lane {
            Lane::Desk => Some(Instant::now() + self.0.writer_patience),
            Lane::Settle => None,
        }
    }

    async fn errand<T, E: From<StoreError>>(
        &self,
        lane: Lane,
        errand: Box<dyn Errand>,
        answer: oneshot::Receiver<Result<T, E>>,
    ) -> Result<T, E> {
        self.0.queue.push(lane, errand)?;
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::broken("the writer gave no answer").into()))
    }

    /// Takes part in a race of the tests, or in none any more.
    #[cfg(feature = "controls")]
    pub fn race(&self, race: Option<Arc<crate::control::Race>>) {
        self.0.queue.race.set(race);
    }

    /// How many writes wait in a lane.
    #[must_use]
    pub fn waiting(&self, lane: Lane) -> usize {
        self.0.queue.waiting(lane)
    }

    /// Takes no more writes, carries out those that wait, and returns when the writers have gone. Blocks: for the end of
    /// the program.
    pub fn close(&self) {
        self.0.queue.close();
        let writers = std::mem::take(
            &mut *self
                .0
                .writers
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        for writer in writers {
            drop(writer.join());
        }
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("engine", &self.0.engine)
            .finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.queue.close();
    }
}

type Transactions = <Conn as Connection>::TransactionManager;

/// A reader inside a transaction that sees one instant. Beginning it also shows whether an idle connection still lives.
fn snapshot(pool: &Pool<Manager>) -> Result<PooledConnection<Manager>, StoreError> {
    let mut left = pool.max_size();
    loop {
        let mut conn = pool
            .get()
            .map_err(|e| StoreError::Unreachable(Box::new(e)))?;
        let begun = match &mut *conn {
            Conn::Pg(c) => AnsiTransactionManager::begin_transaction_sql(
                c,
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            ),
            Conn::Sqlite(c) => AnsiTransactionManager::begin_transaction_sql(c, "BEGIN DEFERRED"),
        };
        match begun.map_err(StoreError::from) {
            Ok(()) => return Ok(conn),
            Err(StoreError::Unreachable(_)) if left > 0 => left -= 1,
            Err(error) => return Err(error),
        }
    }
}

/// Logs why a reader could not be opened.
#[derive(Debug)]
struct Told;

impl HandleError<StoreError> for Told {
    fn handle_error(&self, error: StoreError) {
        tracing::warn!(error = domain::chain(&error), "no connection for a reader");
    }
}

/// Opens readers for the pool.
struct Manager(Address);

impl ManageConnection for Manager {
    type Connection = Conn;
    type Error = StoreError;

    fn connect(&self) -> Result<Conn, StoreError> {
        Conn::open(&self.0, Role::Reader)
    }

    fn is_valid(&self, conn: &mut Conn) -> Result<(), StoreError> {
        Ok(conn.ping()?)
    }

    fn has_broken(&self, conn: &mut Conn) -> bool {
        std::thread::panicking() || conn.is_broken()
    }
}
