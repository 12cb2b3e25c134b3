//! Games worth looking at: of every ruleset the shortest win of each side, the
//! longest game and a typical one. Reads result files; imports runs.

use std::fmt;

use polars::prelude::*;

use super::chunk_rows::{TableError, each_batch, frame};
use super::in_order::in_order;
use super::run::{Run, RunError};
use crate::experiment::Winner;

/// Why a game was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Of all wins of this side the shortest.
    Shortest(Winner),
    /// Of the games with the most frequent result, of median length.
    Typical,
    /// The longest that was finished.
    Longest,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Shortest(winner) => write!(f, "shortest win of the {winner}"),
            Why::Typical => f.write_str("a typical game"),
            Why::Longest => f.write_str("longest game"),
        }
    }
}

/// A game to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The cell's place in the run.
    pub cell: usize,
    /// The game's index in it.
    pub game: u64,
    /// Why this one.
    pub why: Why,
}

/// A finished game's row.
struct Finished {
    game: u64,
    winner: Winner,
    plies: u32,
}

/// A page with the games of more would hardly open.
const MOST_RULESETS: usize = 100;

impl Run {
    /// Chooses games of every ruleset, of the first hundred if there are more, in
    /// the order of the experiment: of its last match between equal agents,
    /// otherwise of its last, which in an experiment that goes up in strength is
    /// the strongest. Of equal games the first; no game twice.
    ///
    /// # Errors
    /// If a chunk file cannot be read.
    pub fn choose(&self) -> Result<Vec<Choice>, RunError> {
        let matches = &self.experiment().matches;
        let equal = matches
            .iter()
            .rposition(|pair| pair.attackers == pair.defenders);
        let Some(pair) = equal.or(matches.len().checked_sub(1)) else {
            return Ok(Vec::new());
        };
        let choices = in_order(
            self.experiment().rulesets.len().min(MOST_RULESETS),
            |ruleset| {
                let cell = ruleset * matches.len() + pair;
                let games = self.finished_games(cell)?;
                let chosen = choose(&games).into_iter();
                let choices = chosen.map(|(why, game)| Choice { cell, game, why });
                Ok(choices.collect::<Vec<_>>())
            },
        );
        let choices = choices.map_err(|source| RunError::Games {
            folder: self.folder.clone(),
            source,
        })?;
        Ok(choices.concat())
    }

    /// The finished games of a cell.
    fn finished_games(&self, cell: usize) -> Result<Vec<Finished>, TableError> {
        let mut games = Vec::new();
        each_batch(
            &self.files[cell],
            |bytes| {
                let frame = frame(bytes, &["game", "winner", "plies"])?;
                add(&frame, &mut games)
            },
            |source| TableError::Rows {
                cell: self.cells[cell].row.cell.id.clone(),
                source,
            },
        )?;
        Ok(games)
    }
}

fn add(frame: &DataFrame, games: &mut Vec<Finished>) -> PolarsResult<()> {
    let indices = frame.column("game")?.u64()?;
    let winners = frame.column("winner")?.str()?;
    let plies = frame.column("plies")?.u32()?;
    for row in 0..frame.height() {
        let winner = [Winner::Attackers, Winner::Defenders, Winner::Draw]
            .into_iter()
            .find(|winner| winners.get(row) == Some(winner.name()));
        if let (Some(game), Some(winner), Some(plies)) = (indices.get(row), winner, plies.get(row))
        {
            games.push(Finished {
                game,
                winner,
                plies,
            });
        }
    }
    Ok(())
}

fn choose(games: &[Finished]) -> Vec<(Why, u64)> {
    let of = |winner: Winner| games.iter().filter(move |game| game.winner == winner);
    let shortest = |winner| of(winner).min_by_key(|game| (game.plies, game.game));
    let longest = games
        .iter()
        .min_by_key(|game| (std::cmp::Reverse(game.plies), game.game));
    let mut usual: Vec<&Finished> = [Winner::Attackers, Winner::Defenders, Winner::Draw]
        .into_iter()
        .map(|winner| of(winner).collect())
        .max_by_key(Vec::len)
        .unwrap_or_default();
    usual.sort_by_key(|game| (game.plies, game.game));
    let typical = usual.get(usual.len().saturating_sub(1) / 2).copied();
    let mut chosen: Vec<(Why, u64)> = Vec::new();
    for (why, game) in [
        (
            Why::Shortest(Winner::Attackers),
            shortest(Winner::Attackers),
        ),
        (
            Why::Shortest(Winner::Defenders),
            shortest(Winner::Defenders),
        ),
        (Why::Typical, typical),
        (Why::Longest, longest),
    ] {
        if let Some(game) = game.map(|game| game.game)
            && chosen.iter().all(|(_, other)| *other != game)
        {
            chosen.push((why, game));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn games(rows: &[(Winner, u32)]) -> Vec<Finished> {
        let rows = rows.iter().zip(0..);
        rows.map(|(&(winner, plies), game)| Finished {
            game,
            winner,
            plies,
        })
        .collect()
    }

    #[test]
    fn the_shortest_the_longest_and_one_in_the_middle_are_chosen() {
        let rows = games(&[
            (Winner::Attackers, 30),
            (Winner::Attackers, 20),
            (Winner::Attackers, 20),
            (Winner::Attackers, 40),
            (Winner::Attackers, 90),
            (Winner::Defenders, 15),
            (Winner::Draw, 200),
            (Winner::Draw, 200),
        ]);
        let expected = [
            (Why::Shortest(Winner::Attackers), 1),
            (Why::Shortest(Winner::Defenders), 5),
            (Why::Typical, 0),
            (Why::Longest, 6),
        ];
        assert_eq!(choose(&rows), expected);
        // One game is everything at once, and is shown once.
        let single = games(&[(Winner::Defenders, 15)]);
        assert_eq!(choose(&single), [(Why::Shortest(Winner::Defenders), 0)]);
        assert_eq!(choose(&[]), []);
    }

    #[test]
    fn of_a_run_every_ruleset_has_its_games() {
        let run = Run::read(Path::new("results/published/default")).unwrap();
        let choices = run.choose().unwrap();
        for (cell, games) in run.cells.iter().enumerate() {
            let own: Vec<&Choice> = choices.iter().filter(|one| one.cell == cell).collect();
            let [won, lost, _] = games.finished();
            let sides = usize::from(won > 0) + usize::from(lost > 0);
            assert!(own.len() > sides, "cell {cell}: {own:?}");
            for choice in own {
                let winner = games.winner(choice.game as usize);
                match choice.why {
                    Why::Shortest(expected) => assert_eq!(winner, Some(expected)),
                    Why::Typical | Why::Longest => assert!(winner.is_some()),
                }
            }
        }
    }
}
