//! Stripe behind the port of `registration`, the inbox of its webhooks, and the second look at what no webhook told of.

pub mod inbox;
pub mod reconcile;
pub mod stripe;
pub mod walk;
pub mod webhook;

mod secret;

pub use inbox::Inbox;
pub use reconcile::Reconciler;
pub use secret::Secret;
pub use stripe::{SettingFault, StripeGateway, StripeSettings, minimum};
pub use walk::{Finding, Walked, Walker};
pub use webhook::{Envelope, WebhookRefusal, verify};
