//! A folder that is gone afterwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of this process's own, removed with all it holds.
pub struct Folder(PathBuf);

impl Folder {
    /// A name for one; whoever writes makes it.
    pub fn below(parent: &Path) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Folder(parent.join(format!("brandub-bench-{}-{number}", std::process::id())))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
