//! A result folder, read for statistics: every cell's counts, and who won each
//! of its games, a byte a game. Reads result files; imports win rates, outcomes
//! and the note on forfeits.

use std::path::{Path, PathBuf};

use super::cell_row::CellRow;
use super::chunk_rows::{TableError, chunk_files};
use super::forfeits::forfeits_note;
use super::in_order::in_order;
use super::notes::Notes;
use super::outcomes::{WINNERS, read_cell};
use crate::experiment::{
    Error, Experiment, Grid, Manifest, Status, Until, Winner, decisions, present_chunks,
};

/// Why a folder could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It is no result folder, or damaged.
    #[error(transparent)]
    Folder(#[from] Error),
    /// Its games cannot be read.
    #[error("{}: {source}", .folder.display())]
    Games {
        /// Which folder.
        folder: PathBuf,
        /// What is wrong.
        source: TableError,
    },
    /// Games were lost or added after it was finished.
    #[error(
        "{}: its files hold {found} games, its manifest says {expected}; `brandub verify` says what is wrong",
        .folder.display()
    )]
    Count {
        /// Which folder.
        folder: PathBuf,
        /// Games found.
        found: u64,
        /// Games of the manifest.
        expected: u64,
    },
    /// Another version's folder.
    #[error(
        "{}: its cells have other ids than this program gives them; report it with the version that played it",
        .folder.display()
    )]
    Cells {
        /// Which folder.
        folder: PathBuf,
    },
}

/// The games of one cell.
#[derive(Clone, Debug)]
pub struct CellGames {
    /// The cell, and how its games ended.
    pub row: CellRow,
    outcomes: Vec<u8>,
}

impl CellGames {
    /// A cell's games by their winners; `None` where a game is not there.
    #[cfg(test)]
    pub(super) fn from_winners(
        cell: &crate::experiment::Cell,
        winners: &[Option<Winner>],
    ) -> CellGames {
        let mut row = CellRow::new(cell);
        for winner in winners.iter().flatten() {
            row.games += 1;
            *row.winners.entry(*winner).or_default() += 1;
        }
        let byte = |winner: &Option<Winner>| {
            let place = WINNERS.iter().position(|one| Some(*one) == *winner);
            place.map_or(super::outcomes::ABSENT, |place| place as u8)
        };
        let outcomes = winners.iter().map(byte).collect();
        CellGames { row, outcomes }
    }

    /// One more than the last index of a game that is there.
    #[must_use]
    pub fn indices(&self) -> usize {
        self.outcomes.len()
    }

    /// Who won the game of an index; `None` if it is not there.
    #[must_use]
    pub fn winner(&self, index: usize) -> Option<Winner> {
        let outcome = *self.outcomes.get(index)?;
        WINNERS.get(usize::from(outcome)).copied()
    }

    /// The attackers' score in the game of an index: 1, 0, or ½ for a draw by
    /// rule; `None` if the game is not there or was stopped.
    #[must_use]
    pub fn score(&self, index: usize) -> Option<f64> {
        match self.winner(index)? {
            Winner::Attackers => Some(1.0),
            Winner::Defenders => Some(0.0),
            Winner::Draw => Some(0.5),
            Winner::None => None,
        }
    }

    /// The mean score of the finished games; `None` if there are none.
    #[must_use]
    pub fn mean_score(&self) -> Option<f64> {
        let [won, lost, drawn] = self.finished();
        let games = won + lost + drawn;
        (games > 0).then(|| (2 * won + drawn) as f64 / (2 * games) as f64)
    }

    /// Finished games won by the attackers, by the defenders, and drawn.
    #[must_use]
    pub fn finished(&self) -> [u64; 3] {
        [Winner::Attackers, Winner::Defenders, Winner::Draw].map(|winner| self.row.won(winner))
    }
}

/// A result folder, read.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where it is.
    pub folder: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// The cells in the grid's order: rulesets first, each with every match;
    /// also those of which no game is there.
    pub cells: Vec<CellGames>,
    /// The chunk files of each cell, in order.
    pub(super) files: Vec<Vec<PathBuf>>,
}

/// How far from ½ a balanced score may be, if nobody says.
const MARGIN: f64 = 0.05;
/// Of intervals, where no rule has another.
const CONFIDENCE: f64 = 0.95;

impl Run {
    /// How far from ½ a balanced score may be: as its rule has it, if that was to find
    /// out whom each cell favours, otherwise 0.05.
    #[must_use]
    pub fn margin(&self) -> f64 {
        self.own_margin().unwrap_or(MARGIN)
    }

    /// The margin of its rule, if that has one.
    pub(super) fn own_margin(&self) -> Option<f64> {
        match self.experiment().stop?.until {
            Until::Decided { margin, .. } => Some(margin.get()),
            Until::HalfWidth(_) => None,
        }
    }

    /// With which probability its scores' intervals hold the truth, 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let rule = self.experiment().stop;
        rule.map_or(CONFIDENCE, |rule| rule.confidence.get())
    }

    /// Reads a folder: finished, half a run, or one shard of it. Of a finished
    /// one the files that the manifest lists, otherwise those that are there.
    ///
    /// # Errors
    /// If it is no result folder, a file is damaged, or games that the manifest
    /// counts are missing.
    pub fn read(folder: &Path) -> Result<Run, RunError> {
        let manifest = Manifest::read(folder)?;
        let grid = Grid::new(manifest.experiment.clone());
        let ids = manifest.cells.iter().map(|cell| &cell.id);
        if !ids.eq(grid.cells.iter().map(|cell| &cell.id)) {
            let folder = folder.to_owned();
            return Err(RunError::Cells { folder });
        }
        let files: Vec<Vec<PathBuf>> = match manifest.status {
            Status::Complete => {
                let cells = grid.cells.iter();
                cells
                    .map(|cell| chunk_files(folder, &manifest, cell))
                    .collect()
            }
            Status::Incomplete => present_chunks(folder, &grid)?,
        };
        let cells = in_order(grid.cells.len(), |place| {
            let (cell, files) = (&grid.cells[place], &files[place]);
            let row = CellRow::read(cell, files)?;
            let outcomes = read_cell(cell, files)?;
            Ok(CellGames { row, outcomes })
        });
        let mut cells = cells.map_err(|source| RunError::Games {
            folder: folder.to_owned(),
            source,
        })?;
        if manifest.status == Status::Complete {
            for (cell, said) in cells.iter_mut().zip(decisions(folder, &manifest)?) {
                cell.row.decision = Some(said);
            }
        }
        let found = cells.iter().map(|cell| cell.row.games).sum();
        if manifest.status == Status::Complete && found != manifest.games {
            return Err(RunError::Count {
                folder: folder.to_owned(),
                found,
                expected: manifest.games,
            });
        }
        Ok(Run {
            folder: folder.to_owned(),
            manifest,
            cells,
            files,
        })
    }

    /// The experiment.
    #[must_use]
    pub fn experiment(&self) -> &Experiment {
        &self.manifest.experiment
    }

    /// The games of a ruleset and a match, by their places in the experiment.
    #[must_use]
    pub fn cell(&self, ruleset: usize, pair: usize) -> &CellGames {
        &self.cells[ruleset * self.experiment().matches.len() + pair]
    }

    /// Adds what a reader of its numbers should know: that it is half a run, a
    /// shard, that games ended by a forfeit, or that cells have no games or none
    /// that was finished.
    pub(super) fn note(&self, notes: &mut Notes) {
        let found: u64 = self.cells.iter().map(|cell| cell.row.games).sum();
        if let Some(shard) = self.manifest.shard {
            notes.of(
                self,
                &format!(
                    "this is shard {shard} of the run, {found} games; `brandub merge` joins the shards"
                ),
            );
        }
        if self.manifest.status == Status::Incomplete {
            notes.of(
                self,
                &format!(
                    "the run is not finished: this is what its first {found} games say; `brandub run` with its experiment goes on"
                ),
            );
        }
        if self.experiment().stop.is_some() {
            notes.of(
                self,
                "a rule decided how many games each cell has. The verdicts and their bounds allow for it; all other bounds and tests take the numbers of games for fixed",
            );
        }
        if let Some(note) = forfeits_note(self.cells.iter().map(|cell| &cell.row)) {
            notes.of(self, &note);
        }
        let total = self.cells.len();
        let empty = self.cells.iter().filter(|cell| cell.row.games == 0);
        let empty = empty.count();
        if empty > 0 {
            notes.of(self, &format!("{empty} of {total} cells have no games yet"));
        }
        for cell in &self.cells {
            let row = &cell.row;
            if row.games > 0 && cell.finished() == [0; 3] {
                notes.of_each(
                    self,
                    "there is no score where every game was stopped at the ply limit",
                    format!(
                        "{} games of {} ({} against {})",
                        row.games,
                        row.cell.ruleset.label(),
                        row.cell.pair.attackers,
                        row.cell.pair.defenders,
                    ),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_folder_is_read_whole() {
        let run = Run::read(Path::new("results/published/default")).unwrap();
        assert_eq!(run.cells.len(), 16);
        let mut notes = Notes::default();
        run.note(&mut notes);
        assert_eq!(notes.into_vec(), Vec::<String>::new());
        for (ruleset, cell) in run.cells.iter().enumerate() {
            assert_eq!(run.cell(ruleset, 0).row.cell.id, cell.row.cell.id);
            assert_eq!((cell.row.games, cell.indices()), (200, 200));
            let scores = (0..200).filter_map(|index| cell.score(index));
            let [won, _, drawn] = cell.finished();
            let halves = 2.0 * scores.sum::<f64>();
            assert!((halves - (2 * won + drawn) as f64).abs() < 1e-9);
            assert!(cell.row.effective_games() <= cell.row.distinct as f64);
        }
        // Whoever won the first game of the first cell, its row says so.
        let cell = &run.cells[0];
        let rows = crate::experiment::recorded_row(&run.folder, &cell.row.cell, 0);
        let row = rows.unwrap().unwrap();
        let winner = cell.winner(0).unwrap().name();
        assert!(row.contains(&format!(",0,{winner},")), "{row}");
        assert_eq!(cell.winner(200), None);
    }

    #[test]
    fn what_is_no_result_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Run::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("is no result folder"), "{error}");
        assert!(error.contains(&*folder.path().display().to_string()));
    }
}
