//! The lock of a result folder. Imports locks and errors.

use std::path::Path;

use super::error::Error;
pub use crate::folder_lock::FolderLock;
pub(super) use crate::folder_lock::LOCK;
use crate::folder_lock::NotLocked;

/// Keeps other processes that lock the folder out of it, where its file system has locks.
///
/// # Errors
/// If another process has it, or it cannot be written.
pub fn lock_folder(path: &Path) -> Result<FolderLock, Error> {
    let file = path.join(LOCK);
    FolderLock::of(&file).map_err(|problem| match problem {
        NotLocked::Unwritable(error) => Error::io("write", &file)(error),
        NotLocked::Taken => Error::Locked {
            path: path.to_owned(),
        },
        NotLocked::Refused(error) => Error::io("lock", &file)(error),
    })
}
