//! Joins the shards of a run into the folder that one machine would have
//! made. Imports folders and manifests.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::chunk::{ChunkFile, read_whole};
use super::error::Error;
use super::folder::{Folder, GAMES};
use super::grid::{Chunk, Grid, Shard};
use super::manifest::{Manifest, Status};
use super::plan::Plan;
use super::runner::{Outcome, expect};

/// Copies the shards' chunk files, each checked, into one folder; one chunk
/// at a time is in memory. Chunks that are there already are not copied again.
///
/// # Errors
/// Shards of different experiments or program revisions, a missing, double or
/// unfinished one, a damaged file, a folder that holds something else: each by
/// name, before anything is copied where that can be known.
pub fn merge(shards: &[PathBuf], out: &Path) -> Result<Outcome, Error> {
    let mut manifests = Vec::new();
    for path in shards {
        manifests.push((path, Manifest::read(path)?));
    }
    let count = agree(&manifests)?;
    let Some((_, first)) = manifests.first() else {
        return Err(merge_error("none was named"));
    };
    let grid = Grid::new(first.experiment.clone());
    let folder = Folder::open(out, &grid, None)?;
    let chunks: Vec<Chunk> = grid.chunks(None).collect();
    let found = folder.scan(&grid, &chunks)?;

    let mut manifest = Manifest::new(&grid, None);
    manifest.status = Status::Complete;
    if manifests
        .iter()
        .all(|(_, shard)| shard.program == first.program)
    {
        manifest.program = first.program.clone();
    }
    // Of the chunks that may be, those that the run has: a shard may not say
    // by itself how many games a stop rule gives.
    let (mut plan, next) = Plan::new(&grid, None);
    let mut wanted = VecDeque::from(next.chunks);
    let mut number = 0;
    while let Some(chunk) = wanted.pop_front() {
        let scan = if let Some(scan) = found.get(&(chunk.cell, chunk.index)) {
            scan.clone()
        } else {
            let part = grid.part(number, &chunk);
            let (path, shard) = manifests
                .iter()
                .find(|(_, manifest)| manifest.shard.is_some_and(|shard| shard.has(part)))
                .ok_or_else(|| merge_error(&format!("part {part} of {count} shards is missing")))?;
            copy(&grid, &chunk, (path, shard), &folder)?
        };
        number += 1;
        wanted.extend(plan.add(&chunk, &scan.tally).chunks);
        manifest.list(chunk.cell, scan);
    }
    expect(&grid, &plan, &found, out)?;
    let games: u64 = manifests.iter().map(|(_, shard)| shard.games).sum();
    if games != manifest.games {
        return Err(merge_error(&format!(
            "they say that they have {games} games, the run has {}",
            manifest.games
        )));
    }
    Ok(Outcome { folder, manifest })
}

fn merge_error(problem: &str) -> Error {
    Error::Merge {
        problem: problem.to_owned(),
    }
}

/// Into how many shards the run was cut, if these are all of them, finished,
/// each once.
fn agree(manifests: &[(&PathBuf, Manifest)]) -> Result<u32, Error> {
    let mut owners: Vec<Option<&PathBuf>> = Vec::new();
    for (path, manifest) in manifests {
        let Some(Shard { index, count }) = manifest.shard else {
            return Err(merge_error(&format!(
                "{} is a whole run, no shard",
                path.display()
            )));
        };
        if manifest.status == Status::Incomplete {
            return Err(merge_error(&format!(
                "{} (shard {index}/{count}) is not finished; run it again to go on",
                path.display()
            )));
        }
        let (first_path, first) = &manifests[0];
        let same = Manifest {
            shard: first.shard,
            ..manifest.clone()
        };
        if let Some(difference) = first.difference(&same) {
            return Err(merge_error(&format!(
                "{} and {} are of different runs: {difference}",
                first_path.display(),
                path.display()
            )));
        }
        if owners.is_empty() {
            owners.resize(count as usize, None);
        } else if owners.len() != count as usize {
            return Err(merge_error(&format!(
                "{} is shard {index}/{count}, {} is one of {}",
                path.display(),
                first_path.display(),
                owners.len()
            )));
        }
        if let Some(other) = owners[index as usize - 1].replace(path) {
            return Err(merge_error(&format!(
                "{} and {} are both shard {index}/{count}",
                other.display(),
                path.display()
            )));
        }
    }
    let missing: Vec<String> = owners
        .iter()
        .enumerate()
        .filter(|(_, owner)| owner.is_none())
        .map(|(index, _)| format!("{}/{}", index + 1, owners.len()))
        .collect();
    if missing.is_empty() {
        return Ok(owners.len() as u32);
    }
    Err(merge_error(&format!(
        "missing: shard {}",
        missing.join(", ")
    )))
}

/// Copies one chunk file from its shard.
fn copy(
    grid: &Grid,
    chunk: &Chunk,
    (path, shard): (&Path, &Manifest),
    folder: &Folder,
) -> Result<super::folder::Scan, Error> {
    let cell = &grid.cells[chunk.cell];
    let prefix = format!("{GAMES}/{}/{:06}-", cell.id, chunk.index);
    let listed = shard
        .files
        .range(prefix.clone()..)
        .next()
        .filter(|(name, _)| name.starts_with(&prefix));
    let Some((name, expected)) = listed else {
        return Err(Error::damaged(
            path,
            format!("its manifest lists no file {prefix}….csv"),
        ));
    };
    let file = path.join(name);
    let (checksum, bytes) = read_whole(&file, &ChunkFile::of(chunk.index, expected))?;
    if checksum != *expected {
        return Err(Error::damaged(
            &file,
            format!("has checksum {checksum}, its manifest says {expected}"),
        ));
    }
    let tally = chunk.check(cell, &file, &bytes)?;
    folder.write_chunk(grid, chunk, &bytes, tally)
}
