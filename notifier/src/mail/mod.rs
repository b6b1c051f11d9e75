//! Mail: which a command makes, what it tells, how it looks, and where it goes.

mod choice;
mod kind;
mod letter;
mod message;
mod occasion;
mod page;
mod story;
mod transport;
mod words;

#[cfg(test)]
mod tests;

pub use choice::mail;
pub use kind::MailKind;
pub use transport::{MailError, Mailer};

pub(crate) use story::{Story, read};
