//! Who is told what happens: payers by mail, pairing services over gRPC.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use domain::TournamentId;
use notifier::mail::Mailer;
use notifier::pairing::Pusher;
use notifier::{MailTransport, NotifierSettings, PairingTarget};

use super::reader::Reader;
use super::served::Served;

/// A sender and an address that are right, beside which the other half of a pair is tried.
const SENDER: &str = "desk@example.org";
const NOBODY: &str = "http://127.0.0.1:1";

pub(super) fn read(reader: &mut Reader, served: &Served) -> Option<NotifierSettings> {
    let from = reader.required("mail.from");
    let folder = MailTransport::Folder(PathBuf::new());
    if let (false, Some(why)) = (from.is_empty(), refused(folder, &from)) {
        reader.fault("mail.from", why);
    }
    let transport = transport(reader);
    let pairing = pairing(reader, served);
    let mut settings = NotifierSettings::new(transport?, from);
    settings.pairing = pairing;
    Some(settings)
}

/// Why mail cannot be sent so.
fn refused(transport: MailTransport, from: &str) -> Option<String> {
    let settings = NotifierSettings::new(transport, from);
    let tried = Mailer::new(&settings.mail);
    tried.err().map(|error| error.to_string())
}

fn transport(reader: &mut Reader) -> Option<MailTransport> {
    let (url, folder) = (reader.optional("mail.smtp"), reader.optional("mail.folder"));
    if let Some(url) = &url {
        let transport = MailTransport::Smtp(url.clone());
        if let Some(why) = refused(transport, SENDER) {
            reader.fault("mail.smtp", why);
        }
    }
    match (url, folder) {
        (Some(_), Some(_)) => {
            reader.fault(
                "mail.folder",
                "is set beside mail.smtp: mail goes to one of them",
            );
            None
        }
        (Some(url), None) => Some(MailTransport::Smtp(url)),
        (None, Some(folder)) => Some(MailTransport::Folder(PathBuf::from(folder))),
        (None, None) => {
            reader.fault("mail.smtp", "is missing: players must hear of their entries (or set mail.folder, for rehearsals)");
            None
        }
    }
}

fn pairing(reader: &mut Reader, served: &Served) -> BTreeMap<TournamentId, PairingTarget> {
    let mut keys: BTreeMap<String, String> = reader
        .pairs("pairing.keys", "tournament=key")
        .into_iter()
        .collect();
    let mut targets = BTreeMap::new();
    for (name, address) in reader.pairs("pairing.targets", "tournament=http://host:port") {
        let key = keys.remove(&name);
        let Ok(tournament) = name.parse::<TournamentId>() else {
            reader.fault("pairing.targets", format!("`{name}` is no tournament"));
            continue;
        };
        if served.lacks(&tournament) {
            reader.fault(
                "pairing.targets",
                format!("there is no tournament `{name}` among the regulations"),
            );
        }
        if let Some(why) = unreachable(&address, None) {
            reader.fault("pairing.targets", format!("{name}: {why}"));
        }
        if let Some(why) = key.clone().and_then(|key| unreachable(NOBODY, Some(key))) {
            reader.fault("pairing.keys", format!("{name}: {why}"));
        }
        let target = PairingTarget { address, key };
        if targets.insert(tournament, target).is_some() {
            reader.fault("pairing.targets", format!("{name} is there twice"));
        }
    }
    for name in keys.keys() {
        reader.fault("pairing.keys", format!("{name} has a key but no target"));
    }
    targets
}

/// Why a pairing service cannot be told so.
fn unreachable(address: &str, key: Option<String>) -> Option<String> {
    if !address.starts_with("http://") {
        return Some("the address must begin with http://".to_owned());
    }
    let target = PairingTarget {
        address: address.to_owned(),
        key,
    };
    let tried = Pusher::new(&target, Duration::from_secs(1));
    tried.err().map(|error| error.to_string())
}
