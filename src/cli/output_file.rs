//! Whether a file that an option names can be written, asked before the work.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use brandub::experiment::temporary_name;

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
    let beside = temporary_name(file);
    let written = File::create_new(&beside).and_then(|_| fs::remove_file(&beside));
    written.map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))
}

/// Expects a name that is free, or that of a file which begins like those that are to be
/// written: whatever else is there, such as a search's table of days, would be gone.
pub fn replaceable(option: &str, file: &Path, beginnings: &[&[u8]]) -> Result<(), Failure> {
    writable(option, file)?;
    let mut there = Vec::new();
    let longest = beginnings.iter().map(|beginning| beginning.len()).max();
    let read = File::open(file).and_then(|found| {
        let first = longest.unwrap_or_default() as u64;
        found.take(first).read_to_end(&mut there)
    });
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::unreadable(file, &error)),
        Ok(0) => return Ok(()),
        Ok(_) => {}
    }
    if beginnings
        .iter()
        .any(|beginning| there.starts_with(beginning))
    {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{option} {}: is another kind of file, which would be replaced; expected a name that is free",
        file.display()
    )))
}

/// Expects another file than those that are read.
pub fn expect_other<'a>(
    option: &str,
    file: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    match inputs.into_iter().find(|input| is_same_file(file, input)) {
        None => Ok(()),
        Some(input) => Err(Failure::Usage(format!(
            "{option} {}: expected another file than {}, which is read",
            file.display(),
            input.display()
        ))),
    }
}

/// Whether two paths, of which [`writable`] says nothing bad, lead to one file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |file: &Path| {
        let whole = file.canonicalize();
        whole.or_else(|_| {
            let folder = file.parent().filter(|folder| *folder != Path::new(""));
            let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
            Ok::<_, io::Error>(folder.join(file.file_name().unwrap_or_default()))
        })
    };
    match (place(one), place(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
