//! The gateway, the inbox and the second look, over real HTTP against the sandbox.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod closing;
mod disputes;
mod faults;
mod followed;
mod hall;
mod inbox;
mod opening;
mod reconcile;
mod refunds;
mod signed;
mod spent;
mod till;
mod walk;
mod webhook;
