//! Counting the positions of a game tree, to compare move generators by.
//! Imports rules and history.

use super::history::History;
use super::moves::MoveList;
use super::position::Position;
use super::rules::Rules;
use super::square::Move;

/// How many positions stand after exactly `depth` plies; a finished game has
/// no successors, whatever ended it, and `position` is the first to stand.
///
/// The last ply is counted and not played. Whoever has no move adds nothing,
/// so that nobody need ask whether there is one.
#[must_use]
pub fn perft(rules: &Rules, position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => Tree::new(rules, position, depth).below(position, depth),
    }
}

/// [`perft`] after each legal move of the position, in the order of the moves.
#[must_use]
pub fn divide(rules: &Rules, position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut list = MoveList::new();
    if depth > 0 {
        rules.moves(position, &mut list);
    }
    let mut tree = Tree::new(rules, position, depth);
    list.into_iter()
        .map(|ply| match depth {
            1 => (ply, 1),
            _ => (ply, tree.after(position, ply, depth - 1)),
        })
        .collect()
}

struct Tree<'r> {
    rules: &'r Rules,
    /// How often a position may stand, where the tree is deep enough to come
    /// to it.
    limit: Option<u32>,
    /// What stands between the root and here, where that is asked.
    history: History,
}

impl Tree<'_> {
    fn new<'r>(rules: &'r Rules, root: &Position, depth: u32) -> Tree<'r> {
        // A position stands again after four plies at the soonest: each side
        // must move a piece and move it back. The last ply is never played.
        let comes_to = |limit: &u32| u64::from(depth) > 4 * (u64::from(*limit) - 1);
        Tree {
            rules,
            limit: rules.repetition_limit().filter(comes_to),
            history: History::new(root),
        }
    }

    /// The positions `depth` plies below one in which the game goes on; the
    /// depth is at least 1.
    fn below(&mut self, position: &Position, depth: u32) -> u64 {
        if depth == 1 {
            return self.rules.count_moves(position);
        }
        let mut sum = 0;
        let rules = self.rules;
        rules.each_move(position, |ply| sum += self.after(position, ply, depth - 1));
        sum
    }

    /// The positions `depth` plies below the one that a legal move leads to.
    #[inline]
    fn after(&mut self, position: &Position, ply: Move, depth: u32) -> u64 {
        let next = self.rules.play(position, ply).position;
        if self.rules.decided(&next).is_some() {
            return 0;
        }
        let Some(limit) = self.limit else {
            return self.below(&next, depth);
        };
        let stood = self.history.push(&next);
        let successors = match stood >= limit {
            true => 0,
            false => self.below(&next, depth),
        };
        self.history.pop();
        successors
    }
}
