//! All SQL of Enroc: the connection, the pool of readers, the write door, and one file of queries for each thing kept.
//!
//! The only door to a write transaction is [`Store::write`]; [`Store::read`] sees one instant. Query functions take a
//! [`Conn`] and answer with types of `domain`; none opens a transaction, none reads a clock.

pub mod accounts;
pub mod backup;
pub mod byes;
pub mod change;
pub mod claims;
pub mod codes;
pub mod counts;
pub mod deliveries;
pub mod dialect;
pub mod entries;
pub mod folder;
pub mod gateway_events;
pub mod guard;
pub mod idempotency;
pub mod journal;
pub mod keys;
pub mod ledger;
pub mod lines;
pub mod orders;
pub mod payments;
pub mod refunds;
pub mod secret_marks;
pub mod tournaments;
pub mod transfer;
pub mod versions;
pub mod waiting_list;

#[cfg(feature = "testing")]
pub mod testing;

#[cfg(feature = "controls")]
pub mod control;

mod batch;
mod clocks;
mod conn;
mod door;
mod errand;
mod error;
mod island;
mod known;
mod migrate;
mod pool;
mod rows;
mod schema;
mod writer;

pub use clocks::CLOCKS_APART;
pub use conn::{Conn, Db, Engine};
pub use door::Lane;
pub use error::StoreError;
pub use island::Island;
pub use known::Ask;
pub use migrate::migrate;
pub use pool::{Settings, Store};
