//! The mail folder of the rehearsal.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Mails that lie in a folder.
#[derive(Clone)]
pub(super) struct Mails(PathBuf);

impl Mails {
    pub(super) fn of(folder: &Path) -> Mails {
        Mails(folder.to_owned())
    }

    /// How many mails of a kind (`confirmed`) went to an address.
    pub(super) fn count(&self, address: &str, kind: &str) -> usize {
        let Ok(entries) = std::fs::read_dir(&self.0) else {
            return 0;
        };
        let files = entries.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
        files.filter(|text| is(text, address, kind)).count()
    }

    /// Waits until a mail of a kind went to an address.
    pub(super) async fn reach(&self, address: &str, kind: &str) {
        while self.count(address, kind) == 0 {
            tokio::time::sleep(LOOK).await;
        }
    }
}

fn is(mail: &str, address: &str, kind: &str) -> bool {
    let head = mail.split("\r\n\r\n").next().unwrap_or_default();
    let has = |name: &str, what: &str| {
        head.lines()
            .any(|line| line.starts_with(name) && line.contains(what))
    };
    has("To:", address) && has("Message-ID:", &format!(".{kind}@"))
}
