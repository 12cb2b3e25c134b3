//! The fifth engine: strategies that win under other rules, mended. Where a move
//! of theirs can be played, and the replies to it are won by what is mended
//! already, there is nothing to search; elsewhere a small search looks for
//! another move. The replies come before the move that they answer, so that what
//! is mended last rests on all that could be mended before. Imports `game`,
//! certificates and the search's parts.
//!
//! One pass goes through the strategies from the position asked about, and the
//! next, with larger searches, through what the passes before have left. After
//! each the position itself gets a search of as many expansions as the pass took.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::certificate::{Certificate, Step, TooManySoldiers, ranking};
use super::jobs::{Bounds, Known, for_jobs};
use super::node::Node;
use super::progress::Verdict;
use super::ranking::{Ranking, Spread, folded};
use super::search::{LONGEST_LINE, Observer, Search};
use super::soon::wins_in_three;
use crate::game::{Move, MoveList, Position, Rules};

/// Where more than one reply is left, a search of the first pass gets one in so
/// many of the expansions that it gets elsewhere.
const MORE_LEFT: u64 = 4;
/// How many times as large a pass's searches are as those of the pass before.
const GROWTH: u64 = 4;
/// The same where more than one reply is left.
const GROWTH_MORE_LEFT: u64 = 2;

/// How far the passes have come. It decides nothing.
#[derive(Default)]
pub(super) struct Mending {
    /// Passes that were gone through.
    passes: u32,
    /// The positions that the present one has seen: checks of keys.
    seen: HashSet<u64, BuildHasherDefault<Spread>>,
}

/// What the winner plays under rules of its own.
struct Strategy<'c> {
    steps: &'c [Step],
    ranking: Ranking,
    rules: Rules,
}

impl<'c> Strategy<'c> {
    fn new(certificate: &'c Certificate) -> Result<Strategy<'c>, TooManySoldiers> {
        Ok(Strategy {
            steps: &certificate.steps,
            ranking: ranking(&certificate.claim.root)?,
            rules: Rules::new(certificate.claim.ruleset),
        })
    }

    /// What it plays in a folded position.
    fn ply(&self, position: &Position) -> Option<Move> {
        let number = self.ranking.number(position)?;
        let place = self.steps.binary_search_by_key(&number, |step| step.number);
        let step = self.steps[place.ok()?];
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        list.get(usize::from(step.choice)).copied()
    }
}

impl Search<'_> {
    /// Asks whether the prover forces a win from this position by mending the
    /// strategies of these certificates, those first that come first, with
    /// searches of at most `first` expansions in the first pass, of `nodes` more
    /// in all. Those for the other side are left out. Nothing rests on them; what
    /// [holds](super::carry()) of them need not be searched if the search
    /// [knows](Search::learn) it. The observer may end it by saying false; what
    /// was found is kept, and asking again goes on from there.
    ///
    /// # Errors
    /// A certificate from a position with too many soldiers.
    pub fn solve_by_mending(
        &mut self,
        position: &Position,
        strategies: &[&Certificate],
        first: u64,
        nodes: u64,
        observe: Observer<'_>,
    ) -> Result<Verdict, TooManySoldiers> {
        let strategies: Vec<Strategy<'_>> = strategies
            .iter()
            .filter(|certificate| certificate.claim.winner == self.prover)
            .map(|certificate| Strategy::new(certificate))
            .collect::<Result<_, _>>()?;
        let left = for_jobs(nodes);
        let mut mender = Mender {
            strategies,
            bounds: Bounds::new(first, &left, observe),
            search: self,
        };
        let rest = mender.passes(position);
        let observe = mender.bounds.observe;
        // The position's own numbers at least.
        self.above = None;
        Ok(self.solve(position, rest, observe))
    }
}

/// One call.
struct Mender<'m, 's, 'r> {
    search: &'s mut Search<'r>,
    strategies: Vec<Strategy<'m>>,
    bounds: Bounds<'m>,
}

impl Mender<'_, '_, '_> {
    /// Goes through the strategies again and again; how many expansions are left
    /// for one search.
    fn passes(&mut self, position: &Position) -> u64 {
        let proving = position.side == self.search.prover;
        loop {
            let passes = self.search.mending.passes;
            self.bounds.above.level = u8::try_from(passes).unwrap_or(u8::MAX);
            let before = self.search.nodes;
            let won = if proving {
                self.wins(position)
            } else {
                self.left(&Node::new(*position)) == Some(0)
            };
            if won || self.bounds.stopped {
                return 1;
            }
            self.search.mending.passes = passes.saturating_add(1);
            self.search.mending.seen.clear();
            let spent = self.search.nodes - before;
            if spent == 0 {
                return self.bounds.left() + 1;
            }
            if self.job(position, spent) || self.bounds.stopped {
                return 1;
            }
        }
    }

    /// Whether the prover, to move, wins, as far as this pass shows.
    fn wins(&mut self, position: &Position) -> bool {
        let node = Node::new(folded(position));
        match self.search.known(&node) {
            Known::Won => return true,
            Known::Refuted => return false,
            Known::Open(_) => {}
        }
        let check = node.key().check;
        if self.bounds.stopped || !self.search.mending.seen.insert(check) {
            return false;
        }
        // Several strategies together may go on for longer than each.
        let deep = usize::from(self.bounds.above.plies) >= LONGEST_LINE;
        let ply = if deep { None } else { self.ply(&node.position) };
        let after = ply.map(|ply| node.child(self.search.rules, ply));
        let left = after.and_then(|after| self.left(&after));
        if let (Some(0), Some(after)) = (left, after) {
            // That the move wins has to be in the table.
            self.job(&after.position, self.many());
        }
        let nodes = match left {
            Some(2..) => self.few(),
            _ => self.many(),
        };
        let won = self.job(&node.position, nodes);
        if self.bounds.stopped {
            // Its replies have not all been gone through.
            self.search.mending.seen.remove(&check);
        }
        won
    }

    /// The move of the first strategy that has one which can be played.
    fn ply(&self, position: &Position) -> Option<Move> {
        let mut list = MoveList::new();
        self.search.rules.moves(position, &mut list);
        let mut plies = self.strategies.iter().filter_map(|s| s.ply(position));
        plies.find(|ply| list.contains(ply))
    }

    /// How many of the replies, with the other side to move, are not won in this
    /// pass; `None` if one of them cannot be.
    fn left(&mut self, node: &Node) -> Option<u32> {
        let mut left = 0;
        self.bounds.above.plies += 2;
        for (_, reply, known) in self.search.branches(node) {
            let won = match known {
                Known::Won => true,
                Known::Refuted => {
                    left = u32::MAX;
                    break;
                }
                Known::Open(_) => {
                    wins_in_three(self.search.rules, &reply.position) || self.wins(&reply.position)
                }
            };
            left += u32::from(!won);
            if self.bounds.stopped {
                break;
            }
        }
        self.bounds.above.plies -= 2;
        (left < u32::MAX).then_some(left)
    }

    /// A search by proof numbers; whether it proves a win.
    fn job(&mut self, position: &Position, nodes: u64) -> bool {
        !self.bounds.stopped && self.search.job(position, nodes, &mut self.bounds)
    }

    /// Expansions of a search in this pass where one reply is left at most, or
    /// no strategy has a move.
    fn many(&self) -> u64 {
        let grown = GROWTH.saturating_pow(self.search.mending.passes);
        self.bounds.job.saturating_mul(grown)
    }

    /// Where more are left.
    fn few(&self) -> u64 {
        let grown = GROWTH_MORE_LEFT.saturating_pow(self.search.mending.passes);
        (self.bounds.job / MORE_LEFT).max(1).saturating_mul(grown)
    }
}
