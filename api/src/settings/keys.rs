//! The table of settings: `docs/operations.md` shows the same one, held to it by a test.

/// One setting: `mail.from` in the file, `ENROC_MAIL_FROM` in the environment.
pub struct Key {
    /// Its name in the file; a dot stands for a table.
    pub name: &'static str,
    /// What it is where nobody sets it.
    pub default: Option<&'static str>,
    /// Several, as a TOML list or with commas.
    pub list: bool,
    /// Never printed.
    pub secret: bool,
    /// What it is for.
    pub what: &'static str,
}

impl Key {
    /// Its name in the environment.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("ENROC_{}", self.name.to_uppercase().replace('.', "_"))
    }
}

const fn key(name: &'static str, default: &'static str, what: &'static str) -> Key {
    let default = if default.is_empty() {
        None
    } else {
        Some(default)
    };
    Key {
        name,
        default,
        list: false,
        secret: false,
        what,
    }
}

const fn secret(name: &'static str, what: &'static str) -> Key {
    Key {
        secret: true,
        ..key(name, "", what)
    }
}

const fn list(name: &'static str, default: &'static str, what: &'static str) -> Key {
    Key {
        list: true,
        ..key(name, default, what)
    }
}

/// Every setting there is.
pub const KEYS: &[Key] = &[
    key(
        "data",
        "enroc-data",
        "the data folder: the SQLite file and the desk's secret",
    ),
    secret(
        "database.url",
        "`sqlite:PATH` or `postgres://…`; where not set, `enroc.db` in the data folder",
    ),
    key("database.readers", "8", "connections for reading, 1 to 200"),
    key(
        "database.queue",
        "256",
        "writes that may wait before the next is refused with 503",
    ),
    secret(
        "desk.secret",
        "64 hex digits behind every payer's link, equal on all nodes; where not set, the file `secret` in the data folder, made at the first start",
    ),
    key(
        "organiser.slug",
        "desk",
        "the organiser that regulation files belong to: small letters, digits, hyphens",
    ),
    key("organiser.name", "Enroc", "its name"),
    list(
        "regulations",
        "regulations",
        "regulation files, or folders of them (`*.toml`)",
    ),
    key(
        "rest.address",
        "127.0.0.1:8080",
        "where the REST door listens; port 0 takes a free one",
    ),
    key(
        "grpc.address",
        "127.0.0.1:8081",
        "where the gRPC door listens; port 0 takes a free one",
    ),
    key(
        "public_url",
        "",
        "the address that payers see, in the links of mails; where not set, the REST door's own, if that is this machine's",
    ),
    key(
        "notice_seconds",
        "2",
        "how long after a stop signal `/readyz` says 503 while the doors still take requests, 0 to 60",
    ),
    key(
        "drain_seconds",
        "10",
        "how long requests under way may take after that, 1 to 600",
    ),
    key(
        "log.format",
        "text",
        "`text` or `json`, one event a line on standard error",
    ),
    key(
        "log.filter",
        "info",
        "which events: `info`, `warn`, `registration=debug,info`",
    ),
    secret(
        "mail.smtp",
        "the mail server: `smtps://user:password@host:465`, `smtp://host:587?tls=required`, `smtp://host:25`",
    ),
    key(
        "mail.folder",
        "",
        "a folder that mails are written to instead, for rehearsals",
    ),
    key(
        "mail.from",
        "",
        "the sender: `Name <address>` or an address",
    ),
    key(
        "cards",
        "stripe",
        "`stripe`, or `off` where no tournament takes cards",
    ),
    key(
        "stripe.account",
        "main",
        "our name for the account: webhooks come to `/v1/gateways/stripe/{account}/events`",
    ),
    secret("stripe.key", "`sk_…` or `rk_…`"),
    Key {
        list: true,
        ..secret(
            "stripe.webhook_secrets",
            "`whsec_…`; two while one replaces the other",
        )
    },
    key(
        "stripe.address",
        "https://api.stripe.com/",
        "where Stripe is; a live key goes nowhere else",
    ),
    key(
        "stripe.patience_seconds",
        "60",
        "how long a payment is left to its webhooks before it is looked at, 1 to 86400",
    ),
    list(
        "pairing.targets",
        "",
        "who is told of the entrants: `tournament=http://host:port`",
    ),
    Key {
        list: true,
        ..secret(
            "pairing.keys",
            "what a target asks as its Bearer: `tournament=key`",
        )
    },
];

/// One setting by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}
