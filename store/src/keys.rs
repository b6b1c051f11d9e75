//! Machines' keys: an id, a hash of the secret, roles, and a time to live.

use diesel::prelude::*;
use domain::{KeyId, OrganiserId, UtcTime};

use crate::dialect::columns;
use crate::error::StoreError;
use crate::schema::keys;
use crate::{Conn, Db};

/// A key as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// Which one.
    pub id: KeyId,
    /// Of which organiser.
    pub organiser: OrganiserId,
    /// What it is for.
    pub label: String,
    /// Hash of the secret.
    pub secret_hash: String,
    /// Roles, separated by commas.
    pub roles: String,
    /// When it was made.
    pub created_at: UtcTime,
    /// When it ends.
    pub expires_at: Option<UtcTime>,
    /// When it was revoked.
    pub revoked_at: Option<UtcTime>,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = keys, check_for_backend(Db))]
struct Row {
    id: i64,
    organiser_id: i64,
    label: String,
    secret_hash: String,
    roles: String,
    created_at: i64,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
}

impl From<Row> for Key {
    fn from(row: Row) -> Key {
        Key {
            id: KeyId(row.id),
            organiser: OrganiserId(row.organiser_id),
            label: row.label,
            secret_hash: row.secret_hash,
            roles: row.roles,
            created_at: UtcTime::from_micros(row.created_at),
            expires_at: row.expires_at.map(UtcTime::from_micros),
            revoked_at: row.revoked_at.map(UtcTime::from_micros),
        }
    }
}

/// Writes a new key.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn insert(c: &mut Conn, key: &Key) -> Result<(), StoreError> {
    let row = Row {
        id: key.id.0,
        organiser_id: key.organiser.0,
        label: key.label.clone(),
        secret_hash: key.secret_hash.clone(),
        roles: key.roles.clone(),
        created_at: key.created_at.as_micros(),
        expires_at: key.expires_at.map(UtcTime::as_micros),
        revoked_at: key.revoked_at.map(UtcTime::as_micros),
    };
    diesel::insert_into(keys::table).values(row).execute(c)?;
    Ok(())
}

/// One key, if there is such.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find(c: &mut Conn, id: KeyId) -> Result<Option<Key>, StoreError> {
    Ok(keys::table
        .find(id.0)
        .select(columns::<Row>())
        .first::<Row>(c)
        .optional()?
        .map(Key::from))
}

/// All keys, oldest first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn all(c: &mut Conn) -> Result<Vec<Key>, StoreError> {
    let rows = keys::table
        .order(keys::id)
        .select(columns::<Row>())
        .load::<Row>(c)?;
    Ok(rows.into_iter().map(Key::from).collect())
}

/// Revokes a key; `false` where there is no such key or it is revoked already.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn revoke(c: &mut Conn, id: KeyId, at: UtcTime) -> Result<bool, StoreError> {
    let standing = keys::table.filter(keys::id.eq(id.0).and(keys::revoked_at.is_null()));
    Ok(diesel::update(standing)
        .set(keys::revoked_at.eq(at.as_micros()))
        .execute(c)?
        == 1)
}
