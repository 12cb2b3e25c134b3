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
//! how many of its replies resist a turn: of a good one most fall at once. Where a
//! position resists, the player thinks again, the longer the more turns it had.

use std::collections::hash_map::Entry;

use super::hash::Key;
use super::jobs::{Bounds, Known, any_decided, for_jobs};
use super::node::Node;
use super::progress::Verdict;
use super::search::{Observer, Search};
use super::threads::Threads;
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
/// A position that has had this many times as many first turns as before, or as a
/// new one, once more ...
const AGAIN: u64 = 4;
/// ... but not the first time, has the player think again.
const FIRST_AGAIN: u32 = 2;

/// What makes a reply come later than others: the threads there, the positions it
/// had, its number.
type Rank = (usize, u64, u32);

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
        let left = for_jobs(nodes);
        if self.options.threads > 1 {
            self.take_turns_together(position, first, &left, observe);
        } else {
            self.take_turns(position, &mut Bounds::new(first, &left, observe));
        }
        // The position's own numbers at least.
        self.above = None;
        self.solve(position, 1, observe)
    }

    /// Turns until it is known who has his way, or there is nothing to come.
    pub(super) fn take_turns(&mut self, position: &Position, bounds: &mut Bounds<'_>) {
        let node = Node::new(*position);
        while !bounds.stopped && matches!(self.known(&node), Known::Open(_)) {
            let before = self.nodes;
            if position.side == self.prover {
                self.turn(position, u64::MAX, bounds);
            } else {
                self.replies_in_turn(position, u64::MAX, bounds);
            }
            if self.nodes > before {
                continue;
            }
            // Nothing is left to search, but for what other threads are at.
            if !bounds.threads.is_some_and(Threads::wait) {
                break;
            }
            bounds.stopped |= !(bounds.observe)(&self.progress());
        }
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
        // A thread alone pays for its way round in a circle with searches. Of
        // several, one would take itself above for another that searches there, and
        // go round for ever.
        if bounds.threads.is_some() && bounds.line.contains(&node.key()) {
            return false;
        }
        let spent = self.spent(&node);
        let others = self.come_to(&node, bounds);
        // What it has had once more, shared by the threads that are there.
        let nodes = (spent / (others as u64 + 1)).max(bounds.job).min(most);
        let alone = if spent == 0 {
            nodes
        } else {
            nodes.div_ceil(ALONE)
        };
        let before = self.nodes;
        // Where another thread is, its search is enough.
        let won = others == 0 && self.job(position, alone, bounds)
            || !bounds.stopped && self.by_a_move(&node, nodes - alone, bounds);
        self.spend(&node, self.nodes - before);
        self.leave(&node, bounds);
        won || matches!(self.known(&node), Known::Won)
    }

    /// Comes to a position; how many other threads are there already, or this one
    /// above.
    fn come_to(&self, node: &Node, bounds: &mut Bounds<'_>) -> usize {
        bounds.above.plies += 1;
        bounds.line.push(node.key());
        if bounds.threads.is_none() {
            return 0;
        }
        let mut jobs = self.jobs();
        let at = jobs.at.entry(node.key().check).or_default();
        *at += 1;
        *at - 1
    }

    fn leave(&self, node: &Node, bounds: &mut Bounds<'_>) {
        bounds.above.plies -= 1;
        bounds.line.pop();
        if bounds.threads.is_none() {
            return;
        }
        if let Entry::Occupied(mut at) = self.jobs().at.entry(node.key().check) {
            *at.get_mut() -= 1;
            if *at.get() == 0 {
                at.remove();
            }
        }
    }

    /// How many threads are at a position.
    fn at(&self, node: &Node) -> usize {
        let jobs = self.jobs();
        jobs.at.get(&node.key().check).copied().unwrap_or(0)
    }

    /// Whether the prover wins by one of the moves that seem best, as far as so
    /// many expansions show.
    fn by_a_move(&mut self, node: &Node, nodes: u64, bounds: &mut Bounds<'_>) -> bool {
        self.think_again(node, bounds.job);
        let end = self.nodes.saturating_add(nodes);
        let mut idle: Vec<Key> = Vec::new();
        while self.nodes < end && !bounds.stopped && !any_decided(&self.table, &bounds.line) {
            let Some(after) = self.next_move(node, bounds.job, &idle) else {
                return false;
            };
            let before = self.nodes;
            let least = bounds.job.saturating_mul(STAY);
            let some = (self.spent(&after) / 2).max(least).min(end - before);
            let won = self.replies_in_turn(&after.position, some, bounds);
            self.spend(&after, self.nodes - before);
            if won {
                // From the table, unless that has forgotten it.
                return self.job(&node.position, bounds.job, bounds);
            }
            if self.nodes == before {
                idle.push(after.key());
            }
        }
        false
    }

    /// Where the move leads that is next: of those that were tried, the one that
    /// seems nearest to a win, or another where they all seem far from one. Those
    /// after which there is nothing to do now are left out.
    fn next_move(&mut self, node: &Node, job: u64, idle: &[Key]) -> Option<Node> {
        let check = node.key().check;
        let tried = self.jobs().done.get(&check).map(|done| done.tried.clone());
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
                let nearest = best.is_none_or(|(least, _)| far < least);
                if nearest && !idle.contains(&after.key()) {
                    best = Some((far, after));
                }
            }
        }
        let untried = UNTRIED * job as f64 * EACH_MORE.powi(count);
        if count < MOST_MOVES
            && best.is_none_or(|(least, _)| least > untried)
            && let Some(after) = self.untried(node, &not, &open)
        {
            self.try_too(node, &after);
            return Some(after);
        }
        best.map(|(_, after)| after)
    }

    /// Has the player think again about a position that has had many turns, with
    /// an effort in proportion to them: what seemed best at first may not win. His
    /// move is one more of those that are tried.
    fn think_again(&self, node: &Node, job: u64) {
        let Some(player) = self.player else {
            return;
        };
        let round = (self.spent(node) / job).max(1).ilog(AGAIN);
        let mut jobs = self.jobs();
        let done = jobs.done.entry(node.key().check).or_default();
        if round < FIRST_AGAIN || round <= u32::from(done.asked) {
            return;
        }
        done.asked = round as u8;
        drop(jobs);
        let branches = self.branches(node).into_iter();
        let refuted: Vec<Move> = branches
            .filter(|(.., known)| matches!(known, Known::Refuted))
            .map(|(ply, ..)| ply)
            .collect();
        if let Some(ply) = player(&node.position, &refuted, AGAIN.pow(round - 1)) {
            self.try_too(node, &node.child(self.rules, ply));
        }
    }

    /// Counts what a move leads to among what is tried.
    fn try_too(&self, node: &Node, after: &Node) {
        let mut jobs = self.jobs();
        let tried = &mut jobs.done.entry(node.key().check).or_default().tried;
        if !tried.contains(&after.key().check) {
            tried.push(after.key().check);
        }
    }

    /// Of the moves that lead to these open positions, with their proof numbers,
    /// the one that the player prefers to all but some, or else the easiest.
    fn untried(&self, node: &Node, not: &[Move], open: &[(u32, Node)]) -> Option<Node> {
        let preferred = self
            .player
            .and_then(|player| player(&node.position, not, 1));
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
        bounds.above.plies += 1;
        bounds.line.push(node.key());
        let mut idle: Vec<Key> = Vec::new();
        while !any_decided(&self.table, &bounds.line) {
            let Some(open) = self.open_replies(&node) else {
                break;
            };
            if open.is_empty() {
                self.job(position, bounds.job, bounds);
                break;
            }
            let rest = open
                .into_iter()
                .filter(|(_, reply)| !idle.contains(&reply.key()));
            let next = rest.min_by_key(|&(rank, _)| rank);
            let (before, left) = (self.nodes, end.saturating_sub(self.nodes));
            let Some((_, reply)) = next.filter(|_| left > 0 && !bounds.stopped) else {
                break;
            };
            if !self.turn(&reply.position, left, bounds) && self.nodes == before {
                // Nothing to do there, if not for another thread.
                if bounds.threads.is_none() {
                    break;
                }
                idle.push(reply.key());
            }
        }
        bounds.above.plies -= 1;
        bounds.line.pop();
        matches!(self.known(&node), Known::Won)
    }

    /// The replies that are open. `None` if one is refuted.
    fn open_replies(&self, node: &Node) -> Option<Vec<(Rank, Node)>> {
        let mut open = Vec::new();
        for (_, reply, known) in self.branches(node) {
            match known {
                Known::Won => {}
                Known::Refuted => return None,
                Known::Open(number) => {
                    let rank = (self.at(&reply), self.spent(&reply), number);
                    open.push((rank, reply));
                }
            }
        }
        Some(open)
    }

    /// The expansions that turns of a position, or of the replies to a move that
    /// leads there, have taken.
    fn spent(&self, node: &Node) -> u64 {
        let jobs = self.jobs();
        let done = jobs.done.get(&node.key().check);
        done.map_or(0, |done| done.spent)
    }

    fn spend(&self, node: &Node, nodes: u64) {
        self.jobs().done.entry(node.key().check).or_default().spent += nodes;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::super::jobs::{Bounds, for_jobs};
    use super::super::node::Node;
    use super::super::numbers::Numbers;
    use super::super::search::Observer;
    use super::super::threads::Threads;
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
        let asked: Mutex<Vec<Vec<Move>>> = Mutex::default();
        let player = |position: &_, not: &[Move], effort| {
            if *position != root.position || effort > 1 {
                return None;
            }
            asked.lock().unwrap().push(not.to_vec());
            liked.into_iter().find(|ply| !not.contains(ply))
        };
        let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        search.follow(&player);
        search.solve_in_turn(&root.position, 20, 60_000, &mut |_| true);
        let tried = search.jobs().done[&root.key().check].tried.clone();
        let check = |ply| root.child(&rules, ply).key().check;
        assert!(tried.len() > 3 && tried.len() <= MOST_MOVES as usize);
        assert_eq!(tried[..3], liked.map(check));
        // Whoever is asked again hears what was tried, and what is refuted.
        let asked = asked.into_inner().unwrap();
        assert_eq!(asked.len(), tried.len());
        for (count, not) in asked.iter().enumerate() {
            assert!(liked.iter().take(count).all(|ply| not.contains(ply)));
        }
    }

    /// The greater the effort he is asked for, the seldomer, and a checkpoint knows.
    #[test]
    fn the_player_thinks_again_about_what_has_had_many_turns() {
        let rules = Rules::new(Ruleset::default());
        let root = after_d2_f2(&rules);
        let [first, later]: [Move; 2] = ["d3-c3", "d3-b3"].map(|ply| ply.parse().unwrap());
        let efforts: Mutex<Vec<u64>> = Mutex::default();
        let player = |position: &_, _: &[Move], effort| {
            if *position != root.position {
                return None;
            }
            efforts.lock().unwrap().push(effort);
            Some(if effort < 16 { first } else { later })
        };
        let new = || Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        let mut search = new();
        search.follow(&player);
        search.solve_in_turn(&root.position, 20, 60_000, &mut |_| true);
        let mut efforts = efforts.lock().unwrap().clone();
        efforts.retain(|&effort| effort > 1);
        // For 16, 64, 256 and 1024 first turns.
        assert_eq!(efforts, [4, 16, 64, 256]);
        let done = search.jobs().done[&root.key().check].clone();
        assert_eq!(done.asked, 5);
        let times = |ply| {
            let to = root.child(&rules, ply).key().check;
            done.tried.iter().filter(|&&check| check == to).count()
        };
        assert_eq!((times(first), times(later)), (1, 1));
        let mut bytes = Vec::new();
        search
            .save(&root.position, Duration::ZERO, &mut bytes)
            .unwrap();
        let mut again = new();
        again
            .restore(&root.position, &mut bytes.as_slice())
            .unwrap();
        assert_eq!(again.jobs().done[&root.key().check], done);
    }

    #[test]
    fn one_of_several_threads_does_not_go_round_in_a_circle() {
        let rules = Rules::new(Ruleset::default());
        let root = after_d2_f2(&rules);
        let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        let (threads, left) = (Threads::one(), for_jobs(1000));
        let observe: Observer<'_> = &mut |_| true;
        let mut bounds = Bounds::new(20, &left, observe);
        bounds.threads = Some(&threads);
        search.come_to(&root, &mut bounds);
        assert!(!search.turn(&root.position, 1000, &mut bounds));
        assert_eq!(search.nodes, 0);
        search.leave(&root, &mut bounds);
        search.turn(&root.position, 1000, &mut bounds);
        assert!(search.nodes > 0);
    }

    #[test]
    fn a_refuted_move_is_not_next_though_its_replies_seem_open() {
        let rules = Rules::new(Ruleset::default());
        let root = after_d2_f2(&rules);
        let bad: Move = "d3-c3".parse().unwrap();
        let after = root.child(&rules, bad).key();
        let asked: Mutex<Vec<Move>> = Mutex::default();
        let player = |_: &_, not: &[Move], _| {
            *asked.lock().unwrap() = not.to_vec();
            None
        };
        let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        search.follow(&player);
        let mut jobs = search.jobs();
        let done = jobs.done.entry(root.key().check).or_default();
        done.tried.push(after.check);
        drop(jobs);
        assert_eq!(search.next_move(&root, 20, &[]).unwrap().key(), after);
        // The side to move there has its way.
        search.table.put(after, Numbers::won(0), 1000);
        assert_ne!(search.next_move(&root, 20, &[]).unwrap().key(), after);
        assert_eq!(*asked.lock().unwrap(), [bad]);
    }
}
