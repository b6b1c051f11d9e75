//! The pairing service: which messages a command makes, what they say, and the client that pushes them.

mod change;
mod push;
mod state;

pub use change::{Change, Message, messages};
pub use push::{PairingError, Pusher};

pub(crate) use state::read;
