//! The desk: what every use case needs, and the one way to change a tournament.

use std::sync::{Arc, RwLock};

use domain::{Actor, Clock, IdSource, Problem, Slug, TournamentId, UtcTime};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::Island;
use store::change::{Change, Stamp};
use store::idempotency::{KeyScope, Used};
use store::{Ask, Lane, Store, tournaments};
use tokio::sync::{Notify, Semaphore};

use crate::gateway::Gateway;
use crate::secret::Secret;
use crate::versions::Versions;

/// What a desk is made of.
pub struct DeskParts {
    /// The database.
    pub store: Store,
    /// The two clocks.
    pub clock: Arc<dyn Clock>,
    /// Behind every token.
    pub secret: Secret,
    /// Where card money moves; none where no gateway is set up.
    pub gateway: Option<Arc<dyn Gateway>>,
}

/// Walks through all classes of entrants that go at once: each takes a core for as long as a second.
const WALKS: usize = 1;

/// The registration desk. Clones are cheap and share it.
#[derive(Clone)]
pub struct Desk(Arc<Inner>);

struct Inner {
    parts: DeskParts,
    ids: IdSource,
    versions: RwLock<Versions>,
    changed: Arc<Notify>,
    walks: Semaphore,
}

/// Who acts, why, and under which idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct By {
    /// Who.
    pub actor: Actor,
    /// Why, in that person's words; empty where it goes without saying.
    pub reason: String,
    /// The `Idempotency-Key` of the request.
    pub key: Option<String>,
}

impl By {
    /// Somebody who gives no reason and no key.
    #[must_use]
    pub fn actor(actor: Actor) -> By {
        By {
            actor,
            reason: String::new(),
            key: None,
        }
    }
}

/// The key of a request and what the request asks, so that a repeat is answered as the first was.
#[derive(Clone, Debug)]
pub(crate) struct Once {
    scope: KeyScope,
    fingerprint: String,
}

impl Desk {
    /// A desk that serves no tournament yet; see [`Desk::take_in`].
    #[must_use]
    pub fn new(parts: DeskParts) -> Desk {
        Desk(Arc::new(Inner {
            parts,
            ids: IdSource::default(),
            versions: RwLock::default(),
            changed: Arc::new(Notify::new()),
            walks: Semaphore::new(WALKS),
        }))
    }

    /// The database, for reading.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.parts.store
    }

    /// The two clocks.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.parts.clock
    }

    /// The desk's secret.
    #[must_use]
    pub fn secret(&self) -> &Secret {
        &self.0.parts.secret
    }

    /// Wakes whoever reads the journal after a change.
    #[must_use]
    pub fn changed(&self) -> Arc<Notify> {
        Arc::clone(&self.0.changed)
    }

    /// The gateway.
    ///
    /// # Errors
    /// [`Slug::MethodNotOffered`] where none is set up.
    pub fn gateway(&self) -> Result<Arc<dyn Gateway>, Problem> {
        self.0
            .parts
            .gateway
            .clone()
            .ok_or_else(|| Problem::new(Slug::MethodNotOffered))
    }

    /// A fresh 63-bit number.
    pub(crate) fn number(&self) -> i64 {
        self.0.ids.next(self.clock().wall(), rand::random())
    }

    /// Now, by both clocks, with who and why.
    pub(crate) fn stamp(&self, tournament: &TournamentId, by: &By) -> Stamp {
        Stamp {
            at: self.clock().desk(tournament),
            wall: self.clock().wall(),
            actor: by.actor.clone(),
            reason: by.reason.clone(),
        }
    }

    /// An instant of the wall clock, by the desk clock of a tournament.
    pub(crate) fn desk_time(stamp: &Stamp, wall: UtcTime) -> UtcTime {
        UtcTime::from_micros(stamp.at.as_micros() - (stamp.wall.as_micros() - wall.as_micros()))
    }

    /// The idempotency key of a request, if it has one: it counts for this caller, operation and tournament.
    pub(crate) fn once(
        &self,
        by: &By,
        operation: &'static str,
        tournament: &TournamentId,
        subject: &str,
        request: &impl Serialize,
    ) -> Option<Once> {
        let key = by.key.clone()?;
        let caller = match &by.actor {
            Actor::Staff(who) => format!("staff:{who}"),
            _ => format!("payer:{subject}"),
        };
        let scope = KeyScope {
            caller,
            operation,
            tournament: tournament.clone(),
            key,
        };
        Some(Once {
            scope,
            fingerprint: self.secret().fingerprint(&(subject, request)),
        })
    }

    /// Changes a tournament: its row is locked, the key looked up, the closure run, the key's outcome noted, all in one
    /// transaction. The closure may run again, so it carries its ids and instants.
    pub(crate) async fn change<T>(
        &self,
        lane: Lane,
        tournament: &TournamentId,
        stamp: Stamp,
        once: Option<Once>,
        f: impl FnMut(&mut Change<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
    {
        self.decide(lane, Ask::of(tournament.clone()), stamp, once, f)
            .await
    }

    /// The same, for a change that says before what it will ask.
    pub(crate) async fn decide<T>(
        &self,
        lane: Lane,
        mut ask: Ask,
        stamp: Stamp,
        once: Option<Once>,
        mut f: impl FnMut(&mut Change<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
    {
        ask.key = once.as_ref().map(|once| once.scope.clone());
        let outcome = self
            .store()
            .change(lane, ask, stamp, move |change| {
                let change = change.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
                let Some(once) = &once else {
                    return f(change);
                };
                if let Some(outcome) = repeat(change, once)? {
                    return Ok(outcome);
                }
                let outcome = f(change)?;
                let used = Used {
                    fingerprint: once.fingerprint.clone(),
                    outcome: serde_json::to_string(&outcome).map_err(Problem::internal)?,
                };
                change.note_key(&once.scope, &used);
                Ok(outcome)
            })
            .await;
        self.0.changed.notify_waiters();
        outcome
    }

    /// Judges a request before anything is done for it: whether its key was used, and what the closure says of the state.
    /// Writes nothing.
    pub(crate) async fn judge<T: Send + 'static>(
        &self,
        tournament: &TournamentId,
        stamp: &Stamp,
        once: Option<&Once>,
        f: impl FnOnce(&mut Change<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<Judged<T>, Problem> {
        let (id, stamp, once) = (tournament.clone(), stamp.clone(), once.cloned());
        self.store()
            .read(move |conn| {
                let found = tournaments::find(conn, &id)?;
                let tournament = found.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
                let mut island = Island::around(tournament);
                let mut change = island.change(conn, &stamp);
                if let Some(once) = &once
                    && let Some(used) = change.used(&once.scope)?
                {
                    return same_request(&used, once).map(|()| Judged::Repeat);
                }
                f(&mut change).map(Judged::New)
            })
            .await
    }

    /// The versions that this node has read.
    pub(crate) fn shelf(&self) -> &RwLock<Versions> {
        &self.0.versions
    }

    /// Lets few walks through all classes of entrants go at once.
    pub(crate) fn walks(&self) -> &Semaphore {
        &self.0.walks
    }
}

/// What a judgement found.
pub(crate) enum Judged<T> {
    /// The request was carried out before.
    Repeat,
    /// It is new, and this is how things stand for it.
    New(T),
}

/// Refuses a key that was used for another request.
fn same_request(used: &Used, once: &Once) -> Result<(), Problem> {
    if used.fingerprint == once.fingerprint {
        return Ok(());
    }
    Err(Problem::new(Slug::KeyReused))
}

/// The outcome of an earlier request with this key, if there was one.
fn repeat<T: DeserializeOwned>(change: &mut Change<'_>, once: &Once) -> Result<Option<T>, Problem> {
    let Some(used) = change.used(&once.scope)? else {
        return Ok(None);
    };
    same_request(&used, once)?;
    serde_json::from_str(&used.outcome)
        .map(Some)
        .map_err(Problem::internal)
}
