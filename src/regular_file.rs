//! Files of folders that programs write: regular ones alone. To open a pipe waits for
//! whoever is at its other end. Imports nothing of ours.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a file to read it.
///
/// # Errors
/// What is no regular file; what the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    expect(path)?;
    File::open(path)
}

/// Refuses what is there and is no regular file.
///
/// # Errors
/// That, and how it is so.
pub fn expect(path: &Path) -> io::Result<()> {
    let problem = match fs::metadata(path) {
        Ok(found) if found.is_dir() => "expected a file, not a folder",
        Ok(found) if !found.is_file() => "expected a file, not a pipe or a device",
        // The system says better what it is not able to do.
        _ => return Ok(()),
    };
    Err(io::Error::other(problem))
}
