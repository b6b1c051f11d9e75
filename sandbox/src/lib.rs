//! A Stripe-compatible card server for rehearsals and tests.
//!
//! It speaks Stripe's own protocol, so that the only code path to a gateway is the real one, and goes wrong on
//! demand. Everything is in memory. It listens on loopback only and is never to face the internet.

mod attempts;
mod balance;
mod cards;
mod charges;
mod control;
mod currency;
mod disputes;
mod events;
mod expand;
mod faults;
mod form;
mod http;
mod idempotency;
mod intent_object;
mod intents;
#[cfg(test)]
mod invariants;
mod methods;
mod outbox;
mod refunds;
mod refusal;
mod routes;
mod sender;
mod session_form;
mod session_object;
mod sessions;
mod shared;
mod signing;
mod table;
mod world;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use tokio::task::JoinHandle;

pub use control::{Control, Refused};
pub use events::API_VERSION;
pub use faults::{ApiFault, Trouble, Twist, WebhookFault, When};
pub use outbox::{Sent, Waiting, Webhook};

use shared::{Shared, wall_ms};
use world::World;

/// How to start.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A loopback address; port 0 takes a free one.
    pub bind: SocketAddr,
    /// The key that callers must show, `sk_test_…`.
    pub secret_key: String,
    /// Where events are sent; nowhere when none.
    pub webhook: Option<Webhook>,
    /// How long pending refunds, late failures and asynchronous payments take on the test clock.
    pub later: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            secret_key: "sk_test_sandbox".to_owned(),
            webhook: None,
            later: Duration::from_secs(60),
        }
    }
}

/// A running sandbox. Dropping it leaves it running until the runtime ends; [`Sandbox::stop`] ends it.
pub struct Sandbox {
    base: String,
    shared: Arc<Shared>,
    handle: ServerHandle,
    server: JoinHandle<io::Result<()>>,
    sender: JoinHandle<()>,
}

impl Sandbox {
    /// Binds the address and serves; needs a tokio runtime.
    ///
    /// # Errors
    /// When the address is not loopback or cannot be bound.
    pub fn start(settings: Settings) -> io::Result<Self> {
        if !settings.bind.ip().is_loopback() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the sandbox listens on loopback addresses only",
            ));
        }
        let listener = TcpListener::bind(settings.bind)?;
        let base = format!("http://{}/", listener.local_addr()?);
        let mut world = World::new(base.clone(), settings.later, wall_ms());
        world.outbox.endpoint = settings.webhook;
        let shared = Arc::new(Shared::new(world, settings.secret_key));
        // What is sent goes to the endpoint and nowhere else; a redirect is a failed delivery.
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(io::Error::other)?;
        let server = http::serve(listener, Arc::clone(&shared))?;
        let handle = server.handle();
        let server = tokio::spawn(server);
        let sender = tokio::spawn(sender::run(Arc::clone(&shared), client));
        Ok(Self {
            base,
            shared,
            handle,
            server,
            sender,
        })
    }

    /// `http://127.0.0.1:PORT/`, with the slash that clients want.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base
    }

    /// Sends events from now on to this endpoint.
    pub fn set_webhook(&self, url: impl Into<String>, secret: impl Into<String>) {
        let endpoint = Webhook {
            url: url.into(),
            secret: secret.into(),
        };
        self.shared
            .enter(|world| world.outbox.endpoint = Some(endpoint));
    }

    #[must_use]
    pub fn control(&self) -> Control {
        Control(Arc::clone(&self.shared))
    }

    /// Closes the server and forgets everything.
    pub async fn stop(self) {
        self.sender.abort();
        self.handle.stop(false).await;
        if let Ok(Err(error)) = self.server.await {
            tracing::warn!(%error, "the sandbox did not end cleanly");
        }
    }
}
