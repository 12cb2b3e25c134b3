//! The lock of a folder that one process at a time works in. Imports what files may be.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::regular_file;

/// The file that is locked.
pub(crate) const LOCK: &str = ".lock";

/// What keeps other processes out of a folder, until it is dropped; the system lets
/// go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
    holds: bool,
}

/// Why a folder is not locked.
#[derive(Debug)]
pub(crate) enum NotLocked {
    /// Its file cannot be written.
    Unwritable(io::Error),
    /// Another process has it.
    Taken,
    /// The system refuses, though it has locks there.
    Refused(io::Error),
}

impl FolderLock {
    /// Keeps other processes that lock the folder by this file out of it, where its file
    /// system has locks.
    pub(crate) fn of(file: &Path) -> Result<FolderLock, NotLocked> {
        let lock = regular_file::expect(file).and_then(|()| File::create(file));
        let lock = lock.map_err(NotLocked::Unwritable)?;
        let holds = match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(NotLocked::Taken),
            Err(TryLockError::Error(error)) if has_no_locks(&error) => false,
            Err(TryLockError::Error(error)) => return Err(NotLocked::Refused(error)),
        };
        Ok(FolderLock { _file: lock, holds })
    }

    /// Whether it keeps anybody out: some file systems have no locks.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.holds
    }
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
