//! The files of a report, and the list of them, by which a later report into
//! the same folder knows which files were an earlier one's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use brandub::analysis::Run;
use brandub::experiment::{Program, Status, create_folder, unfinished, write_whole};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::failure::Failure;

/// What was begun so long ago is not being written any more.
const ABANDONED: Duration = Duration::from_mins(10);
/// The list's name.
pub const LIST: &str = "report.json";
/// The page's, which is there only beside the tables it is of.
pub const PAGE: &str = "report.html";

/// What a report is of, and its files.
#[derive(Serialize, Deserialize)]
struct List {
    /// The program that made it.
    program: Program,
    /// The runs it is of.
    runs: Vec<Source>,
    /// Whether all of its files are there.
    #[serde(default)]
    complete: bool,
    /// SHA-256 of every other file, by its path in the folder.
    files: BTreeMap<String, String>,
    /// While it is being written: those that earlier reports have left.
    #[serde(default, skip_serializing_if = "Earlier::is_empty")]
    earlier: Earlier,
}

/// What a file may hold if nobody has changed it since: by its path, SHA-256.
type Earlier = BTreeMap<String, BTreeSet<String>>;

/// A run that a report is of.
#[derive(Serialize, Deserialize)]
struct Source {
    experiment: String,
    seed: u64,
    games: u64,
    status: Status,
    /// The checksum in the run's manifest.
    manifest: String,
}

/// A report's folder, being written. The list on disk names a file before it is there, so
/// that whatever a killed report has left is known for a report's.
pub struct Files {
    folder: PathBuf,
    earlier: Earlier,
    list: List,
    /// Whether a file of this report has been written.
    begun: bool,
}

impl Files {
    /// Opens or makes the folder for a report of these runs, and reads the list of an earlier
    /// report in it.
    pub fn open(folder: &Path, runs: &[Run]) -> Result<Files, Failure> {
        create_folder(folder)?;
        let path = folder.join(LIST);
        let there: Option<List> = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::unreadable(&path, &error)),
            Ok(bytes) => Some(serde_json::from_slice(&bytes).map_err(|error| {
                Failure::Usage(format!(
                    "{} is there and no report's list of its files ({error}): remove it, or choose another folder",
                    path.display()
                ))
            })?),
        };
        let mut earlier = Earlier::new();
        if let Some(list) = there {
            earlier = list.earlier;
            for (name, checksum) in list.files {
                earlier.entry(name).or_default().insert(checksum);
            }
        }
        Ok(Files {
            folder: folder.to_owned(),
            list: List {
                program: Program::current(),
                runs: runs.iter().map(source).collect(),
                complete: false,
                files: BTreeMap::new(),
                earlier: earlier.clone(),
            },
            earlier,
            begun: false,
        })
    }

    fn write_list(&self) -> Result<(), Failure> {
        let mut bytes = serde_json::to_vec_pretty(&self.list).expect("the list is plain data");
        bytes.push(b'\n');
        write(&self.folder.join(LIST), &bytes)
    }

    /// Writes a file, whole or not at all, unless another is there that is no
    /// report's.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let earlier = self.earlier.get(name);
        if earlier.is_none() && fs::read(&path).is_ok_and(|there| there != bytes) {
            return Err(Failure::Usage(format!(
                "{} is there and no report's by {LIST} beside it: remove it, or choose another folder",
                path.display()
            )));
        }
        if let Some(parent) = path.parent() {
            create_folder(parent)?;
        }
        let checksum = hex::encode(Sha256::digest(bytes));
        let is_listed = earlier.is_some_and(|known| known.contains(&checksum));
        self.list.files.insert(name.to_owned(), checksum);
        let is_first = !std::mem::replace(&mut self.begun, true);
        if is_first || !is_listed {
            self.write_list()?;
        }
        if let (true, Some(known)) = (is_first, self.earlier.get(PAGE)) {
            // Should this report come to no end, nobody takes the old page for its.
            self.remove_unchanged(PAGE, known)?;
        }
        write(&path, bytes)
    }

    /// Removes an earlier report's file; one that was changed since then is somebody's
    /// work.
    fn remove_unchanged(&self, name: &str, known: &BTreeSet<String>) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let unchanged =
            fs::read(&path).is_ok_and(|bytes| known.contains(&hex::encode(Sha256::digest(&bytes))));
        if !unchanged {
            return Ok(());
        }
        fs::remove_file(&path)
            .map_err(|error| Failure::Failed(format!("cannot remove {}: {error}", path.display())))
    }

    /// Removes what only the earlier report had, so that nothing of it is taken
    /// for this one's, and writes the list. Gives the paths of all files.
    pub fn finish(mut self) -> Result<Vec<String>, Failure> {
        for (name, known) in &self.earlier {
            let is_inside = !Path::new(name).is_absolute() && !name.contains("..");
            if is_inside && !self.list.files.contains_key(name) {
                self.remove_unchanged(name, known)?;
            }
        }
        let paths = self.list.files.keys();
        let paths = paths.map(|name| self.folder.join(name).display().to_string());
        let paths: Vec<String> = paths.collect();
        self.list.complete = true;
        self.list.earlier.clear();
        self.write_list()?;
        Ok(paths)
    }
}

/// Writes a file whole, and takes away what killed reports have left of it.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, bytes)?;
    for left in unfinished(path) {
        let written = fs::metadata(&left).and_then(|left| left.modified());
        let age = written.ok().and_then(|written| written.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(left);
        }
    }
    Ok(())
}

fn source(run: &Run) -> Source {
    Source {
        experiment: run.experiment().name.clone(),
        seed: run.experiment().seed,
        games: run.manifest.games,
        status: run.manifest.status,
        manifest: run.manifest.checksum.clone(),
    }
}
