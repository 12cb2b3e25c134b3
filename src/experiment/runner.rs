//! Plays an experiment's games on every core and keeps them. Imports the grid
//! and the folder.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::chunk::Tally;
use super::error::Error;
use super::folder::{Folder, Scan};
use super::grid::{Cell, Chunk, Grid, Shard};
use super::manifest::{Manifest, Status};
use crate::agents::Forfeit;
use crate::game::Side;

/// Most chunk files of a folder: each is a file, and some bytes of memory.
const MAX_CHUNKS: u64 = 5_000_000;

/// Sees a run go on. Called from many threads.
pub trait Observer: Sync {
    /// So many games are to be played, of which `kept` are there already.
    fn started(&self, games: u64, kept: u64);
    /// A chunk of a cell was played and is on disk.
    fn played(&self, tally: &Tally);
    /// Every game of this cell (in this shard) is there.
    fn settled(&self, cell: usize, tally: &Tally);
    /// This side's agent gave no legal move and lost the game.
    fn forfeited(&self, _cell: &Cell, _game: u64, _side: Side, _forfeit: &Forfeit) {}
}

/// Nobody looks.
impl Observer for () {
    fn started(&self, _: u64, _: u64) {}
    fn played(&self, _: &Tally) {}
    fn settled(&self, _: usize, _: &Tally) {}
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// Which part; `None` for all of it.
    pub shard: Option<Shard>,
    /// Once true, no further chunk is begun.
    pub stop: &'a AtomicBool,
}

/// A run that came to its end or was stopped.
#[derive(Debug)]
pub struct Outcome {
    /// The folder, still locked.
    pub folder: Folder,
    /// Its manifest, not yet written: with the tables of before if no game is
    /// new, otherwise without.
    pub manifest: Manifest,
}

/// Plays every game of the run that is not in the folder yet, on rayon's
/// threads, and gives the manifest of what is there then.
///
/// # Errors
/// If the folder is in use, holds another run, is damaged or cannot be
/// written; if the program of an external engine is missing, before anything
/// else. Chunks that were finished stay.
pub fn run(
    grid: &Grid,
    path: &Path,
    options: RunOptions<'_>,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    let chunks = grid.count_chunks(options.shard);
    if chunks > MAX_CHUNKS {
        return Err(Error::TooLarge {
            chunks,
            most: MAX_CHUNKS,
        });
    }
    grid.experiment.find_programs()?;
    let folder = Folder::open(path, grid, options.shard)?;
    let chunks: Vec<Chunk> = grid.chunks(options.shard).collect();
    let found = folder.scan(grid, &chunks)?;
    let games = |chunks: &mut dyn Iterator<Item = &Chunk>| chunks.map(|chunk| chunk.games).sum();
    let kept = games(
        &mut chunks
            .iter()
            .filter(|chunk| found.contains_key(&place(chunk))),
    );
    observer.started(games(&mut chunks.iter()), kept);

    let cells = Cells::new(grid, &chunks, observer);
    for (&(cell, _), scan) in &found {
        cells.add(cell, &scan.tally);
    }
    let missing: Vec<&Chunk> = chunks
        .iter()
        .filter(|chunk| !found.contains_key(&place(chunk)))
        .collect();
    let failed = AtomicBool::new(false);
    let played: Vec<Option<((usize, u64), Scan)>> = missing
        .into_par_iter()
        // One chunk a task: chunks are cut to take seconds, and a thread must
        // not sit on a row of them while others have nothing left.
        .with_max_len(1)
        .map(|chunk| {
            if options.stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let (bytes, tally) = chunk.play(&grid.experiment, &grid.cells[chunk.cell], observer);
            let scan = folder
                .write_chunk(grid, chunk, &bytes, tally)
                .inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            observer.played(&tally);
            cells.add(chunk.cell, &tally);
            Ok(Some((place(chunk), scan)))
        })
        .collect::<Result<_, Error>>()?;

    let nothing_new = played.iter().all(Option::is_none);
    let mut all: HashMap<(usize, u64), Scan> = found;
    all.extend(played.into_iter().flatten());
    let mut manifest = Manifest::new(grid, options.shard);
    if nothing_new && let Some(program) = folder.program() {
        manifest.program = program.clone();
        // What was made of the same games.
        manifest.files.extend(folder.tables());
    }
    if all.len() == chunks.len() {
        manifest.status = Status::Complete;
    }
    for scan in all.into_values() {
        manifest.games += scan.tally.games();
        manifest.files.insert(scan.name, scan.checksum);
    }
    Ok(Outcome { folder, manifest })
}

fn place(chunk: &Chunk) -> (usize, u64) {
    (chunk.cell, chunk.index)
}

/// What is known of each cell so far, to say when one has settled.
struct Cells<'a> {
    observer: &'a dyn Observer,
    expected: Vec<u64>,
    tallies: Vec<Mutex<Tally>>,
}

impl Cells<'_> {
    fn new<'a>(grid: &Grid, chunks: &[Chunk], observer: &'a dyn Observer) -> Cells<'a> {
        let mut expected = vec![0; grid.cells.len()];
        for chunk in chunks {
            expected[chunk.cell] += chunk.games;
        }
        Cells {
            observer,
            expected,
            tallies: grid.cells.iter().map(|_| Mutex::default()).collect(),
        }
    }

    fn add(&self, cell: usize, tally: &Tally) {
        let mut sum = self.tallies[cell]
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        sum.add(tally);
        if sum.games() == self.expected[cell] {
            self.observer.settled(cell, &sum);
        }
    }
}
