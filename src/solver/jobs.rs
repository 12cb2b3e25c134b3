//! The third engine: a tree of positions above, and for each of its leaves a
//! job, a search by proof numbers of at most so many positions. It finds wins
//! that one search, turning to each of the winner's moves in its turn, spreads
//! too thin to find. Imports `game` and the search's parts.
//!
//! A position with the prover to move is won at level 0 if a job proves it, and
//! at level *n* if after the move that seems best all replies are won at level
//! *n* − 1, or after the second at level *n* − 2, and so on: what departs from the
//! best line is looked at less deeply (limited discrepancy: Harvey and Ginsberg,
//! "Limited discrepancy search", 1995). Levels are tried one after the other; of
//! the replies the hardest comes first, so that a move that does not win costs
//! little. A [`Player`], if there is one, says what seems best: numbers see what
//! is near, he sees what is good. All jobs share the search's table: what one
//! proves is a fact for all, and the next goes on with what one has begun. A
//! position gets one job. Proof numbers choose among jobs in Wu, Lin, Lin, Sun,
//! Chan and Chen, "Job-level proof-number search for Connect6", 2010.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, MutexGuard, PoisonError};

use super::hash::Key;
use super::node::Node;
use super::numbers::Numbers;
use super::progress::{Above, Verdict};
use super::ranking::Spread;
use super::search::{Observer, Search};
use super::statics::Glance;
use super::table::Table;
use super::threads::Threads;
use crate::game::{Move, MoveList, Position};

/// Who says what he would play in a position if not one of these moves, with so
/// many times his usual effort (1 or more); [`Search::follow`]. `None` if there is
/// no such move, or he cannot make that effort.
pub type Player<'p> = &'p (dyn Fn(&Position, &[Move], u64) -> Option<Move> + Sync);

/// More levels are not tried: one search does the rest. (Where the tree has
/// nothing left to do, they take no time.)
const MOST_LEVELS: u8 = 40;

/// What came of the jobs so far, by checks of keys: it decides nothing, and
/// saves doing them again.
#[derive(Default)]
pub(super) struct Jobs {
    pub(super) done: HashMap<u64, Done, BuildHasherDefault<Spread>>,
    /// How many of several threads are at a position, where any is.
    pub(super) at: HashMap<u64, usize, BuildHasherDefault<Spread>>,
}

/// What came of one position's jobs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Done {
    /// Expansions they took.
    pub(super) spent: u64,
    /// How many levels were tried without a win.
    pub(super) levels: u8,
    /// How often the player has had enough turns to think [again](super::turns).
    pub(super) asked: u8,
    /// The moves that were tried, by where they lead: checks of keys.
    pub(super) tried: Vec<u64>,
}

/// One call of [`Search::solve_by_jobs`], [`Search::solve_in_turn`] or
/// [`Search::solve_by_mending`], or what one of its threads has of it.
pub(super) struct Bounds<'o> {
    /// Expansions of a job, of a first turn, or of a first search that mends, at
    /// most.
    pub(super) job: u64,
    /// How many more there may be, in all threads.
    left: &'o AtomicU64,
    pub(super) stopped: bool,
    pub(super) observe: Observer<'o>,
    pub(super) above: Above,
    /// The positions above the present job: once one is decided, what is below
    /// is of no use to it.
    pub(super) line: Vec<Key>,
    /// The threads at work, if there are several.
    pub(super) threads: Option<&'o Threads>,
}

impl<'o> Bounds<'o> {
    /// Of one thread, for as many expansions more as are left.
    pub(super) fn new(job: u64, left: &'o AtomicU64, observe: Observer<'o>) -> Bounds<'o> {
        Bounds {
            job: job.max(1),
            stopped: left.load(Relaxed) == 0,
            left,
            observe,
            above: Above::default(),
            line: Vec::new(),
            threads: None,
        }
    }

    /// Expansions that are left.
    pub(super) fn left(&self) -> u64 {
        self.left.load(Relaxed)
    }

    /// Takes so many of them, or as many as there are.
    fn take(&self, nodes: u64) -> u64 {
        let rest = |left: u64| Some(left.saturating_sub(nodes));
        let before = self.left.fetch_update(Relaxed, Relaxed, rest);
        before.map_or(0, |left| left.min(nodes))
    }
}

/// What a call leaves to its jobs of so many expansions: one is for the position's
/// own numbers, in the end.
pub(super) fn for_jobs(nodes: u64) -> AtomicU64 {
    AtomicU64::new(nodes.saturating_sub(1))
}

/// Whether the prover wins, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Won,
    Refuted,
    /// Open, with the proof number if there is one.
    Open(u32),
}

impl<'r> Search<'r> {
    /// Has [`solve_by_jobs`](Search::solve_by_jobs) and
    /// [`solve_in_turn`](Search::solve_in_turn) try this player's moves first in the
    /// prover's positions. A move that does not win costs time; it cannot make a
    /// proof.
    pub fn follow(&mut self, player: Player<'r>) {
        self.player = Some(player);
    }

    /// Asks whether the prover forces a win from this position by searches of at
    /// most `job` expansions each, of `nodes` more in all. The observer may end
    /// it by saying false; what was found is kept, and asking again goes on from
    /// there.
    pub fn solve_by_jobs(
        &mut self,
        position: &Position,
        job: u64,
        nodes: u64,
        observe: Observer<'_>,
    ) -> Verdict {
        let left = for_jobs(nodes);
        let mut bounds = Bounds::new(job, &left, observe);
        let proving = position.side == self.prover;
        let mut level = 0;
        let rest = loop {
            bounds.above.level = level;
            let won = if proving {
                self.wins(position, level, &mut bounds)
            } else {
                self.meets(position, level, &mut bounds)
            };
            if won || bounds.stopped {
                break 1;
            }
            if level == MOST_LEVELS {
                break bounds.left() + 1;
            }
            level += 1;
        };
        // The position's own numbers at least.
        self.above = None;
        self.solve(position, rest, bounds.observe)
    }

    /// Whether the prover, to move, wins at this level.
    fn wins(&mut self, position: &Position, level: u8, bounds: &mut Bounds<'_>) -> bool {
        let node = Node::new(*position);
        let check = node.key().check;
        match self.known(&node) {
            Known::Won => return true,
            Known::Refuted => return false,
            Known::Open(_) => {}
        }
        let (levels, spent) = match self.jobs().done.get(&check) {
            Some(done) => (done.levels, done.spent),
            None => (0, 0),
        };
        if levels > level || bounds.stopped {
            return false;
        }
        if spent < bounds.job {
            let before = self.nodes;
            let won = self.job(position, bounds.job - spent, bounds);
            self.jobs().done.entry(check).or_default().spent += self.nodes - before;
            if won || bounds.stopped {
                return won;
            }
        }
        if level > 0 {
            for (left, ply) in (0..level).rev().zip(self.promising(&node, level)) {
                let after = node.child(self.rules, ply).position;
                bounds.above.plies += 1;
                let won = self.meets(&after, left, bounds);
                bounds.above.plies -= 1;
                if won {
                    // From the table, unless that has forgotten it.
                    return self.job(position, bounds.job, bounds);
                }
                if bounds.stopped {
                    return false;
                }
            }
        }
        self.jobs().done.entry(check).or_default().levels = level + 1;
        false
    }

    /// Whether the prover wins at this level whatever the other side, to move,
    /// replies.
    fn meets(&mut self, position: &Position, level: u8, bounds: &mut Bounds<'_>) -> bool {
        let node = Node::new(*position);
        match self.known(&node) {
            Known::Won => return true,
            Known::Refuted => return false,
            Known::Open(_) => {}
        }
        let mut replies: Vec<(u32, Position)> = Vec::new();
        for (_, child, known) in self.branches(&node) {
            match known {
                Known::Won => {}
                Known::Refuted => return false,
                Known::Open(number) => replies.push((number, child.position)),
            }
        }
        replies.sort_by_key(|&(number, _)| std::cmp::Reverse(number));
        for (_, reply) in replies {
            bounds.above.plies += 1;
            let won = self.wins(&reply, level, bounds);
            bounds.above.plies -= 1;
            if !won {
                return false;
            }
        }
        self.job(position, bounds.job, bounds)
    }

    /// A search by proof numbers; whether it proves a win.
    pub(super) fn job(&mut self, position: &Position, nodes: u64, bounds: &mut Bounds<'_>) -> bool {
        let (before, mut allowed) = (self.nodes, bounds.take(nodes));
        while allowed == 0 && self.is_left(bounds) {
            allowed = bounds.take(nodes);
        }
        if allowed == 0 {
            bounds.stopped = true;
            return false;
        }
        let mut ended = false;
        self.above = Some(bounds.above);
        let table = Arc::clone(&self.table);
        let (observe, line) = (&mut bounds.observe, &bounds.line);
        let verdict = self.solve(position, allowed, &mut |progress| {
            let on = observe(progress);
            ended |= !on;
            on && !any_decided(&table, line)
        });
        let unused = allowed - (self.nodes - before);
        bounds.left.fetch_add(unused, Relaxed);
        let won = matches!(verdict, Verdict::Proved { .. });
        bounds.stopped |= ended || !won && !self.is_left(bounds);
        won
    }

    /// Whether expansions are left. Another thread may have taken all there are and
    /// not need them: this one waits until it is known.
    fn is_left(&self, bounds: &mut Bounds<'_>) -> bool {
        while bounds.left() == 0 {
            let others = bounds.threads.is_some_and(Threads::wait);
            if !others || !(bounds.observe)(&self.progress()) {
                return false;
            }
        }
        true
    }

    /// What came of jobs so far. No thread stops in the middle of telling.
    pub(super) fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn known(&self, node: &Node) -> Known {
        match self.look(&node.position) {
            Glance::Proved(_) => return Known::Won,
            Glance::Refuted => return Known::Refuted,
            Glance::Answers(_) | Glance::Quiet => {}
        }
        let Some(numbers) = self.table.get(node.key()) else {
            return Known::Open(0);
        };
        let proving = node.position.side == self.prover;
        match (
            if proving { numbers.phi } else { numbers.delta },
            numbers.decided(),
        ) {
            (0, _) => Known::Won,
            (_, true) => Known::Refuted,
            (number, false) => Known::Open(number),
        }
    }

    /// The moves that need a look, of those that lead to images of one position
    /// the first, with where they lead and what is known of it.
    pub(super) fn branches(&self, node: &Node) -> Vec<(Move, Node, Known)> {
        let mut list = MoveList::new();
        self.moves(&node.position, &mut list);
        let mut branches: Vec<(Move, Node, Known)> = Vec::new();
        for &ply in &list {
            let child = node.child(self.rules, ply);
            if branches
                .iter()
                .all(|(_, other, _)| other.key() != child.key())
            {
                branches.push((ply, child, self.known(&child)));
            }
        }
        branches
    }

    /// The prover's moves to be tried at this level: those tried before, in
    /// their order (at the first time the player's), then the easiest by their
    /// numbers. (What was worked on seems harder than what was not: by numbers
    /// alone a move that wins but for one reply would be left for another.)
    fn promising(&mut self, node: &Node, level: u8) -> Vec<Move> {
        let mut open: Vec<(u32, u64, Move)> = Vec::new();
        for (ply, child, known) in self.branches(node) {
            match known {
                Known::Won => return vec![ply],
                // What nobody has looked at comes last.
                Known::Open(0) => open.push((u32::MAX, child.key().check, ply)),
                Known::Open(number) => open.push((number, child.key().check, ply)),
                Known::Refuted => {}
            }
        }
        open.sort_by_key(|&(number, ..)| number);
        let mut jobs = self.jobs();
        let done = jobs.done.entry(node.key().check).or_default();
        done.tried
            .retain(|&check| open.iter().any(|&(_, other, _)| other == check));
        if done.tried.is_empty()
            && let Some(ply) = self
                .player
                .and_then(|player| player(&node.position, &[], 1))
        {
            let to = node.child(self.rules, ply).key().check;
            if let Some(place) = open.iter().position(|&(_, check, _)| check == to) {
                open[..=place].rotate_right(1);
            }
        }
        for &(_, check, _) in &open {
            if done.tried.len() < usize::from(level) && !done.tried.contains(&check) {
                done.tried.push(check);
            }
        }
        let move_to = |check: &u64| open.iter().find(|(_, other, _)| other == check);
        let moves = done.tried.iter().filter_map(move_to);
        moves.map(|&(.., ply)| ply).collect()
    }
}

/// Whether the table knows who has his way in any of these positions.
pub(super) fn any_decided(table: &Table, line: &[Key]) -> bool {
    let mut known = line.iter().filter_map(|&key| table.get(key));
    known.any(Numbers::decided)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::node::Node;
    use super::super::{Options, Search};
    use super::Player;
    use crate::game::{Game, Move, Rules, Ruleset, Side};

    #[test]
    fn a_checkpoint_has_what_came_of_every_job() {
        let rules = Rules::new(Ruleset::default());
        let mut game = Game::new(&rules);
        game.play("d2-f2".parse().unwrap()).unwrap();
        let root = *game.position();
        let new = || Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        let mut search = new();
        search.solve_by_jobs(&root, 200, 20_000, &mut |_| true);
        let done = search.jobs().done.clone();
        assert!(done.values().any(|done| done.spent >= 200));
        assert!(done.values().any(|done| done.levels > 1));
        assert!(done.values().any(|done| done.tried.len() > 1));
        let mut bytes = Vec::new();
        search.save(&root, Duration::ZERO, &mut bytes).unwrap();
        let mut again = new();
        again.restore(&root, &mut bytes.as_slice()).unwrap();
        assert_eq!(again.jobs().done, done);
    }

    #[test]
    fn the_players_move_is_tried_first_and_others_after_it() {
        let rules = Rules::new(Ruleset::default());
        let mut game = Game::new(&rules);
        game.play("d2-f2".parse().unwrap()).unwrap();
        let root = Node::new(*game.position());
        let tried = |player: Player<'_>| {
            let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
            search.follow(player);
            search.solve_by_jobs(&root.position, 200, 20_000, &mut |_| true);
            search.jobs().done[&root.key().check].tried.clone()
        };
        let alone = tried(&|_, _, _| None);
        // What numbers leave for last.
        let last: Move = "d3-c3".parse().unwrap();
        let to = root.child(&rules, last).key().check;
        assert_ne!(alone[0], to);
        let followed = tried(&|position, _, _| (*position == root.position).then_some(last));
        assert_eq!(followed[0], to);
        assert!(followed.len() > 1);
        assert_eq!(followed[1], alone[0]);
    }
}
