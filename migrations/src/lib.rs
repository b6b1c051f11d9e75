//! The schema of Enroc, once for each engine, embedded in the program.
//!
//! `sqlite/` and `postgres/` hold the same numbered names. A migration on the main branch is frozen: the next change is
//! the next number, and it first adds what the new program needs, and takes away in a later one what the old program
//! needed (expand, then contract).

use diesel_migrations::{EmbeddedMigrations, embed_migrations};

pub use diesel_migrations::MigrationHarness;

/// The migrations for SQLite.
pub const SQLITE: EmbeddedMigrations = embed_migrations!("sqlite");

/// The migrations for PostgreSQL.
pub const POSTGRES: EmbeddedMigrations = embed_migrations!("postgres");

/// Changes whenever a migration does: names the template of the tests' databases.
pub const FINGERPRINT: &str = env!("MIGRATIONS");
