//! Sends what is due: leased first, sent with no transaction open, then settled one by one.

use std::sync::Arc;
use std::time::Duration;

use domain::{Clock, OrganiserId, UtcTime, crash_point};
use store::deliveries::{self, Delivery, Sent};
use store::{Lane, Store, StoreError, tournaments};
use tokio::task::JoinSet;

use crate::backoff::{self, Class, Next};
use crate::mail::{self, MailKind, Mailer, Story};
use crate::pairing::{self, Message, Pusher};
use crate::settings::Desk;
use crate::{MAIL, PAIRING, Progress};

/// How many mails are sent at once: fewer than the connections that mail servers grant one client.
const MAILS_AT_ONCE: i64 = 16;
/// How many messages are pushed at once to one pairing service, over one connection.
const MESSAGES_AT_ONCE: i64 = 32;

/// What came of one sending.
enum Outcome {
    /// The subscriber has it.
    Sent,
    /// There was nobody, or nothing, to tell any more.
    Moot,
    /// Not this time.
    Failed(Class, String),
}

/// Where the deliveries of one queue go.
#[derive(Clone)]
pub(crate) enum Route {
    Mail {
        mailer: Arc<Mailer>,
        desk: Arc<dyn Desk>,
    },
    Pairing {
        tournament: domain::TournamentId,
        pusher: Box<Pusher>,
    },
}

/// One queue: the deliveries of one route.
#[derive(Clone)]
pub(crate) struct Sender {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    pub lease: Duration,
    pub route: Route,
}

impl Sender {
    /// Sends one batch; what came of it. Nothing in it means that nothing is due.
    pub(crate) async fn batch(&self) -> Result<Progress, StoreError> {
        let wall = self.clock.wall();
        let until = wall.plus_seconds(i64::try_from(self.lease.as_secs()).unwrap_or(60).max(1));
        let mut sendings = JoinSet::new();
        for delivery in self.lease(wall, until).await? {
            let sender = self.clone();
            sendings.spawn(async move { sender.carry_out(delivery, until).await });
        }
        let mut progress = Progress::default();
        while let Some(done) = sendings.join_next().await {
            progress += done.map_err(StoreError::broken)??;
        }
        Ok(progress)
    }

    async fn lease(&self, wall: UtcTime, until: UtcTime) -> Result<Vec<Delivery>, StoreError> {
        let (subscriber, tournament, at_once) = match &self.route {
            Route::Mail { .. } => (MAIL, None, MAILS_AT_ONCE),
            Route::Pairing { tournament, .. } => {
                (PAIRING, Some(tournament.clone()), MESSAGES_AT_ONCE)
            }
        };
        let find = move |c: &mut store::Conn| {
            deliveries::ready(c, subscriber, tournament.as_ref(), wall, at_once)
        };
        let ready = self.store.read(find).await?;
        if ready.is_empty() {
            return Ok(ready);
        }
        let take = move |c: &mut store::Conn| {
            let mut taken = Vec::new();
            for delivery in &ready {
                if deliveries::lease(c, delivery.id, wall, until)? {
                    taken.push(delivery.clone());
                }
            }
            Ok::<_, StoreError>(taken)
        };
        self.store.write(Lane::Settle, take).await
    }

    async fn carry_out(&self, delivery: Delivery, until: UtcTime) -> Result<Progress, StoreError> {
        let outcome = match &self.route {
            Route::Mail { mailer, desk } => self.mail(&delivery, mailer, &**desk).await?,
            Route::Pairing { pusher, .. } => self.push(&delivery, pusher).await?,
        };
        let wall = self.clock.wall();
        let (sent, progress) = verdict(&delivery, outcome, wall);
        let settle =
            move |c: &mut store::Conn| deliveries::settle(c, &delivery, until, &sent, wall);
        self.store.write(Lane::Settle, settle).await?;
        Ok(progress)
    }

    async fn mail(
        &self,
        delivery: &Delivery,
        mailer: &Mailer,
        desk: &dyn Desk,
    ) -> Result<Outcome, StoreError> {
        let unknown = || Outcome::Failed(Class::Refused, "no mail of this kind is known".into());
        let Some(kind) = MailKind::from_word(&delivery.kind) else {
            return Ok(unknown());
        };
        let of = delivery.clone();
        let read = move |c: &mut store::Conn| {
            let tournament = tournaments::find(c, &of.tournament)?.ok_or(StoreError::NotFound)?;
            Ok::<_, StoreError>((mail::read(c, &of, kind)?, tournament.organiser))
        };
        let (draft, organiser): (_, OrganiserId) = self.store.read(read).await?;
        let Some(draft) = draft else {
            return Ok(Outcome::Moot);
        };
        let Some(venue) = desk.venue(&delivery.tournament) else {
            let why = "the tournament's regulation is not at hand";
            return Ok(Outcome::Failed(Class::Unreachable, why.into()));
        };
        let now = self.clock.desk(&delivery.tournament);
        let story: Option<Story> = draft.complete(delivery, kind, desk, venue, now);
        let Some(story) = story else {
            return Ok(Outcome::Moot);
        };
        Ok(
            match mailer.send(&story, organiser, self.clock.wall()).await {
                Ok(()) => {
                    crash_point("sent", "mail");
                    Outcome::Sent
                }
                Err(error) => Outcome::Failed(error.class, error.to_string()),
            },
        )
    }

    async fn push(&self, delivery: &Delivery, pusher: &Pusher) -> Result<Outcome, StoreError> {
        let Some(message) = Message::from_word(&delivery.kind) else {
            return Ok(Outcome::Failed(
                Class::Refused,
                "no message of this kind is known".into(),
            ));
        };
        let of = delivery.clone();
        let read = move |c: &mut store::Conn| pairing::read(c, &of, message);
        let Some(request) = self.store.read(read).await? else {
            return Ok(Outcome::Moot);
        };
        Ok(match pusher.push(request).await {
            Ok(()) => {
                crash_point("sent", "message");
                Outcome::Sent
            }
            Err(error) => Outcome::Failed(error.class, error.to_string()),
        })
    }
}

/// What is noted of a sending, and how it counts.
fn verdict(delivery: &Delivery, outcome: Outcome, wall: UtcTime) -> (Sent, Progress) {
    let none = Progress::default();
    let (class, error) = match outcome {
        Outcome::Sent => return (Sent::Done, Progress { sent: 1, ..none }),
        Outcome::Moot => return (Sent::Done, Progress { moot: 1, ..none }),
        Outcome::Failed(class, error) => (class, error),
    };
    let (id, kind) = (delivery.id, delivery.kind.as_str());
    let next = backoff::after(class, delivery.attempts + 1, wall, rand::random());
    match next {
        Next::At(at) => {
            tracing::info!(%id, kind, attempts = delivery.attempts + 1, %at, error, "a delivery waits");
            (Sent::Again(at, error), Progress { again: 1, ..none })
        }
        Next::Dead => {
            tracing::warn!(%id, kind, error, "a delivery is given up");
            (Sent::Dead(error), Progress { dead: 1, ..none })
        }
    }
}
