//! Whole SQLite files: a copy of one instant while others write, the check of such a copy, and a file taken for oneself.

use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};

use crate::conn::{Address, Role};
use crate::{Conn, Settings, StoreError, migrate};

#[derive(QueryableByName)]
struct Said {
    #[diesel(sql_type = sql_types::Text)]
    said: String,
}

const INTEGRITY: &str = "SELECT integrity_check AS said FROM pragma_integrity_check LIMIT 1";
const DANGLING: &str = "SELECT \"table\" AS said FROM pragma_foreign_key_check LIMIT 1";

/// Writes the database, as it stands at one instant, into an empty file. Writers go on meanwhile. The copy has the schema
/// that the database has, be it this program's or not, and needs no other file beside it.
///
/// # Errors
/// [`StoreError::Address`] where the database is not SQLite; [`StoreError::Broken`] where it is damaged or the disk is full.
pub fn snapshot(settings: &Settings, to: &Path) -> Result<(), StoreError> {
    let mut conn = open(settings, Role::Copier)?;
    let Some(to) = to.to_str() else {
        return Err(StoreError::Address("the path of a copy must be UTF-8"));
    };
    sql_query("VACUUM INTO ?")
        .bind::<sql_types::Text, _>(to)
        .execute(&mut conn)?;
    drop(conn);
    sound(&mut open(&at(to), Role::Reader)?)
}

/// Makes a copy ready to be served: looks whether it is sound, and brings its schema up to date. Nothing is left beside it.
///
/// # Errors
/// [`StoreError::Schema`] where a newer program made it; [`StoreError::Broken`] where it is damaged.
pub fn revive(file: &Path) -> Result<(), StoreError> {
    let Some(file) = file.to_str() else {
        return Err(StoreError::Address("the path of a copy must be UTF-8"));
    };
    sound(&mut open(&at(file), Role::Reader)?)?;
    migrate(&at(file))?;
    // Out of WAL mode all is in the one file.
    Ok(open(&at(file), Role::Sole)?.batch_execute("PRAGMA journal_mode = DELETE")?)
}

/// An SQLite file that nobody else can open while this lives, all of it in the one file: it may be renamed.
pub struct Taken(#[expect(dead_code, reason = "it holds the lock")] Conn);

/// Takes an SQLite file for oneself.
///
/// # Errors
/// [`StoreError::Busy`] where somebody has it open.
pub fn take(settings: &Settings) -> Result<Taken, StoreError> {
    let mut conn = open(settings, Role::Sole)?;
    conn.batch_execute(
        "PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; BEGIN EXCLUSIVE",
    )?;
    Ok(Taken(conn))
}

/// Opens a file that is there already.
pub(crate) fn open(settings: &Settings, role: Role) -> Result<Conn, StoreError> {
    let address = Address::parse(&settings.url)?;
    match &address {
        Address::Sqlite(path) if Path::new(path).exists() => Conn::open(&address, role),
        Address::Sqlite(_) => Err(StoreError::Address("there is no such file")),
        Address::Postgres(_) => Err(StoreError::Address("it must be an sqlite: one")),
    }
}

fn at(path: &str) -> Settings {
    Settings::new(format!("sqlite:{path}"))
}

fn sound(conn: &mut Conn) -> Result<(), StoreError> {
    let found = sql_query(INTEGRITY).get_result::<Said>(conn)?;
    if found.said != "ok" {
        return Err(StoreError::broken(found.said));
    }
    let dangling: Vec<Said> = sql_query(DANGLING).load(conn)?;
    match dangling.first() {
        None => Ok(()),
        Some(table) => Err(StoreError::broken(format!(
            "{} refers to rows that are not there",
            table.said
        ))),
    }
}
