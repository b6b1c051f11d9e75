//! A pairing service of the rehearsal: keeps what it is told.

use std::sync::{Arc, Mutex, PoisonError};

use notifier::listen::{self, Kept};
use proto::pairing::v1::PushRequest;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::failure::Failure;

/// What was told, oldest first.
#[derive(Clone, Default)]
pub(super) struct Receiver {
    told: Arc<Mutex<Vec<PushRequest>>>,
    more: Arc<Notify>,
}

impl Receiver {
    /// Serves on a free port until the runtime ends; the receiver and its address.
    pub(super) async fn start() -> Result<(Receiver, String), Failure> {
        let receiver = Receiver::default();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let keeper = receiver.clone();
        let sink = move |message: &PushRequest, kept| {
            if kept == Kept::New {
                let mut told = keeper.told.lock().unwrap_or_else(PoisonError::into_inner);
                told.push(message.clone());
                drop(told);
                keeper.more.notify_waiters();
            }
        };
        tokio::spawn(async move {
            if let Err(error) = listen::serve(listener, sink, std::future::pending()).await {
                tracing::error!(%error, "the pairing receiver fell shut");
            }
        });
        Ok((receiver, address))
    }

    /// What the newest message about an entry says, once `wanted` finds it right.
    pub(super) async fn hears(&self, entry: &str, wanted: impl Fn(&PushRequest) -> bool) {
        loop {
            let more = self.more.notified();
            tokio::pin!(more);
            more.as_mut().enable();
            if self.newest_is(entry, &wanted) {
                return;
            }
            more.await;
        }
    }

    fn newest_is(&self, entry: &str, wanted: &impl Fn(&PushRequest) -> bool) -> bool {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = told.iter().rev().find(|message| message.entry == entry);
        newest.is_some_and(wanted)
    }
}
