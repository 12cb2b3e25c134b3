//! The lock of a folder that one process at a time works in. Imports errors.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use super::error::Error;

/// The file that is locked.
pub(super) const LOCK: &str = ".lock";

/// What keeps other processes out of a folder, until it is dropped; the system lets
/// go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
    holds: bool,
}

impl FolderLock {
    /// Whether it keeps anybody out: some file systems have no locks.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.holds
    }
}

/// Keeps other processes that lock the folder out of it, where its file system has locks.
///
/// # Errors
/// If another process has it, or it cannot be written.
pub fn lock_folder(path: &Path) -> Result<FolderLock, Error> {
    let file = path.join(LOCK);
    let lock = File::create(&file).map_err(Error::io("write", &file))?;
    let holds = match lock.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => {
            return Err(Error::Locked {
                path: path.to_owned(),
            });
        }
        Err(TryLockError::Error(source)) if has_no_locks(&source) => false,
        Err(TryLockError::Error(source)) => {
            return Err(Error::Io {
                action: "lock",
                path: file,
                source,
            });
        }
    };
    Ok(FolderLock { _file: lock, holds })
}

/// Whether the file system says that it has no locks: as a parallel one may, or a remote
/// one without a service for them.
fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    if let Some(code) = error.raw_os_error() {
        use nix::errno::Errno;
        let none = [
            Errno::ENOLCK,
            Errno::ENOSYS,
            Errno::ENOTSUP,
            Errno::EOPNOTSUPP,
        ];
        return none.contains(&Errno::from_raw(code));
    }
    error.kind() == io::ErrorKind::Unsupported
}

#[cfg(all(test, unix))]
mod tests {
    use nix::errno::Errno;

    use super::*;

    #[test]
    fn a_file_system_without_locks_is_told_from_one_that_fails() {
        for (code, none) in [
            (Errno::ENOLCK, true),
            (Errno::ENOSYS, true),
            (Errno::EOPNOTSUPP, true),
            (Errno::EACCES, false),
            (Errno::EIO, false),
        ] {
            let error = io::Error::from_raw_os_error(code as i32);
            assert_eq!(has_no_locks(&error), none, "{error}");
        }
    }
}
