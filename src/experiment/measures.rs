/*!
Facts about games that their records do not hold: games are played again and
measured. Imports games, events and the judge.
*/

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::agreement::alike;
use super::endgames::Endgames;
use super::grid::Cell;
use super::judge::{Course, expected_scores};
use super::manifest::Manifest;
use super::measures_file::{six_decimals, zero_or_one};
use super::one_game::Transcript;
use super::record::{Termination, Winner};
use super::replayed::{ReplayError, ReplayObserver, Replayed, replay};
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

/// Plays again the first `sample` games on record of every cell, or all where
/// there are fewer, and measures them: see [`replay`]. What it gives depends on
/// the games alone.
///
/// # Errors
/// As [`replay`].
pub fn measure(
    folder: &Path,
    manifest: &Manifest,
    sample: u64,
    endgames: &Endgames,
    stop: &AtomicBool,
    observer: &dyn ReplayObserver,
) -> Result<Replayed<GameMeasures>, ReplayError> {
    let name = &manifest.experiment.name;
    let of = |_, cell: &Cell, game: &Transcript| GameMeasures::of(name, cell, game);
    replay(folder, manifest, sample, endgames, stop, observer, of)
}

#[cfg(test)]
mod tests;
