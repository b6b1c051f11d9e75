//! The REST door over a real socket, on a real database.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod bad_input;
mod cases;
mod currencies;
mod head;
mod house;
mod keys;
mod left;
mod money_back;
mod orders;
mod pages;
mod regulations;
mod slips;
mod staff;
mod webhooks;
