//! The gateway, the inbox and the second look, over real HTTP against the sandbox.

mod closing;
mod disputes;
mod faults;
mod hall;
mod inbox;
mod opening;
mod reconcile;
mod refunds;
mod signed;
mod till;
mod webhook;
