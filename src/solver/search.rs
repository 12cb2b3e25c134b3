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

use super::hash::{Hashes, Key};
use super::numbers::{INFINITE, Numbers, plus, raised};
use super::path::Path;
use super::statics::{Glance, glance};
use super::table::{NoMemory, Table};
use crate::game::{Move, MoveList, Position, Rules, Side};

/// Numbers of a position refuted on one path: worth a look only after much
/// else.
const REFUTED_HERE: u32 = 1 << 20;
/// Longer lines count as no win on this path.
const LONGEST_LINE: usize = 600;
/// A refutation that rests on nothing before the position.
const NOTHING: u16 = u16::MAX;

/// A position and the hashes of its images.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) hashes: Hashes,
}

impl Node {
    pub(super) fn new(position: Position) -> Node {
        Node {
            position,
            hashes: Hashes::of(&position),
        }
    }

    #[inline]
    pub(super) fn child(&self, rules: &Rules, ply: Move) -> Node {
        let played = rules.play(&self.position, ply);
        Node {
            position: played.position,
            hashes: self.hashes.after(&self.position, &played),
        }
    }

    #[inline]
    pub(super) fn key(&self) -> Key {
        self.hashes.key(self.position.side)
    }
}

/// A move that is not decided at a glance.
#[derive(Clone, Copy, Debug)]
struct Child {
    key: Key,
    ply: Move,
    phi: u32,
    delta: u32,
    plies: u16,
    /// The earliest place on the path that its refutation rests on.
    rests_on: u16,
}

/// Numbers, and what they rest on where they refute.
#[derive(Clone, Copy, Debug)]
struct Found {
    numbers: Numbers,
    rests_on: u16,
}

/// The children of a position: those from `base` on, and the longest of the
/// wins that are left out.
struct Expanded {
    base: usize,
    longest: u16,
}

/// What the children say of their parent.
struct Summary {
    phi: u32,
    delta: u32,
    best: usize,
    /// The second smallest delta.
    second: u32,
    open: u32,
    /// What a refutation would rest on.
    rests_on: u16,
}

/// How the numbers of several moves that all have to be answered are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// Their sum.
    Sum,
    /// The largest, and one for every other: many moves lead to the same
    /// positions, which a sum counts again and again (Ueda, Hashimoto,
    /// Hashimoto and Iida, "Weak proof-number search", 2008).
    Weak,
}

/// How a search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions expanded, repeatedly expanded ones counted each time.
    pub nodes: u64,
    /// The root's proof number, 0 when proved.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// Table entries that hold something.
    pub used: u64,
    /// Table entries.
    pub entries: u64,
}

/// What became of the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The prover wins, within so many plies at most.
    Proved {
        /// A bound, seldom the shortest win.
        plies: u16,
    },
    /// The search found no win where it looked at everything. No certificate
    /// shows it, so it is not to be published as a fact.
    Refuted,
    /// It was stopped.
    Open,
}

/// A search for one side's forced win under one ruleset.
pub struct Search<'r> {
    pub(super) rules: &'r Rules,
    pub(super) prover: Side,
    pub(super) table: Table,
    path: Path,
    children: Vec<Child>,
    combine: Combine,
    nodes: u64,
    max_nodes: u64,
    stopped: bool,
    root: (u32, u32),
    next_report: u64,
}

/// Between two reports.
const REPORT: u64 = 1 << 20;

impl<'r> Search<'r> {
    /// A search that knows nothing yet, with a table of so many bytes.
    ///
    /// # Errors
    /// Memory that cannot be had.
    pub fn new(rules: &'r Rules, prover: Side, memory: u64) -> Result<Search<'r>, NoMemory> {
        Ok(Search {
            rules,
            prover,
            table: Table::new(memory)?,
            path: Path::new(),
            children: Vec::new(),
            combine: Combine::Weak,
            nodes: 0,
            max_nodes: 0,
            stopped: false,
            root: (1, 1),
            next_report: REPORT,
        })
    }

    /// Sets how numbers are combined.
    pub fn combine(&mut self, combine: Combine) {
        self.combine = combine;
    }

    /// Positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
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
        }
    }

    /// Asks whether the prover forces a win from this position, expanding at
    /// most `nodes` positions more. The observer may end it by saying false;
    /// what was found stays in the table, and asking again goes on from there.
    pub fn solve(
        &mut self,
        position: &Position,
        nodes: u64,
        observe: &mut dyn FnMut(&Progress) -> bool,
    ) -> Verdict {
        let found = self.numbers(position, nodes, observe);
        let proving = position.side == self.prover;
        match found {
            Numbers { phi: 0, plies, .. } if proving => Verdict::Proved { plies },
            Numbers { delta: 0, plies, .. } if !proving => Verdict::Proved { plies },
            numbers if numbers.decided() => Verdict::Refuted,
            _ => Verdict::Open,
        }
    }

    /// Puts a position on the path, unless it stands there already.
    pub(super) fn enter(&mut self, key: Key) -> bool {
        let new = self.path.find(key).is_none();
        if new {
            self.path.push(key);
        }
        new
    }

    /// Takes the last position off the path.
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    /// What the table has of a position.
    pub(super) fn known(&self, key: Key) -> Option<Numbers> {
        self.table.get(key)
    }

    /// Takes back what was decided about a position.
    pub(super) fn forget(&mut self, key: Key) {
        let open = Numbers {
            phi: 1,
            delta: 1,
            plies: 0,
        };
        self.table.put(key, open, 1);
    }

    fn numbers(
        &mut self,
        position: &Position,
        nodes: u64,
        observe: &mut dyn FnMut(&Progress) -> bool,
    ) -> Numbers {
        let proving = position.side == self.prover;
        let decided = |proved: bool, plies| match proved == proving {
            true => Numbers::won(plies),
            false => Numbers::lost(plies),
        };
        match glance(self.rules, self.prover, position) {
            Glance::Proved(plies) => return decided(true, plies),
            Glance::Refuted => return decided(false, 0),
            Glance::Open { .. } => {}
        }
        self.max_nodes = self.nodes.saturating_add(nodes);
        self.stopped = false;
        let node = Node::new(*position);
        let most = Numbers {
            phi: INFINITE,
            delta: INFINITE,
            plies: 0,
        };
        self.descend(&node, node.key(), most, observe).numbers
    }

    /// Searches below a position until it is decided or its numbers reach the
    /// limits.
    fn descend(
        &mut self,
        node: &Node,
        key: Key,
        limit: Numbers,
        observe: &mut dyn FnMut(&Progress) -> bool,
    ) -> Found {
        let depth = self.path.len();
        if depth >= LONGEST_LINE {
            return self.refuted_here(node, 0);
        }
        self.count(observe);
        let before = self.nodes;
        self.path.push(key);
        let base = self.children.len();
        let found = match self.expand(node) {
            Ok(expanded) => self.work(node, &expanded, limit, observe),
            Err(found) => found,
        };
        self.children.truncate(base);
        self.path.pop();
        let work = self.nodes - before + 1;
        self.remember(node, key, found, depth, work);
        found
    }

    fn count(&mut self, observe: &mut dyn FnMut(&Progress) -> bool) {
        self.nodes += 1;
        if self.nodes >= self.next_report {
            self.next_report = self.nodes + REPORT;
            if !observe(&self.progress()) {
                self.stopped = true;
            }
        }
        if self.nodes >= self.max_nodes {
            self.stopped = true;
        }
    }

    fn refuted_here(&self, node: &Node, rests_on: u16) -> Found {
        Found {
            numbers: if node.position.side == self.prover {
                Numbers::lost(0)
            } else {
                Numbers::won(0)
            },
            rests_on,
        }
    }

    fn remember(&mut self, node: &Node, key: Key, found: Found, depth: usize, work: u64) {
        let proving = node.position.side == self.prover;
        let numbers = if usize::from(found.rests_on) < depth {
            match proving {
                true => Numbers {
                    phi: REFUTED_HERE,
                    delta: 1,
                    plies: 0,
                },
                false => Numbers {
                    phi: 1,
                    delta: REFUTED_HERE,
                    plies: 0,
                },
            }
        } else {
            found.numbers
        };
        self.table.put(key, numbers, work);
    }

    fn work(
        &mut self,
        node: &Node,
        expanded: &Expanded,
        limit: Numbers,
        observe: &mut dyn FnMut(&Progress) -> bool,
    ) -> Found {
        let proving = node.position.side == self.prover;
        let mut longest = expanded.longest;
        loop {
            let summary = self.summary(expanded.base);
            let found = Found {
                numbers: Numbers {
                    phi: summary.phi,
                    delta: summary.delta,
                    plies: longest,
                },
                rests_on: NOTHING,
            };
            if proving && depth_is_root(&self.path) {
                self.root = (summary.phi, summary.delta);
            } else if depth_is_root(&self.path) {
                self.root = (summary.delta, summary.phi);
            }
            if summary.delta == 0 {
                return Found {
                    numbers: Numbers::lost(longest),
                    rests_on: if proving { summary.rests_on } else { NOTHING },
                };
            }
            if summary.phi >= limit.phi || summary.delta >= limit.delta || self.stopped {
                return found;
            }
            let best = self.children[summary.best];
            let below = Numbers {
                phi: self.share(limit.delta, &summary, best.phi),
                delta: limit.phi.min(raised(summary.second)),
                plies: 0,
            };
            let child = node.child(self.rules, best.ply);
            let result = self.descend(&child, best.key, below, observe);
            let numbers = result.numbers;
            if numbers.delta == 0 {
                return Found {
                    numbers: Numbers::won(if proving { numbers.plies + 1 } else { 0 }),
                    rests_on: if proving { NOTHING } else { result.rests_on },
                };
            }
            if numbers.phi == 0 && !proving {
                longest = longest.max(numbers.plies + 1);
            }
            let place = &mut self.children[summary.best];
            place.phi = numbers.phi;
            place.delta = numbers.delta;
            place.plies = numbers.plies;
            place.rests_on = result.rests_on;
        }
    }

    fn share(&self, limit: u32, summary: &Summary, phi: u32) -> u32 {
        if limit >= INFINITE {
            return INFINITE;
        }
        match self.combine {
            Combine::Sum => limit - (summary.delta - phi),
            Combine::Weak => limit - (summary.open - 1),
        }
    }

    fn summary(&self, base: usize) -> Summary {
        let mut summary = Summary {
            phi: INFINITE,
            delta: 0,
            best: base,
            second: INFINITE,
            open: 0,
            rests_on: NOTHING,
        };
        let mut sum = 0;
        let mut most = 0;
        for (index, child) in self.children[base..].iter().enumerate() {
            if child.phi == 0 {
                summary.rests_on = summary.rests_on.min(child.rests_on);
                continue;
            }
            sum = plus(sum, child.phi);
            most = most.max(child.phi);
            summary.open += 1;
            if child.delta < summary.phi {
                summary.second = summary.phi;
                summary.phi = child.delta;
                summary.best = base + index;
            } else if child.delta < summary.second {
                summary.second = child.delta;
            }
        }
        summary.delta = match self.combine {
            Combine::Sum => sum,
            Combine::Weak if summary.open == 0 => 0,
            Combine::Weak => plus(most, summary.open - 1),
        };
        summary
    }

    /// Makes the children, or says at once what becomes of the position.
    fn expand(&mut self, node: &Node) -> Result<Expanded, Found> {
        let base = self.children.len();
        let proving = node.position.side == self.prover;
        let mut list = MoveList::new();
        let mut longest = self.moves(&node.position, &mut list);
        for &ply in &list {
            let child = node.child(self.rules, ply);
            match glance(self.rules, self.prover, &child.position) {
                Glance::Proved(plies) if proving => return Err(fact(Numbers::won(plies + 1))),
                Glance::Proved(plies) => longest = longest.max(plies + 1),
                Glance::Refuted if proving => {}
                Glance::Refuted => return Err(fact(Numbers::won(0))),
                Glance::Open { moves } => self.children.push(Child {
                    key: child.key(),
                    ply,
                    phi: 1,
                    delta: moves,
                    plies: 0,
                    rests_on: NOTHING,
                }),
            }
        }
        if node.hashes.is_symmetric() {
            self.fold(base);
        }
        self.look_up(base, proving, &mut longest)?;
        Ok(Expanded { base, longest })
    }

    /// The moves that need a look, and how long the win against any other takes.
    fn moves(&self, position: &Position, list: &mut MoveList) -> u16 {
        if position.side == Side::Attackers && !self.rules.escapes(position).is_empty() {
            list.clear();
            list.extend(self.rules.blocks(position));
            return 2;
        }
        self.rules.moves(position, list);
        0
    }

    /// Of moves that lead to images of one position, keeps the first.
    fn fold(&mut self, base: usize) {
        let mut kept = base;
        for index in base..self.children.len() {
            let child = self.children[index];
            let known = self.children[base..kept]
                .iter()
                .any(|other| other.key == child.key);
            if !known {
                self.children[kept] = child;
                kept += 1;
            }
        }
        self.children.truncate(kept);
    }

    /// Gives the children the numbers that the table and the path have.
    fn look_up(&mut self, base: usize, proving: bool, longest: &mut u16) -> Result<(), Found> {
        let mut repeated = None;
        let mut won = None;
        for child in &mut self.children[base..] {
            if let Some(place) = self.path.find(child.key) {
                let place = place as u16;
                repeated = repeated.max(Some(place));
                // The other side comes back to where it was; the prover gains
                // nothing by doing so.
                child.phi = 0;
                child.delta = INFINITE;
                child.rests_on = place;
                continue;
            }
            let Some(numbers) = self.table.get(child.key) else {
                continue;
            };
            child.phi = numbers.phi;
            child.delta = numbers.delta;
            child.plies = numbers.plies;
            if numbers.delta == 0 {
                let plies = if proving { numbers.plies + 1 } else { 0 };
                won = Some(won.map_or(plies, |least: u16| least.min(plies)));
            } else if numbers.phi == 0 && !proving {
                *longest = (*longest).max(numbers.plies + 1);
            }
        }
        match (won, repeated) {
            (Some(plies), _) => Err(fact(Numbers::won(plies))),
            (None, Some(place)) if !proving => Err(Found {
                numbers: Numbers::won(0),
                rests_on: place,
            }),
            _ => Ok(()),
        }
    }
}

fn depth_is_root(path: &Path) -> bool {
    path.len() == 1
}

fn fact(numbers: Numbers) -> Found {
    Found {
        numbers,
        rests_on: NOTHING,
    }
}
