//! The second engine: whether the prover wins within so many plies, for more
//! and more plies, depth first and the likeliest moves first. It sees quiet wins
//! of a dozen plies that proof numbers spread too thin to find; longer ones are
//! beyond it. Imports `game` and the search's parts.
//!
//! The plies that are left fall along every line, so nothing here rests on the
//! path: what it proves goes into the search's table as a fact. Of the prover's
//! last move but one it asks that it threatens to win at once, so that a win by
//! zugzwang may take two plies more to be seen. The bound that it gives may be longer
//! yet: a position that is met again brings the one that it was proved with.

use super::hash::Key;
use super::node::Node;
use super::numbers::Numbers;
use super::progress::Verdict;
use super::search::{Observer, Search};
use super::statics::{Glance, glance};
use crate::game::{Move, MoveList, Position, SQUARES, Side};

/// The most plies that it looks ahead.
pub const MOST_PLIES: u16 = 61;
/// As many replies as matter for the order of moves.
const MANY: u32 = 1_000;
const PLACES: usize = 1 << 18;
const PLIES: u64 = 0xff;

/// A move with the likelihood that it settles the position.
struct Branch {
    ply: Move,
    order: u64,
}

/// What is known not to win within so many plies, and which moves have settled
/// positions before.
pub(super) struct Mate {
    /// The key's check, the plies in its low bits.
    refuted: Vec<u64>,
    settled: Vec<u64>,
    last: Vec<[Option<Move>; 2]>,
    branches: Vec<Branch>,
    /// What was asked last, and within how many plies when it was ended.
    ended: Option<(Key, u16)>,
}

/// The search was ended.
struct Ended;

impl Mate {
    pub(super) fn new() -> Mate {
        Mate {
            refuted: Vec::new(),
            settled: Vec::new(),
            last: Vec::new(),
            branches: Vec::new(),
            ended: None,
        }
    }

    /// Within how many plies to look first: as where the same question was ended,
    /// or `first`.
    fn begin(&mut self, key: Key, first: u16) -> u16 {
        if let Some((_, plies)) = self.ended.take().filter(|(asked, _)| *asked == key) {
            return plies;
        }
        self.refuted.resize(PLACES, 0);
        self.settled.clear();
        self.settled.resize(2 * SQUARES * SQUARES, 0);
        self.last.resize(usize::from(MOST_PLIES) + 1, [None; 2]);
        first
    }

    fn is_refuted(&self, key: Key, plies: u16) -> bool {
        let entry = self.refuted[key.place as usize % PLACES];
        entry & !PLIES == key.check & !PLIES && entry & PLIES >= u64::from(plies)
    }

    fn refute(&mut self, key: Key, plies: u16) {
        self.refuted[key.place as usize % PLACES] = (key.check & !PLIES) | u64::from(plies);
    }

    fn place(side: Side, ply: Move) -> usize {
        (side as usize * SQUARES + ply.from.index()) * SQUARES + ply.to.index()
    }

    /// A move has settled a position with so many plies left.
    fn settle(&mut self, side: Side, ply: Move, plies: u16) {
        let weight = u64::from(plies) * u64::from(plies);
        self.settled[Mate::place(side, ply)] += weight;
        let last = &mut self.last[usize::from(plies)];
        if last[0] != Some(ply) {
            last[1] = last[0];
            last[0] = Some(ply);
        }
    }

    fn order(&self, side: Side, ply: Move, plies: u16) -> u64 {
        let last = self.last[usize::from(plies)];
        let first = match last.iter().position(|&known| known == Some(ply)) {
            Some(0) => 1 << 62,
            Some(_) => 1 << 61,
            None => 0,
        };
        first | self.settled[Mate::place(side, ply)].min((1 << 60) - 1)
    }
}

impl Search<'_> {
    /// Asks whether the prover forces a win within 1, 2, 3 … plies, at most
    /// 61, expanding so many positions more. What it proves stays
    /// in the table; asked the same again, it goes on where it was ended.
    pub fn solve_by_depth(
        &mut self,
        position: &Position,
        nodes: u64,
        observe: Observer<'_>,
    ) -> Verdict {
        let proving = position.side == self.prover;
        match glance(self.rules, self.prover, position) {
            Glance::Proved(plies) => return Verdict::Proved { plies },
            Glance::Refuted => return Verdict::Exhausted,
            Glance::Answers(_) | Glance::Quiet => {}
        }
        self.begin(nodes);
        let node = Node::new(*position);
        let key = node.key();
        let first = self.mate.begin(key, if proving { 3 } else { 2 });
        for plies in (first..=MOST_PLIES).step_by(2) {
            let found = if proving {
                self.forces(&node, key, plies, observe)
            } else {
                self.answered(&node, key, plies, observe)
            };
            match found {
                Ok(Some(plies)) => return Verdict::Proved { plies },
                Ok(None) => {}
                Err(Ended) => {
                    self.mate.ended = Some((key, plies));
                    break;
                }
            }
        }
        Verdict::Open
    }

    /// With the prover to move and no win at a glance: within how many plies he
    /// wins, if within so many.
    fn forces(
        &mut self,
        node: &Node,
        key: Key,
        plies: u16,
        observe: Observer<'_>,
    ) -> Result<Option<u16>, Ended> {
        if let Some(known) = self.table.get(key)
            && known.decided()
        {
            return Ok((known.phi == 0).then_some(known.plies));
        }
        if self.mate.is_refuted(key, plies) {
            return Ok(None);
        }
        self.tick(observe)?;
        let base = self.mate.branches.len();
        let found = self.try_all(node, plies, base, observe);
        self.mate.branches.truncate(base);
        let found = found?;
        match found {
            Some((ply, plies)) => {
                self.mate.settle(self.prover, ply, plies.min(MOST_PLIES));
                self.table.put(key, Numbers::won(plies), u64::from(plies));
            }
            None => self.mate.refute(key, plies),
        }
        Ok(found.map(|(_, plies)| plies))
    }

    fn try_all(
        &mut self,
        node: &Node,
        plies: u16,
        base: usize,
        observe: Observer<'_>,
    ) -> Result<Option<(Move, u16)>, Ended> {
        let mut list = MoveList::new();
        self.rules.moves(&node.position, &mut list);
        for ply in list {
            let child = node.child(self.rules, ply);
            let replies = match self.look(&child.position) {
                Glance::Proved(left) => return Ok(Some((ply, left + 1))),
                Glance::Refuted => continue,
                Glance::Answers(ways) => ways,
                Glance::Quiet => MANY,
            };
            match self.table.get(child.key()) {
                Some(known) if known.delta == 0 => {
                    return Ok(Some((ply, known.plies.saturating_add(1))));
                }
                Some(known) if known.phi == 0 => continue,
                _ => {}
            }
            let threatens = self.threatens(&child.position);
            if plies > 3 || threatens {
                let mut order = self.mate.order(self.prover, ply, plies);
                if threatens {
                    order += (1 << 60) + u64::from(MANY - replies.min(MANY));
                }
                self.mate.branches.push(Branch { ply, order });
            }
        }
        self.mate.branches[base..].sort_unstable_by_key(|branch| u64::MAX - branch.order);
        for index in base..self.mate.branches.len() {
            let ply = self.mate.branches[index].ply;
            let child = node.child(self.rules, ply);
            if let Some(left) = self.answered(&child, child.key(), plies - 1, observe)? {
                return Ok(Some((ply, left + 1)));
            }
        }
        Ok(None)
    }

    /// Whether the prover, who has just moved, would win with the next move.
    fn threatens(&self, after: &Position) -> bool {
        let again = Position {
            side: self.prover,
            ..*after
        };
        self.rules.decisive_move(&again).is_some()
    }

    /// With the other side to move: within how many plies every move of it
    /// loses, if within so many.
    fn answered(
        &mut self,
        node: &Node,
        key: Key,
        plies: u16,
        observe: Observer<'_>,
    ) -> Result<Option<u16>, Ended> {
        if let Some(known) = self.table.get(key)
            && known.decided()
        {
            return Ok((known.delta == 0).then_some(known.plies));
        }
        if self.mate.is_refuted(key, plies) {
            return Ok(None);
        }
        self.tick(observe)?;
        let base = self.mate.branches.len();
        let found = self.meet_all(node, plies, base, observe);
        self.mate.branches.truncate(base);
        let found = found?;
        match found {
            Some(longest) => {
                let numbers = Numbers::lost(longest);
                self.table.put(key, numbers, u64::from(longest));
            }
            None => self.mate.refute(key, plies),
        }
        Ok(found)
    }

    fn meet_all(
        &mut self,
        node: &Node,
        plies: u16,
        base: usize,
        observe: Observer<'_>,
    ) -> Result<Option<u16>, Ended> {
        let side = node.position.side;
        let mut list = MoveList::new();
        let mut longest = self.moves(&node.position, &mut list);
        for ply in list {
            let child = node.child(self.rules, ply);
            match self.look(&child.position) {
                Glance::Proved(left) => longest = longest.max(left + 1),
                Glance::Refuted => return Ok(None),
                Glance::Answers(_) | Glance::Quiet => match self.table.get(child.key()) {
                    Some(known) if known.phi == 0 => {
                        longest = longest.max(known.plies.saturating_add(1));
                    }
                    _ if plies == 2 => return Ok(None),
                    _ => {
                        let order = self.mate.order(side, ply, plies);
                        self.mate.branches.push(Branch { ply, order });
                    }
                },
            }
        }
        self.mate.branches[base..].sort_unstable_by_key(|branch| u64::MAX - branch.order);
        for index in base..self.mate.branches.len() {
            let ply = self.mate.branches[index].ply;
            let child = node.child(self.rules, ply);
            let Some(left) = self.forces(&child, child.key(), plies - 1, observe)? else {
                self.mate.settle(side, ply, plies);
                return Ok(None);
            };
            longest = longest.max(left + 1);
        }
        Ok(Some(longest))
    }

    fn tick(&mut self, observe: Observer<'_>) -> Result<(), Ended> {
        match self.count(observe) {
            true => Err(Ended),
            false => Ok(()),
        }
    }
}
