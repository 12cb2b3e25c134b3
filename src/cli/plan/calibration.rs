//! What a game of each match costs on this machine: some are played.

use std::time::{Duration, Instant};

use brandub::experiment::{Grid, Match, played_rows};

use super::super::clock::Worked;

/// Most games of one cell that are played at once.
const MOST_AT_ONCE: u64 = 4_096;

/// What a game of one match costs, as a mean over the rulesets.
pub struct Cost {
    /// Who plays.
    pub pair: Match,
    /// Games that were played.
    pub games: u64,
    /// Processor time of a game.
    pub seconds: f64,
    /// Its standard error, from rounds over the rulesets; `None` after one.
    pub error: Option<f64>,
    /// Bytes of a game's row.
    pub bytes: f64,
}

/// Plays games of every match on one thread, each for about this time, but at
/// least one under every ruleset.
pub fn calibrate(grid: &Grid, time: Duration, mut seen: impl FnMut(&Cost)) -> Vec<Cost> {
    let matches = &grid.experiment.matches;
    let costs = (0..matches.len()).map(|place| {
        let cost = cost(grid, place, time);
        seen(&cost);
        cost
    });
    costs.collect()
}

/// Rounds over the rulesets, each with other games and, while they are quick,
/// more of them.
fn cost(grid: &Grid, place: usize, time: Duration) -> Cost {
    let matches = grid.experiment.matches.len();
    let begun = Instant::now();
    let (mut first, mut at_once) = (0, 1);
    // Games a cell and seconds of each round.
    let mut rounds: Vec<(u64, f64)> = Vec::new();
    let (mut games, mut bytes) = (0, 0);
    loop {
        let worked = Worked::start();
        for cell in (place..grid.cells.len()).step_by(matches) {
            bytes += played_rows(grid, cell, first..first + at_once).len();
            games += at_once;
        }
        rounds.push((at_once, worked.seconds()));
        first += at_once;
        let left = grid.experiment.games.saturating_sub(first);
        if left == 0 || begun.elapsed() >= time {
            break;
        }
        at_once = first.min(MOST_AT_ONCE).min(left);
    }
    let rulesets = grid.experiment.rulesets.len() as f64;
    let all: f64 = rounds.iter().map(|(_, seconds)| seconds).sum();
    let played = first as f64;
    let mean = all / played / rulesets;
    let error = (rounds.len() > 1).then(|| {
        // The ratio estimator's: rounds differ in size.
        let squares = rounds.iter().map(|&(games, seconds)| {
            let off = seconds / rulesets - mean * games as f64;
            off * off
        });
        let count = rounds.len() as f64;
        (squares.sum::<f64>() * count / (count - 1.0)).sqrt() / played
    });
    Cost {
        pair: grid.experiment.matches[place].clone(),
        games,
        seconds: mean,
        error,
        bytes: bytes as f64 / games as f64,
    }
}
