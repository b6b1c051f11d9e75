//! What the notifier is told at start, and what it asks of the desk around it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use domain::{OrderId, OrganiserId, SectionId, Text, TournamentId};
use jiff::tz::TimeZone;
use store::orders::Order;

/// Where mail goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MailTransport {
    /// A mail server by its URL: `smtp://host:25` (plain), `smtps://user:password@host:465`,
    /// `smtp://host:587?tls=required`.
    Smtp(String),
    /// A folder, made if need be, in which each mail becomes a file `.eml`: for rehearsals.
    Folder(PathBuf),
}

/// How mail is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailSettings {
    /// Where it goes.
    pub transport: MailTransport,
    /// The sender of organisers that have none of their own: `Name <address>` or an address.
    pub from: String,
    /// The sender of each organiser that has its own.
    pub senders: BTreeMap<OrganiserId, String>,
    /// How long one mail may take.
    pub timeout: Duration,
}

/// A pairing service: where its `PairingInboxService` is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairingTarget {
    /// `http://host:port`.
    pub address: String,
    /// Sent as `authorization: Bearer`, where it asks for one.
    pub key: Option<String>,
}

/// What the notifier is told at start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotifierSettings {
    /// How mail is sent.
    pub mail: MailSettings,
    /// Who is told of the entrants, by tournament.
    pub pairing: BTreeMap<TournamentId, PairingTarget>,
    /// How long one message to a pairing service may take.
    pub pairing_timeout: Duration,
    /// How long a delivery is one's own once taken: longer than any sending takes.
    pub lease: Duration,
    /// How often the journal is looked at without being woken.
    pub interval: Duration,
}

impl NotifierSettings {
    /// Ten seconds for a mail, five for a message to a pairing service, leases of a minute, a look every second.
    #[must_use]
    pub fn new(transport: MailTransport, from: impl Into<String>) -> Self {
        NotifierSettings {
            mail: MailSettings {
                transport,
                from: from.into(),
                senders: BTreeMap::new(),
                timeout: Duration::from_secs(10),
            },
            pairing: BTreeMap::new(),
            pairing_timeout: Duration::from_secs(5),
            lease: Duration::from_secs(60),
            interval: Duration::from_secs(1),
        }
    }
}

/// What a mail says of a tournament.
#[derive(Clone, Debug)]
pub struct Venue {
    /// What people call the tournament.
    pub name: Text,
    /// The venue's time zone, in which instants are written.
    pub time_zone: TimeZone,
    /// What people call each section.
    pub sections: BTreeMap<SectionId, Text>,
    /// Whether an entry counts from its slip, before anybody has checked it.
    pub counts_from_slip: bool,
}

/// What the notifier asks of the program around it: secrets and regulations are not its own.
pub trait Desk: Send + Sync {
    /// The secret link to an order: the address of its page with the token of this generation.
    fn link(&self, order: OrderId, generation: i32) -> String;

    /// What mails say of a tournament; `None` where its regulation is not at hand, and the mail waits.
    fn venue(&self, tournament: &TournamentId) -> Option<Venue>;

    /// Article and sentence of a rule that the order's regulation decides refunds by (`cancellation.half`), where it has it.
    fn refund_clause(&self, order: &Order, rule: &str) -> Option<(String, Text)>;
}
