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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Source;
    use crate::game::MoveList;

    /// Whether a side to move has a move that wins at once, by trying them all.
    fn wins(rules: &Rules, position: &Position, side: Side) -> bool {
        let turn = Position { side, ..*position };
        let mut list = MoveList::new();
        rules.moves(&turn, &mut list);
        list.iter().any(|&ply| {
            let end = rules.ending(&rules.play(&turn, ply).position);
            end.is_some_and(|end| end.winner == Some(side))
        })
    }

    /// Of each game that ended the positions after the opening are taken in which nobody
    /// wins at once, and every fifth game is kept apart.
    #[test]
    fn samples_are_the_quiet_positions_of_the_games() {
        let text = "name='x'\nseed=1\ngames=40\nply_limit=40\n[rules]\nbase='wtf'\n\
                    [opening]\nrandom_plies=4\n[[match]]\nagents=['greedy']\n";
        let grid = Grid::new(Source::parse("x", text).unwrap().experiment);
        let [samples] = &Samples::play(&grid, &|| ())[..] else {
            panic!("one ruleset");
        };
        let rules = grid.cells[0].rules();
        let mut table = Table::new(&grid.experiment, &grid.cells[0]);
        let mut kept = [Vec::new(), Vec::new()];
        let (mut stopped, mut left_out) = (0, 0);
        for index in 0..40 {
            let game = table.transcript(index);
            let target = match game.record.winner {
                Winner::None => {
                    stopped += 1;
                    continue;
                }
                Winner::Defenders => 1.0,
                Winner::Attackers => 0.0,
                Winner::Draw => 0.5,
            };
            let (mut position, mut quiet) = (rules.start(), Vec::new());
            for (number, &ply) in game.moves.iter().enumerate() {
                let loud = wins(&rules, &position, position.side)
                    || wins(&rules, &position, Side::Defenders);
                if number >= 4 && !loud {
                    quiet.push((position, target));
                }
                left_out += usize::from(number >= 4 && loud);
                position = rules.play(&position, ply).position;
            }
            kept[usize::from(index % 5 == 4)].push(quiet);
        }
        assert!(stopped > 0 && left_out > 10, "{stopped} {left_out}");
        for (found, expected) in [&samples.fitted, &samples.apart].into_iter().zip(&kept) {
            let found: Vec<Vec<(Position, f64)>> = found
                .iter()
                .map(|game| game.iter().map(|one| (one.position, one.target)).collect())
                .collect();
            assert_eq!(found, *expected);
        }
        assert_eq!(samples.games, (kept[0].len() + kept[1].len()) as u64);
    }
}
