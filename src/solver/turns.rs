//! The fourth engine: the other side's replies in turn, each as if it were the
//! question, all in one table. Replies lead to the same positions again and
//! again: what shows that the easy ones lose makes the hard ones easy. Imports
//! `game` and the search's parts.
//!
//! With the other side to move, the open reply that has had the least gets a
//! turn, which doubles what it has had. With the prover to move, the first turn is
//! a search by proof numbers; of a later one, half is, and the other half goes to
//! the replies to one move: the [`Player`](super::Player)'s, or what seems easiest.

use super::jobs::{Bounds, Known};
use super::node::Node;
use super::progress::Verdict;
use super::search::{Observer, Search};
use crate::game::Position;

impl Search<'_> {
    /// Asks whether the prover forces a win from this position by turns, of
    /// `first` expansions at first, of `nodes` more in all. The observer may end
    /// it by saying false; what was found is kept, and asking again goes on from
    /// there.
    pub fn solve_in_turn(
        &mut self,
        position: &Position,
        first: u64,
        nodes: u64,
        observe: Observer<'_>,
    ) -> Verdict {
        let mut bounds = Bounds::new(first, self.nodes, nodes, observe);
        if position.side == self.prover {
            loop {
                let before = self.nodes;
                let won = self.turn(position, u64::MAX, &mut bounds);
                // Where nothing is left to search there is nothing to come.
                if won || bounds.stopped || self.nodes == before {
                    break;
                }
            }
        } else {
            self.replies_in_turn(position, u64::MAX, &mut bounds);
        }
        // The position's own numbers at least.
        self.above = None;
        self.solve(position, 1, bounds.observe)
    }

    /// The next turn of a position with the prover to move, of so many expansions at
    /// most; whether it shows that he wins.
    fn turn(&mut self, position: &Position, most: u64, bounds: &mut Bounds<'_>) -> bool {
        let node = Node::new(*position);
        match self.known(&node) {
            Known::Won => return true,
            Known::Refuted => return false,
            Known::Open(_) => {}
        }
        let spent = self.spent(&node);
        let nodes = spent.max(bounds.job).min(most);
        let alone = if spent == 0 { nodes } else { nodes.div_ceil(2) };
        let before = self.nodes;
        let won = self.job(position, alone, bounds)
            || !bounds.stopped && nodes > alone && self.by_one_move(&node, nodes - alone, bounds);
        let check = node.key().check;
        self.jobs.done.entry(check).or_default().spent += self.nodes - before;
        won
    }

    /// Whether the prover wins by the move that seems best, as far as so many
    /// expansions show.
    fn by_one_move(&mut self, node: &Node, nodes: u64, bounds: &mut Bounds<'_>) -> bool {
        let Some(&ply) = self.promising(node, 1).first() else {
            return false;
        };
        let after = node.child(self.rules, ply).position;
        bounds.above.plies += 1;
        let won = self.replies_in_turn(&after, nodes, bounds);
        bounds.above.plies -= 1;
        // From the table, unless that has forgotten it.
        won && self.job(&node.position, bounds.job, bounds)
    }

    /// Whether turns of the replies to a position, with the other side to move,
    /// show that the prover wins, so many expansions in all.
    fn replies_in_turn(
        &mut self,
        position: &Position,
        nodes: u64,
        bounds: &mut Bounds<'_>,
    ) -> bool {
        let node = Node::new(*position);
        match self.known(&node) {
            Known::Won => return true,
            Known::Refuted => return false,
            Known::Open(_) => {}
        }
        let end = self.nodes.saturating_add(nodes);
        loop {
            // The least of what they had, then of their numbers.
            let mut next: Option<((u64, u32), Position)> = None;
            for (_, reply, known) in self.branches(&node) {
                match known {
                    Known::Won => {}
                    Known::Refuted => return false,
                    Known::Open(number) => {
                        let rank = (self.spent(&reply), number);
                        if next.is_none_or(|(other, _)| rank < other) {
                            next = Some((rank, reply.position));
                        }
                    }
                }
            }
            let Some((_, reply)) = next else {
                return self.job(position, bounds.job, bounds);
            };
            let (before, left) = (self.nodes, end.saturating_sub(self.nodes));
            if left == 0 || bounds.stopped {
                return false;
            }
            bounds.above.plies += 1;
            let won = self.turn(&reply, left, bounds);
            bounds.above.plies -= 1;
            if !won && self.nodes == before {
                return false;
            }
        }
    }

    /// The expansions that a position's turns have taken.
    fn spent(&self, node: &Node) -> u64 {
        let done = self.jobs.done.get(&node.key().check);
        done.map_or(0, |done| done.spent)
    }
}
