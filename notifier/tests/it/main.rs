//! The notifier against a mail server that is not ours and a pairing service over the network, on both databases.

mod mail;
mod pairing;
mod smtp;
mod world;
