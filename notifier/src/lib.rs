//! The notifier: reads the journal and tells by mail and to the pairing service, at least once, in order for each order.
//!
//! A step moves each subscriber's cursor over new rows and writes its deliveries in the same transaction; then leases
//! what is due, sends it with no transaction open, and settles it. What fails comes again with growing waits; what is
//! given up stays visible as a dead letter and stops nobody else. A repeat can be told: a mail keeps its Message-ID, a
//! message to the pairing service its sequence. See `docs/decisions/0005-journal-and-deliveries.md`.
#![warn(missing_docs)]

mod advance;
pub mod backoff;
mod command;
mod deliver;
pub mod listen;
pub mod mail;
mod notify;
pub mod pairing;
mod settings;

pub use notify::{Notifier, NotifierError, Progress};
pub use settings::{Desk, MailSettings, MailTransport, NotifierSettings, PairingTarget, Venue};

/// The subscriber that writes mail.
pub const MAIL: &str = "mail";
/// The subscriber that tells pairing services.
pub const PAIRING: &str = "pairing";
