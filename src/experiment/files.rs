//! Files that are there whole or not at all, and their checksums.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::error::Error;
use crate::regular_file;

/// The ending of files that are still being written.
const TEMPORARY: &str = "tmp";

/// Writes a file under a name of its own, syncs it and gives it its name: it is
/// there whole or not at all.
///
/// # Errors
/// A folder that is missing or cannot be written to, a full disk; the file that
/// was there before is left as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = folder_of(path);
    let temporary = temporary_name(path);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, path)
    };
    // Where locks do not work, another process may begin in the folder and take
    // the unfinished file for a dead one's.
    let written = match write() {
        Err(error) if error.kind() == ErrorKind::NotFound => write(),
        written => written,
    };
    if let Err(source) = written {
        // What is left of it is useless, and may be what fills the disk.
        let _ = fs::remove_file(&temporary);
        return Err(Error::Io {
            action: "write",
            path: path.to_owned(),
            source,
        });
    }
    sync_folder(folder)
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes a new name last through a power cut, where the system can: not every file system
/// syncs folders, and one that may be written to need not be readable.
pub(super) fn sync_folder(folder: &Path) -> Result<(), Error> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if !matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::PermissionDenied | ErrorKind::Unsupported
            ) =>
        {
            Err(Error::io("sync", folder)(error))
        }
        _ => Ok(()),
    }
}

/// A number of this process that those of other machines, which write to the
/// same folder, do not share.
static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));

/// The name of a file until it is whole: hidden, and unique to this process and file.
#[must_use]
pub fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.{TEMPORARY}", *PROCESS))
}

/// The name that a file of this temporary name would have had; `None` for any
/// other name.
pub(super) fn final_name(name: &str) -> Option<&str> {
    let name = name
        .strip_prefix('.')?
        .strip_suffix(TEMPORARY)?
        .strip_suffix('.')?;
    let (name, process) = name.rsplit_once('.')?;
    process.parse::<u64>().ok().map(|_| name)
}

/// What is there of writing this file, by processes that were killed or are not yet
/// done.
#[must_use]
pub fn unfinished(path: &Path) -> Vec<PathBuf> {
    let (Some(name), Ok(entries)) = (path.file_name(), fs::read_dir(folder_of(path))) else {
        return Vec::new();
    };
    let begun = entries.filter_map(Result::ok).filter(|entry| {
        let entry = entry.file_name();
        entry.to_str().and_then(final_name).map(OsStr::new) == Some(name)
    });
    begun.map(|entry| entry.path()).collect()
}

/// Makes a folder and those that it is in, where they are missing.
///
/// # Errors
/// What the system says; a symbolic link to where nothing is.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    let there = path.ancestors().find(|above| above.exists());
    if let Some(there) = there
        && !there.is_dir()
    {
        return Err(Error::no_result(
            there,
            "is a file, where a folder is expected",
        ));
    }
    let made = fs::create_dir_all(path).map_err(|error| match fs::read_link(path) {
        Ok(target) if !path.exists() => io::Error::other(format!(
            "it is a link to {}, which is not there",
            target.display()
        )),
        _ => error,
    });
    made.map_err(Error::io("create", path))
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    regular_file::expect(path)
        .and_then(|()| fs::read(path))
        .map_err(Error::io("read", path))
}

/// The BLAKE3 of bytes, in 64 hexadecimal digits, as `b3sum` prints it.
pub(super) fn checksum(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_string()
}

/// The BLAKE3 of a file, read piece by piece.
pub(super) fn checksum_of(path: &Path) -> Result<String, Error> {
    let file = regular_file::open(path).map_err(Error::io("read", path))?;
    let mut hasher = blake3::Hasher::new();
    hasher
        .update_reader(file)
        .map_err(Error::io("read", path))?;
    Ok(hasher.finalize().to_string())
}
