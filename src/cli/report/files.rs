//! The files of a report, and the list of them, by which a later report into
//! the same folder knows which files were an earlier one's.

use std::collections::BTreeMap;
use std::fs;
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

/// What a report is of, and its files.
#[derive(Serialize, Deserialize)]
struct List {
    /// The program that made it.
    program: Program,
    /// The runs it is of.
    runs: Vec<Source>,
    /// SHA-256 of every other file, by its path in the folder.
    files: BTreeMap<String, String>,
}

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

/// A report's folder, being written.
pub struct Files {
    folder: PathBuf,
    earlier: Option<List>,
    written: BTreeMap<String, String>,
}

impl Files {
    /// Opens or makes the folder, and reads the list of an earlier report in it.
    pub fn open(folder: &Path) -> Result<Files, Failure> {
        create_folder(folder)?;
        // A list that cannot be read lists nothing: no file is removed then.
        let earlier = fs::read(folder.join(LIST))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ok(Files {
            folder: folder.to_owned(),
            earlier,
            written: BTreeMap::new(),
        })
    }

    /// Writes a file, whole or not at all, unless another is there that is no
    /// report's.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let earlier = self.earlier.as_ref();
        let is_listed = earlier.is_some_and(|list| list.files.contains_key(name));
        if !is_listed && fs::read(&path).is_ok_and(|there| there != bytes) {
            return Err(Failure::Usage(format!(
                "{} is there and no report's by {LIST} beside it: remove it, or choose another folder",
                path.display()
            )));
        }
        if let Some(parent) = path.parent() {
            create_folder(parent)?;
        }
        write(&path, bytes)?;
        let checksum = hex::encode(Sha256::digest(bytes));
        self.written.insert(name.to_owned(), checksum);
        Ok(())
    }

    /// Removes what only the earlier report had, so that nothing of it is taken
    /// for this one's, and writes the list. Gives the paths of all files.
    pub fn finish(self, runs: &[Run]) -> Result<Vec<String>, Failure> {
        let earlier = self.earlier.into_iter().flat_map(|list| list.files);
        for (name, checksum) in earlier {
            let path = self.folder.join(&name);
            let is_inside = !Path::new(&name).is_absolute() && !name.contains("..");
            if !is_inside || self.written.contains_key(&name) {
                continue;
            }
            // One that was changed since then is somebody's work.
            let unchanged =
                fs::read(&path).is_ok_and(|bytes| hex::encode(Sha256::digest(&bytes)) == checksum);
            if unchanged {
                fs::remove_file(&path).map_err(|error| {
                    Failure::Failed(format!("cannot remove {}: {error}", path.display()))
                })?;
            }
        }
        let paths = self.written.keys();
        let paths = paths.map(|name| self.folder.join(name).display().to_string());
        let paths: Vec<String> = paths.collect();
        let list = List {
            program: Program::current(),
            runs: runs.iter().map(source).collect(),
            files: self.written,
        };
        let mut bytes = serde_json::to_vec_pretty(&list).expect("the list is plain data");
        bytes.push(b'\n');
        write(&self.folder.join(LIST), &bytes)?;
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
