//! The tree as it is stored: finding a node, keeping a part. Imports `game`.

use super::node::{Bounds, Node};
use crate::game::{Game, Move};

/// The nodes, the root first, each node's children side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// A root alone; its own move does not matter.
    pub(super) fn new(ply: Move) -> Tree {
        Tree {
            nodes: vec![Node::new(ply)],
        }
    }

    pub(super) fn root(&self) -> &Node {
        &self.nodes[0]
    }

    pub(super) fn children(&self, node: usize) -> &[Node] {
        &self.nodes[self.nodes[node].range()]
    }

    /// Gives a node its children.
    pub(super) fn add(&mut self, node: usize, children: Vec<Node>) {
        self.nodes[node].bounds = Bounds::over(&children);
        self.nodes[node].first_child = self.nodes.len() as u32;
        self.nodes[node].children = children.len() as u16;
        self.nodes.extend(children);
    }

    /// The node that these moves lead to from the root.
    pub(super) fn find(&self, moves: &[Move]) -> Option<usize> {
        moves.iter().try_fold(0, |node, &ply| {
            let mut children = self.nodes[node].range();
            children.find(|&child| self.nodes[child].ply == ply)
        })
    }

    /// The tree below a node, which becomes the root; nothing else is kept.
    pub(super) fn below(&self, node: usize) -> Tree {
        let mut nodes = vec![self.nodes[node].clone()];
        let mut next = 0;
        while next < nodes.len() {
            let children = nodes[next].range();
            nodes[next].first_child = nodes.len() as u32;
            nodes.extend_from_slice(&self.nodes[children]);
            next += 1;
        }
        Tree { nodes }
    }

    /// The move to play: the one visited most among those that may still turn
    /// out the best, unless a proven one is worth more than it seems to be.
    pub(super) fn best(&self) -> Option<Move> {
        let children = self.children(0);
        let least = children.iter().map(|child| child.bounds.lower).max()?;
        let liked = |child: &&Node| (child.visits, child.prior);
        let open = children.iter().filter(|child| child.bounds.upper > least);
        let sure = children.iter().filter(|child| child.bounds.lower == least);
        let (open, sure) = (open.max_by_key(liked), sure.max_by_key(liked)?);
        let best = open.filter(|open| least == 0 || open.mean() >= sure.mean());
        Some(best.unwrap_or(sure).ply)
    }
}

/// A tree kept from the last search, and the game up to its root.
pub(super) struct Kept {
    tree: Tree,
    played: Vec<Move>,
}

impl Kept {
    pub(super) fn new(tree: Tree, game: &Game<'_>) -> Kept {
        Kept {
            tree,
            played: game.played().to_vec(),
        }
    }

    /// What the tree knows of the same game, some moves later.
    pub(super) fn part(&self, game: &Game<'_>) -> Option<Tree> {
        let since = game.played().strip_prefix(&self.played[..])?;
        Some(self.tree.below(self.tree.find(since)?))
    }
}
