//! What both doors serve from: the desk, and what the program set up around it.

use std::sync::Arc;
use std::time::Instant;

use domain::OrderId;
use registration::Desk;
use tokio::sync::Notify;

/// The served program. Clones are cheap and share it.
#[derive(Clone)]
pub struct App {
    /// The use cases.
    pub desk: Desk,
    /// Where a gateway's webhooks come in; none where no gateway is set up.
    pub gateway: Option<Arc<GatewayDoor>>,
    /// The address that payers see, without a slash at its end.
    pub public_url: Arc<str>,
    /// When the program started, for `/readyz` and the metrics.
    pub started: Instant,
}

impl App {
    /// Where the gateway's page sends a payer back to: the order's page, which then looks whether the money is in.
    #[must_use]
    pub fn back_to(&self, order: OrderId) -> String {
        format!("{}/orders/{order}?back=1", self.public_url)
    }
}

/// The door of a gateway's webhooks.
pub struct GatewayDoor {
    /// The account in the path (`main`).
    pub account: String,
    /// Secrets that a signature may be made with: two while one is being replaced.
    pub secrets: Vec<String>,
    /// Wakes the inbox when an event is stored.
    pub arrived: Arc<Notify>,
}
