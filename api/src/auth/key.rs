//! Machines' keys: `enr_<id>_<secret>`, of which only a hash is stored.

use std::collections::BTreeSet;

use domain::{IdSource, KeyId, OrganiserId, Problem, Slug, UtcTime};
use hmac::digest::CtOutput;
use registration::Desk;
use sha2::{Digest, Sha256};
use store::Lane;
use store::keys::{self, Key};

use super::{Role, Staff};

/// How the text of every key begins.
pub(super) const KEY_PREFIX: &str = "enr_";
/// How ids of keys begin inside; a key's text leaves it out.
const ID_PREFIX: &str = "key_";

/// A key to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewKey {
    /// Of which organiser.
    pub organiser: OrganiserId,
    /// What it is for.
    pub label: String,
    /// What it may do.
    pub roles: BTreeSet<Role>,
    /// When it ends; none for never.
    pub expires_at: Option<UtcTime>,
}

/// Makes a key. Its text is answered once and not stored: the database has a hash of it.
///
/// # Errors
/// [`Problem`] when the database fails.
pub async fn make_key(desk: &Desk, new: NewKey) -> Result<(KeyId, String), Problem> {
    let wall = desk.clock().wall();
    let id = KeyId(IdSource::default().next(wall, rand::random()));
    let secret = hex(&rand::random::<[u8; 32]>());
    let roles: Vec<&str> = new.roles.iter().map(|role| role.as_str()).collect();
    let key = Key {
        id,
        organiser: new.organiser,
        label: new.label,
        secret_hash: hex(&Sha256::digest(&secret)),
        roles: roles.join(","),
        created_at: wall,
        expires_at: new.expires_at,
        revoked_at: None,
    };
    desk.store()
        .write(Lane::Settle, move |c| keys::insert(c, &key))
        .await?;
    let shown = id.to_string();
    let digits = shown.strip_prefix(ID_PREFIX).unwrap_or(&shown);
    Ok((id, format!("{KEY_PREFIX}{digits}_{secret}")))
}

/// The holder of a key's text.
pub(super) async fn staff(desk: &Desk, text: &str) -> Result<Staff, Problem> {
    let refuse = || Problem::new(Slug::Unauthenticated);
    let (id, secret) = text
        .strip_prefix(KEY_PREFIX)
        .and_then(|rest| rest.split_once('_'))
        .ok_or_else(refuse)?;
    let id: KeyId = format!("{ID_PREFIX}{id}").parse().map_err(|_| refuse())?;
    let key = desk.store().read(move |c| keys::find(c, id)).await?;
    let key = key.ok_or_else(refuse)?;
    let now = desk.clock().wall();
    let ended = key.revoked_at.is_some() || key.expires_at.is_some_and(|end| end <= now);
    if ended || !fits(secret, &key.secret_hash) {
        return Err(refuse());
    }
    Ok(Staff {
        key: id,
        organiser: key.organiser,
        roles: key
            .roles
            .split(',')
            .filter_map(|r| r.parse().ok())
            .collect(),
    })
}

/// Whether a secret has this hash, in constant time. One round of SHA-256 is enough for 256 random bits.
fn fits(secret: &str, stored: &str) -> bool {
    let Some(stored) = unhex(stored) else {
        return false;
    };
    CtOutput::<Sha256>::new(Sha256::digest(secret)) == CtOutput::<Sha256>::new(stored.into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_fits_its_secret_only() {
        let hash = hex(&Sha256::digest("abc"));
        assert!(fits("abc", &hash));
        assert!(!fits("abd", &hash));
        assert!(!fits("abc", ""));
    }
}
