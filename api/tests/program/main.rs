//! The program as it is run: the real binary, its exit codes, its end and its return after a crash.

#![expect(
    clippy::unwrap_used,
    reason = "a test's helper that fails must fail the test"
)]

mod backup;
mod commands;
mod copy;
mod crash;
mod new;
mod publishing;
mod questions;
mod regulations;
mod rehearsal;
mod secret;
mod served;
mod stop;
