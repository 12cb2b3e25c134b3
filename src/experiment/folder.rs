//! A result folder on disk: its chunk files, its manifest. Imports the lock, the
//! grid, chunks, the manifest and the self-check.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::chunk::{ChunkFile, Tally, read_whole};
use super::deal::Deal;
use super::error::Error;
use super::files;
use super::grid::{Cell, Chunk, Grid, Shard};
use super::lock::{FolderLock, LOCK, lock_folder};
use super::manifest::{self, Manifest, Program, Status};
use super::selfcheck::{self, Checked};

/// The folder of the chunk files.
pub(super) const GAMES: &str = "games";
/// The files beside the games.
pub(super) const TABLES: [&str; 5] = [
    "winrates.csv",
    "rules.csv",
    "ratings.csv",
    "steps.csv",
    "sides.csv",
];

/// A result folder that this process alone works in.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Its manifest as it was.
    there: Option<Manifest>,
    lock: FolderLock,
}

/// A chunk file that was found: where, its checksum, and how its games ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scan {
    /// The path in the folder, with `/`.
    pub name: String,
    /// The BLAKE3 of its bytes.
    pub checksum: String,
    /// How its games ended.
    pub tally: Tally,
}

impl Folder {
    /// Opens a folder for a run, making it if it is not there.
    ///
    /// # Errors
    /// If it is in use, holds another run or something else, or cannot be
    /// written.
    pub fn open(path: &Path, grid: &Grid, shard: Option<Shard>) -> Result<Folder, Error> {
        if path.is_file() {
            let problem = "is a file, where a folder is expected; choose another with --out";
            return Err(Error::no_result(path, problem));
        }
        files::create_folder(path)?;
        let locked_before = path.join(LOCK).exists();
        let mut folder = Folder::lock(path)?;
        let new = Manifest::new(grid, shard);
        let file = path.join(manifest::FILE);
        if file.exists() {
            let there = Manifest::read(path)?;
            if let Some(difference) = there.difference(&new) {
                return Err(Error::Different {
                    path: path.to_owned(),
                    difference,
                });
            }
            folder.there = Some(there);
        } else {
            if let Err(error) = folder.expect_empty() {
                if !locked_before {
                    // Nothing of ours stays in other people's folders.
                    let _ = fs::remove_file(path.join(LOCK));
                }
                return Err(error);
            }
            files::write_whole(&file, &new.to_bytes())?;
        }
        let is_new = !path.join(GAMES).exists();
        for cell in &grid.cells {
            let games = folder.cell(&cell.id);
            files::create_folder(&games)?;
            remove_temporaries(&games)?;
        }
        remove_temporaries(path)?;
        if is_new {
            // The folders' names last through a power cut as their files do.
            files::sync_folder(&path.join(GAMES))?;
            files::sync_folder(path)?;
        }
        Ok(folder)
    }

    /// What the self-check says of the machine that is to play a shard: it is
    /// made unless the shard is finished and has passed it.
    ///
    /// # Errors
    /// If it fails, which the folder's manifest then says; if that cannot be
    /// written.
    pub(super) fn selfcheck(&self, grid: &Grid, shard: Option<Shard>) -> Result<Checked, Error> {
        if let Some(there) = &self.there
            && there.status == Status::Complete
            && let Some(checked) = &there.selfcheck
            && checked.holds()
        {
            return Ok(checked.clone());
        }
        let checked = selfcheck::quick();
        if checked.has_passed() {
            return Ok(checked);
        }
        let there = self.there.clone();
        let mut manifest = there.unwrap_or_else(|| Manifest::new(grid, shard));
        manifest.selfcheck = Some(checked.clone());
        self.write_manifest(&manifest)?;
        Err(Error::Selfcheck {
            path: self.path.clone(),
            failed: checked.failed,
        })
    }

    fn lock(path: &Path) -> Result<Folder, Error> {
        Ok(Folder {
            path: path.to_owned(),
            there: None,
            lock: lock_folder(path)?,
        })
    }

    /// The manifest is the first file of a run: a folder without one holds
    /// nothing of ours, and other people's files stay safe.
    fn expect_empty(&self) -> Result<(), Error> {
        for entry in entries(&self.path)? {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name != LOCK && !is_temporary(&name) {
                return Err(Error::no_result(
                    &self.path,
                    format!(
                        "is not empty and no result folder (it holds {name}, and no {}); choose another with --out",
                        manifest::FILE
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Whether other processes are kept out of it.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.lock.holds()
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The program of the manifest that was there when the folder was opened.
    #[must_use]
    pub fn program(&self) -> Option<&Program> {
        self.there.as_ref().map(|there| &there.program)
    }

    /// Writes into the manifest that is there who plays.
    ///
    /// # Errors
    /// If the system cannot write it.
    pub(super) fn name_player(&self, program: &Program) -> Result<(), Error> {
        match &self.there {
            Some(there) if there.program != *program => self.write_manifest(&Manifest {
                program: program.clone(),
                ..there.clone()
            }),
            _ => Ok(()),
        }
    }

    /// Whether these chunk files are those that the manifest listed when the
    /// folder was opened.
    pub(super) fn has_listed(&self, chunks: &BTreeMap<String, String>) -> bool {
        let Some(there) = &self.there else {
            return false;
        };
        let is_chunk = |(name, _): &(&String, &String)| !TABLES.contains(&name.as_str());
        there.files.iter().filter(is_chunk).eq(chunks)
    }

    /// The files beside the games that the manifest listed when the folder was
    /// opened and that are there, with their checksums.
    pub(super) fn tables(&self) -> impl Iterator<Item = (String, String)> {
        let listed = self.there.iter().flat_map(|there| &there.files);
        listed
            .filter(|(name, _)| TABLES.contains(&name.as_str()) && self.path.join(name).exists())
            .map(|(name, checksum)| (name.clone(), checksum.clone()))
    }

    /// Removes the files beside the games that a manifest, already written, does not list:
    /// they are of other games than those that are here now.
    ///
    /// # Errors
    /// If the system cannot remove one.
    pub fn remove_unlisted(&self, manifest: &Manifest) -> Result<(), Error> {
        for name in TABLES {
            if !manifest.files.contains_key(name) {
                remove(&self.path.join(name))?;
            }
        }
        Ok(())
    }

    fn cell(&self, id: &str) -> PathBuf {
        self.path.join(GAMES).join(id)
    }

    /// The chunk files that are there, each read and checked.
    ///
    /// # Errors
    /// A file that is damaged or does not belong there, by name.
    pub fn scan(
        &self,
        grid: &Grid,
        shard: Option<Shard>,
    ) -> Result<HashMap<(usize, u64), Scan>, Error> {
        use rayon::prelude::*;

        let deal = shard.map(|shard| (Deal::new(grid, shard.count), shard));
        let found = find_chunks(&self.path, grid)?;
        found
            .into_par_iter()
            .map(|(place, file)| {
                let (cell, index) = place;
                let id = &grid.cells[cell].id;
                let path = self.cell(id).join(file.name());
                let chunk = grid.chunk(cell, index);
                let deal = deal.as_ref();
                let here = deal.is_none_or(|(deal, shard)| deal.owner(&chunk) == *shard);
                if chunk.games == 0 || !here {
                    return Err(Error::damaged(
                        &path,
                        format!("does not belong to this run: cell {id} has no chunk {index} here"),
                    ));
                }
                let (checksum, bytes) = read_whole(&path, &file)?;
                let tally = chunk.check(&grid.cells[cell], &path, &bytes)?;
                let name = format!("{GAMES}/{id}/{}", file.name());
                Ok((
                    place,
                    Scan {
                        name,
                        checksum,
                        tally,
                    },
                ))
            })
            .collect()
    }

    /// Writes a chunk's file, whole or not at all.
    ///
    /// # Errors
    /// If the system cannot write it; nothing of it is left then.
    pub fn write_chunk(
        &self,
        grid: &Grid,
        chunk: &Chunk,
        bytes: &[u8],
        tally: Tally,
    ) -> Result<Scan, Error> {
        let checksum = files::checksum(bytes);
        let id = &grid.cells[chunk.cell].id;
        let file = ChunkFile::of(chunk.index, &checksum);
        files::write_whole(&self.cell(id).join(file.name()), bytes)?;
        Ok(Scan {
            name: format!("{GAMES}/{id}/{}", file.name()),
            checksum,
            tally,
        })
    }

    /// Writes a file beside the games and gives its checksum.
    ///
    /// # Errors
    /// If the system cannot write it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<String, Error> {
        files::write_whole(&self.path.join(name), bytes)?;
        Ok(files::checksum(bytes))
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// If the system cannot write it.
    pub fn write_manifest(&self, manifest: &Manifest) -> Result<(), Error> {
        files::write_whole(&self.path.join(manifest::FILE), &manifest.to_bytes())
    }
}

fn entries(path: &Path) -> Result<Vec<fs::DirEntry>, Error> {
    fs::read_dir(path)
        .and_then(Iterator::collect)
        .map_err(Error::io("read", path))
}

/// Removes what a killed process left half-written.
fn remove_temporaries(folder: &Path) -> Result<(), Error> {
    for entry in entries(folder)? {
        if is_temporary(&entry.file_name().to_string_lossy()) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file that is of no use, if it is still there: where locks do not work, another
/// process may have given it its own name meanwhile.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Whether a file of this name is one of ours on its way to its own name.
fn is_temporary(name: &str) -> bool {
    files::final_name(name).is_some_and(|name| {
        name == manifest::FILE || TABLES.contains(&name) || ChunkFile::parse(name).is_some()
    })
}

/// Chunk files by cell and number.
type ChunkFiles = BTreeMap<(usize, u64), ChunkFile>;

/// A game's row as it stands in a result folder, without the line break;
/// `None` if its chunk is not there.
///
/// # Errors
/// If its chunk cannot be read, or is not whole.
pub fn recorded_row(folder: &Path, cell: &Cell, game: u64) -> Result<Option<String>, Error> {
    let games = folder.join(GAMES).join(&cell.id);
    if !games.exists() {
        return Ok(None);
    }
    let index = game / cell.chunk_games;
    let mut files = entries(&games)?.into_iter().filter_map(|entry| {
        let file = ChunkFile::parse(&entry.file_name().to_string_lossy())?;
        (file.index == index).then_some(file)
    });
    let Some(file) = files.next() else {
        return Ok(None);
    };
    if let Some(other) = files.next() {
        return Err(double(&games.join(other.name()), &file));
    }
    let (_, bytes) = read_whole(&games.join(file.name()), &file)?;
    let line = 1 + (game % cell.chunk_games) as usize;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().nth(line).map(str::to_owned))
}

/// A second file of one chunk.
fn double(second: &Path, first: &ChunkFile) -> Error {
    let first = first.name();
    Error::damaged(
        second,
        format!("is there twice: {first} holds the same games"),
    )
}

/// The chunk files that are in a folder, whatever its manifest lists: for every
/// cell of the grid, in order of their games.
///
/// # Errors
/// A file that is no chunk file, a folder that is no cell's, two files of one
/// chunk.
pub fn present_chunks(folder: &Path, grid: &Grid) -> Result<Vec<Vec<PathBuf>>, Error> {
    let mut files = vec![Vec::new(); grid.cells.len()];
    for ((cell, _), file) in find_chunks(folder, grid)? {
        let games = folder.join(GAMES).join(&grid.cells[cell].id);
        files[cell].push(games.join(file.name()));
    }
    Ok(files)
}

/// Every chunk file of a folder by cell and number. Hidden names, such as those
/// of files that are being written, are passed over.
///
/// # Errors
/// A file that is no chunk file, a folder that is no cell's, two files of one
/// chunk.
pub(super) fn find_chunks(folder: &Path, grid: &Grid) -> Result<ChunkFiles, Error> {
    chunks_and_others(folder, grid, &mut Err)
}

/// The same, but whatever else is there is told of and left out, or ends it.
///
/// # Errors
/// A folder that cannot be read, and what `other` gives back.
pub(super) fn chunks_and_others(
    folder: &Path,
    grid: &Grid,
    other: &mut dyn FnMut(Error) -> Result<(), Error>,
) -> Result<ChunkFiles, Error> {
    let games = folder.join(GAMES);
    let mut found = BTreeMap::new();
    if !games.exists() {
        return Ok(found);
    }
    for entry in entries(&games)? {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let Some(cell) = grid.cells.iter().position(|cell| *cell.id == *name) else {
            other(Error::damaged(&entry.path(), "is no cell of this run"))?;
            continue;
        };
        for entry in entries(&entry.path())? {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            let Some(file) = ChunkFile::parse(&name) else {
                other(Error::damaged(&entry.path(), "is no chunk file's name"))?;
                continue;
            };
            let place = (cell, file.index);
            if let Some(first) = found.get(&place) {
                other(double(&entry.path(), first))?;
                continue;
            }
            found.insert(place, file);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_another_process_has_named_is_not_missed() {
        let folder = tempfile::tempdir().unwrap();
        remove(&folder.path().join("gone")).unwrap();
        assert!(remove(folder.path()).is_err());
    }
}
