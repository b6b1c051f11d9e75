//! The gRPC door as its callers meet it: a real server on a port of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod bad_input;
mod desk;
mod facts;
mod parity;
mod python;
mod seed_cases;
mod stand;
mod transport;
