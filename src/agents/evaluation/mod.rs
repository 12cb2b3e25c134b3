/*!
The worth of a position that is not decided, in whole numbers. Imports `game` and
`arch`.

A score is a weighted sum of [`features()`], and what a small [`network`] adds by
how the pieces stand to each other; the [`Weights`] and the network's numbers are
data, fitted to the results of games. [`SCALE`] units are one unit of the logit of
the defenders' expected score.
*/

mod features;
pub(crate) mod groups;
pub mod network;
mod pieces;
mod weights;

use crate::game::{Position, Rules, Ruleset, Side};
use network::Adapted;

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

/// How positions are judged under one ruleset.
#[derive(Clone, Debug)]
pub struct Evaluation {
    weights: &'static Weights,
    network: Option<Adapted>,
}

impl Evaluation {
    /// The evaluation that comes with the program for this ruleset.
    #[must_use]
    pub fn of(ruleset: &Ruleset, choice: Choice) -> Evaluation {
        Evaluation {
            weights: Weights::of(ruleset, choice),
            network: (choice == Choice::Tuned).then(|| Adapted::of(ruleset)),
        }
    }

    /// The worth of a position under rules that this evaluation is for, in units of
    /// 1 / [`SCALE`]: positive is good for the defenders. It is held within no
    /// bounds. The king must be on the board.
    #[inline]
    #[must_use]
    pub fn score(&self, rules: &Rules, position: &Position) -> i32 {
        let network = self.network.as_ref();
        self.weights.score(rules, position) + network.map_or(0, |network| network.score(position))
    }

    /// The worth of a position to the side to move, between -[`BOUND`] and
    /// [`BOUND`]. The king must be on the board.
    #[inline]
    pub(super) fn for_mover(&self, rules: &Rules, position: &Position) -> i32 {
        let score = self.score(rules, position).clamp(1 - BOUND, BOUND - 1);
        match position.side {
            Side::Defenders => score,
            Side::Attackers => -score,
        }
    }
}
