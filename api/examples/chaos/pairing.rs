//! The pairing service: keeps the newest word about each entry, whatever repeats or comes late.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use notifier::listen;
use proto::pairing::v1::PushRequest;
use proto::pairing::v1::push_request::Change;
use tokio::net::TcpListener;

use crate::Result;

/// The newest word about an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The journal row that it is about.
    pub sequence: i64,
    /// Whether the entry plays.
    pub plays: bool,
    /// In which section.
    pub section: String,
}

/// What was told, by entry.
#[derive(Clone, Default)]
pub struct Board(Arc<Mutex<BTreeMap<String, Word>>>);

impl Board {
    /// Listens on a free port of this machine.
    pub async fn open() -> Result<(Board, SocketAddr)> {
        let board = Board::default();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let keeper = board.clone();
        let sink = move |message: &PushRequest, _| keeper.keep(message);
        tokio::spawn(listen::serve(listener, sink, std::future::pending()));
        Ok((board, address))
    }

    /// What it knows.
    pub fn words(&self) -> BTreeMap<String, Word> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn keep(&self, message: &PushRequest) {
        let plays = match message.change {
            Some(Change::Upserted(_)) => true,
            Some(Change::Withdrawn(_)) => false,
            _ => return,
        };
        let word = Word {
            sequence: message.sequence,
            plays,
            section: message.section.clone().unwrap_or_default(),
        };
        let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = words
            .entry(message.entry.clone())
            .or_insert_with(|| word.clone());
        if word.sequence >= known.sequence {
            *known = word;
        }
    }
}
