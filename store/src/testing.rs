//! A fresh database for every test, on both engines (feature `testing`).
//!
//! ```ignore
//! store::both! {
//!     async fn a_reserved_seat_is_counted(store: Store) { … }
//! }
//! ```
//!
//! makes the tests `sqlite::a_reserved_seat_is_counted` and `postgres::a_reserved_seat_is_counted`. The argument may also
//! be [`Settings`], for a test that opens the store itself.

mod grow;
mod unique;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::{Connection, SimpleConnection};
use diesel::pg::PgConnection;
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};
use tempfile::TempDir;

pub use grow::grow;

use crate::{Settings, Store, migrate};

pub use unique::drop_unique;

/// Emits each test once for SQLite and once for PostgreSQL. Once in a module: it makes the modules `sqlite` and `postgres`.
#[macro_export]
macro_rules! both {
    ($($(#[$meta:meta])* async fn $name:ident($arg:ident: $ty:ty) $body:block)+) => {
        $($(#[$meta])* async fn $name($arg: $ty) $body)+

        mod sqlite {
            $(#[test] fn $name() {
                $crate::testing::on_sqlite(|database| super::$name(database.into()));
            })+
        }

        mod postgres {
            $(#[test] fn $name() {
                $crate::testing::on_postgres(|database| super::$name(database.into()));
            })+
        }
    };
}

/// A migrated database of its own, gone when this is dropped.
pub struct Database {
    settings: Settings,
    place: Place,
}

enum Place {
    Folder(TempDir),
    Server { admin: String, name: String },
}

impl Database {
    /// A copy of a migrated SQLite file, in a folder of its own.
    #[must_use]
    pub fn sqlite() -> Self {
        Database::of(sqlite_template())
    }

    fn of(bytes: &[u8]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("desk.db");
        std::fs::write(&file, bytes).expect("a copy");
        Database {
            settings: small(format!("sqlite:{}", file.display())),
            place: Place::Folder(folder),
        }
    }

    /// A copy of a migrated database on the server that `ENROC_TEST_POSTGRES` names (a superuser's URL).
    ///
    /// None, with a notice, where that is not set.
    ///
    /// # Panics
    /// Where it is not set and `CI` is true, and where the server fails.
    #[must_use]
    pub fn postgres() -> Option<Self> {
        let Ok(admin) = std::env::var("ENROC_TEST_POSTGRES") else {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "ENROC_TEST_POSTGRES must name a server where CI is true"
            );
            eprintln!(
                "ENROC_TEST_POSTGRES is not set: the PostgreSQL half of this test is not run"
            );
            return None;
        };
        let template = postgres_template(&admin);
        Some(Database::like(template, admin))
    }

    /// A database like another one on the server.
    fn like(template: &str, admin: String) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "enroc_test_{}_{}_{:08x}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed),
            rand::random::<u32>()
        );
        connect(&admin)
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}"))
            .expect("a database of its own");
        Database {
            settings: small(with_database(&admin, &name)),
            place: Place::Server { admin, name },
        }
    }

    /// Another one with the same content. Nobody may be connected to this one.
    ///
    /// # Panics
    /// Where somebody is, and where the server or the disk fails.
    #[must_use]
    pub fn copy(&self) -> Self {
        match &self.place {
            Place::Folder(folder) => {
                let file = folder.path().join("desk.db");
                Database::of(&std::fs::read(file).expect("the file"))
            }
            Place::Server { admin, name } => Database::like(name, admin.clone()),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings.clone()
    }

    /// Runs statements on PostgreSQL as its superuser, past every door: what only whoever runs the server can do to it.
    ///
    /// # Errors
    /// What the server says; also where the statements broke the connection, as they may be meant to.
    ///
    /// # Panics
    /// Where the server cannot be reached.
    pub fn as_superuser(&self, sql: &str) -> diesel::QueryResult<()> {
        connect(&self.settings.url).batch_execute(sql)
    }

    /// Opens it.
    ///
    /// # Panics
    /// If it does not open.
    #[must_use]
    pub fn store(&self) -> Store {
        Store::open(&self.settings).expect("the store opens")
    }
}

impl From<&Database> for Store {
    fn from(database: &Database) -> Store {
        database.store()
    }
}

impl From<&Database> for Settings {
    fn from(database: &Database) -> Settings {
        database.settings()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Place::Server { admin, name } = &self.place {
            let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
            if let Err(error) = connect(admin).batch_execute(&drop) {
                eprintln!("{name} stays behind: {error}");
            }
        }
    }
}

/// Runs a test on a fresh SQLite database, on a runtime of one thread, as an actix worker has.
pub fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(&Database) -> F) {
    run(&Database::sqlite(), test);
}

/// The same on PostgreSQL, where there is one.
pub fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(&Database) -> F) {
    if let Some(database) = Database::postgres() {
        run(&database, test);
    }
}

fn run<F: Future<Output = ()>>(database: &Database, test: impl FnOnce(&Database) -> F) {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test(database));
}

fn small(url: String) -> Settings {
    Settings {
        readers: 4,
        writer_queue: 64,
        ..Settings::new(url)
    }
}

/// The bytes of a migrated file. Migrating costs forty milliseconds, copying less than one.
fn sqlite_template() -> &'static [u8] {
    static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("template.db");
        migrate(&small(format!("sqlite:{}", file.display()))).expect("the migrations run");
        std::fs::read(&file).expect("the template")
    })
}

/// The name of a migrated database on the server, made by whichever test process comes first.
fn postgres_template(admin: &str) -> &'static str {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let name = format!("enroc_template_{}", migrations::FINGERPRINT);
        let mut conn = connect(admin);
        let mut run = |sql: &str| conn.batch_execute(sql).expect("a template database");
        run("SELECT pg_advisory_lock(435761868644)");
        if !exists(admin, &name) {
            let raw = format!("{name}_raw");
            run(&format!("DROP DATABASE IF EXISTS {raw} WITH (FORCE)"));
            run(&format!(
                "CREATE DATABASE {raw} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
            ));
            migrate(&small(with_database(admin, &raw))).expect("the migrations run");
            run(&format!("ALTER DATABASE {raw} RENAME TO {name}"));
        }
        name
    })
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = sql_types::BigInt)]
    n: i64,
}

fn exists(admin: &str, name: &str) -> bool {
    sql_query("SELECT COUNT(*) AS n FROM pg_database WHERE datname = $1")
        .bind::<sql_types::Text, _>(name)
        .get_result::<Found>(&mut connect(admin))
        .expect("the list of databases")
        .n
        > 0
}

#[expect(
    clippy::disallowed_methods,
    reason = "makes and drops databases, which no store can"
)]
fn connect(admin: &str) -> PgConnection {
    PgConnection::establish(admin).expect("the server that ENROC_TEST_POSTGRES names")
}

/// The same server, another database.
fn with_database(url: &str, name: &str) -> String {
    let (address, options) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgres", address));
    let server = rest.split_once('/').map_or(rest, |(server, _)| server);
    let mark = if options.is_empty() { "" } else { "?" };
    format!("{scheme}://{server}/{name}{mark}{options}")
}

#[cfg(test)]
mod tests {
    use super::with_database;

    #[test]
    fn the_database_of_a_url_is_replaced() {
        for (url, other) in [
            ("postgres://u:p@h:1/postgres", "postgres://u:p@h:1/t"),
            ("postgresql://h", "postgresql://h/t"),
            ("postgres:///postgres?host=/run", "postgres:///t?host=/run"),
        ] {
            assert_eq!(with_database(url, "t"), other);
        }
    }
}
