//! What a stop rule says of a folder's games. Imports the plan and the manifest.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::chunk::{ChunkFile, Tally, read_whole};
use super::error::Error;
use super::folder::GAMES;
use super::grid::Grid;
use super::manifest::Manifest;
use super::plan::Plan;
use super::stopping::Decision;

/// What the stop rule says of one cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellDecision {
    /// The lower bound of its score at the last look, from 0 to 1.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// Why it has no more games; `None` while it may have.
    pub decision: Option<Decision>,
}

/// Computes the decisions of a run from the chunk files that its manifest
/// lists: one a cell, in the grid's order; none where the number of games is
/// fixed.
///
/// # Errors
/// If a file cannot be read, or is not whole.
pub fn decisions(folder: &Path, manifest: &Manifest) -> Result<Vec<CellDecision>, Error> {
    if manifest.experiment.stop.is_none() {
        return Ok(Vec::new());
    }
    let grid = Grid::new(manifest.experiment.clone());
    let there = tallies(folder, manifest, &grid)?;
    let (mut plan, next) = Plan::new(&grid, manifest.shard);
    plan.follow(next, &mut |chunk| {
        there.get(&(chunk.cell, chunk.index)).copied()
    });
    let said = (0..grid.cells.len()).map(|cell| {
        let plan = plan.cell(cell);
        let [low, high] = plan.bounds;
        CellDecision {
            low,
            high,
            decision: plan.decision,
        }
    });
    Ok(said.collect())
}

/// How the games of every chunk that is listed ended, by cell and number.
fn tallies(
    folder: &Path,
    manifest: &Manifest,
    grid: &Grid,
) -> Result<HashMap<(usize, u64), Tally>, Error> {
    let cells = grid.cells.iter().enumerate();
    let cells: HashMap<&str, usize> = cells.map(|(cell, at)| (at.id.as_str(), cell)).collect();
    let listed = manifest.files.par_iter().filter_map(|(name, _)| {
        let mut parts = name.split('/');
        (parts.next() == Some(GAMES)).then_some(())?;
        let cell = *cells.get(parts.next()?)?;
        Some((name, cell, ChunkFile::parse(parts.next()?)?))
    });
    listed
        .map(|(name, cell, file)| {
            let path = folder.join(name);
            let (_, bytes) = read_whole(&path, &file)?;
            let chunk = grid.chunk(cell, file.index);
            let tally = chunk.check(&grid.cells[cell], &path, &bytes)?;
            Ok(((cell, file.index), tally))
        })
        .collect()
}
