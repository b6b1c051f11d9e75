//! The notifier as the program runs it.

use std::ops::AddAssign;
use std::sync::Arc;

use domain::{Clock, IdSource, TournamentId};
use store::{Store, StoreError};
use tokio::sync::Notify;

use crate::advance::Reader;
use crate::deliver::{Route, Sender};
use crate::mail::{MailError, Mailer};
use crate::pairing::{PairingError, Pusher};
use crate::settings::{Desk, NotifierSettings};

/// Why a notifier could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NotifierError {
    /// The mail settings.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The settings of a tournament's pairing service.
    #[error("pairing service of {tournament}: {source}")]
    Pairing {
        /// Whose.
        tournament: TournamentId,
        /// What is wrong.
        source: PairingError,
    },
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Deliveries written from new rows of the journal.
    pub planned: usize,
    /// Sent and acknowledged.
    pub sent: usize,
    /// Settled without sending: nobody or nothing to tell any more.
    pub moot: usize,
    /// Failed, to be tried again later.
    pub again: usize,
    /// Given up.
    pub dead: usize,
}

impl Progress {
    /// Whether nothing was done.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        *self == Progress::default()
    }
}

impl AddAssign for Progress {
    fn add_assign(&mut self, other: Progress) {
        self.planned += other.planned;
        self.sent += other.sent;
        self.moot += other.moot;
        self.again += other.again;
        self.dead += other.dead;
    }
}

/// Reads the journals of a desk and tells. Any number of them may run on one database.
pub struct Notifier {
    reader: Reader,
    told: Vec<TournamentId>,
    senders: Vec<Sender>,
    interval: std::time::Duration,
    wake: Arc<Notify>,
}

impl Notifier {
    /// Reads the settings; connects to nothing yet. Needs a Tokio runtime around it.
    ///
    /// # Errors
    /// [`NotifierError`] where a URL or an address cannot be read.
    pub fn new(
        store: Store,
        settings: NotifierSettings,
        clock: Arc<dyn Clock>,
        desk: Arc<dyn Desk>,
    ) -> Result<Self, NotifierError> {
        let sender = |route| Sender {
            store: store.clone(),
            clock: Arc::clone(&clock),
            lease: settings.lease,
            route,
        };
        let mailer = Arc::new(Mailer::new(&settings.mail)?);
        let mut senders = vec![sender(Route::Mail { mailer, desk })];
        for (tournament, target) in &settings.pairing {
            let pusher = Pusher::new(target, settings.pairing_timeout).map_err(|source| {
                NotifierError::Pairing {
                    tournament: tournament.clone(),
                    source,
                }
            })?;
            let (tournament, pusher) = (tournament.clone(), Box::new(pusher));
            senders.push(sender(Route::Pairing { tournament, pusher }));
        }
        Ok(Notifier {
            reader: Reader {
                store,
                ids: Arc::new(IdSource::default()),
                clock,
            },
            told: settings.pairing.into_keys().collect(),
            senders,
            interval: settings.interval,
            wake: Arc::new(Notify::new()),
        })
    }

    /// To be notified after a commit, so that nobody waits for the next look.
    #[must_use]
    pub fn wake(&self) -> Arc<Notify> {
        Arc::clone(&self.wake)
    }

    /// Reads what is new and sends what is due now, until nothing is. Every address has a queue of its own, and they
    /// are served side by side.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; a failed sending is not an error but counted.
    pub async fn step(&self) -> Result<Progress, StoreError> {
        self.work(|| false).await
    }

    async fn work(&self, stopped: impl Fn() -> bool) -> Result<Progress, StoreError> {
        let planned = self.reader.advance(&self.told).await?;
        let mut total = Progress {
            planned,
            ..Progress::default()
        };
        let queues = self.senders.iter().map(|sender| drain(sender, &stopped));
        for progress in futures_util::future::join_all(queues).await {
            total += progress?;
        }
        Ok(total)
    }

    /// Steps whenever it is woken, and at each interval, until `stop` resolves; then ends with the batch under way.
    pub async fn run(&self, stop: impl Future<Output = ()>) {
        let stopped = std::sync::atomic::AtomicBool::new(false);
        let seen = || stopped.load(std::sync::atomic::Ordering::Relaxed);
        let work = async {
            while !seen() {
                if let Err(error) = self.work(seen).await {
                    let error = domain::chain(&error);
                    tracing::error!(error, "the notifier's step failed");
                }
                tokio::select! {
                    () = self.wake.notified() => {}
                    () = tokio::time::sleep(self.interval) => {}
                }
            }
        };
        let stop = async {
            stop.await;
            stopped.store(true, std::sync::atomic::Ordering::Relaxed);
            self.wake.notify_one();
        };
        tokio::join!(work, stop);
    }
}

/// Batch after batch, until nothing is due.
async fn drain(sender: &Sender, stopped: impl Fn() -> bool) -> Result<Progress, StoreError> {
    let mut total = Progress::default();
    while !stopped() {
        let progress = sender.batch().await?;
        if progress.is_idle() {
            break;
        }
        total += progress;
    }
    Ok(total)
}
