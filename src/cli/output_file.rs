//! Whether a file that an option names can be written, asked before the work.

use std::path::Path;

use super::failure::Failure;

/// Expects a file, or a name that is free, in a folder that is there. What is
/// written gets its name in the place of what had it, so that a device, a pipe or
/// a link would be gone.
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
    if let Ok(found) = file.symlink_metadata()
        && !found.is_file()
    {
        let what = if found.is_symlink() {
            "a symbolic link"
        } else {
            "a device or a pipe"
        };
        return Err(Failure::Usage(format!(
            "{option} {}: is {what}, which would be replaced; expected a file, or a name that is free",
            file.display()
        )));
    }
    Ok(())
}

/// Whether two paths, of which [`writable`] says nothing bad, lead to one file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |file: &Path| {
        let whole = file.canonicalize();
        whole.or_else(|_| {
            let folder = file.parent().filter(|folder| *folder != Path::new(""));
            let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
            Ok::<_, std::io::Error>(folder.join(file.file_name().unwrap_or_default()))
        })
    };
    match (place(one), place(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
