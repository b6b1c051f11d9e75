//! What commands print. Whoever reads it may go away before the end (`enroc … | head`): then the command ends quietly.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use tokio::sync::Notify;

use crate::failure::Failure;

/// Why standard output cannot be written any more.
static LOST: OnceLock<io::Error> = OnceLock::new();
static GONE: Notify = Notify::const_new();

/// Prints a line on standard output.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::say::line(format_args!($($text)*)) };
}

/// Prints a line on standard error: a word beside what was asked for.
#[macro_export]
macro_rules! aside {
    ($($text:tt)*) => { $crate::say::beside(format_args!($($text)*)) };
}

/// See [`say!`].
pub fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(io::stdout().lock(), "{text}") {
        lose(error);
    }
}

/// See [`aside!`]. Nobody is told where standard error cannot be written: there is nowhere to tell it.
pub fn beside(text: Arguments<'_>) {
    drop(writeln!(io::stderr().lock(), "{text}"));
}

/// A question on standard error, whose answer is typed behind it.
pub fn ask(question: Arguments<'_>) {
    drop(write!(io::stderr().lock(), "{question} "));
}

/// Notes that standard output cannot be written any more.
pub fn lose(error: io::Error) {
    // Only the first reason counts.
    drop(LOST.set(error));
    GONE.notify_waiters();
}

/// Resolves once nobody reads what is printed any more; for commands that would go on.
pub async fn unheard() {
    let gone = GONE.notified();
    if LOST.get().is_none() {
        gone.await;
    }
}

/// How a command ended, seeing whether what it printed was read: who has read enough ends it well.
///
/// # Errors
/// The command's own, or that standard output could not be written.
pub fn heard(ended: Result<(), Failure>) -> Result<(), Failure> {
    match LOST.get() {
        None => ended,
        Some(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Some(error) => Err(Failure::broken(format!("standard output: {error}"))),
    }
}
