//! Certificates and checkpoints in their files: there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use brandub::experiment::{temporary_name, unfinished};
use brandub::solver::{Certificate, Seal};
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::output_file::replaceable;
use super::verify_proof;

/// What certificates begin with, of wins and of what is held, of whatever version.
const CERTIFICATES: [&[u8]; 2] = [b"brandub proof ", b"brandub holds "];

/// Expects that a certificate can be written there, in the place of one at most.
pub fn expect_place(option: &str, file: &Path) -> Result<(), Failure> {
    replaceable(option, file, &CERTIFICATES)
}

/// A certificate that was written and checked.
#[derive(Serialize)]
pub struct Written {
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
    pub steps: usize,
    pub bytes: u64,
    /// The one at its end, of all bytes before.
    pub sha256: String,
    /// Of the whole file.
    #[serde(skip)]
    pub file_sha256: String,
}

/// A path in JSON, which has no bytes that are no text.
pub fn as_text<S: Serializer>(path: &Path, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&path.display())
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
    remove_left(path);
    let checked = write_file(&temporary, write)
        .map_err(|error| unwritable(path, &error))
        .and_then(|held| Ok((held, check(&temporary)?)));
    let checked = checked.and_then(|(_held, (steps, seal))| {
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

/// Removes what killed processes have left of writing this file, which may be large:
/// what is still being written is locked.
fn remove_left(path: &Path) {
    if cfg!(unix) {
        for left in unfinished(path) {
            if File::open(&left).is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(&left);
            }
        }
    }
}

/// A file that is there whole or not at all.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let temporary = temporary_name(path);
    remove_left(path);
    let written = write_file(&temporary, write).and_then(|_held| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        unwritable(path, &error)
    })
}

/// Writes a file and waits until it is on the disk. As long as it is held, nobody
/// takes it for a dead process's.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<File> {
    let file = File::create(path)?;
    // Elsewhere what is locked can be read by its owner alone, and has to be checked.
    if cfg!(unix) {
        // Where there are no locks, nothing is removed, either.
        let _ = file.try_lock();
    }
    let mut out = BufWriter::with_capacity(1 << 20, file);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::Error::from)?;
    file.sync_all()?;
    Ok(file)
}
