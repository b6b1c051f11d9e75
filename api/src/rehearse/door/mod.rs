//! The public doors as a payer and the back office use them from outside: the same acts at both.

mod contract;
mod entrant;
mod grpc;
mod rest;

use std::fmt;

use async_trait::async_trait;
use domain::{ByePoints, Entrant, FactName, Money, RefundMethod, UtcTime};

pub(super) use grpc::Grpc;
pub(super) use rest::Rest;

/// An answer of a door.
pub(super) type Answer<T> = Result<T, Refused>;

/// What a door did not do.
#[derive(Debug)]
pub(super) struct Refused {
    /// The problem's slug; `transport` where there was no answer of the desk's.
    pub slug: String,
    /// Fields with the rule each breaks, or what went wrong.
    pub why: Vec<String>,
}

impl Refused {
    pub(super) fn transport(why: impl fmt::Display) -> Refused {
        Refused {
            slug: "transport".to_owned(),
            why: vec![why.to_string()],
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why.as_slice() {
            [] => f.write_str(&self.slug),
            why => write!(f, "{} ({})", self.slug, why.join(", ")),
        }
    }
}

/// Who pays.
#[derive(Clone, Copy)]
pub(super) struct Payer {
    pub name: &'static str,
    pub email: &'static str,
    pub language: &'static str,
    pub consents: &'static [&'static str],
}

/// One entry asked for.
#[derive(Clone)]
pub(super) struct Asked {
    pub section: Option<&'static str>,
    pub who: Entrant,
    pub code: Option<String>,
}

/// A slip as its payer tells it.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub number: &'static str,
    pub date: &'static str,
    pub amount: Money,
}

/// What a quote came to: a total, or the codes of its reasons.
pub(super) struct Quoted {
    pub total: Option<Money>,
    pub reasons: Vec<String>,
}

/// An order in its payer's hands.
#[derive(Clone)]
pub(super) struct Ticket {
    pub order: String,
    pub token: String,
}

/// An entry as a door shows it.
#[derive(Clone, Debug)]
pub(super) struct SeenEntry {
    pub id: String,
    pub status: String,
    pub to_check: Vec<String>,
}

/// A payment or a refund as a door shows it.
#[derive(Clone, Debug)]
pub(super) struct SeenMoney {
    pub id: String,
    pub method: String,
    pub status: String,
    pub amount: Money,
}

/// An order as a door shows it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub total: Money,
    pub due: Money,
    pub kept: Money,
    pub entries: Vec<SeenEntry>,
    pub payments: Vec<SeenMoney>,
    pub refunds: Vec<SeenMoney>,
}

/// What a cancellation gives back.
pub(super) struct Back {
    pub refund: Money,
    pub kept: Money,
}

/// One of the two doors.
#[async_trait]
pub(super) trait Door: Send + Sync {
    fn name(&self) -> &'static str;

    /// The price of entries: now and with declared facts, or with the key of the role rules at any instant.
    async fn quote(
        &self,
        tournament: &str,
        at: Option<UtcTime>,
        entries: &[Asked],
    ) -> Answer<Quoted>;
    async fn register(
        &self,
        tournament: &str,
        payer: Payer,
        entries: &[Asked],
        slip: Option<Told>,
    ) -> Answer<Ticket>;
    async fn order(&self, ticket: &Ticket) -> Answer<Seen>;
    /// Opens a payment; the address of the gateway's page.
    async fn pay(&self, ticket: &Ticket) -> Answer<String>;
    async fn preview(&self, ticket: &Ticket) -> Answer<Back>;
    async fn cancel(&self, ticket: &Ticket) -> Answer<Back>;
    async fn ask_byes(&self, ticket: &Ticket, entry: &str, byes: &[(u32, ByePoints)])
    -> Answer<()>;

    // The back office.
    async fn open(&self, tournament: &str, capacity: i64) -> Answer<()>;
    async fn issue_code(&self, tournament: &str, label: &str, uses: i32) -> Answer<String>;
    async fn approve(&self, entry: &str) -> Answer<()>;
    async fn reject(&self, entry: &str, reason: &str) -> Answer<()>;
    async fn cancel_by_organiser(&self, order: &str, entry: &str, reason: &str) -> Answer<()>;
    async fn place(&self, entry: &str, section: &str) -> Answer<()>;
    async fn uphold(&self, entry: &str, fact: FactName) -> Answer<()>;
    async fn grant_byes(&self, entry: &str) -> Answer<()>;
    async fn confirm_slip(&self, payment: &str, received: Money) -> Answer<()>;
    async fn refund(
        &self,
        order: &str,
        amount: Money,
        method: RefundMethod,
        reason: &str,
    ) -> Answer<()>;
    async fn refund_sent(&self, refund: &str, reference: &str) -> Answer<()>;
}

/// A key that no request had before.
fn fresh_key() -> String {
    format!("tour-{:016x}", rand::random::<u64>())
}
