//! Whether a file that an option names can be written, asked before the work.

use std::path::Path;

use super::failure::Failure;

/// Expects a file in a folder that is there.
pub fn writable(option: &str, file: &Path) -> Result<(), Failure> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() || file.is_dir() {
        return Err(Failure::Usage(format!(
            "{option} {}: expected a file in a folder that is there",
            file.display()
        )));
    }
    Ok(())
}
