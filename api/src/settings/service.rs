//! What `serve` needs besides: addresses, mail, the gateway, pairing services.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use domain::TournamentId;
use notifier::{MailTransport, NotifierSettings, PairingTarget};
use payments::StripeSettings;

use super::reader::Reader;

/// How the desk is served.
#[derive(Clone)]
pub struct ServiceSettings {
    /// Where the REST door listens.
    pub rest: SocketAddr,
    /// Where the gRPC door listens.
    pub grpc: SocketAddr,
    /// The address that payers see, without a slash at its end; the REST door's own where none is set.
    pub public_url: Option<String>,
    /// How long requests under way may take after a stop signal.
    pub drain: Duration,
    /// Who is told, and how.
    pub notifier: NotifierSettings,
    /// The card gateway.
    pub stripe: Option<StripeSettings>,
    /// How long a payment is left to its webhooks before it is looked at.
    pub patience: Duration,
}

pub(super) fn read(reader: &mut Reader) -> Option<ServiceSettings> {
    let wanted = "an address with a port, like 127.0.0.1:8080";
    let (rest, grpc) = (
        reader.parsed("rest.address", wanted),
        reader.parsed("grpc.address", wanted),
    );
    if let (Some(rest), Some(grpc)) = (rest, grpc) {
        one_door_each(reader, rest, grpc);
    }
    let public_url = rest.and_then(|rest| public_url(reader, rest));
    let drain = Duration::from_secs(reader.number("drain_seconds", 1..=600).into());
    let notifier = notifier(reader);
    let stripe = stripe(reader);
    let patience = Duration::from_secs(reader.number("stripe.patience_seconds", 1..=86_400).into());
    Some(ServiceSettings {
        rest: rest?,
        grpc: grpc?,
        public_url,
        drain,
        notifier: notifier?,
        stripe,
        patience,
    })
}

fn one_door_each(reader: &mut Reader, rest: SocketAddr, grpc: SocketAddr) {
    if rest == grpc && rest.port() != 0 {
        reader.fault("grpc.address", "is the REST door's own");
    }
}

fn public_url(reader: &mut Reader, rest: SocketAddr) -> Option<String> {
    let Some(url) = reader.optional("public_url") else {
        if !rest.ip().is_loopback() {
            reader.fault(
                "public_url",
                "is missing: the links in mails need it where rest.address is not this machine's",
            );
        }
        return None;
    };
    if !url.starts_with("https://") && !url.starts_with("http://") {
        reader.fault(
            "public_url",
            "must begin with https:// (http:// for rehearsals)",
        );
    }
    Some(url.trim_end_matches('/').to_owned())
}

fn notifier(reader: &mut Reader) -> Option<NotifierSettings> {
    let from = reader.required("mail.from");
    let transport = match (reader.optional("mail.smtp"), reader.optional("mail.folder")) {
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
    };
    let pairing = pairing(reader);
    let mut settings = NotifierSettings::new(transport?, from);
    settings.pairing = pairing;
    Some(settings)
}

fn pairing(reader: &mut Reader) -> BTreeMap<TournamentId, PairingTarget> {
    let mut keys: BTreeMap<String, String> = reader
        .pairs("pairing.keys", "tournament=key")
        .into_iter()
        .collect();
    let mut targets = BTreeMap::new();
    for (name, address) in reader.pairs("pairing.targets", "tournament=http://host:port") {
        let key = keys.remove(&name);
        match name.parse::<TournamentId>() {
            Ok(tournament) if address.starts_with("http://") => {
                targets.insert(tournament, PairingTarget { address, key });
            }
            Ok(_) => reader.fault(
                "pairing.targets",
                format!("the address of {name} must begin with http://"),
            ),
            Err(_) => reader.fault("pairing.targets", format!("`{name}` is no tournament")),
        }
    }
    for name in keys.keys() {
        reader.fault("pairing.keys", format!("{name} has a key but no target"));
    }
    targets
}

fn stripe(reader: &mut Reader) -> Option<StripeSettings> {
    match reader.required("cards").as_str() {
        "off" => {
            if reader.optional("stripe.key").is_some() {
                reader.fault("cards", "is off, yet stripe.key is set");
            }
            return None;
        }
        "stripe" => {}
        other => {
            reader.fault("cards", format!("`{other}` is neither stripe nor off"));
            return None;
        }
    }
    let secrets = reader.list("stripe.webhook_secrets");
    let mut settings = StripeSettings::new(
        reader.required("stripe.account"),
        reader.optional("stripe.key").unwrap_or_default().into(),
        secrets.into_iter().map(Into::into).collect(),
    );
    settings.base_url = reader.required("stripe.address");
    for fault in settings.validate().err().unwrap_or_default() {
        let name = match fault.setting {
            "secret_key" => "stripe.key",
            "webhook_secrets" => "stripe.webhook_secrets",
            "base_url" => "stripe.address",
            _ => "stripe.account",
        };
        reader.fault(name, fault.text);
    }
    Some(settings)
}
