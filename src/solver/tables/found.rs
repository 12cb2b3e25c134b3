//! What tables a folder has. Imports headers, layers, identities, errors and what files
//! may be.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::Error;
use super::format::{ENDING, MOST_BEFORE_VALUES, Unreadable, header};
use super::identity::{table_label, table_rules};
use super::index::Layer;
use crate::game::Ruleset;
use crate::regular_file;

/// So many folders down is looked for files that nobody reads.
const DEEPEST: u32 = 3;

/// What rulesets a folder has tables of, in words.
pub(super) fn found_in(dir: &Path) -> String {
    if !dir.is_dir() {
        return match dir.symlink_metadata() {
            Ok(_) => "it is no folder",
            Err(_) => "there is no such folder",
        }
        .to_owned();
    }
    let folders = match ruleset_folders(dir) {
        Ok(folders) => folders,
        Err(error) => return format!("what it holds cannot be told ({error})"),
    };
    let labels: Vec<String> = folders
        .iter()
        .map(|(path, ruleset)| {
            let id = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{id} ({})", table_label(ruleset))
        })
        .collect();
    match labels.is_empty() {
        true => "it holds no tables at all".to_owned(),
        false => format!("it holds those of {}", labels.join(", ")),
    }
}

/// The folders of tables in a folder, or the folder itself, each with the rules of its
/// first table, or of the first that the folder is named by.
///
/// # Errors
/// A folder or file that cannot be read; a damaged header.
pub(super) fn ruleset_folders(dir: &Path) -> Result<Vec<(PathBuf, Ruleset)>, Error> {
    let mut folders = vec![dir.to_owned()];
    for entry in entries(dir)? {
        if entry.is_dir() {
            folders.push(entry);
        }
    }
    let mut found = Vec::new();
    for folder in folders {
        let mut rules = None;
        for file in entries(&folder)? {
            if layer_of(&file).is_none() {
                continue;
            }
            let ruleset = rules_of(&file)?;
            let id = table_rules(&ruleset).id();
            if folder.file_name().is_some_and(|name| *name == *id) {
                rules = Some(ruleset);
                break;
            }
            rules.get_or_insert(ruleset);
        }
        found.extend(rules.map(|ruleset| (folder, ruleset)));
    }
    Ok(found)
}

/// The rules that a table's header names.
fn rules_of(file: &Path) -> Result<Ruleset, Error> {
    let mut bytes = Vec::new();
    open_file(file)?
        .take(MOST_BEFORE_VALUES)
        .read_to_end(&mut bytes)
        .map_err(Error::io("read", file))?;
    let (header, _) = header(&bytes).map_err(|problem| unreadable(file, problem))?;
    Ok(header.rules)
}

/// Opens a table's file; what is there and is none is damaged.
pub(super) fn open_file(path: &Path) -> Result<File, Error> {
    let damaged = |error: io::Error| Error::Damaged {
        path: path.to_owned(),
        problem: error.to_string(),
    };
    regular_file::expect(path).map_err(damaged)?;
    File::open(path).map_err(Error::io("read", path))
}

/// The first file under a folder that has a table's name, or nearly, and is in none of
/// these folders, or is named as none of their layers.
pub(super) fn passed_over(
    dir: &Path,
    read: &[(PathBuf, Ruleset)],
) -> Result<Option<PathBuf>, Error> {
    let mut left = vec![(dir.to_owned(), DEEPEST)];
    while let Some((folder, deeper)) = left.pop() {
        let is_read = read.iter().any(|(path, _)| *path == folder);
        for path in entries(&folder)? {
            let linked = path.is_symlink() && !read.iter().any(|(folder, _)| *folder == path);
            if path.is_dir() && !linked {
                left.extend((deeper > 0).then_some((path, deeper - 1)));
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.to_lowercase();
            let rest = name.split_once(ENDING).map(|(_, rest)| rest);
            let is_named = !name.starts_with('.')
                && rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            if is_named && !(is_read && layer_of(&path).is_some()) {
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}

/// Refuses a folder that is named by the id of other rules than its tables
/// are of. Any other name is as good as another.
pub(super) fn check_name(folder: &Path, ruleset: &Ruleset) -> Result<(), Error> {
    let id = table_rules(ruleset).id();
    // `.` has no name of its own.
    let whole = match folder.file_name() {
        Some(_) => folder.to_owned(),
        None => fs::canonicalize(folder).map_err(Error::io("read", folder))?,
    };
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let hexadecimal = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let named = name.len() == id.len() && name.bytes().all(hexadecimal);
    if named && name != id {
        return Err(Error::Misnamed {
            path: folder.to_owned(),
            label: table_label(ruleset),
            id,
        });
    }
    Ok(())
}

/// The paths in a folder in order of their names.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
        paths.sort();
        Ok(paths)
    };
    read().map_err(Error::io("read", folder))
}

pub(super) fn layer_of(path: &Path) -> Option<Layer> {
    let name = path.file_name()?.to_str()?;
    let layer: Layer = name.strip_suffix(ENDING)?.parse().ok()?;
    (name == layer_file(layer)).then_some(layer)
}

pub(super) fn layer_file(layer: Layer) -> String {
    format!("{layer}{ENDING}")
}

pub(super) fn unreadable(path: &Path, problem: Unreadable) -> Error {
    let path = path.to_owned();
    match problem {
        Unreadable::Damaged(problem) => Error::Damaged { path, problem },
        Unreadable::OtherRules(found, wanted) => {
            let differ = |one: &str, other: &str| {
                let pairs = one.split(' ').zip(other.split(' '));
                let differ = pairs.filter(|(one, other)| one != other);
                differ.map(|(one, _)| one).collect::<Vec<_>>().join(" ")
            };
            Error::OtherRules {
                path,
                found: differ(&found, &wanted),
                wanted: differ(&wanted, &found),
            }
        }
    }
}
