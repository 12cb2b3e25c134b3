//! Positions of an experiment's games, with how the games ended.
//! Imports games, features and rules.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::agents::evaluation::{FEATURES, features};
use crate::experiment::{Grid, Table, Transcript, Winner};
use crate::game::{Position, Rules, Ruleset, Side};

// A sample keeps a feature's number in a byte.
const _: () = assert!(FEATURES <= 256);

/// One of so many games is kept apart to measure the fit on.
pub(super) const KEPT_APART: u64 = 5;

/// Fewer games a cell are too few: of so many, two are kept apart, and one tells
/// nothing of how games differ.
pub const MIN_GAMES: u64 = 2 * KEPT_APART;

/// A position, its features other than zero, and the defenders' score.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The position itself.
    pub position: Position,
    /// Number and value of each feature that is not zero.
    pub features: Vec<(u8, i16)>,
    /// 1 if the defenders won the game, ½ for a draw, 0 if they lost.
    pub target: f64,
}

/// The positions of one ruleset's games.
pub struct Samples {
    /// The rules they were played by.
    pub ruleset: Ruleset,
    /// Games that were decided or drawn.
    pub games: u64,
    /// By game: of one game the positions stand together.
    pub fitted: Vec<Vec<Sample>>,
    /// Every fifth game, kept apart.
    pub apart: Vec<Vec<Sample>>,
}

impl Samples {
    /// Plays all games of an experiment and takes from each the positions after
    /// the opening in which the side to move cannot win at once and the king does
    /// not threaten to escape. Games that were stopped are left out. `played` is called after each
    /// game.
    #[must_use]
    pub fn play(grid: &Grid, played: &(impl Fn() + Sync)) -> Vec<Samples> {
        let mut all: Vec<Samples> = Vec::new();
        for cell in &grid.cells {
            let games: Vec<Option<Vec<Sample>>> = (0..grid.experiment.games)
                .into_par_iter()
                .map_init(
                    || Table::new(&grid.experiment, cell),
                    |table, index| {
                        let game = table.transcript(index);
                        played();
                        of_game(&cell.rules(), &game)
                    },
                )
                .collect();
            let ruleset = *cell.rules().ruleset();
            let place = all.iter().position(|samples| samples.ruleset == ruleset);
            let place = place.unwrap_or_else(|| {
                all.push(Samples {
                    ruleset,
                    games: 0,
                    fitted: Vec::new(),
                    apart: Vec::new(),
                });
                all.len() - 1
            });
            let samples = &mut all[place];
            for (index, game) in (0..).zip(games) {
                let Some(game) = game else { continue };
                samples.games += 1;
                if index % KEPT_APART == KEPT_APART - 1 {
                    samples.apart.push(game);
                } else {
                    samples.fitted.push(game);
                }
            }
        }
        all
    }
}

/// The samples of one game, `None` if nobody won and it was no draw.
fn of_game(rules: &Rules, game: &Transcript) -> Option<Vec<Sample>> {
    let target = match game.record.winner {
        Winner::Defenders => 1.0,
        Winner::Draw => 0.5,
        Winner::Attackers => 0.0,
        Winner::None => return None,
    };
    let mut position = rules.start();
    let mut samples = Vec::new();
    for (index, &ply) in game.moves.iter().enumerate() {
        if index >= game.opening_plies && is_judged(rules, &position) {
            samples.push(Sample {
                position,
                features: sparse(&features(rules, &position)),
                target,
            });
        }
        position = rules.play(&position, ply).position;
    }
    Some(samples)
}

/// Whether the evaluation is asked of a position: the side to move cannot win at
/// once, and the defenders could not if it were their turn. That the attackers
/// threaten to capture the king is a feature of its own; a way out that the king
/// threatens to take is not, and searches answer it move by move.
fn is_judged(rules: &Rules, position: &Position) -> bool {
    [position.side, Side::Defenders].into_iter().all(|side| {
        let turn = Position { side, ..*position };
        rules.decisive_move(&turn).is_none()
    })
}

fn sparse(features: &[i32]) -> Vec<(u8, i16)> {
    let numbered = features.iter().enumerate();
    numbered
        .filter(|&(_, &value)| value != 0)
        .map(|(feature, &value)| (feature as u8, value as i16))
        .collect()
}
