//! A small receiver of a pairing service's messages: keeps the last state of each entrant and shows each message.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use proto::pairing::v1::pairing_inbox_service_server::{
    PairingInboxService, PairingInboxServiceServer,
};
use proto::pairing::v1::push_request::Change;
use proto::pairing::v1::{PushRequest, PushResponse, entrant_upserted::Entrant};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// What was made of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is the entry's newest.
    New,
    /// Kept already: acknowledged again, nothing changed.
    Repeat,
}

/// Takes messages, keeps the newest of each entry and of each kind, and hands every one to `sink` before it is acknowledged.
pub struct Inbox<S> {
    sink: S,
    kept: Mutex<BTreeMap<(String, String, &'static str), PushRequest>>,
}

impl<S: Fn(&PushRequest, Kept) + Send + Sync + 'static> Inbox<S> {
    /// An empty inbox.
    pub fn new(sink: S) -> Self {
        Inbox {
            sink,
            kept: Mutex::default(),
        }
    }

    fn keep(&self, message: &PushRequest) -> Kept {
        let key = (
            message.tournament.clone(),
            message.entry.clone(),
            subject(message),
        );
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.get(&key) {
            Some(known) if known.sequence >= message.sequence => Kept::Repeat,
            _ => {
                kept.insert(key, message.clone());
                Kept::New
            }
        }
    }
}

/// Whether a message is about playing or about byes.
fn subject(message: &PushRequest) -> &'static str {
    match message.change {
        Some(Change::ByesRequested(_)) => "byes",
        _ => "entrant",
    }
}

#[tonic::async_trait]
impl<S: Fn(&PushRequest, Kept) + Send + Sync + 'static> PairingInboxService for Inbox<S> {
    async fn push(&self, request: Request<PushRequest>) -> Result<Response<PushResponse>, Status> {
        let message = request.into_inner();
        if message.entry.is_empty() || message.sequence < 1 || message.change.is_none() {
            return Err(Status::invalid_argument(
                "entry, sequence and change are needed",
            ));
        }
        let kept = self.keep(&message);
        (self.sink)(&message, kept);
        Ok(Response::new(PushResponse {
            sequence: message.sequence,
        }))
    }
}

/// Serves an inbox on a bound listener until `stop` resolves.
///
/// # Errors
/// Where the transport fails.
pub async fn serve<S>(
    listener: TcpListener,
    sink: S,
    stop: impl Future<Output = ()>,
) -> Result<(), tonic::transport::Error>
where
    S: Fn(&PushRequest, Kept) + Send + Sync + 'static,
{
    tonic::transport::Server::builder()
        .add_service(PairingInboxServiceServer::new(Inbox::new(sink)))
        .serve_with_incoming_shutdown(TcpIncoming::from(listener), stop)
        .await
}

/// A message as a line for people.
#[must_use]
pub fn line(message: &PushRequest, kept: Kept) -> String {
    let section = message.section.as_deref().unwrap_or("-");
    let repeat = if kept == Kept::Repeat {
        " (repeat)"
    } else {
        ""
    };
    format!(
        "{} #{} no. {} [{section}] {}{repeat}",
        message.tournament,
        message.sequence,
        message.form_number,
        what(message),
    )
}

fn what(message: &PushRequest) -> String {
    match &message.change {
        Some(Change::Upserted(upserted)) => match &upserted.entrant {
            Some(Entrant::Player(player)) => {
                let rating = player
                    .rating
                    .map_or("unrated".to_owned(), |r| r.to_string());
                format!("plays: {} ({}, {rating})", player.name, player.federation)
            }
            Some(Entrant::Team(team)) => {
                let players = team.roster.len();
                format!(
                    "plays: {} ({}), {players} players",
                    team.name, team.institution
                )
            }
            None => "plays".to_owned(),
        },
        Some(Change::Withdrawn(withdrawn)) => {
            format!("does not play: {}", withdrawn.cause().as_str_name())
        }
        Some(Change::ByesRequested(byes)) => {
            let rounds = byes.byes.iter().filter_map(|bye| bye.request.as_ref());
            let rounds: Vec<String> = rounds.map(|bye| bye.round.to_string()).collect();
            format!("asks off rounds {}", rounds.join(", "))
        }
        None => "nothing".to_owned(),
    }
}

/// A message as JSON: the fields that tell it and what it says.
#[must_use]
pub fn json(message: &PushRequest, kept: Kept) -> Value {
    let change = match &message.change {
        Some(Change::Upserted(_)) => "upserted",
        Some(Change::Withdrawn(_)) => "withdrawn",
        Some(Change::ByesRequested(_)) => "byes_requested",
        None => "none",
    };
    let name = match &message.change {
        Some(Change::Upserted(upserted)) => match &upserted.entrant {
            Some(Entrant::Player(player)) => Some(player.name.as_str()),
            Some(Entrant::Team(team)) => Some(team.name.as_str()),
            None => None,
        },
        _ => None,
    };
    json!({
        "tournament": message.tournament,
        "sequence": message.sequence,
        "entry": message.entry,
        "form_number": message.form_number,
        "section": message.section,
        "change": change,
        "name": name,
        "text": what(message),
        "repeat": kept == Kept::Repeat,
    })
}
