//! One move in the tree: its statistics and what is proven of it.
//! Imports `game`.

use std::ops::Range;

use super::fixed::WIN;
use crate::game::{Move, Outcome, Side};

/// The least and the most a node can be worth to the side that moved into it,
/// in half games: 0 lost, 1 drawn, 2 won (score-bounded tree search, Cazenave
/// and Saffidine 2010).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: u8,
    pub(super) upper: u8,
}

impl Bounds {
    pub(super) const OPEN: Bounds = Bounds { lower: 0, upper: 2 };
    pub(super) const LOST: Bounds = Bounds { lower: 0, upper: 0 };

    /// Of a game that is over, for `mover`.
    pub(super) fn of(outcome: Outcome, mover: Side) -> Bounds {
        let worth = match outcome.winner {
            None => 1,
            Some(side) if side == mover => 2,
            Some(_) => 0,
        };
        Bounds {
            lower: worth,
            upper: worth,
        }
    }

    /// Of the node whose children these are: its worth is what the best of
    /// them leaves over. A node without any is won.
    pub(super) fn over(children: &[Node]) -> Bounds {
        let best = |bound: fn(&Node) -> u8| children.iter().map(bound).max().unwrap_or(0);
        Bounds {
            lower: 2 - best(|child| child.bounds.upper),
            upper: 2 - best(|child| child.bounds.lower),
        }
    }

    /// Whether the result is known.
    pub(super) fn decided(self) -> bool {
        self.lower == self.upper
    }

    /// The value nearest to this one that the bounds allow, in parts of a
    /// [`WIN`].
    pub(super) fn clamp(self, value: u32) -> u32 {
        let half_games = |count: u8| u32::from(count) * WIN / 2;
        value.clamp(half_games(self.lower), half_games(self.upper))
    }
}

/// A move in the tree, 24 bytes; values are for the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) ply: Move,
    pub(super) bounds: Bounds,
    /// The expected result before any visit, in parts of a [`WIN`].
    pub(super) prior: u16,
    /// The share of its siblings' visits that the prior suggests, in 1/65536.
    pub(super) share: u16,
    pub(super) children: u16,
    pub(super) first_child: u32,
    pub(super) visits: u32,
    /// The sum of the visits' results, in parts of a [`WIN`].
    pub(super) score: u32,
}

impl Node {
    pub(super) fn new(ply: Move) -> Node {
        Node {
            ply,
            bounds: Bounds::OPEN,
            prior: WIN as u16 / 2,
            share: 0,
            children: 0,
            first_child: 0,
            visits: 0,
            score: 0,
        }
    }

    /// The mean result, or the prior before any visit; within the bounds.
    pub(super) fn mean(&self) -> u32 {
        let mean = self.score.checked_div(self.visits);
        self.bounds.clamp(mean.unwrap_or(u32::from(self.prior)))
    }

    /// Where its children are in the tree.
    pub(super) fn range(&self) -> Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }
}
