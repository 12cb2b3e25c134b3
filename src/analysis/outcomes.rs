//! Every game's result, a byte each. Reads result files.

use std::path::{Path, PathBuf};

use polars::prelude::*;

use super::chunk_rows::{TableError, chunk_files, each_batch, frame};
use super::in_order::in_order;
use crate::experiment::{Cell, Grid, Manifest, Winner};

/// Who won each game of each cell: a byte a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcomes {
    /// By cell, in the grid's order, and by the game's index: 0 the attackers,
    /// 1 the defenders, 2 drawn by rule, 3 stopped. Cells have as many games
    /// as the experiment says or, where a rule stops them, different numbers.
    cells: Vec<Vec<u8>>,
}

/// The byte of a game that is not there.
pub(super) const ABSENT: u8 = 4;
/// More games than a cell ever has: a larger index is a damaged one.
const MOST_GAMES: u64 = 1_000_000_000;

/// The results in the order of their bytes.
pub(super) const WINNERS: [Winner; 4] = [
    Winner::Attackers,
    Winner::Defenders,
    Winner::Draw,
    Winner::None,
];

impl Outcomes {
    /// Reads the chunk files of a whole run.
    ///
    /// # Errors
    /// If a file cannot be read, has other columns or values, or a game is
    /// missing.
    pub fn read(folder: &Path, manifest: &Manifest) -> Result<Outcomes, TableError> {
        let grid = Grid::new(manifest.experiment.clone());
        let cells = in_order(grid.cells.len(), |place| {
            let cell = &grid.cells[place];
            let files = chunk_files(folder, manifest, cell);
            let games = manifest.games_of(place) as usize;
            let outcomes = read_cell(cell, &files)?;
            let there = outcomes
                .iter()
                .filter(|&&outcome| outcome != ABSENT)
                .count();
            if there == games && outcomes.len() == games {
                return Ok(outcomes);
            }
            let problem = format!("has {there} games, expected {games}");
            Err(TableError::Rows {
                cell: cell.id.clone(),
                source: PolarsError::ComputeError(problem.into()),
            })
        })?;
        Ok(Outcomes { cells })
    }

    /// The winners of every cell's games, cells in the grid's order.
    #[must_use]
    pub fn from_winners(cells: &[Vec<Winner>]) -> Outcomes {
        let byte =
            |winner: &Winner| WINNERS.iter().position(|one| one == winner).unwrap_or(3) as u8;
        Outcomes {
            cells: cells
                .iter()
                .map(|cell| cell.iter().map(byte).collect())
                .collect(),
        }
    }

    /// Games of the cell that has most.
    #[must_use]
    pub fn games(&self) -> usize {
        self.cells.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// For every cell how often the attackers won, the defenders won, nobody
    /// won, and a game was stopped, counting the game of each index so many
    /// times.
    pub(super) fn counts(&self, times: &[u32]) -> Vec<[u64; 4]> {
        let count = |cell: &Vec<u8>| {
            let mut counts = [0; 4];
            for (&outcome, &times) in cell.iter().zip(times) {
                counts[usize::from(outcome)] += u64::from(times);
            }
            counts
        };
        self.cells.iter().map(count).collect()
    }
}

/// The results of a cell's games by index, [`ABSENT`] where a game before the
/// last one is not there.
pub(super) fn read_cell(cell: &Cell, files: &[PathBuf]) -> Result<Vec<u8>, TableError> {
    let mut outcomes = Vec::new();
    each_batch(
        files,
        |bytes| append(bytes, &mut outcomes),
        |source| TableError::Rows {
            cell: cell.id.clone(),
            source,
        },
    )?;
    Ok(outcomes)
}

/// Appends the winners of rows, which have to be in the order of their games.
fn append(bytes: Vec<u8>, outcomes: &mut Vec<u8>) -> PolarsResult<()> {
    let frame = frame(bytes, &["game", "winner"])?;
    let games = frame.column("game")?.u64()?;
    let winners = frame.column("winner")?.str()?;
    for (game, name) in games.iter().zip(winners.iter()) {
        let next = outcomes.len() as u64;
        let Some(game) = game.filter(|game| (next..MOST_GAMES).contains(game)) else {
            polars_bail!(ComputeError: "expected game {next}");
        };
        outcomes.resize(game as usize, ABSENT);
        let winner = name.and_then(|name| WINNERS.iter().position(|one| one.name() == name));
        let Some(winner) = winner else {
            polars_bail!(ComputeError: "game {game} has no known winner");
        };
        outcomes.push(winner as u8);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_bytes_in_the_order_of_their_games() {
        let header = "cell,game,winner\n";
        let mut outcomes = Vec::new();
        let rows = "c,0,defenders\nc,1,none\nc,2,draw\nc,3,attackers\n";
        append(format!("{header}{rows}").into_bytes(), &mut outcomes).unwrap();
        assert_eq!(outcomes, [1, 3, 2, 0]);
        append(format!("{header}c,4,draw\n").into_bytes(), &mut outcomes).unwrap();
        for rows in [
            "c,4,draw\n",
            "c,5,nobody\n",
            "c,,draw\n",
            "c,1000000000,draw\n",
        ] {
            let bytes = format!("{header}{rows}").into_bytes();
            assert!(append(bytes, &mut outcomes.clone()).is_err(), "{rows}");
        }
        append(format!("{header}c,7,none\n").into_bytes(), &mut outcomes).unwrap();
        assert_eq!(outcomes, [1, 3, 2, 0, 2, ABSENT, ABSENT, 3]);
    }

    #[test]
    fn a_game_counts_as_often_as_its_index_was_drawn() {
        let outcomes = Outcomes::from_winners(&[
            vec![Winner::Attackers, Winner::Draw, Winner::None],
            vec![Winner::Defenders, Winner::Attackers, Winner::Attackers],
        ]);
        assert_eq!(outcomes.games(), 3);
        assert_eq!(outcomes.counts(&[1, 1, 1]), [[1, 0, 1, 1], [2, 1, 0, 0]]);
        assert_eq!(outcomes.counts(&[2, 0, 1]), [[2, 0, 0, 1], [1, 2, 0, 0]]);
        let ragged = Outcomes::from_winners(&[
            vec![Winner::Draw],
            vec![Winner::Defenders, Winner::Attackers],
        ]);
        assert_eq!(ragged.games(), 2);
        assert_eq!(ragged.counts(&[1, 3]), [[0, 0, 1, 0], [3, 1, 0, 0]]);
    }
}
