//! Certificates and checkpoints in their files: there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use brandub::solver::{Certificate, Seal};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::verify_proof;

/// A certificate that was written and checked.
#[derive(Serialize)]
pub struct Written {
    pub file: PathBuf,
    pub steps: usize,
    pub bytes: u64,
    /// The one at its end, of all bytes before.
    pub sha256: String,
    /// Of the whole file.
    #[serde(skip)]
    pub file_sha256: String,
}

/// Writes a certificate, reads it again, checks it, and only then gives it its
/// name.
pub fn publish(path: &Path, certificate: &Certificate) -> Result<Written, Failure> {
    let check = |file: &Path| {
        let (_, _, seal) = verify_proof::check_whole(file, path)?;
        Ok((certificate.steps.len(), seal))
    };
    publish_checked(path, |out| certificate.write(out).map(|_| ()), check)
}

/// Writes what `check`, given the name of a temporary file, then says to be good,
/// by how many steps and with which seal; only then it gets its name.
pub fn publish_checked(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    check: impl FnOnce(&Path) -> Result<(usize, Seal), Failure>,
) -> Result<Written, Failure> {
    let temporary = temporary_name(path);
    let checked = write_file(&temporary, write)
        .map_err(|error| unwritable(path, &error))
        .and_then(|()| check(&temporary));
    let checked = checked.and_then(|(steps, seal)| {
        let bytes = fs::read(&temporary).map_err(|error| unwritable(path, &error))?;
        fs::rename(&temporary, path).map_err(|error| unwritable(path, &error))?;
        Ok(Written {
            file: path.to_owned(),
            steps,
            bytes: bytes.len() as u64,
            sha256: hex::encode(seal),
            file_sha256: hex::encode(Sha256::digest(&bytes)),
        })
    });
    if checked.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    checked
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot write {}: {error}", path.display()))
}

fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// A file that is there whole or not at all.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let temporary = temporary_name(path);
    let written = write_file(&temporary, write).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        unwritable(path, &error)
    })
}

/// Writes a file and waits until it is on the disk.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    write(&mut out)?;
    out.into_inner().map_err(io::Error::from)?.sync_all()
}
