//! The sandbox over real HTTP.

mod async_stripe;
mod cards;
mod control;
mod desk;
mod faults;
mod fixtures;
mod idempotency;
mod lists;
mod python;
mod refunds;
mod refusals;
mod sessions;
mod webhooks;
