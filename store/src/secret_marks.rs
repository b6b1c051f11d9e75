//! The mark of the desk's secret: by it a desk knows its own secret again.

use diesel::prelude::*;
use domain::UtcTime;

use crate::conn::{Address, Role};
use crate::error::StoreError;
use crate::schema::secret_marks;
use crate::{Conn, Settings};

/// There is one for a desk.
const ONLY: i64 = 1;

/// The desk's mark, if it has one yet.
///
/// # Errors
/// Those of the database.
pub fn find(c: &mut Conn) -> Result<Option<String>, StoreError> {
    let mark = secret_marks::table.find(ONLY).select(secret_marks::mark);
    Ok(mark.get_result(c).optional()?)
}

/// Gives the desk its mark.
///
/// # Errors
/// [`StoreError::Duplicate`] where it has one.
pub fn insert(c: &mut Conn, mark: &str, at: UtcTime) -> Result<(), StoreError> {
    let row = (
        secret_marks::id.eq(ONLY),
        secret_marks::mark.eq(mark),
        secret_marks::made_at.eq(at.as_micros()),
    );
    diesel::insert_into(secret_marks::table)
        .values(row)
        .execute(c)?;
    Ok(())
}

/// The mark in a database that nobody opens for it: one of an older program may have none, and is left as it is. Blocks.
///
/// # Errors
/// Where it cannot be opened.
pub fn at(settings: &Settings) -> Result<Option<String>, StoreError> {
    let mut conn = Conn::open(&Address::parse(&settings.url)?, Role::Reader)?;
    match find(&mut conn) {
        // It has no such table.
        Err(StoreError::Broken(_)) => Ok(None),
        found => found,
    }
}
