//! Depth-first proof-number search (Nagai 2002). Imports `game` and the
//! solver's own parts.
//!
//! # What may be remembered
//!
//! A position that stands on the path already counts as no win for the prover.
//!
//! - *Proofs* never rest on that: a repetition only ever takes wins away. They
//!   hold whatever came before, and the table keeps them as facts.
//! - *Refutations* may rest on it. With each goes the earliest place on the path
//!   that it needs. One that needs nothing before the refuted position itself
//!   holds on every path (whoever can win never needs to come back to where he
//!   was), and is kept as a fact; any other is kept as numbers that make the
//!   search look elsewhere first, never as a refutation (the graph-history
//!   interaction: Kishimoto and Müller, "A general solution to the graph
//!   history interaction problem", 2004).
//!
//! Images of a position count as equal to it everywhere: the rules and the
//! corners know no direction.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex};

use super::estimates::Estimates;
use super::exact::{Probe, Value};
use super::expand::{Child, Expanded, Fresh};
use super::hash::Key;
use super::jobs::{Jobs, Player};
use super::mate::Mate;
use super::mend::Mending;
use super::node::Node;
use super::numbers::{INFINITE, Numbers, Share, Total, raised};
use super::path::Path;
use super::progress::{Above, First, Options, Progress, Replies, Verdict};
use super::ranking::Spread;
use super::sample::Sample;
use super::statics::{Glance, glance};
use super::table::{NoMemory, Table};
use crate::game::{Move, Position, Rules, Side};

/// The most that a position refuted on some paths but not on all counts for.
const REFUTED_HERE: u32 = 1 << 20;
/// Of the disproof numbers of the prover's moves, beside the largest.
const MOVES: Share = Share::new(0, 4);
/// Of the proof numbers of the replies, beside the largest.
const REPLIES: Share = Share::new(10_000, 16);
/// Longer lines count as no win on this path.
pub(super) const LONGEST_LINE: usize = 600;
/// A refutation that rests on nothing before the position.
pub(super) const NOTHING: u16 = u16::MAX;
/// Expansions between two reports.
const REPORT: u64 = 1 << 17;

/// Who is told how a search goes on, and ends it by answering false.
pub type Observer<'o> = &'o mut dyn FnMut(&Progress) -> bool;

/// Numbers, and what they rest on where they refute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) numbers: Numbers,
    pub(super) rests_on: u16,
}

/// What the children say of their parent.
struct Summary {
    phi: u32,
    delta: u32,
    best: usize,
    /// The second smallest delta.
    second: u32,
    total: Total,
    /// What a refutation would rest on.
    rests_on: u16,
}

/// A search for one side's forced win under one ruleset.
pub struct Search<'r> {
    pub(super) rules: &'r Rules,
    pub(super) prover: Side,
    pub(super) options: Options,
    /// Like what follows of advice and jobs, shared by the threads of a search.
    pub(super) table: Arc<Table>,
    pub(super) path: Path,
    pub(super) children: Vec<Child>,
    /// The children of one position while they are made.
    pub(super) fresh: Vec<Fresh>,
    /// The last two moves that won for the prover, by depth.
    pub(super) killers: Vec<[Option<Move>; 2]>,
    /// Where an older strategy goes from a position: checks of keys.
    pub(super) advice: Arc<HashMap<u64, u64, BuildHasherDefault<Spread>>>,
    pub(super) mate: Mate,
    pub(super) jobs: Arc<Mutex<Jobs>>,
    pub(super) mending: Mending,
    /// Whose moves a tree of jobs tries first.
    pub(super) player: Option<Player<'r>>,
    pub(super) above: Option<Above>,
    pub(super) estimates: Option<&'r Estimates>,
    /// Some of the positions that were given their first numbers.
    pub(super) sample: Option<Sample>,
    /// Whoever knows the values of positions with up to so many men.
    leaves: Option<(&'r dyn Probe, u32)>,
    pub(super) nodes: u64,
    max_nodes: u64,
    stopped: bool,
    pub(super) root: (u32, u32),
    /// The positions on the line before the search's own.
    outer: usize,
    /// The move that won for the prover at the search's root.
    pub(super) winning: Option<Move>,
    next_report: u64,
}

impl<'r> Search<'r> {
    /// A search that knows nothing yet.
    ///
    /// # Errors
    /// Memory that cannot be had.
    pub fn new(rules: &'r Rules, prover: Side, options: Options) -> Result<Search<'r>, NoMemory> {
        let table = Arc::new(Table::new(options.memory)?);
        Ok(Search::with(rules, prover, options, table))
    }

    /// A search that knows what a table knows.
    fn with(rules: &'r Rules, prover: Side, options: Options, table: Arc<Table>) -> Search<'r> {
        Search {
            rules,
            prover,
            options,
            table,
            path: Path::new(),
            children: Vec::new(),
            fresh: Vec::new(),
            killers: vec![[None; 2]; LONGEST_LINE + 1],
            advice: Arc::default(),
            mate: Mate::new(),
            jobs: Arc::default(),
            mending: Mending::default(),
            player: None,
            above: None,
            estimates: match options.first {
                First::Counted => None,
                First::Fitted => Some(Estimates::of(rules.ruleset(), prover)),
            },
            sample: None,
            leaves: None,
            nodes: 0,
            max_nodes: 0,
            stopped: false,
            root: (1, 1),
            outer: 0,
            winning: None,
            next_report: REPORT,
        }
    }

    /// A search that is asked the same, for another thread, and that knows and
    /// finds out what this one does.
    pub(super) fn beside(&self) -> Search<'r> {
        Search {
            advice: Arc::clone(&self.advice),
            jobs: Arc::clone(&self.jobs),
            player: self.player,
            estimates: self.estimates,
            leaves: self.leaves,
            ..Search::with(
                self.rules,
                self.prover,
                self.options,
                Arc::clone(&self.table),
            )
        }
    }

    /// Another that is asked the same and knows no more than the endgame tables.
    pub(super) fn anew(&self, options: Options) -> Result<Search<'r>, NoMemory> {
        let mut other = Search::new(self.rules, self.prover, options)?;
        other.estimates = self.estimates;
        other.leaves = self.leaves;
        Ok(other)
    }

    /// Positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Takes other estimates than those that come with the program.
    pub fn begin_with(&mut self, estimates: &'r Estimates) {
        self.estimates = Some(estimates);
    }

    /// Keeps `most` of the positions that are given their first numbers from
    /// here on, each with the same chance; which, depends on the seed.
    pub fn begin_sample(&mut self, most: usize, seed: u64) {
        self.sample = Some(Sample::new(most, seed));
    }

    /// What was kept of them.
    #[must_use]
    pub fn sampled(&self) -> &[Position] {
        self.sample.as_ref().map_or(&[], |sample| sample.kept())
    }

    /// Where the search stands.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let (used, entries) = self.table.fill();
        Progress {
            nodes: self.nodes,
            proof: self.root.0,
            disproof: self.root.1,
            used,
            entries,
            above: self.above,
        }
    }

    /// Lets exact values decide positions of up to so many men, the king among
    /// them. They must be those of the rules. A certificate never rests on
    /// them: it says what is played down to the end.
    pub fn know(&mut self, leaves: &'r dyn Probe, most_men: u32) {
        self.leaves = Some((leaves, most_men));
    }

    /// What can be said of a position without a search.
    #[inline]
    pub(super) fn look(&self, position: &Position) -> Glance {
        let seen = glance(self.rules, self.prover, position);
        let Some((leaves, most_men)) = self.leaves else {
            return seen;
        };
        let open = matches!(seen, Glance::Answers(_) | Glance::Quiet);
        if !open || position.occupied().len() > most_men {
            return seen;
        }
        match (leaves.probe(position), position.side == self.prover) {
            (None, _) => seen,
            (Some(Value::Win { plies }), true) | (Some(Value::Loss { plies }), false) => {
                Glance::Proved(u16::from(plies))
            }
            (Some(_), _) => Glance::Refuted,
        }
    }

    /// Asks whether the prover forces a win from this position, expanding at
    /// most `nodes` positions more. The observer may end it by saying false;
    /// what was found stays in the table, and asking again goes on from there.
    pub fn solve(&mut self, position: &Position, nodes: u64, observe: Observer<'_>) -> Verdict {
        let proving = position.side == self.prover;
        match self.numbers(position, nodes, observe) {
            Numbers { phi: 0, plies, .. } if proving => Verdict::Proved { plies },
            Numbers {
                delta: 0, plies, ..
            } if !proving => Verdict::Proved { plies },
            numbers if numbers.decided() => Verdict::Exhausted,
            _ => Verdict::Open,
        }
    }

    fn numbers(&mut self, position: &Position, nodes: u64, observe: Observer<'_>) -> Numbers {
        let proving = position.side == self.prover;
        self.winning = None;
        // By the rules alone: a strategy from here needs a move, not a value.
        match glance(self.rules, self.prover, position) {
            Glance::Proved(plies) if proving => return Numbers::won(plies),
            Glance::Proved(plies) => return Numbers::lost(plies),
            Glance::Refuted if proving => return Numbers::lost(0),
            Glance::Refuted => return Numbers::won(0),
            Glance::Answers(_) | Glance::Quiet => {}
        }
        let node = Node::new(*position);
        let key = node.key();
        if let Some(known) = self.table.get(key)
            && known.decided()
        {
            return known;
        }
        self.begin(nodes);
        let most = Numbers {
            phi: INFINITE,
            delta: INFINITE,
            plies: 0,
        };
        let outer = self.path.len();
        self.outer = outer;
        let found = self.descend(&node, key, most, observe);
        if outer == 0 || usize::from(found.rests_on) >= outer {
            return found.numbers;
        }
        // Refuted on the line that leads here: nothing to report as such.
        self.on_this_line(&node)
    }

    fn on_this_line(&self, node: &Node) -> Numbers {
        if node.position.side == self.prover {
            Numbers::lost(0)
        } else {
            Numbers::won(0)
        }
    }

    /// Searches below a position until it is decided or its numbers reach the
    /// limits.
    fn descend(&mut self, node: &Node, key: Key, limit: Numbers, observe: Observer<'_>) -> Found {
        let depth = self.path.len();
        if depth >= LONGEST_LINE {
            return Found {
                numbers: self.on_this_line(node),
                rests_on: 0,
            };
        }
        self.count(observe);
        let before = self.nodes;
        self.path.push(key);
        let base = self.children.len();
        let found = match self.expand(node, key) {
            Ok(expanded) => self.work(node, &expanded, limit, observe),
            Err(found) => found,
        };
        self.children.truncate(base);
        self.path.pop();
        let work = self.nodes - before + 1;
        let numbers = if usize::from(found.rests_on) < depth {
            self.discouraged(node, key)
        } else {
            found.numbers
        };
        self.table.put(key, numbers, work);
        found
    }

    /// The numbers of a position that was refuted on one path: it seems twice
    /// as hard to prove as before.
    fn discouraged(&self, node: &Node, key: Key) -> Numbers {
        let proving = node.position.side == self.prover;
        let known = self.table.get(key).filter(|known| !known.decided());
        let harder = |number: u32| (2 * number.min(REFUTED_HERE) + 8).min(REFUTED_HERE);
        let proof = known.map_or(1, |known| if proving { known.phi } else { known.delta });
        Numbers {
            phi: if proving { harder(proof) } else { 1 },
            delta: if proving { 1 } else { harder(proof) },
            plies: 0,
        }
    }

    /// Allows so many expansions more.
    pub(super) fn begin(&mut self, nodes: u64) {
        self.max_nodes = self.nodes.saturating_add(nodes);
        self.stopped = nodes == 0;
    }

    /// Counts an expansion; whether it is time to stop.
    pub(super) fn count(&mut self, observe: Observer<'_>) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_report {
            self.next_report = self.nodes + REPORT;
            self.stopped |= !observe(&self.progress());
        }
        self.stopped |= self.nodes >= self.max_nodes;
        self.stopped
    }

    /// Goes to the most promising child, again and again.
    fn work(
        &mut self,
        node: &Node,
        expanded: &Expanded,
        limit: Numbers,
        observe: Observer<'_>,
    ) -> Found {
        let proving = node.position.side == self.prover;
        let share = self.share(proving);
        let mut longest = expanded.longest;
        loop {
            let summary = self.summary(expanded.base, share);
            self.report_root(proving, &summary);
            if summary.delta == 0 {
                return Found {
                    numbers: Numbers::lost(longest),
                    rests_on: if proving { summary.rests_on } else { NOTHING },
                };
            }
            if summary.phi >= limit.phi || summary.delta >= limit.delta || self.stopped {
                return Found {
                    numbers: Numbers {
                        phi: summary.phi,
                        delta: summary.delta,
                        plies: 0,
                    },
                    rests_on: NOTHING,
                };
            }
            let best = self.children[summary.best];
            let below = Numbers {
                phi: summary.total.room(best.phi, limit.delta, share),
                delta: limit.phi.min(raised(summary.second)),
                plies: 0,
            };
            let child = node.child(self.rules, best.ply);
            let Found { numbers, rests_on } = self.descend(&child, best.key, below, observe);
            if numbers.delta == 0 {
                return self.won(proving, best.ply, numbers.plies, rests_on);
            }
            if numbers.phi == 0 && !proving {
                longest = longest.max(numbers.plies.saturating_add(1));
            }
            let place = &mut self.children[summary.best];
            place.phi = numbers.phi;
            place.delta = numbers.delta;
            place.rests_on = rests_on;
        }
    }

    /// The side to move has its way by this move.
    fn won(&mut self, proving: bool, ply: Move, plies: u16, rests_on: u16) -> Found {
        if !proving {
            return Found {
                numbers: Numbers::won(0),
                rests_on,
            };
        }
        self.won_by(ply);
        if self.path.len() == self.outer + 1 {
            self.winning = Some(ply);
        }
        Found {
            numbers: Numbers::won(plies.saturating_add(1)),
            rests_on: NOTHING,
        }
    }

    fn report_root(&mut self, proving: bool, summary: &Summary) {
        if self.path.len() == 1 {
            self.root = match proving {
                true => (summary.phi, summary.delta),
                false => (summary.delta, summary.phi),
            };
        }
    }

    /// How much counts of the numbers of moves that all have to be met, beside
    /// the largest.
    fn share(&self, proving: bool) -> Share {
        match (self.options.first, self.options.replies) {
            (First::Fitted, _) if proving => MOVES,
            (First::Fitted, Replies::Shared) => REPLIES,
            (First::Fitted, Replies::Summed) | (First::Counted, _) => Share::ALL,
        }
    }

    fn summary(&self, base: usize, share: Share) -> Summary {
        let mut summary = Summary {
            phi: INFINITE,
            delta: 0,
            best: base,
            second: INFINITE,
            total: Total::default(),
            rests_on: NOTHING,
        };
        for (index, child) in self.children[base..].iter().enumerate() {
            if child.phi == 0 {
                summary.rests_on = summary.rests_on.min(child.rests_on);
                continue;
            }
            summary.total.add(child.phi);
            if child.delta < summary.phi {
                summary.second = summary.phi;
                summary.phi = child.delta;
                summary.best = base + index;
            } else if child.delta < summary.second {
                summary.second = child.delta;
            }
        }
        summary.delta = summary.total.number(share);
        summary
    }
}
