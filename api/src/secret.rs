//! The desk's secret: a file of 32 random bytes in the data folder, or a setting equal on all nodes.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use domain::UtcTime;
use rand::Rng;
use registration::Secret;
use store::{Lane, Store, StoreError, secret_marks};

use crate::failure::Failure;
use crate::settings::DeskSettings;

/// The bytes of 64 hex digits.
#[must_use]
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

/// The secret of the settings, else of the data folder, where one is made at the first start.
///
/// # Errors
/// Where the file cannot be read or made, is of another length, or may be read by others.
pub fn of_desk(settings: &DeskSettings) -> Result<Secret, Failure> {
    let bytes = match existing(settings)? {
        Some(bytes) => bytes,
        None => {
            let bytes: [u8; 32] = rand::rng().random();
            keep(settings, &bytes)?;
            bytes
        }
    };
    Ok(Secret::new(bytes))
}

/// The secret of the settings or the data folder, made at the first start of a desk; the database knows it again by its mark.
///
/// # Errors
/// As [`of_desk`], and where it is missing or is not the one with which this database was first served.
pub async fn of_store(
    settings: &DeskSettings,
    store: &Store,
    at: UtcTime,
) -> Result<Secret, Failure> {
    let known = store.read(secret_marks::find).await?;
    if known.is_some() && existing(settings)?.is_none() {
        return Err(missing(settings));
    }
    let secret = of_desk(settings)?;
    let mark = secret.mark();
    let known = match known {
        Some(known) => known,
        None => {
            let (own, first) = (mark.clone(), Lane::Settle);
            let put = store.write(first, move |c| secret_marks::insert(c, &own, at));
            match put.await {
                // Another node that starts at this moment was the first.
                Ok(()) | Err(StoreError::Duplicate) => {}
                Err(error) => return Err(error.into()),
            }
            store.read(secret_marks::find).await?.unwrap_or_default()
        }
    };
    if known == mark {
        Ok(secret)
    } else {
        Err(not_this_desks(settings))
    }
}

/// The desk has a secret, and it is not here.
#[must_use]
pub fn missing(settings: &DeskSettings) -> Failure {
    let path = file(settings);
    Failure::broken(format!(
        "{}: the desk's secret is missing; put the file back, or set desk.secret as on the other nodes",
        path.display()
    ))
}

/// The secret is another desk's.
#[must_use]
pub fn not_this_desks(settings: &DeskSettings) -> Failure {
    let place = match settings.secret {
        Some(_) => "desk.secret".to_owned(),
        None => file(settings).display().to_string(),
    };
    Failure::broken(format!(
        "{place}: is not the secret with which this database was first served: links, codes and keys of its orders would be void"
    ))
}

/// The bytes of the secret that the desk has: of the settings, else of the data folder.
///
/// # Errors
/// Where the file cannot be read, is of another length, or may be read by others.
pub fn existing(settings: &DeskSettings) -> Result<Option<[u8; 32]>, Failure> {
    if settings.secret.is_some() {
        return Ok(settings.secret);
    }
    let path = file(settings);
    let fail = |error: io::Error| Failure::broken(format!("{}: {error}", path.display()));
    match std::fs::read(&path) {
        Ok(bytes) => {
            refuse_open_to_others(&path).map_err(fail)?;
            let bytes: [u8; 32] = bytes
                .try_into()
                .map_err(|_| Failure::broken(format!("{}: must hold 32 bytes", path.display())))?;
            Ok(Some(bytes))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error)),
    }
}

/// Writes the secret into the data folder, which is made if need be, where none is yet.
///
/// # Errors
/// Where there is one or it cannot be written.
pub fn keep(settings: &DeskSettings, bytes: &[u8; 32]) -> Result<(), Failure> {
    make_folder(&settings.data)?;
    let path = file(settings);
    write_new(&path, bytes).map_err(|error| Failure::broken(format!("{}: {error}", path.display())))
}

/// Where the secret is, unless the settings hold it.
#[must_use]
pub fn file(settings: &DeskSettings) -> PathBuf {
    settings.data.join("secret")
}

/// Makes the data folder, for its owner alone.
///
/// # Errors
/// Where it cannot be made.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|error| Failure::broken(format!("{}: {error}", folder.display())))
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn refuse_open_to_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if std::fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
        return Err(io::Error::other("others may read it; chmod 600"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_open_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_sixty_four_digits() {
        assert_eq!(from_hex(&"0a".repeat(32)), Some([10; 32]));
        for wrong in ["", "0a", &"+a".repeat(32), &"é".repeat(32)] {
            assert_eq!(from_hex(wrong), None, "{wrong}");
        }
    }
}
