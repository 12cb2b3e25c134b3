//! Text files that commands are given: rules, experiments, studies, weights, hashes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::failure::Failure;

/// A longer file is none of them.
const MAX: u64 = 16 << 20;

/// Reads a file whole, 16 MiB at most.
///
/// # Errors
/// One that cannot be read, is longer or not UTF-8.
pub fn text(path: &Path) -> Result<String, Failure> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| Failure::unreadable(path, &error))?;
    let name = path.display();
    if bytes.len() as u64 > MAX {
        return Err(Failure::Usage(format!(
            "{name}: expected a text file of at most {} MiB",
            MAX >> 20
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..=at].split(|&byte| byte == b'\n').count();
        Failure::Usage(format!("{name}:{line}: expected text in UTF-8"))
    })
}
