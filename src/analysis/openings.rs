//! `openings.csv`: how each first move fares. Reads result files; imports runs
//! and measures of games.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use polars::prelude::*;

use super::chunk_rows::{TableError, each_batch, frame};
use super::outcomes::WINNERS;
use super::run::{CellGames, Run, RunError};
use super::score::Score;
use super::sheet::{Sheet, Table};
use super::statistics::WILSON_95_Z;
use crate::experiment::{GameMeasures, Winner};

/// Makes `openings.csv` of some runs: the first moves up to the symmetries of
/// the start position, of all games where the first move is drawn at random,
/// and so on record, otherwise of a sample of them, which is matched by the
/// experiment's name and the cell's id.
///
/// # Errors
/// If a run's files cannot be read.
pub fn openings_table(runs: &[Run], sample: &[GameMeasures]) -> Result<Table, RunError> {
    let mut rows = Vec::new();
    for run in runs {
        for (cell, files) in run.cells.iter().zip(&run.files) {
            let firsts = if run.experiment().random_plies > 0 {
                Firsts::read(cell, files).map_err(|source| RunError::Games {
                    folder: run.folder.clone(),
                    source,
                })?
            } else {
                let of_cell = |game: &&GameMeasures| {
                    game.cell == cell.row.cell.id && game.experiment == run.experiment().name
                };
                Firsts::of_sample(sample.iter().filter(of_cell))
            };
            let all = firsts.games();
            rows.extend(firsts.sorted().into_iter().map(|(ply, results)| Row {
                run,
                cell,
                ply,
                results,
                all,
            }));
        }
    }
    let sheet = Sheet::new(&rows)
        .cell(|row| (row.run, row.cell))
        .agents(|row| row.cell)
        .text("move", |row| row.ply.clone())
        .count("games", |row| row.results.games())
        .share("share", |row| {
            Some(row.results.games() as f64 / row.all as f64)
        })
        .share("score", |row| row.results.score().value())
        .share("low", |row| row.results.bounds().map(|bounds| bounds[0]))
        .share("high", |row| row.results.bounds().map(|bounds| bounds[1]));
    Ok(sheet.table("openings"))
}

struct Row<'a> {
    run: &'a Run,
    cell: &'a CellGames,
    ply: String,
    results: Results,
    /// Games of all first moves.
    all: u64,
}

/// How the games of one first move ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Results {
    won: u64,
    lost: u64,
    drawn: u64,
    stopped: u64,
}

impl Results {
    fn add(&mut self, winner: Winner, games: u64) {
        *match winner {
            Winner::Attackers => &mut self.won,
            Winner::Defenders => &mut self.lost,
            Winner::Draw => &mut self.drawn,
            Winner::None => &mut self.stopped,
        } += games;
    }

    fn games(self) -> u64 {
        self.won + self.lost + self.drawn + self.stopped
    }

    /// Of the finished games.
    fn score(self) -> Score {
        Score::new([self.won, self.lost, self.drawn])
    }

    fn bounds(self) -> Option<[f64; 2]> {
        let score = self.score();
        score.value().map(|_| score.interval(WILSON_95_Z))
    }
}

/// A cell's first moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Firsts(BTreeMap<String, Results>);

impl Firsts {
    /// From the openings on record, which are those of a game's images that is
    /// smallest, first move first.
    fn read(cell: &CellGames, files: &[PathBuf]) -> Result<Firsts, TableError> {
        let mut firsts = Firsts::default();
        each_batch(
            files,
            |bytes| firsts.add(frame(bytes, &["winner", "opening", "moves_key"])?),
            |source| TableError::Rows {
                cell: cell.row.cell.id.clone(),
                source,
            },
        )?;
        Ok(firsts)
    }

    fn add(&mut self, mut rows: DataFrame) -> PolarsResult<()> {
        let openings = rows.column("opening")?.str()?;
        let first = |opening: &str| opening.split('.').next().map(str::to_owned);
        let firsts: Vec<Option<String>> = openings
            .iter()
            .map(|opening| opening.and_then(first))
            .collect();
        rows.with_column(Column::new("first".into(), firsts))?;
        let by = ["first", "winner"];
        let groups = rows.group_by(by)?.select(["moves_key"]).count()?;
        let firsts = groups.column("first")?.str()?;
        let winners = groups.column("winner")?.str()?;
        let games = groups.column("moves_key_count")?.u32()?;
        for index in 0..groups.height() {
            let named = |name: &str| WINNERS.into_iter().find(|winner| winner.name() == name);
            let winner = winners.get(index).and_then(named);
            let (Some(first), Some(winner), Some(games)) =
                (firsts.get(index), winner, games.get(index))
            else {
                polars_bail!(ComputeError: "a row has no opening or no known winner");
            };
            let results = self.0.entry(first.to_owned()).or_default();
            results.add(winner, u64::from(games));
        }
        Ok(())
    }

    fn of_sample<'a>(sample: impl Iterator<Item = &'a GameMeasures>) -> Firsts {
        let mut firsts = Firsts::default();
        for game in sample {
            // No move at all, as in the records.
            let first = game.first_move.clone().unwrap_or_else(|| "-".to_owned());
            firsts.0.entry(first).or_default().add(game.winner, 1);
        }
        firsts
    }

    fn games(&self) -> u64 {
        self.0.values().map(|results| results.games()).sum()
    }

    /// The most frequent first.
    fn sorted(self) -> Vec<(String, Results)> {
        let mut firsts: Vec<(String, Results)> = self.0.into_iter().collect();
        firsts.sort_by_key(|(_, results)| Reverse(results.games()));
        firsts
    }
}

#[cfg(test)]
mod tests;
