//! The fourth engine: the other side's replies in turn, each as if it were the
//! question, all in one table. Replies lead to the same positions again and
//! again: what shows that the easy ones lose makes the hard ones easy. Imports
//! `game` and the search's parts.
//!
//! With the other side to move, the open reply that has had the least gets a
//! turn, which doubles what it has had. With the prover to move, the first turn is
//! a search by proof numbers; of a later one that is a small part, and the rest
//! goes to the replies to a few moves, in the same way: those that the
//! [`Player`](super::Player) would play, or that seem easiest. A move is judged by
//! how many of its replies resist a turn: of a good one most fall at once.

use super::jobs::{Bounds, Known};
use super::node::Node;
use super::progress::Verdict;
use super::search::{Observer, Search};
use crate::game::{Move, Position};

/// Of a later turn of the prover's, the search alone gets one part in so many.
const ALONE: u64 = 16;
/// A move keeps what it was given for so many first turns at least.
const STAY: u64 = 4;
/// More moves of one position are not tried at a time.
const MOST_MOVES: i32 = 6;
/// A move that was not tried counts as if so many replies had resisted a first
/// turn in all ...
const UNTRIED: f64 = 40.0;
/// ... and so many times as much for each that was.
const EACH_MORE: f64 = 4.0;

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
        let alone = if spent == 0 {
            nodes
        } else {
            nodes.div_ceil(ALONE)
        };
        let before = self.nodes;
        let won = self.job(position, alone, bounds)
            || !bounds.stopped && nodes > alone && self.by_a_move(&node, nodes - alone, bounds);
        self.spend(&node, self.nodes - before);
        won
    }

    /// Whether the prover wins by one of the moves that seem best, as far as so
    /// many expansions show.
    fn by_a_move(&mut self, node: &Node, nodes: u64, bounds: &mut Bounds<'_>) -> bool {
        let end = self.nodes.saturating_add(nodes);
        while self.nodes < end && !bounds.stopped {
            let Some(after) = self.next_move(node, bounds.job) else {
                return false;
            };
            let before = self.nodes;
            let least = bounds.job.saturating_mul(STAY);
            let some = (self.spent(&after) / 2).max(least).min(end - before);
            bounds.above.plies += 1;
            let won = self.replies_in_turn(&after.position, some, bounds);
            bounds.above.plies -= 1;
            self.spend(&after, self.nodes - before);
            if won {
                // From the table, unless that has forgotten it.
                return self.job(&node.position, bounds.job, bounds);
            }
            if self.nodes == before && self.resistance(&after, bounds.job).is_some() {
                return false;
            }
        }
        false
    }

    /// Where the move leads that is next: of those that were tried, the one that
    /// seems nearest to a win, or another where they all seem far from one.
    fn next_move(&mut self, node: &Node, job: u64) -> Option<Node> {
        let check = node.key().check;
        let tried = self.jobs.done.get(&check).map(|done| done.tried.clone());
        let tried = tried.unwrap_or_default();
        let (mut not, mut open, mut count) = (Vec::new(), Vec::new(), 0);
        let mut best: Option<(f64, Node)> = None;
        for (ply, after, known) in self.branches(node) {
            match known {
                Known::Won => return Some(after),
                Known::Refuted => {
                    not.push(ply);
                    continue;
                }
                Known::Open(number) if !tried.contains(&after.key().check) => {
                    open.push((number, after));
                    continue;
                }
                Known::Open(_) => not.push(ply),
            }
            if let Some(far) = self.resistance(&after, job) {
                count += 1;
                if best.is_none_or(|(least, _)| far < least) {
                    best = Some((far, after));
                }
            }
        }
        let untried = UNTRIED * job as f64 * EACH_MORE.powi(count);
        if count < MOST_MOVES
            && best.is_none_or(|(least, _)| least > untried)
            && let Some(after) = self.untried(node, &not, &open)
        {
            let done = self.jobs.done.entry(check).or_default();
            done.tried.push(after.key().check);
            return Some(after);
        }
        best.map(|(_, after)| after)
    }

    /// Of the moves that lead to these open positions, with their proof numbers,
    /// the one that the player prefers to all but some, or else the easiest.
    fn untried(&self, node: &Node, not: &[Move], open: &[(u32, Node)]) -> Option<Node> {
        let preferred = self.player.and_then(|player| player(&node.position, not));
        let to = preferred.map(|ply| node.child(self.rules, ply).key());
        let preferred = open.iter().find(|(_, after)| Some(after.key()) == to);
        // What nobody has looked at comes last.
        let hard = |number: u32| if number == 0 { u32::MAX } else { number };
        let easiest = || open.iter().min_by_key(|(number, _)| hard(*number));
        preferred.or_else(easiest).map(|&(_, after)| after)
    }

    /// How far a move seems from a win: how many of its replies resist, those
    /// not asked yet as the others did, times what they had. `None` where one
    /// refutes it.
    fn resistance(&self, after: &Node, job: u64) -> Option<f64> {
        let (mut won, mut resist, mut unasked) = (0.0, 0.5, 0.0);
        for (_, reply, known) in self.branches(after) {
            match known {
                Known::Won => won += 1.0,
                Known::Refuted => return None,
                Known::Open(_) if self.spent(&reply) > 0 => resist += 1.0,
                Known::Open(_) => unasked += 1.0,
            }
        }
        let resist = resist + unasked * (resist + 0.5) / (won + resist + 1.5);
        Some(resist * (self.spent(after) + job) as f64)
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

    /// The expansions that turns of a position, or of the replies to a move that
    /// leads there, have taken.
    fn spent(&self, node: &Node) -> u64 {
        let done = self.jobs.done.get(&node.key().check);
        done.map_or(0, |done| done.spent)
    }

    fn spend(&mut self, node: &Node, nodes: u64) {
        self.jobs.done.entry(node.key().check).or_default().spent += nodes;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::node::Node;
    use super::super::numbers::Numbers;
    use super::super::{Options, Search};
    use super::MOST_MOVES;
    use crate::game::{Game, Move, Rules, Ruleset, Side};

    fn after_d2_f2(rules: &Rules) -> Node {
        let mut game = Game::new(rules);
        game.play("d2-f2".parse().unwrap()).unwrap();
        Node::new(*game.position())
    }

    /// A player who names a bad move first is asked for others, and no more than
    /// so many.
    #[test]
    fn a_move_whose_replies_resist_is_left_for_the_players_next() {
        let rules = Rules::new(Ruleset::default());
        let root = after_d2_f2(&rules);
        let liked: [Move; 3] = ["d3-c3", "d3-b3", "d3-a3"].map(|ply| ply.parse().unwrap());
        let asked: RefCell<Vec<Vec<Move>>> = RefCell::default();
        let player = |position: &_, not: &[Move]| {
            if *position != root.position {
                return None;
            }
            asked.borrow_mut().push(not.to_vec());
            liked.into_iter().find(|ply| !not.contains(ply))
        };
        let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        search.follow(&player);
        search.solve_in_turn(&root.position, 20, 60_000, &mut |_| true);
        let tried = &search.jobs.done[&root.key().check].tried;
        let check = |ply| root.child(&rules, ply).key().check;
        assert!(tried.len() > 3 && tried.len() <= MOST_MOVES as usize);
        assert_eq!(tried[..3], liked.map(check));
        // Whoever is asked again hears what was tried, and what is refuted.
        let asked = asked.into_inner();
        assert_eq!(asked.len(), tried.len());
        for (count, not) in asked.iter().enumerate() {
            assert!(liked.iter().take(count).all(|ply| not.contains(ply)));
        }
    }

    #[test]
    fn a_refuted_move_is_not_next_though_its_replies_seem_open() {
        let rules = Rules::new(Ruleset::default());
        let root = after_d2_f2(&rules);
        let bad: Move = "d3-c3".parse().unwrap();
        let after = root.child(&rules, bad).key();
        let asked: RefCell<Vec<Move>> = RefCell::default();
        let player = |_: &_, not: &[Move]| {
            asked.replace(not.to_vec());
            None
        };
        let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        search.follow(&player);
        let done = search.jobs.done.entry(root.key().check).or_default();
        done.tried.push(after.check);
        assert_eq!(search.next_move(&root, 20).unwrap().key(), after);
        // The side to move there has its way.
        search.table.put(after, Numbers::won(0), 1000);
        assert_ne!(search.next_move(&root, 20).unwrap().key(), after);
        assert_eq!(*asked.borrow(), [bad]);
    }
}
