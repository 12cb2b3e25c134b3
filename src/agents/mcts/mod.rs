/*!
Monte Carlo tree search: PUCT with the evaluation as prior, bounds on the true
result, a tree that is kept between moves. Imports `game`.

A playout walks down the tree to a leaf, gives the leaf its moves as children,
each with the evaluation's odds as prior, and backs up what the leaf is worth:
by the evaluation or by a game played on from there. Wins, losses and draws
that are certain are carried up as bounds. A node stands for one line of play,
so that repetitions are seen as in the game itself, and what is proven holds
whatever came before.

All values are fixed-point integers, so that the tree grows the same way on
every processor.
*/

mod fixed;
mod node;
mod playout;
mod search;
#[cfg(test)]
mod tests;
mod tree;

use self::search::Search;
use self::tree::{Kept, Tree};
use super::evaluation::{Choice, Evaluation};
use super::{Agent, Forfeit, Stream};
use crate::game::{Game, Move, MoveList};

/// How a leaf of the tree is judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Playout {
    /// By the evaluation, which is by far the strongest.
    #[default]
    None,
    /// By random games.
    Random,
    /// By a random game in which wins in one are taken and losses in one
    /// stopped.
    Decisive,
}

/// A budget, and which parts of the tree search take part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MctsOptions {
    /// How often the root of the tree is visited for a move, 1 to
    /// [`MctsOptions::MAX_PLAYOUTS`]; visits kept from the last move count.
    /// Each adds at most one position's moves to the tree, 24 bytes a move:
    /// mostly about a kilobyte, twice that while what is kept is carried over
    /// to the next move.
    pub playouts: u32,
    /// The weight of exploration in thousandths, 0 to 10,000; `None` is 700
    /// with a prior and 1000 without.
    pub exploration: Option<u32>,
    /// Whether the evaluation says which moves to visit first and how often.
    pub prior: bool,
    /// Whether the tree is kept between moves.
    pub keep: bool,
    /// How leaves are judged.
    pub playout: Playout,
    /// Of how many games the mean is taken with [`Playout::Random`], 1 to
    /// [`MctsOptions::MAX_LEAF_GAMES`]. They are played several at a time.
    pub leaf_games: u32,
    /// Which weights the evaluation uses, and whether its network.
    pub weights: Choice,
}

impl MctsOptions {
    /// The largest budget.
    pub const MAX_PLAYOUTS: u32 = 1_000_000;
    /// The most random games at a leaf.
    pub const MAX_LEAF_GAMES: u32 = 64;

    /// The strongest search with this many playouts a move.
    #[must_use]
    pub fn new(playouts: u32) -> MctsOptions {
        MctsOptions {
            playouts,
            exploration: None,
            prior: true,
            keep: true,
            playout: Playout::None,
            leaf_games: 1,
            weights: Choice::default(),
        }
    }

    /// The weight of exploration in thousandths.
    pub(super) fn exploration(&self) -> u32 {
        let default = if self.prior { 700 } else { 1000 };
        self.exploration.unwrap_or(default)
    }
}

/// The agent.
pub(super) struct Mcts {
    options: MctsOptions,
    stream: Stream,
    kept: Option<Kept>,
    /// The evaluation under the rules of the game, once it began.
    evaluation: Option<Evaluation>,
}

impl Mcts {
    pub(super) fn new(options: MctsOptions, stream: Stream) -> Mcts {
        Mcts {
            options,
            stream,
            kept: None,
            evaluation: None,
        }
    }

    /// The tree for the present position, grown to the budget.
    fn grow(&mut self, game: &Game<'_>, root: Tree) -> Tree {
        let (ruleset, options) = (game.rules().ruleset(), self.options);
        let mut search = Search {
            tree: root,
            options,
            evaluation: self
                .evaluation
                .get_or_insert_with(|| Evaluation::of(ruleset, options.weights)),
            stream: &mut self.stream,
        };
        search.run(game);
        search.tree
    }
}

impl Agent for Mcts {
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        if list.len() == 1 {
            return Ok(list[0]);
        }
        let kept = self.kept.take().and_then(|kept| kept.part(game));
        let tree = self.grow(game, kept.unwrap_or_else(|| Tree::new(list[0])));
        let chosen = tree.best().unwrap_or(list[0]);
        if self.options.keep {
            self.kept = Some(Kept::new(tree, game));
        }
        Ok(chosen)
    }
}
