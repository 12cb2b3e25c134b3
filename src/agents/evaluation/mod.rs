/*!
The worth of a position that is not decided, in whole numbers. Imports `game`.

A score is a weighted sum of [`features()`]; the [`Weights`] are data, fitted to
the results of games. [`SCALE`] units are one unit of the logit of the
defenders' expected score.
*/

mod features;
pub(crate) mod groups;
mod pieces;
mod weights;

use crate::game::{Position, Rules, Side};

pub use features::{FEATURES, GROUPS, features};
pub use weights::{Choice, Condition, Provenance, SCALE, WeightSet, Weights, WeightsError};

/// More than any evaluation's absolute value.
pub(super) const BOUND: i32 = 10_000;

/// One attackers' soldier; a defenders' soldier is twice as rare and counts
/// twice as much.
const ATTACKER: i32 = 50;
const DEFENDER: i32 = 100;
/// One square the king can go to.
const KING_MOVE: i32 = 8;

/// Material and the king's mobility, from the defenders' side: positive is
/// good for them. The king must be on the board.
pub(super) fn material_and_mobility(rules: &Rules, position: &Position) -> i32 {
    DEFENDER * position.defenders.len() as i32 - ATTACKER * position.attackers.len() as i32
        + KING_MOVE * rules.king_reach(position).len() as i32
}

/// The worth of a position to the side to move, between -[`BOUND`] and
/// [`BOUND`]. The king must be on the board.
#[inline]
pub(super) fn evaluate(rules: &Rules, weights: &Weights, position: &Position) -> i32 {
    let score = weights.score(rules, position).clamp(1 - BOUND, BOUND - 1);
    match position.side {
        Side::Defenders => score,
        Side::Attackers => -score,
    }
}
