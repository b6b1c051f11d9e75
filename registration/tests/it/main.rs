//! The use cases over a real database of each kind and a real gateway over the real protocol.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod by_payment;
mod clause;
mod currencies;
mod discount;
mod facts;
mod faults;
mod first;
mod gate;
mod groups;
mod guards;
mod judged;
mod meanwhile;
mod money;
mod packages;
mod paid_line;
mod places;
mod preview;
mod publish;
mod repeat;
mod repriced;
mod seats;
mod strays;
mod teams;
mod terms;
mod thin;
mod world;
