//! What `serve` needs besides: addresses, times, the gateway.

use std::net::SocketAddr;
use std::time::Duration;

use notifier::NotifierSettings;
use payments::StripeSettings;
use reqwest::Url;

use super::reader::Reader;
use super::served::Served;
use super::telling;

/// How the desk is served.
#[derive(Clone)]
pub struct ServiceSettings {
    /// Where the REST door listens.
    pub rest: SocketAddr,
    /// Where the gRPC door listens.
    pub grpc: SocketAddr,
    /// The address that payers see, without a slash at its end; the REST door's own where none is set.
    pub public_url: Option<String>,
    /// How long the doors still take requests after a stop signal, when the program says already that it is not ready.
    pub notice: Duration,
    /// How long requests under way may take after that.
    pub drain: Duration,
    /// Who is told, and how.
    pub notifier: NotifierSettings,
    /// The card gateway.
    pub stripe: Option<StripeSettings>,
    /// How long a payment is left to its webhooks before it is looked at.
    pub patience: Duration,
}

pub(super) fn read(reader: &mut Reader, served: &Served) -> Option<ServiceSettings> {
    let wanted = "an address with a port, like 127.0.0.1:8080";
    let (rest, grpc) = (
        reader.parsed("rest.address", wanted),
        reader.parsed("grpc.address", wanted),
    );
    if let (Some(rest), Some(grpc)) = (rest, grpc) {
        one_door_each(reader, rest, grpc);
    }
    let public_url = rest.and_then(|rest| public_url(reader, rest));
    let notice = Duration::from_secs(reader.number("notice_seconds", 0..=60).into());
    let drain = Duration::from_secs(reader.number("drain_seconds", 1..=600).into());
    let notifier = telling::read(reader, served);
    let stripe = stripe(reader, served);
    let patience = Duration::from_secs(reader.number("stripe.patience_seconds", 1..=86_400).into());
    Some(ServiceSettings {
        rest: rest?,
        grpc: grpc?,
        public_url,
        notice,
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
    if !Url::parse(&url).is_ok_and(|url| is_bare(&url)) {
        reader.fault(
            "public_url",
            "must be https:// (http:// for rehearsals), a host and perhaps a path, with no query, fragment or user",
        );
    }
    Some(url.trim_end_matches('/').to_owned())
}

/// Paths are put behind it, so there is nothing behind its own.
fn is_bare(url: &Url) -> bool {
    let user = !url.username().is_empty() || url.password().is_some();
    matches!(url.scheme(), "https" | "http")
        && url.has_host()
        && !user
        && url.query().is_none()
        && url.fragment().is_none()
}

fn stripe(reader: &mut Reader, served: &Served) -> Option<StripeSettings> {
    match reader.required("cards").as_str() {
        "off" => {
            if reader.optional("stripe.key").is_some() {
                reader.fault("cards", "is off, yet stripe.key is set");
            }
            if let Some(tournament) = served.takes_cards() {
                reader.fault("cards", format!("is off, yet {tournament} takes cards"));
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
