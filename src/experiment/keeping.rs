//! What a run does with games once they are played, to be measured by itself.
//! Imports records and chunk files.

use std::ops::Range;

use super::chunk::Rows;
use super::config::Experiment;
use super::files;
use super::grid::{Cell, Chunk, Grid};
use super::one_game::{Table, Transcript};
use super::record::{End, Recorder};
use crate::game::{Game, Position};

/// Games of one cell, played already.
pub struct Keeping {
    cell: Cell,
    recorder: Recorder,
    games: Vec<(Transcript, End, Position)>,
}

impl Keeping {
    /// Plays the first games of a cell.
    #[must_use]
    pub fn new(experiment: &Experiment, cell: &Cell, games: u64) -> Keeping {
        let rules = cell.rules();
        let mut table = Table::new(experiment, cell);
        let game = |index| {
            let transcript = table.transcript(index);
            let mut game = Game::new(&rules);
            for &ply in &transcript.moves {
                game.play_legal(ply);
            }
            let end = End::of(game.outcome(), transcript.forfeit.as_ref());
            (transcript, end, *game.position())
        };
        Keeping {
            games: (0..games).map(game).collect(),
            recorder: Recorder::new(&rules.start()),
            cell: cell.clone(),
        }
    }

    /// The bytes of the games' chunk file and their checksum.
    pub fn file(&mut self) -> (Vec<u8>, String) {
        let mut rows = Rows::new(&self.cell, self.games.len() as u64);
        for (game, end, last) in &self.games {
            let index = game.record.game;
            let record = self
                .recorder
                .record(index, *end, last, &game.moves, game.opening_plies);
            rows.push(&record);
        }
        let bytes = rows.finish();
        let checksum = files::checksum(&bytes);
        (bytes, checksum)
    }
}

/// Plays these games of a cell as a run would, and gives the rows that it would
/// keep of them.
#[must_use]
pub fn played_rows(grid: &Grid, cell: usize, games: Range<u64>) -> Vec<u8> {
    let chunk = Chunk {
        cell,
        index: 0,
        first_game: games.start,
        games: games.end - games.start,
    };
    chunk.play(&grid.experiment, &grid.cells[cell], &()).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Source, row};

    #[test]
    fn the_file_has_the_rows_of_the_games() {
        let text = "name = 'kept'\nseed = 3\ngames = 20\n[rules]\nbase = 'wtf'\n\
                    [[match]]\nagents = ['random']\n";
        let grid = Grid::new(Source::parse("kept", text).unwrap().experiment);
        let cell = &grid.cells[0];
        let (bytes, _) = Keeping::new(&grid.experiment, cell, 20).file();
        let text = String::from_utf8(bytes).unwrap();
        let mut table = Table::new(&grid.experiment, cell);
        let expected: Vec<String> = (0..20)
            .map(|game| row(cell, &table.record(game).0))
            .collect();
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), expected);
    }
}
