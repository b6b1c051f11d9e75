//! The REST door over a real socket, on a real database.

mod bad_input;
mod cases;
mod house;
mod keys;
mod orders;
mod staff;
mod webhooks;
