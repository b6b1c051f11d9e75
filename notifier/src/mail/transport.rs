//! Where mail goes: a mail server, or a folder in rehearsals.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::{OrganiserId, UtcTime};
use lettre::message::Mailbox;
use lettre::transport::smtp::AsyncSmtpTransport;
use lettre::{AsyncTransport, Message, Tokio1Executor};

use super::letter;
use super::message::{Envelope, build, message_id};
use super::story::Story;
use crate::backoff::Class;
use crate::settings::{MailSettings, MailTransport};

/// Why a mail did not go, and whether it may go later.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {source}")]
pub struct MailError {
    /// What becomes of it.
    pub class: Class,
    what: &'static str,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl MailError {
    pub(crate) fn refused(
        what: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        MailError {
            class: Class::Refused,
            what,
            source: source.into(),
        }
    }
}

enum Route {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf),
}

/// Sends the mails of a desk.
pub struct Mailer {
    route: Route,
    from: Mailbox,
    senders: BTreeMap<OrganiserId, Mailbox>,
    timeout: Duration,
}

impl Mailer {
    /// Reads the settings; connects to nothing yet.
    ///
    /// # Errors
    /// [`MailError`] where the URL or a sender's address cannot be read.
    pub fn new(settings: &MailSettings) -> Result<Self, MailError> {
        let sender = |text: &str| {
            text.parse::<Mailbox>()
                .map_err(|error| MailError::refused("a sender's address is not an address", error))
        };
        let route = match &settings.transport {
            MailTransport::Folder(folder) => Route::Folder(folder.clone()),
            MailTransport::Smtp(url) => {
                let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
                    .map_err(|error| MailError::refused("the mail server's URL is wrong", error))?;
                Route::Smtp(builder.timeout(Some(settings.timeout)).build())
            }
        };
        let own = |(id, text): (&OrganiserId, &String)| Ok((*id, sender(text)?));
        Ok(Mailer {
            route,
            timeout: settings.timeout,
            from: sender(&settings.from)?,
            senders: settings
                .senders
                .iter()
                .map(own)
                .collect::<Result<_, MailError>>()?,
        })
    }

    /// Writes and sends one mail for an organiser, dated `date` by the wall clock.
    ///
    /// # Errors
    /// [`MailError`] with its class.
    pub(crate) async fn send(
        &self,
        story: &Story,
        organiser: OrganiserId,
        date: UtcTime,
    ) -> Result<(), MailError> {
        let from = self.senders.get(&organiser).unwrap_or(&self.from);
        let envelope = Envelope {
            from,
            to_name: story.payer.as_deref(),
            to_address: &story.email,
            message_id: message_id(&story.tournament, story.number, story.kind, from),
            date,
        };
        let message = build(&letter::write(story), &envelope)?;
        match &self.route {
            Route::Smtp(server) => {
                match tokio::time::timeout(self.timeout, server.send(message)).await {
                    Ok(Ok(_)) => Ok(()),
                    Ok(Err(error)) => Err(MailError {
                        class: class(&error),
                        what: "the mail server did not take it",
                        source: error.into(),
                    }),
                    Err(late) => Err(MailError {
                        class: Class::Unreachable,
                        what: "the mail server did not answer in time",
                        source: late.into(),
                    }),
                }
            }
            Route::Folder(folder) => {
                let kind = story.kind.as_str();
                let name = format!("{}.{:06}.{kind}.eml", story.tournament, story.number);
                keep(folder, &name, &message)
                    .await
                    .map_err(|error| MailError {
                        class: Class::Unreachable,
                        what: "the mail folder cannot be written",
                        source: error.into(),
                    })
            }
        }
    }
}

/// A 5xx answer refuses this mail; but one that asks for another password, or for encryption (RFC 4954, 6; RFC 3207),
/// is about us, and someone will mend it. A 4xx answer refuses it for now, except 421, which closes the service.
fn class(error: &lettre::transport::smtp::Error) -> Class {
    let code = error.status().map(|code| code.to_string());
    match code.as_deref() {
        Some("421" | "530" | "534" | "535" | "538") => Class::Unreachable,
        Some(code) if code.starts_with('5') => Class::Refused,
        Some(code) if code.starts_with('4') => Class::Deferred,
        _ => Class::Unreachable,
    }
}

/// Writes the file whole or not at all; a repeat takes the place of the first.
async fn keep(folder: &Path, name: &str, message: &Message) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let draft = folder.join(format!(".{name}"));
    tokio::fs::write(&draft, message.formatted()).await?;
    tokio::fs::rename(&draft, folder.join(name)).await
}
