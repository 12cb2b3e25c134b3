/*!
Joins the shards of a run into the folder that one machine would have made.
Imports folders, manifests and the deal.

Shard after shard is read and copied. In memory are one shard's manifest, some
chunks, and the list of the files that the whole folder has.
*/

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::chunk::{ChunkFile, read_whole};
use super::config::Experiment;
use super::counts::Counted;
use super::deal::Deal;
use super::error::Error;
use super::folder::{Folder, GAMES, Scan};
use super::grid::{Chunk, Grid, Shard};
use super::manifest::{Manifest, Program, Status};
use super::plan::Plan;
use super::runner::Outcome;
use super::shards::Shards;

/// Chunks that are copied at once.
const BATCH: usize = 256;

/// Copies the shards' chunk files, each checked, into one folder, in the order
/// of the shards. Chunks that are there already are not copied again.
///
/// # Errors
/// Shards of different experiments or program revisions; missing ones, which
/// are those that are not there, not finished or played by a machine that failed
/// the self-check; a double one, a damaged file, a folder that holds something
/// else: each by name, before anything is copied where that can be known.
pub fn merge(shards: &[PathBuf], out: &Path) -> Result<Outcome, Error> {
    let parts = Parts::read(shards)?;
    let missing = parts.missing();
    if !missing.is_empty() {
        let lines = parts.unusable.into_iter().map(|(_, why)| why);
        let lines: Vec<String> = [String::new()].into_iter().chain(lines).collect();
        return Err(Error::Missing {
            missing,
            why: lines.join("\n  "),
        });
    }
    let grid = Grid::new(parts.first.experiment.clone());
    grid.check_size()?;
    let folder = Folder::open(out, &grid, None)?;
    let mut joined = Joined {
        grid: &grid,
        deal: Deal::new(&grid, parts.count()),
        there: folder.scan(&grid, None)?,
        manifest: Manifest::new(&grid, None),
        folder: &folder,
    };
    joined.manifest.status = Status::Complete;
    if let Some(program) = &parts.program {
        joined.manifest.program = program.clone();
    }
    let owners = (1..).zip(&parts.owners);
    for (index, path) in owners.filter_map(|(index, path)| Some((index, path.as_ref()?))) {
        let shard = Shard {
            index,
            count: parts.count(),
        };
        joined.add(path, shard)?;
    }
    if let Some(scan) = joined.there.values().next() {
        let problem = "is no chunk of this run: no shard has it";
        return Err(Error::damaged(&out.join(&scan.name), problem));
    }
    let mut manifest = joined.manifest;
    if folder.has_listed(&manifest.files) {
        // What was made of the same games.
        manifest.files.extend(folder.tables());
    }
    Ok(Outcome {
        folder,
        manifest,
        counted: Counted::default(),
    })
}

/// Which shards of the run are still to be played: those that are not among
/// these folders, not finished, or played where the self-check failed. Their
/// manifests say so; the games are not read.
///
/// # Errors
/// As [`merge`], but for missing shards and what is wrong with games.
pub fn missing_shards(shards: &[PathBuf]) -> Result<Shards, Error> {
    Ok(Parts::read(shards)?.missing())
}

/// Whether these are shards of this experiment, as this program would play it.
///
/// # Errors
/// The first that is not, and how it differs.
pub fn expect_shards_of(experiment: &Experiment, shards: &[PathBuf]) -> Result<(), Error> {
    let mut wanted = Manifest::new(&Grid::new(experiment.clone()), None);
    for path in shards {
        let (manifest, shard) = head(path)?;
        wanted.shard = Some(shard);
        if let Some(difference) = manifest.difference(&wanted) {
            return Err(Error::Different {
                path: path.clone(),
                difference,
            });
        }
    }
    Ok(())
}

fn merge_error(problem: String) -> Error {
    Error::Merge { problem }
}

/// The folders of one run's shards.
struct Parts {
    /// One's manifest, without its list of files.
    first: Manifest,
    /// Where each shard is that can be merged.
    owners: Vec<Option<PathBuf>>,
    /// Who played those.
    program: Option<Program>,
    /// Shards that are there and cannot, and why not.
    unusable: Vec<(u32, String)>,
}

impl Parts {
    fn read(folders: &[PathBuf]) -> Result<Parts, Error> {
        let mut folders = folders.iter();
        let Some(path) = folders.next() else {
            return Err(merge_error("none was named".to_owned()));
        };
        let (manifest, shard) = head(path)?;
        let mut parts = Parts {
            owners: vec![None; shard.count as usize],
            first: manifest.clone(),
            program: None,
            unusable: Vec::new(),
        };
        let first_path = path;
        parts.add(path, shard, &manifest)?;
        for path in folders {
            let (manifest, shard) = head(path)?;
            let same = Manifest {
                shard: parts.first.shard,
                ..manifest.clone()
            };
            if let Some(difference) = parts.first.difference(&same) {
                return Err(merge_error(format!(
                    "{} and {} are of different runs: {difference}",
                    first_path.display(),
                    path.display()
                )));
            }
            if shard.count != parts.count() {
                return Err(merge_error(format!(
                    "{} is shard {shard}, {} is one of {}",
                    path.display(),
                    first_path.display(),
                    parts.count()
                )));
            }
            parts.add(path, shard, &manifest)?;
        }
        Ok(parts)
    }

    fn add(&mut self, path: &Path, shard: Shard, manifest: &Manifest) -> Result<(), Error> {
        if let Some(why) = unusable(manifest) {
            let why = format!("{} (shard {shard}) {why}", path.display());
            self.unusable.push((shard.index, why));
            return Ok(());
        }
        let program = &manifest.program;
        self.program = Some(match &self.program {
            Some(others) => others.and(program),
            None => program.clone(),
        });
        let owner = &mut self.owners[shard.index as usize - 1];
        match owner.replace(path.to_owned()) {
            None => Ok(()),
            Some(other) => Err(merge_error(format!(
                "{} and {} are both shard {shard}",
                other.display(),
                path.display()
            ))),
        }
    }

    fn count(&self) -> u32 {
        self.owners.len() as u32
    }

    fn missing(&self) -> Shards {
        let owners = (1..).zip(&self.owners);
        let missing = owners.filter(|(_, owner)| owner.is_none());
        Shards::new(missing.map(|(index, _)| index).collect(), self.count())
    }
}

/// A shard's manifest without its list of files.
fn head(path: &Path) -> Result<(Manifest, Shard), Error> {
    let mut manifest = Manifest::read(path)?;
    manifest.files.clear();
    let shard = manifest.shard.ok_or_else(|| {
        let path = path.display();
        merge_error(format!("{path} is a whole run, no shard"))
    })?;
    Ok((manifest, shard))
}

/// Why a shard cannot be merged as it is.
fn unusable(manifest: &Manifest) -> Option<String> {
    match &manifest.selfcheck {
        Some(checked) if !checked.has_passed() => Some(format!(
            "failed the self-check on its machine, whose games are not those of others ({}): play it on another machine",
            checked.failed.join(", ")
        )),
        _ if manifest.status == Status::Incomplete => {
            Some("is not finished; run it again to go on".to_owned())
        }
        None => Some(
            "has no self-check: an older program played it; run it again, by this one".to_owned(),
        ),
        Some(_) => None,
    }
}

/// The whole folder while shards are added.
struct Joined<'a> {
    grid: &'a Grid,
    deal: Deal,
    folder: &'a Folder,
    /// Chunks that were there before and are of shards still to come.
    there: HashMap<(usize, u64), Scan>,
    manifest: Manifest,
}

impl Joined<'_> {
    /// Adds one shard's chunks.
    fn add(&mut self, path: &Path, shard: Shard) -> Result<(), Error> {
        let part = Manifest::read(path)?;
        let before = self.manifest.games;
        // Of the chunks that may be, those that the run has: a shard may not
        // say by itself how many games a stop rule gives.
        let (mut plan, mut wanted) = if self.grid.experiment.stop.is_some() {
            let (plan, next) = Plan::new(self.grid, Some(shard));
            (Some(plan), VecDeque::from(next.chunks))
        } else {
            (None, self.listed(path, &part, shard)?)
        };
        while !wanted.is_empty() {
            let some = wanted.len().min(BATCH);
            let batch: Vec<Chunk> = wanted.drain(..some).collect();
            let scans: Vec<Scan> = batch
                .par_iter()
                .map(|chunk| match self.there.get(&(chunk.cell, chunk.index)) {
                    Some(scan) => self.kept(scan, chunk, (path, &part)),
                    None => copy(self.grid, chunk, (path, &part), self.folder),
                })
                .collect::<Result<_, Error>>()?;
            for (chunk, scan) in batch.iter().zip(scans) {
                self.there.remove(&(chunk.cell, chunk.index));
                if let Some(plan) = &mut plan {
                    wanted.extend(plan.add(chunk, &scan.tally).chunks);
                }
                self.manifest.list(chunk.cell, scan);
            }
        }
        let games = self.manifest.games - before;
        if games != part.games {
            return Err(merge_error(format!(
                "{} (shard {shard}) says that it has {} games, its part of the run has {games}",
                path.display(),
                part.games
            )));
        }
        Ok(())
    }

    /// A chunk that was there before, if it is the shard's to the byte.
    fn kept(
        &self,
        scan: &Scan,
        chunk: &Chunk,
        (path, shard): (&Path, &Manifest),
    ) -> Result<Scan, Error> {
        let (name, expected) = listed_file(self.grid, chunk, (path, shard))?;
        if scan.checksum == *expected {
            return Ok(scan.clone());
        }
        Err(Error::damaged(
            &self.folder.path().join(&scan.name),
            format!(
                "has other games than {}; take it away to have the shard's",
                path.join(name).display()
            ),
        ))
    }

    /// The chunks that a shard's manifest lists, which must be the shard's.
    fn listed(&self, path: &Path, part: &Manifest, shard: Shard) -> Result<VecDeque<Chunk>, Error> {
        let cells = self.grid.cells.iter().enumerate();
        let cells: HashMap<&str, usize> = cells.map(|(cell, at)| (at.id.as_str(), cell)).collect();
        let mut chunks = Vec::new();
        for name in part.files.keys() {
            let Some((GAMES, file)) = name.split_once('/') else {
                continue;
            };
            let chunk = file.split_once('/').and_then(|(cell, file)| {
                let chunk = self
                    .grid
                    .chunk(*cells.get(cell)?, ChunkFile::parse(file)?.index);
                (chunk.games > 0 && self.deal.owner(&chunk) == shard).then_some(chunk)
            });
            chunks.push(chunk.ok_or_else(|| {
                Error::damaged(&path.join(name), format!("is no chunk of shard {shard}"))
            })?);
        }
        chunks.sort_unstable_by_key(|chunk| (chunk.cell, chunk.index));
        let double = |two: &&[Chunk]| two[0].cell == two[1].cell && two[0].index == two[1].index;
        if let Some(two) = chunks.windows(2).find(double) {
            let cell = &self.grid.cells[two[0].cell].id;
            return Err(Error::damaged(
                path,
                format!(
                    "its manifest lists chunk {} of cell {cell} twice",
                    two[0].index
                ),
            ));
        }
        let expected = self.deal.chunks(shard);
        if chunks.len() as u64 != expected {
            return Err(Error::damaged(
                path,
                format!(
                    "its manifest lists {} chunk files, shard {shard} has {expected}",
                    chunks.len()
                ),
            ));
        }
        Ok(VecDeque::from(chunks))
    }
}

/// A chunk's file and its checksum as its shard's manifest lists them.
fn listed_file<'m>(
    grid: &Grid,
    chunk: &Chunk,
    (path, shard): (&Path, &'m Manifest),
) -> Result<(&'m String, &'m String), Error> {
    let prefix = format!("{GAMES}/{}/{:06}-", grid.cells[chunk.cell].id, chunk.index);
    let listed = shard.files.range(prefix.clone()..).next();
    listed
        .filter(|(name, _)| name.starts_with(&prefix))
        .ok_or_else(|| Error::damaged(path, format!("its manifest lists no file {prefix}….csv")))
}

/// Copies one chunk file from its shard.
fn copy(
    grid: &Grid,
    chunk: &Chunk,
    (path, shard): (&Path, &Manifest),
    folder: &Folder,
) -> Result<Scan, Error> {
    let (name, expected) = listed_file(grid, chunk, (path, shard))?;
    let file = path.join(name);
    if file.try_exists().is_ok_and(|there| !there) {
        let again = shard.shard.map_or(String::new(), |shard| {
            format!(": run shard {shard} again, which plays its games anew")
        });
        let problem = format!("is not there, though its manifest lists it{again}");
        return Err(Error::damaged(&file, problem));
    }
    let (checksum, bytes) = read_whole(&file, &ChunkFile::of(chunk.index, expected))?;
    if checksum != *expected {
        return Err(Error::damaged(
            &file,
            format!("has checksum {checksum}, its manifest says {expected}"),
        ));
    }
    let cell = &grid.cells[chunk.cell];
    let tally = chunk.check_rows(&grid.experiment, cell, &file, &bytes)?;
    folder.write_chunk(grid, chunk, &bytes, tally)
}
