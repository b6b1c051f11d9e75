//! The notifier against a mail server that is not ours and a pairing service over the network, on both databases.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod mail;
mod pairing;
mod smtp;
mod world;
