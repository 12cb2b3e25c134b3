/*!
`games.csv`: what the games of a cell are like. Reads result files; imports runs
and measures of games.

Lengths, endings and captures are over all games of a cell, what needs the moves
over a sample of them. The bounds take games for independent.
*/

use std::collections::BTreeMap;
use std::path::PathBuf;

use polars::prelude::*;

use super::chunk_rows::{TableError, each_batch, frame};
use super::run::{CellGames, Run, RunError};
use super::sheet::{Sheet, Table};
use super::statistics::wilson;
use super::student;
use crate::agents::ForfeitKind;
use crate::experiment::{GameMeasures, Termination, Winner};
use crate::game::{Hostility, KingCapture, Reason, Rule, Ruleset, Throne};

/// Makes `games.csv` of some runs and of a sample of their games, which is
/// matched by the experiment's name and the cell's id.
///
/// A measure that no game of a cell has, and one that its rules rule out, has
/// no row.
///
/// # Errors
/// If a run's files cannot be read.
pub fn games_table(runs: &[Run], sample: &[GameMeasures]) -> Result<Table, RunError> {
    let mut rows = Vec::new();
    for run in runs {
        for (cell, files) in run.cells.iter().zip(&run.files) {
            let men = Men::read(cell, files).map_err(|source| RunError::Games {
                folder: run.folder.clone(),
                source,
            })?;
            let of_cell = |game: &&GameMeasures| {
                game.cell == cell.row.cell.id && game.experiment == run.experiment().name
            };
            let sample: Vec<&GameMeasures> = sample.iter().filter(of_cell).collect();
            let found = recorded(cell, &men)
                .into_iter()
                .chain(sampled(&cell.row.cell.ruleset, &sample));
            rows.extend(
                found
                    .filter(|(_, values)| values.games > 0)
                    .map(|(measure, values)| Row {
                        run,
                        cell,
                        measure,
                        values,
                    }),
            );
        }
    }
    let sheet = Sheet::new(&rows)
        .cell(|row| (row.run, row.cell))
        .agents(|row| row.cell)
        .text("measure", |row| row.measure.to_owned())
        .count("games", |row| row.values.games)
        .number("mean", |row| Some(row.values.mean))
        .number("sd", |row| row.values.sd)
        .number("low", |row| row.values.bounds.map(|bounds| bounds[0]))
        .number("high", |row| row.values.bounds.map(|bounds| bounds[1]));
    Ok(sheet.table("games"))
}

struct Row<'a> {
    run: &'a Run,
    cell: &'a CellGames,
    measure: &'static str,
    values: Values,
}

/// One measure over some games.
#[derive(Clone, PartialEq, Debug)]
struct Values {
    games: u64,
    mean: f64,
    /// Of single games; `None` of a single one.
    sd: Option<f64>,
    bounds: Option<[f64; 2]>,
}

impl Values {
    /// From values, none below 0 or above `most`, each with so many games; the
    /// sums are taken in this order. Without bounds where all values are the
    /// same: that says nothing of how they vary.
    fn mean_of(values: &[(f64, u64)], most: f64) -> Values {
        let games: u64 = values.iter().map(|(_, games)| games).sum();
        let sum: f64 = values
            .iter()
            .map(|(value, games)| value * *games as f64)
            .sum();
        let mean = sum / games as f64;
        let squares = values.iter().map(|(value, games)| {
            let off = value - mean;
            off * off * *games as f64
        });
        let variance = squares.sum::<f64>() / (games as f64 - 1.0);
        let sd = (games > 1).then(|| variance.sqrt());
        let mut different = values.iter().filter(|(_, games)| *games > 0);
        let first = different.next();
        let varies = different
            .any(|(value, _)| first.is_some_and(|(first, _)| value.total_cmp(first).is_ne()));
        let half = sd
            .filter(|_| varies)
            .map(|sd| student::quantile_975(games - 1) * sd / (games as f64).sqrt());
        Values {
            games,
            mean,
            sd,
            bounds: half.map(|half| [(mean - half).max(0.0), (mean + half).min(most)]),
        }
    }

    /// The share of the games in which something is so, with Wilson's bounds.
    fn share_of(so: u64, games: u64) -> Values {
        let interval = wilson(so, games);
        Values {
            bounds: Some([interval.low, interval.high]),
            ..Values::mean_of(&[(0.0, games - so), (1.0, so)], 1.0)
        }
    }
}

/// How many men were left, and in how many games.
struct Men(BTreeMap<(u32, u32), u64>);

impl Men {
    fn read(cell: &CellGames, files: &[PathBuf]) -> Result<Men, TableError> {
        let mut men = Men(BTreeMap::new());
        each_batch(
            files,
            |bytes| {
                men.add(&frame(
                    bytes,
                    &["attackers_left", "defenders_left", "moves_key"],
                )?)
            },
            |source| TableError::Rows {
                cell: cell.row.cell.id.clone(),
                source,
            },
        )?;
        Ok(men)
    }

    fn add(&mut self, rows: &DataFrame) -> PolarsResult<()> {
        let by = ["attackers_left", "defenders_left"];
        let groups = rows.group_by(by)?.select(["moves_key"]).count()?;
        let attackers = groups.column("attackers_left")?.str()?;
        let defenders = groups.column("defenders_left")?.str()?;
        let games = groups.column("moves_key_count")?.u32()?;
        for index in 0..groups.height() {
            let number = |text: Option<&str>| text.and_then(|text| text.parse().ok());
            let (Some(attackers), Some(defenders), Some(games)) = (
                number(attackers.get(index)),
                number(defenders.get(index)),
                games.get(index),
            ) else {
                polars_bail!(ComputeError: "a row has no number of men left");
            };
            *self.0.entry((attackers, defenders)).or_default() += u64::from(games);
        }
        Ok(())
    }
}

/// What the records hold, over all games of a cell.
fn recorded(cell: &CellGames, men: &Men) -> Vec<(&'static str, Values)> {
    let row = &cell.row;
    let games = row.games;
    let lengths: Vec<(f64, u64)> = row
        .lengths
        .iter()
        .map(|(&plies, &games)| (f64::from(plies), games))
        .collect();
    let ended = |way: Termination| row.terminations.get(&way).copied().unwrap_or(0);
    let won = row.won(Winner::Attackers) + row.won(Winner::Defenders);
    let forfeits = ForfeitKind::ALL.map(|kind| ended(Termination::Forfeit(kind)));
    let board = |reason| Values::share_of(ended(Termination::Board(reason)), games);
    let start = row.cell.ruleset.layout.position();
    let captured = |of: &dyn Fn(u32, u32) -> u32| {
        let counts = men.0.iter();
        let values: Vec<(f64, u64)> = counts
            .map(|(&(attackers, defenders), &games)| (f64::from(of(attackers, defenders)), games))
            .collect();
        Values::mean_of(&values, f64::INFINITY)
    };
    let attackers = start.attackers.len();
    let defenders = start.defenders.len();
    vec![
        ("length", Values::mean_of(&lengths, f64::INFINITY)),
        (
            "completion",
            Values::share_of(games - ended(Termination::PlyLimit), games),
        ),
        ("decisive", Values::share_of(won, games)),
        ("ended_king_escaped", board(Reason::KingEscaped)),
        ("ended_king_captured", board(Reason::KingCaptured)),
        ("ended_encircled", board(Reason::Encircled)),
        ("ended_no_moves", board(Reason::NoMoves)),
        ("ended_repetition", board(Reason::Repetition)),
        (
            "ended_ply_limit",
            Values::share_of(ended(Termination::PlyLimit), games),
        ),
        (
            "ended_forfeit",
            Values::share_of(forfeits.iter().sum(), games),
        ),
        (
            "attackers_captured",
            captured(&|left, _| attackers.saturating_sub(left)),
        ),
        (
            "defenders_captured",
            captured(&|_, left| defenders.saturating_sub(left)),
        ),
    ]
}

/// A measure of one game that needs its moves.
enum OfGame {
    /// Whether something was so: a share.
    Share(fn(&GameMeasures) -> bool),
    /// A number from 0 up, if the game has it: a mean.
    Mean(fn(&GameMeasures) -> Option<f64>),
    /// A number from 0 to 1, if the game has it: a mean.
    Part(fn(&GameMeasures) -> Option<f64>),
}

/// What makes a measure possible.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    /// A rule that can be taken away.
    One(Rule),
    /// A throne that stands in for an attacker beside the king.
    ThroneAgainstKing,
}

impl Needs {
    fn are_met(self, ruleset: &Ruleset) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::One(rule) => rule.taken_from(ruleset).is_some(),
            Needs::ThroneAgainstKing => match ruleset.throne {
                Throne::Ordinary => false,
                Throne::Reserved { hostile, .. } => {
                    hostile == Hostility::Everyone || ruleset.king_capture == KingCapture::Zone
                }
            },
        }
    }
}

/// The measures of the sample, in the order of rows.
const SAMPLED: [(&str, Needs, OfGame); 18] = {
    use Needs::{Nothing, One, ThroneAgainstKing};
    use OfGame::{Mean, Part, Share};
    [
        ("branching", Nothing, Mean(|game| game.branching)),
        (
            "lead_changes",
            Nothing,
            Mean(|game| Some(f64::from(game.lead_changes))),
        ),
        ("lead_change_rate", Nothing, Part(lead_change_rate)),
        ("behind", Nothing, Part(|game| game.behind)),
        ("drama", Nothing, Part(|game| game.drama)),
        ("drama_max", Nothing, Part(|game| game.drama_max)),
        ("settled", Nothing, Part(|game| game.settled)),
        ("judge_error", Nothing, Part(|game| game.judge_error)),
        ("raichi", Nothing, Mean(|game| Some(f64::from(game.raichi)))),
        ("tuichi", Nothing, Mean(|game| Some(f64::from(game.tuichi)))),
        (
            "king_returns",
            One(Rule::KingReturn),
            Mean(|game| Some(f64::from(game.king_returns))),
        ),
        (
            "returned_to_throne",
            One(Rule::KingReturn),
            Share(|game| game.king_returns > 0),
        ),
        (
            "king_captured_a_man",
            One(Rule::ArmedKing),
            Share(|game| game.captures_by_king > 0),
        ),
        (
            "man_captured_against_king",
            One(Rule::ArmedKing),
            Share(|game| game.captures_against_king > 0),
        ),
        (
            "man_captured_with_throne",
            One(Rule::HostileThrone),
            Share(|game| game.captures_with_throne > 0),
        ),
        (
            "man_captured_with_corner",
            One(Rule::HostileCorners),
            Share(|game| game.captures_with_corner > 0),
        ),
        (
            "throne_helped_king_capture",
            ThroneAgainstKing,
            Share(|game| game.king_captured_with_throne),
        ),
        (
            "only_two",
            One(Rule::CaptureByTwo),
            Share(|game| game.king_captured_only_two),
        ),
    ]
};

/// Browne's lead change: of the steps from one judged position to the next,
/// the share that changed the lead.
fn lead_change_rate(game: &GameMeasures) -> Option<f64> {
    (game.judged > 1).then(|| f64::from(game.lead_changes) / f64::from(game.judged - 1))
}

/// What needs the moves, over a cell's sample.
fn sampled(
    ruleset: &Ruleset,
    sample: &[&GameMeasures],
) -> impl Iterator<Item = (&'static str, Values)> {
    let possible = SAMPLED
        .iter()
        .filter(|(_, needs, _)| needs.are_met(ruleset));
    let mean = |value: &fn(&GameMeasures) -> Option<f64>, most| {
        let values = sample.iter().filter_map(|game| value(game));
        let values: Vec<(f64, u64)> = values.map(|value| (value, 1)).collect();
        Values::mean_of(&values, most)
    };
    possible.map(move |(name, _, of_game)| {
        let values = match of_game {
            OfGame::Share(so) => {
                let count = sample.iter().filter(|game| so(game)).count();
                Values::share_of(count as u64, sample.len() as u64)
            }
            OfGame::Mean(value) => mean(value, f64::INFINITY),
            OfGame::Part(value) => mean(value, 1.0),
        };
        (*name, values)
    })
}

#[cfg(test)]
pub(super) mod tests;
