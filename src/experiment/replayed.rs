/*!
A sample of a folder's games, played again from their seeds and checked against
the rows on record, for whoever needs their moves. Imports the grid, chunk files
and games.
*/

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::chunk::{ChunkFile, read_whole, row};
use super::endgames::Endgames;
use super::error::Error;
use super::folder::{GAMES, find_chunks};
use super::grid::{Cell, Grid};
use super::manifest::{Manifest, PLAY_REVISION};
use super::one_game::{Table, Transcript};
use crate::agents::SpecError;

/// Sees a sample being played again. Called from many threads.
pub trait ReplayObserver: Sync {
    /// So many games are to be played again.
    fn started(&self, games: u64);
    /// One more was.
    fn replayed(&self);
}

/// Nobody looks.
impl ReplayObserver for () {
    fn started(&self, _: u64) {}
    fn replayed(&self) {}
}

/// Why games could not be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The folder cannot be read.
    #[error(transparent)]
    Folder(#[from] Error),
    /// The endgame tables that an agent asks are not there.
    #[error(transparent)]
    Tables(#[from] SpecError),
    /// The games were played by other players.
    #[error(
        "{folder} was played by revision {theirs} of the players (brandub {version}, commit {commit}), this program has {PLAY_REVISION}: its games would be others"
    )]
    Revision {
        /// Which folder.
        folder: String,
        /// The revision in its manifest.
        theirs: u32,
        /// The version that played them.
        version: String,
        /// Its commit.
        commit: String,
    },
    /// A game came out otherwise than its row says.
    #[error(
        "cell {cell}, game {game}: this is not the game on record (verify the folder):\n  on record {recorded}\n  now       {played}"
    )]
    NotOnRecord {
        /// The cell's id.
        cell: String,
        /// The game's index.
        game: u64,
        /// The row on record.
        recorded: String,
        /// The row of the game as it came out.
        played: String,
    },
    /// It was told to stop.
    #[error("stopped before every game was played again")]
    Stopped,
}

/// What was made of a sample's games.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed<T> {
    /// One a game, cells in the grid's order, games in theirs.
    pub games: Vec<T>,
    /// The ids of cells in which an external engine plays, which are left out:
    /// it need not play the same moves again.
    pub external: Vec<String>,
}

/// A game to be played again: its cell's place in the grid, its index, its row.
struct Sampled {
    cell: usize,
    game: u64,
    row: String,
}

/// Plays again the first `sample` games on record of every cell, or all where
/// there are fewer, on rayon's threads, and gives what `make` makes of each by
/// the place of its cell. `endgames` has the tables that agents ask.
///
/// # Errors
/// If the folder cannot be read or is damaged, other players have played it,
/// tables are missing, a game comes out otherwise than its row says, or `stop`
/// becomes true before the end.
pub fn replay<T: Send>(
    folder: &Path,
    manifest: &Manifest,
    sample: u64,
    endgames: &Endgames,
    stop: &AtomicBool,
    observer: &dyn ReplayObserver,
    make: impl Fn(usize, &Cell, &Transcript) -> T + Sync,
) -> Result<Replayed<T>, ReplayError> {
    let program = &manifest.program;
    if program.play_revision != PLAY_REVISION {
        return Err(ReplayError::Revision {
            folder: folder.display().to_string(),
            theirs: program.play_revision,
            version: program.version.clone(),
            commit: program.commit.clone(),
        });
    }
    let grid = Grid::opened(manifest.experiment.clone(), endgames)?;
    let sampled = sampled(folder, &grid, manifest, sample)?;
    observer.started(sampled.len() as u64);
    let failed = AtomicBool::new(false);
    let of_game = |sampled: &Sampled| {
        if stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed) {
            return None;
        }
        let cell = &grid.cells[sampled.cell];
        let made = replay_one(&grid, sampled).map(|game| make(sampled.cell, cell, &game));
        failed.fetch_or(made.is_err(), Ordering::Relaxed);
        observer.replayed();
        Some(made)
    };
    let replayed: Vec<_> = sampled.par_iter().with_max_len(1).map(of_game).collect();
    let mut games = Vec::with_capacity(replayed.len());
    let mut missing = false;
    for one in replayed {
        match one {
            Some(made) => games.push(made?),
            None => missing = true,
        }
    }
    if missing {
        return Err(ReplayError::Stopped);
    }
    let external = grid.cells.iter().filter(|cell| !cell.is_reproducible());
    Ok(Replayed {
        games,
        external: external.map(|cell| cell.id.clone()).collect(),
    })
}

fn replay_one(grid: &Grid, sampled: &Sampled) -> Result<Transcript, ReplayError> {
    let cell = &grid.cells[sampled.cell];
    let transcript = Table::new(&grid.experiment, cell).transcript(sampled.game);
    let played = row(cell, &transcript.record);
    if played != sampled.row {
        return Err(ReplayError::NotOnRecord {
            cell: cell.id.clone(),
            game: sampled.game,
            recorded: sampled.row.clone(),
            played,
        });
    }
    Ok(transcript)
}

/// The first games on record of every cell without an external engine. Unless no
/// games are kept, all chunks that the manifest lists must be there.
fn sampled(
    folder: &Path,
    grid: &Grid,
    manifest: &Manifest,
    sample: u64,
) -> Result<Vec<Sampled>, Error> {
    let mut taken = vec![0; grid.cells.len()];
    let mut sampled = Vec::new();
    let chunks = find_chunks(folder, grid)?;
    // A file is named by its number and its content: another content is told of
    // where it is read.
    let place =
        |&(cell, index): &(usize, u64)| format!("{GAMES}/{}/{index:06}", grid.cells[cell].id);
    let there: BTreeSet<String> = chunks.keys().map(place).collect();
    let is_gone = |name: &&String| {
        let (place, _) = name.split_once('-').unwrap_or((name, ""));
        place.starts_with(GAMES) && !there.contains(place)
    };
    let gone = manifest.files.keys().find(is_gone);
    if let Some(gone) = gone.filter(|_| !there.is_empty()) {
        return Err(Error::damaged(
            &folder.join(gone),
            "is listed in the manifest, but is not there",
        ));
    }
    // In the order of cells and of games.
    for ((cell, _), file) in chunks {
        let left = sample - taken[cell];
        if left == 0 || !grid.cells[cell].is_reproducible() {
            continue;
        }
        let before = sampled.len();
        let rows = rows(folder, &grid.cells[cell], &file)?;
        sampled.extend(
            rows.into_iter()
                .take(left as usize)
                .map(|(game, row)| Sampled { cell, game, row }),
        );
        taken[cell] += (sampled.len() - before) as u64;
    }
    Ok(sampled)
}

/// The games of a chunk file, by index, with their rows.
fn rows(folder: &Path, cell: &Cell, file: &ChunkFile) -> Result<Vec<(u64, String)>, Error> {
    let path = folder.join(GAMES).join(&cell.id).join(file.name());
    let (_, bytes) = read_whole(&path, file)?;
    let text = String::from_utf8_lossy(&bytes);
    let rows = text.lines().skip(1).map(str::to_owned);
    Ok((file.index * cell.chunk_games..).zip(rows).collect())
}
