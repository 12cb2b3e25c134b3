//! Growing the tree: choosing a leaf, giving it children, backing its value
//! up. Imports `game`.

use super::fixed::{WIN, exp_of_minus, expected, natural_log};
use super::node::{Bounds, Node};
use super::playout::{Decisive, random_games};
use super::tree::Tree;
use super::{MctsOptions, Playout};
use crate::agents::evaluation::{BOUND, Evaluation};
use crate::agents::{Stream, shuffle};
use crate::game::{Game, Move, MoveList};

/// A tree and all that makes it grow.
pub(super) struct Search<'a> {
    pub(super) tree: Tree,
    pub(super) options: MctsOptions,
    pub(super) evaluation: &'a Evaluation,
    pub(super) stream: &'a mut Stream,
}

impl Search<'_> {
    /// Plays out until the root has been visited often enough, or is decided.
    pub(super) fn run(&mut self, game: &Game<'_>) {
        if self.tree.root().children == 0 {
            self.expand(0, game);
        }
        while !self.tree.root().bounds.decided() && self.tree.root().visits < self.options.playouts
        {
            self.playout(game);
        }
    }

    /// Walks down to a leaf, gives it children and backs its value up. The
    /// root must have children and not be decided.
    fn playout(&mut self, game: &Game<'_>) {
        let mut game = game.clone();
        let mut path = vec![0];
        let mut leaf = 0;
        while self.tree.nodes[leaf].children > 0 {
            leaf = self.select(leaf);
            game.play_legal(self.tree.nodes[leaf].ply);
            path.push(leaf);
        }
        self.expand(leaf, &game);
        let result = self.value(leaf, &game);
        self.back_up(&path, result);
    }

    /// Gives a node the moves of the position as children, in random order.
    /// Those after which the opponent wins at once are left out, but for the
    /// root, which must have a move to play.
    fn expand(&mut self, node: usize, game: &Game<'_>) {
        let mut list = MoveList::new();
        game.moves(&mut list);
        shuffle(&mut list, self.stream);
        let mut children = Vec::with_capacity(list.len());
        let mut worths = Vec::with_capacity(list.len());
        for &ply in &list {
            let (child, worth) = self.child(ply, game);
            if node == 0 || child.bounds != Bounds::LOST {
                children.push(child);
                worths.push(worth);
            }
        }
        if self.options.prior {
            share_out(&mut children, &worths);
        }
        self.tree.add(node, children);
    }

    /// A move's node, and what the move is worth to its mover.
    fn child(&self, ply: Move, game: &Game<'_>) -> (Node, i32) {
        let mut node = Node::new(ply);
        let (played, outcome) = game.preview(ply);
        let after = &played.position;
        let worth = if let Some(outcome) = outcome {
            node.bounds = Bounds::of(outcome, game.position().side);
            (i32::from(node.bounds.lower) - 1) * BOUND
        } else if game.rules().decisive_move(after).is_some() {
            node.bounds = Bounds::LOST;
            -BOUND
        } else if self.options.prior {
            -self.evaluation.for_mover(game.rules(), after)
        } else {
            0
        };
        node.prior = node.bounds.clamp(expected(worth)) as u16;
        (node, worth)
    }

    /// The value of a node that has just got children, for the side that moved
    /// into it, in parts of a [`WIN`].
    fn value(&mut self, leaf: usize, game: &Game<'_>) -> u32 {
        let bounds = self.tree.nodes[leaf].bounds;
        let position = game.position();
        if bounds.decided() {
            return bounds.clamp(0);
        }
        match self.options.playout {
            Playout::None if self.options.prior => u32::from(self.tree.nodes[leaf].prior),
            Playout::None => expected(-self.evaluation.for_mover(game.rules(), position)),
            Playout::Random => WIN - random_games(game, self.options.leaf_games, self.stream),
            Playout::Decisive => {
                let rules = game.rules();
                WIN - Decisive { rules }.play_on(position, self.stream)
            }
        }
    }

    /// The child to go to: the largest upper confidence bound among those not
    /// proven to be no better than another. The node must not be decided.
    fn select(&self, node: usize) -> usize {
        let visits = self.tree.nodes[node].visits.max(1);
        let spread = if self.options.prior {
            (u64::from(visits) << 16).isqrt()
        } else {
            natural_log(visits)
        };
        let least = self.tree.children(node).iter().map(|it| it.bounds.lower);
        let least = least.max().unwrap_or(0);
        let range = self.tree.nodes[node].range();
        let mut best = range.start;
        let mut best_bound = 0;
        for child in range {
            let node = &self.tree.nodes[child];
            if node.bounds.upper <= least {
                continue;
            }
            let bound = 1 + self.confidence_bound(node, spread);
            if bound > best_bound {
                best_bound = bound;
                best = child;
            }
        }
        best
    }

    /// The mean result plus the exploration term, both in 1/65536. With a
    /// prior PUCT (Rosin 2011, in the form of Silver et al. 2016): `spread` is
    /// the root of the parent's visits in 1/256. Without, UCB1: it is their
    /// logarithm in 1/65536, and what was never visited comes first.
    fn confidence_bound(&self, node: &Node, spread: u64) -> u64 {
        let visits = u64::from(node.visits);
        let term = if self.options.prior {
            spread * u64::from(node.share) / 256 / (visits + 1)
        } else {
            match (spread << 16).checked_div(visits) {
                Some(ratio) => ratio.isqrt(),
                None => return u64::from(u32::MAX),
            }
        };
        let mean = (u64::from(node.mean()) << 16) / u64::from(WIN);
        mean + term * u64::from(self.options.exploration()) / 1000
    }

    /// Adds a result, for the side that moved into the leaf, to every node
    /// from the leaf up, and carries up what has been proven: of a node whose
    /// value has bounds, no result goes up that lies beyond them.
    fn back_up(&mut self, path: &[usize], mut result: u32) {
        let mut proven = true;
        for &node in path.iter().rev() {
            if proven && Some(&node) != path.last() {
                let bounds = Bounds::over(self.tree.children(node));
                proven = bounds != self.tree.nodes[node].bounds;
                self.tree.nodes[node].bounds = bounds;
            }
            let node = &mut self.tree.nodes[node];
            result = node.bounds.clamp(result);
            node.visits += 1;
            node.score += result;
            result = WIN - result;
        }
    }
}

/// Shares the siblings' visits out in proportion to e to the power of what
/// each is worth: as the odds of winning that the evaluation gives them.
fn share_out(children: &mut [Node], worths: &[i32]) {
    let best = worths.iter().copied().max().unwrap_or(0);
    let weight = |worth: &i32| u64::from(exp_of_minus(best.abs_diff(*worth)));
    let sum: u64 = worths.iter().map(weight).sum();
    for (child, worth) in children.iter_mut().zip(worths) {
        child.share = (weight(worth) * 65_535 / sum) as u16;
    }
}
