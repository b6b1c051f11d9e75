//! A letter as a message (RFC 5322): headers, and both halves as multipart/alternative.

use domain::{TournamentId, UtcTime};
use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};

use super::letter::{Letter, one_line};
use super::{MailError, MailKind, page};

/// What stands on the envelope and in the headers.
pub(crate) struct Envelope<'a> {
    pub from: &'a Mailbox,
    pub to_name: Option<&'a str>,
    pub to_address: &'a str,
    pub message_id: String,
    /// The `Date` header.
    pub date: UtcTime,
}

/// The Message-ID of a cause: the same for every repeat of the same mail.
pub(crate) fn message_id(
    tournament: &TournamentId,
    number: i64,
    kind: MailKind,
    from: &Mailbox,
) -> String {
    format!(
        "<{tournament}.{number}.{}@{}>",
        kind.as_str(),
        from.email.domain()
    )
}

/// Builds it.
///
/// # Errors
/// [`MailError`] of class refused where the address is none.
pub(crate) fn build(letter: &Letter, envelope: &Envelope<'_>) -> Result<Message, MailError> {
    let address = envelope
        .to_address
        .trim()
        .parse()
        .map_err(|error| MailError::refused("the payer's address is not an address", error))?;
    let name = envelope
        .to_name
        .map(one_line)
        .filter(|name| !name.is_empty());
    Message::builder()
        .message_id(Some(envelope.message_id.clone()))
        .date(envelope.date.timestamp().into())
        .from(envelope.from.clone())
        .to(Mailbox::new(name, address))
        .subject(one_line(&letter.subject))
        .raw_header(HeaderValue::new(
            HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".to_owned(),
        ))
        .raw_header(HeaderValue::new(
            HeaderName::new_from_ascii_str("Content-Language"),
            letter.language.code().to_owned(),
        ))
        .multipart(MultiPart::alternative_plain_html(
            page::text(letter),
            page::html(letter),
        ))
        .map_err(|error| MailError::refused("the mail cannot be written", error))
}
