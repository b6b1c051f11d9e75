//! The sandbox over real HTTP.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod async_stripe;
mod cards;
mod control;
mod desk;
mod faults;
mod fixtures;
mod idempotency;
mod lists;
mod page;
mod python;
mod refunds;
mod refusals;
mod sessions;
mod story;
mod webhooks;
