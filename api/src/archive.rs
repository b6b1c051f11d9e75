//! A backup in one file: a tar of the database, the desk's secret and their checksums, which `tar` and `sha256sum` read too.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use domain::UtcTime;
use sha2::{Digest, Sha256};
use tar::{Archive, Builder, EntryType, Header};
use tempfile::NamedTempFile;

use crate::failure::Failure;

const DATABASE: &str = "enroc.db";
const SECRET: &str = "secret";
/// Last, so that an archive that was cut off is seen to be.
const SUMS: &str = "SHA256SUMS";
/// More than the checksums of two files take.
const LONGEST_SUMS: u64 = 1_000;

/// Packs a database of so many bytes and the secret into a new file that only its owner may read. It appears under its
/// name when all of it is on the disk, and never in the place of another.
///
/// # Errors
/// Where the file is there already or cannot be written.
pub fn pack(
    to: &Path,
    (mut database, length): (impl Read, u64),
    secret: &[u8; 32],
    at: UtcTime,
) -> Result<(), Failure> {
    let fail = |error: io::Error| Failure::broken(format!("{}: {error}", to.display()));
    let packed = NamedTempFile::new_in(folder_of(to)).map_err(fail)?;
    let mut tar = Builder::new(BufWriter::new(packed));
    let mut add = |name: &str, length, content: &mut dyn Read| {
        let mut header = Header::new_gnu();
        header.set_size(length);
        header.set_mode(0o600);
        header.set_mtime((at.as_micros() / 1_000_000).unsigned_abs());
        let mut content = Hashing::new(content);
        tar.append_data(&mut header, name, &mut content)?;
        if content.read == length {
            Ok(content.sum(name))
        } else {
            Err(io::Error::other("its length changed"))
        }
    };
    let mut sums = add(SECRET, 32, &mut secret.as_slice()).map_err(fail)?;
    sums += &add(DATABASE, length, &mut database).map_err(fail)?;
    add(SUMS, sums.len() as u64, &mut sums.as_bytes()).map_err(fail)?;
    let file = tar
        .into_inner()
        .and_then(|buffer| Ok(buffer.into_inner()?))
        .map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    file.persist_noclobber(to).map_err(|e| fail(e.error))?;
    sync_folder(folder_of(to)).map_err(fail)
}

/// What was in an archive.
pub struct Unpacked {
    /// The database, on the disk, under a passing name.
    pub database: NamedTempFile,
    /// The desk's secret.
    pub secret: [u8; 32],
}

/// Unpacks an archive, read from a file of that name, beside where its database is to stand, and compares the checksums.
///
/// # Errors
/// Exit 1 where it is no backup of Enroc, was cut off, or is not what was packed; exit 2, and its folder named, where there
/// is no room for the database.
pub fn unpack(archive: impl Read, from: &Path, folder: &Path) -> Result<Unpacked, Failure> {
    let wrong = |what: &str| Failure::wrong(what).about(&from.display());
    let room = |error: io::Error| Failure::from(error).about(&folder.display());
    let mut database = NamedTempFile::new_in(folder).map_err(room)?;
    let (mut secret, mut told) = (Vec::new(), String::new());
    let mut sums = String::new();
    let damaged = |error: io::Error| wrong(&format!("it is damaged: {error}"));
    let mut tar = Archive::new(BufReader::new(archive));
    for member in tar.entries().map_err(damaged)? {
        let member = member.map_err(damaged)?;
        let name = member.path().map_err(damaged)?.display().to_string();
        if member.header().entry_type() != EntryType::Regular || !told.is_empty() {
            return Err(wrong(&format!("it is no backup: it holds {name}")));
        }
        let length = member.size();
        let mut content = Hashing::new(member);
        match (name.as_str(), length) {
            (DATABASE, _) => copy(&mut content, database.as_file_mut(), &damaged, &room)?,
            (SECRET, 32) => copy(&mut content, &mut secret, &damaged, &room)?,
            (SUMS, ..=LONGEST_SUMS) => {
                content.read_to_string(&mut told).map_err(damaged)?;
                break;
            }
            _ => return Err(wrong(&format!("it is no backup: it holds {name}"))),
        }
        sums += &content.sum(&name);
    }
    if told.is_empty() {
        return Err(wrong("it was cut off: its checksums are missing"));
    }
    let secret = <[u8; 32]>::try_from(secret);
    let (Ok(secret), true) = (secret, sums == told) else {
        return Err(wrong("it is damaged: its checksums do not come out"));
    };
    Ok(Unpacked { database, secret })
}

/// Copies, and tells a fault of the archive from one of the disk that it is unpacked to.
fn copy(
    from: &mut impl Read,
    to: &mut impl Write,
    damaged: &impl Fn(io::Error) -> Failure,
    room: &impl Fn(io::Error) -> Failure,
) -> Result<(), Failure> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = from.read(&mut buffer).map_err(damaged)?;
        if read == 0 {
            return Ok(());
        }
        to.write_all(&buffer[..read]).map_err(room)?;
    }
}

/// The folder that a path stands in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes names that were given in a folder outlive a power cut.
///
/// # Errors
/// Where the folder cannot be opened or the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A reader whose bytes are counted and hashed.
struct Hashing<R> {
    inner: R,
    hash: Sha256,
    read: u64,
}

impl<R> Hashing<R> {
    fn new(inner: R) -> Self {
        Hashing {
            inner,
            hash: Sha256::new(),
            read: 0,
        }
    }

    /// The line of `SHA256SUMS`.
    fn sum(self, name: &str) -> String {
        format!("{:x}  {name}\n", self.hash.finalize())
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.hash.update(&into[..read]);
        self.read += read as u64;
        Ok(read)
    }
}
