//! The way to a wall. Imports the wall and the search for wins.

use std::sync::Arc;

use super::Wall;
use super::gather::{Gathered, Gathering};
use crate::game::{Move, Position, SQUARES, Side};
use crate::solver::hold::{Fortress, HoldClaim, HoldError};
use crate::solver::node::Node;
use crate::solver::progress::{First, Options, Verdict};
use crate::solver::search::{Observer, Search};
use crate::solver::table::NoMemory;

/// As many pieces as there can be.
const ALL_MEN: u32 = SQUARES as u32;

/// A search for attackers' way to what a wall that was worked out holds.
pub struct Approach<'w> {
    wall: &'w Wall<'w>,
    search: Search<'w>,
}

impl<'w> Approach<'w> {
    /// Asks nothing yet; the table takes so many bytes.
    ///
    /// # Errors
    /// Memory that cannot be had.
    pub fn new(wall: &'w Wall<'w>, memory: u64) -> Result<Approach<'w>, NoMemory> {
        // Estimates are of wins, which are farther away.
        let options = Options {
            first: First::Counted,
            ..Options::new(memory)
        };
        let mut search = Search::new(wall.rules, Side::Attackers, options)?;
        search.know(wall, ALL_MEN);
        Ok(Approach { wall, search })
    }

    /// Looks for a way from a position to what is held, by proof numbers, with so many
    /// more positions at most. `Proved` means that there is one, or that it is held,
    /// `Exhausted` that there is none. Where the wall holds nothing, none is looked for.
    pub fn look(&mut self, root: &Position, nodes: u64, observe: Observer<'_>) -> Verdict {
        match self.wall.holds(root) {
            Some(true) => Verdict::Proved { plies: 0 },
            _ if self.wall.held().iter().all(|held| held.held == 0) => Verdict::Open,
            _ => self.search.solve(root, nodes, observe),
        }
    }

    /// Positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// What defenders cannot leave from a position for which [`look`] has found a way;
    /// with `all`, also from every one that is held and has as many men, and as many of
    /// them kept. What was forgotten is searched again, each time with up to so many
    /// positions. `None` if that was not enough, or `observe` wants no more. It may take
    /// so many bytes beside the wall and the table.
    ///
    /// # Errors
    /// A root with too many soldiers; too little memory.
    ///
    /// [`look`]: Approach::look
    pub fn fortress(
        &mut self,
        root: &Position,
        all: bool,
        nodes: u64,
        memory: u64,
        observe: &mut dyn FnMut(&Gathered) -> bool,
    ) -> Result<Option<Fortress>, HoldError> {
        let mut roots = vec![*root];
        if all {
            roots.extend(self.wall.held_like(root));
        }
        let table = Arc::clone(&self.search.table);
        let gathering = Gathering::new(self.wall, &table, root, memory)?;
        let positions = gathering.run(&roots, &mut |at| self.find(at, nodes), observe)?;
        let claim = HoldClaim {
            ruleset: *self.wall.rules.ruleset(),
            root: *root,
            holder: Side::Attackers,
        };
        Ok(positions.map(|positions| Fortress { claim, positions }))
    }

    /// A move that comes nearer to what is held, where what the search has shown of
    /// all of them is forgotten.
    fn find(&mut self, position: &Position, nodes: u64) -> Option<Move> {
        let node = Node::new(*position);
        self.search.forget(node.key());
        match self.search.solve(position, nodes, &mut |_| true) {
            // What wins at a glance was not searched, and no move of it kept.
            Verdict::Proved { .. } => {
                (self.search.winning).or_else(|| self.search.proved_move(&node))
            }
            _ => None,
        }
    }
}
