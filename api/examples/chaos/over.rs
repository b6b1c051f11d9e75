//! Whether the storm is over.

use std::time::Duration;

use tokio::sync::watch;

/// Said once, heard by everybody.
#[derive(Clone)]
pub struct Over(watch::Sender<bool>);

impl Default for Over {
    fn default() -> Self {
        Over(watch::channel(false).0)
    }
}

impl Over {
    /// Says it.
    pub fn say(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was said.
    pub fn is(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for so long, or until it is said.
    pub async fn or(&self, wait: Duration) {
        let mut said = self.0.subscribe();
        drop(tokio::time::timeout(wait, said.wait_for(|over| *over)).await);
    }
}
