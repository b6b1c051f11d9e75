//! The one stop signal that every part of the program hears.

use tokio::sync::watch;

/// Hears the stop signal.
#[derive(Clone)]
pub(crate) struct Stop(watch::Receiver<bool>);

/// Gives the stop signal, at the latest when it is dropped.
pub(crate) struct Stopper(watch::Sender<bool>);

pub(crate) fn pair() -> (Stopper, Stop) {
    let (sender, receiver) = watch::channel(false);
    (Stopper(sender), Stop(receiver))
}

impl Stopper {
    pub(crate) fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Stop {
    /// Resolves once the signal is given.
    pub(crate) async fn wait(mut self) {
        drop(self.0.wait_for(|stopped| *stopped).await);
    }

    pub(crate) fn stopped(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }
}

/// Resolves when the machine asks the program to end: SIGTERM or SIGINT.
///
/// # Errors
/// Where the machine does not let us listen.
pub async fn asked() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = terminate.recv() => Ok(()),
            interrupted = tokio::signal::ctrl_c() => interrupted,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
