/*!
Facts about games that their records do not hold: games are played again from
their seeds, checked against the rows on record, and measured. Imports the grid,
chunk files, games, events and the judge.
*/

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::agreement::alike;
use super::chunk::{ChunkFile, read_whole, row};
use super::error::Error;
use super::folder::{GAMES, find_chunks};
use super::grid::{Cell, Grid};
use super::judge::{Course, expected_scores};
use super::manifest::{Manifest, PLAY_REVISION};
use super::measures_file::{six_decimals, zero_or_one};
use super::one_game::{Table, Transcript};
use super::record::{Termination, Winner};
use crate::game::{Anvil, Bitboard, Explainer, Explanation, Game, Rule, Rules, Threat};

/// What is measured of one game: a row of `measures.csv`, whose columns are
/// these fields. Real numbers are rounded to six decimals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameMeasures {
    /// The experiment's name.
    pub experiment: String,
    /// The cell's id.
    pub cell: String,
    /// The ruleset's id.
    pub ruleset: String,
    /// The game's index in its cell.
    pub game: u64,
    /// Who won.
    pub winner: Winner,
    /// Why it ended.
    pub reason: Termination,
    /// Its length in plies.
    pub plies: u32,
    /// How many of them are the random opening's.
    pub opening_plies: u32,
    /// The first move, the smallest of its images under those symmetries of the
    /// board that leave the start position alone; `None` if there is no move.
    pub first_move: Option<String>,
    /// The mean number of legal moves where an agent moved; `None` if none did.
    #[serde(with = "six_decimals")]
    pub branching: Option<f64>,
    /// Attackers captured.
    pub attackers_captured: u32,
    /// Defenders' soldiers captured.
    pub defenders_captured: u32,
    /// Attackers whom the king captured by his move.
    pub captures_by_king: u32,
    /// Attackers whom a soldier captured against the king.
    pub captures_against_king: u32,
    /// Soldiers whose capture took the hostile throne ([`Rule::HostileThrone`]).
    pub captures_with_throne: u32,
    /// Soldiers whose capture took a hostile corner ([`Rule::HostileCorners`]).
    pub captures_with_corner: u32,
    /// How often the king stepped onto the throne again.
    pub king_returns: u32,
    /// Whether the king was captured and the empty throne was one of the sides
    /// that closed in on him.
    #[serde(with = "zero_or_one")]
    pub king_captured_with_throne: bool,
    /// Whether the king was captured where four would not have captured him
    /// ([`Rule::CaptureByTwo`]).
    #[serde(with = "zero_or_one")]
    pub king_captured_only_two: bool,
    /// How often the defenders made a threat to escape to one corner.
    pub raichi: u32,
    /// How often to two or more.
    pub tuichi: u32,
    /// See [`Course::judged`].
    pub judged: u32,
    /// See [`Course::lead_changes`].
    pub lead_changes: u32,
    /// See [`super::WinnersCourse::behind`]; `None` if nobody won.
    #[serde(with = "six_decimals")]
    pub behind: Option<f64>,
    /// See [`super::WinnersCourse::drama`]; `None` if nobody won.
    #[serde(with = "six_decimals")]
    pub drama: Option<f64>,
    /// See [`super::WinnersCourse::drama_max`]; `None` if nobody won.
    #[serde(with = "six_decimals")]
    pub drama_max: Option<f64>,
    /// See [`super::WinnersCourse::settled`]; `None` if nobody won.
    #[serde(with = "six_decimals")]
    pub settled: Option<f64>,
    /// See [`Course::judge_error`]; `None` if the game was stopped.
    #[serde(with = "six_decimals")]
    pub judge_error: Option<f64>,
}

impl GameMeasures {
    /// Measures a game of a cell.
    #[must_use]
    pub fn of(experiment: &str, cell: &Cell, transcript: &Transcript) -> GameMeasures {
        let rules = cell.rules();
        let record = &transcript.record;
        let counts = Counts::of(&rules, transcript);
        let mut scores = expected_scores(&rules, &transcript.moves, transcript.opening_plies);
        if transcript.outcome.is_some() {
            // What the end of the game is worth is no judgement.
            scores.pop();
        }
        let course = Course::new(&scores, record.winner);
        let of_winner = course.of_winner;
        let start = rules.start();
        let first = transcript.moves.first();
        GameMeasures {
            experiment: experiment.to_owned(),
            cell: cell.id.clone(),
            ruleset: cell.ruleset_id.clone(),
            game: record.game,
            winner: record.winner,
            reason: record.termination,
            plies: record.plies,
            opening_plies: transcript.opening_plies as u32,
            first_move: first.map(|&ply| alike(&start, ply)[0].to_string()),
            branching: counts.branching(),
            attackers_captured: start.attackers.len() - record.attackers_left,
            defenders_captured: start.defenders.len() - record.defenders_left,
            captures_by_king: counts.by_king,
            captures_against_king: counts.against_king,
            captures_with_throne: counts.with_throne,
            captures_with_corner: counts.with_corner,
            king_returns: counts.returns,
            king_captured_with_throne: counts.king_with_throne,
            king_captured_only_two: counts.king_only_two,
            raichi: counts.raichi,
            tuichi: counts.tuichi,
            judged: course.judged,
            lead_changes: course.lead_changes,
            behind: of_winner.map(|course| rounded(course.behind)),
            drama: of_winner.map(|course| rounded(course.drama)),
            drama_max: of_winner.map(|course| rounded(course.drama_max)),
            settled: of_winner.map(|course| rounded(course.settled)),
            judge_error: course.judge_error.map(rounded),
        }
    }
}

/// To six decimals, so that a number is the same after it was written and read.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// What happened in a game, counted.
#[derive(Default)]
struct Counts {
    /// Legal moves wherever an agent moved, and how often one did.
    choices: u64,
    agents_plies: u64,
    by_king: u32,
    against_king: u32,
    with_throne: u32,
    with_corner: u32,
    returns: u32,
    king_with_throne: bool,
    king_only_two: bool,
    raichi: u32,
    tuichi: u32,
}

impl Counts {
    fn of(rules: &Rules, transcript: &Transcript) -> Counts {
        let explainer = Explainer::new(rules);
        let mut game = Game::new(rules);
        let mut counts = Counts::default();
        for (index, &ply) in transcript.moves.iter().enumerate() {
            if index >= transcript.opening_plies {
                counts.choices += rules.count_moves(game.position());
                counts.agents_plies += 1;
            }
            let king = game.position().king;
            counts.add(&explainer.explain(&game, ply), king);
            game.play_legal(ply);
        }
        counts
    }

    fn add(&mut self, explanation: &Explanation, king: Bitboard) {
        let soldiers = |rule| (explanation.decided_by(rule) - king).len();
        let with_king = soldiers(Rule::ArmedKing);
        if explanation.is_kings {
            self.by_king += with_king;
        } else {
            self.against_king += with_king;
        }
        self.with_throne += soldiers(Rule::HostileThrone);
        self.with_corner += soldiers(Rule::HostileCorners);
        self.returns += u32::from(explanation.returned);
        self.king_only_two |= explanation.decided_by(Rule::CaptureByTwo).meets(king);
        self.king_with_throne |= explanation
            .captures
            .iter()
            .any(|capture| capture.is_king && capture.anvils.contains(&Anvil::Throne));
        match explanation.threat {
            Some(Threat::Raichi) => self.raichi += 1,
            Some(Threat::Tuichi) => self.tuichi += 1,
            None => {}
        }
    }

    fn branching(&self) -> Option<f64> {
        let mean = self.choices as f64 / self.agents_plies as f64;
        (self.agents_plies > 0).then(|| rounded(mean))
    }
}

/// Sees a sample being measured. Called from many threads.
pub trait MeasureObserver: Sync {
    /// So many games are to be played again.
    fn started(&self, games: u64);
    /// One more was.
    fn measured(&self);
}

/// Nobody looks.
impl MeasureObserver for () {
    fn started(&self, _: u64) {}
    fn measured(&self) {}
}

/// Why games could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The folder cannot be read.
    #[error(transparent)]
    Folder(#[from] Error),
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
    #[error("stopped before every game was measured")]
    Stopped,
}

/// A sample's measures.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// One a game, cells in the grid's order, games in theirs.
    pub games: Vec<GameMeasures>,
    /// The ids of cells in which an external engine plays, which are left out:
    /// it need not play the same moves again.
    pub external: Vec<String>,
}

/// A game to be measured: its cell's place in the grid, its index, its row.
struct Sampled {
    cell: usize,
    game: u64,
    row: String,
}

/// Plays again the first `sample` games on record of every cell, or all where
/// there are fewer, and measures them, on rayon's threads. What it gives
/// depends on the games alone.
///
/// # Errors
/// If the folder cannot be read or is damaged, other players have played it, a
/// game comes out otherwise than its row says, or `stop` becomes true before
/// the end.
pub fn measure(
    folder: &Path,
    manifest: &Manifest,
    sample: u64,
    stop: &AtomicBool,
    observer: &dyn MeasureObserver,
) -> Result<Measured, MeasureError> {
    let program = &manifest.program;
    if program.play_revision != PLAY_REVISION {
        return Err(MeasureError::Revision {
            folder: folder.display().to_string(),
            theirs: program.play_revision,
            version: program.version.clone(),
            commit: program.commit.clone(),
        });
    }
    let grid = Grid::new(manifest.experiment.clone());
    let sampled = sampled(folder, &grid, sample)?;
    observer.started(sampled.len() as u64);
    let failed = AtomicBool::new(false);
    let of_game = |sampled: &Sampled| {
        if stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed) {
            return None;
        }
        let measures = measure_one(&grid, sampled);
        failed.fetch_or(measures.is_err(), Ordering::Relaxed);
        observer.measured();
        Some(measures)
    };
    let measured: Vec<_> = sampled.par_iter().with_max_len(1).map(of_game).collect();
    let mut games = Vec::with_capacity(measured.len());
    let mut missing = false;
    for one in measured {
        match one {
            Some(measures) => games.push(measures?),
            None => missing = true,
        }
    }
    if missing {
        return Err(MeasureError::Stopped);
    }
    let external = grid.cells.iter().filter(|cell| !cell.is_reproducible());
    Ok(Measured {
        games,
        external: external.map(|cell| cell.id.clone()).collect(),
    })
}

fn measure_one(grid: &Grid, sampled: &Sampled) -> Result<GameMeasures, MeasureError> {
    let cell = &grid.cells[sampled.cell];
    let transcript = Table::new(&grid.experiment, cell).transcript(sampled.game);
    let played = row(cell, &transcript.record);
    if played != sampled.row {
        return Err(MeasureError::NotOnRecord {
            cell: cell.id.clone(),
            game: sampled.game,
            recorded: sampled.row.clone(),
            played,
        });
    }
    Ok(GameMeasures::of(&grid.experiment.name, cell, &transcript))
}

/// The first games on record of every cell without an external engine.
fn sampled(folder: &Path, grid: &Grid, sample: u64) -> Result<Vec<Sampled>, Error> {
    let mut taken = vec![0; grid.cells.len()];
    let mut sampled = Vec::new();
    // In the order of cells and of games.
    for ((cell, _), file) in find_chunks(folder, grid)? {
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

#[cfg(test)]
mod tests;
