//! A folder that is gone afterwards.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use super::super::failure::Failure;
use super::super::run::on_signal;

/// Those that there are.
static THERE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Tries to remove them, and the time between two: games are still being written there,
/// and folders made anew.
const TRIES: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(2);

/// A folder of this process's own, removed with all it holds.
pub struct Folder(PathBuf);

impl Folder {
    /// A name for one; whoever writes makes it.
    pub fn below(parent: &Path) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("brandub-bench-{}-{number}", std::process::id()));
        let mut there = THERE.lock().unwrap_or_else(PoisonError::into_inner);
        there.insert(path.clone());
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
        // Where an interrupt removes them, nobody gets beyond this: what failed because a
        // folder was gone is not told.
        let mut there = THERE.lock().unwrap_or_else(PoisonError::into_inner);
        there.remove(&self.0);
    }
}

/// Waits for the end of the program, if folders are being removed before it: for whoever
/// tells that they cannot be read before the folder is dropped.
pub fn wait_for_removal() {
    drop(THERE.lock());
}

/// Has an interrupt remove all folders that there are and end the program.
pub fn remove_on_signal() -> Result<(), Failure> {
    on_signal(130, || {
        // Held to the end, so that none comes after it.
        let there = THERE.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..TRIES {
            for folder in &*there {
                let _ = fs::remove_dir_all(folder);
            }
            sleep(BETWEEN);
        }
        std::mem::forget(there);
    })
}
