//! What every command needs: the database, the secret, the organiser, the regulations, the log.

use std::path::{Path, PathBuf};

use super::reader::Reader;

/// Where the desk lives and whose it is.
#[derive(Clone)]
pub struct DeskSettings {
    /// The data folder.
    pub data: PathBuf,
    /// The database.
    pub database: store::Settings,
    /// The desk's secret, where it is no file in the data folder.
    pub secret: Option<[u8; 32]>,
    /// The organiser's short name.
    pub organiser_slug: String,
    /// The organiser's name.
    pub organiser_name: String,
    /// Regulation files and folders of them.
    pub regulations: Vec<PathBuf>,
    /// The log.
    pub log: LogSettings,
}

/// How events are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// What is logged, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogSettings {
    /// How.
    pub format: LogFormat,
    /// Which events.
    pub filter: String,
}

impl DeskSettings {
    /// Whether there is a database already, as far as that shows without making one.
    #[must_use]
    pub fn has_database(&self) -> bool {
        let file = self.database.url.strip_prefix("sqlite:");
        file.is_none_or(|file| Path::new(file).exists())
    }
}

pub(super) fn read(reader: &mut Reader) -> DeskSettings {
    let data = PathBuf::from(reader.required("data"));
    let url = reader
        .optional("database.url")
        .unwrap_or_else(|| format!("sqlite:{}", data.join("enroc.db").display()));
    if !["sqlite:", "postgres://", "postgresql://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
    {
        reader.fault(
            "database.url",
            "must begin with sqlite:, postgres:// or postgresql://",
        );
    }
    let readers = reader.number("database.readers", 1..=200);
    let queue = reader.number("database.queue", 1..=100_000);
    DeskSettings {
        database: store::Settings {
            readers,
            writer_queue: queue as usize,
            ..store::Settings::new(url)
        },
        secret: secret(reader),
        organiser_slug: slug(reader),
        organiser_name: reader.required("organiser.name"),
        regulations: reader
            .list("regulations")
            .into_iter()
            .map(PathBuf::from)
            .collect(),
        log: log(reader),
        data,
    }
}

fn secret(reader: &mut Reader) -> Option<[u8; 32]> {
    let text = reader.optional("desk.secret")?;
    let bytes = crate::secret::from_hex(text.trim());
    if bytes.is_none() {
        reader.fault("desk.secret", "is not 64 hex digits");
    }
    bytes
}

fn slug(reader: &mut Reader) -> String {
    let slug = reader.required("organiser.slug");
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if slug.len() > 64 || !slug.chars().all(plain) {
        reader.fault(
            "organiser.slug",
            "is at most 64 small letters, digits and hyphens",
        );
    }
    slug
}

fn log(reader: &mut Reader) -> LogSettings {
    let format = match reader.required("log.format").as_str() {
        "json" => LogFormat::Json,
        "text" => LogFormat::Text,
        other => {
            reader.fault("log.format", format!("`{other}` is neither text nor json"));
            LogFormat::Text
        }
    };
    let filter = reader.required("log.filter");
    if let Err(error) = tracing_subscriber::EnvFilter::try_new(&filter) {
        reader.fault("log.filter", error);
    }
    LogSettings { format, filter }
}
