//! The gRPC door as its callers meet it: a real server on a port of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod bad_acts;
mod bad_entrants;
mod bad_orders;
mod bad_questions;
mod currencies;
mod facts;
mod left;
mod money_back;
mod parity;
mod payers;
mod python;
mod refund_race;
mod regulations;
mod seed_cases;
mod staff;
mod stand;
mod transport;
