//! An exhaustive search for forced wins, as plain as it can be: a side *forces a win within n
//! plies* if it is to move and one of its moves wins at once or leaves a position in which it
//! forces a win within n − 1; or if the other side is to move and each of its moves does. No
//! evaluation, no window, no move left out; a table and an order of moves make it quick and
//! decide nothing. Shares nothing with the agents. Uses `game` only.
//!
//! # Repetition
//!
//! The search knows no history. What it says is true of games that start at the position if
//! [`heeds_no_history`] holds for the winner and the number of plies:
//!
//! - *A win is a win.* On a shortest win the number of plies left falls with every move, so no
//!   position stands twice on any of its lines, and no repetition can end one of them.
//! - *No win is no win.* Take a forced win under the repetition rule in which no line ends by a
//!   repetition that wins for the winner. No line ends by any other repetition either, since
//!   then it would not win; so the same moves win where repetition is ignored.
//! - A line that does end so is ruled out by its length. Both sides have to leave a square and
//!   come back, so a position can stand for the second time after 4 plies at the earliest, and
//!   for the `count`-th time after 4 (`count` − 1).
#![allow(
    dead_code,
    reason = "each program that includes this module uses a part of it"
)]

pub mod near;
pub mod row;
mod table;

use brandub::game::SQUARES;
use std::cmp::Reverse;

use brandub::game::{Move, MoveList, Position, Repetition, RepetitionResult, Rules, Ruleset, Side};

use self::table::Table;

/// The search was given up: it would have looked at more positions than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

/// The search for one side's wins under one ruleset.
pub struct Proof<'r> {
    rules: &'r Rules,
    winner: Side,
    table: Table,
    /// How often a move settled a position, by side, origin and target.
    settled: Vec<u32>,
    /// The last move that settled a position, by the plies that were left.
    last: [Option<Move>; 16],
    nodes: u64,
    max_nodes: u64,
}

impl<'r> Proof<'r> {
    /// A search that looks at no more than `max_nodes` positions in all.
    pub fn new(rules: &'r Rules, winner: Side, max_nodes: u64) -> Proof<'r> {
        Proof {
            rules,
            winner,
            table: Table::new(),
            settled: vec![0; 2 * SQUARES * SQUARES],
            last: [None; 16],
            nodes: 0,
            max_nodes,
        }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the winner forces a win within so many plies, 0 or more, from a position that is
    /// not over.
    pub fn forces(&mut self, position: &Position, plies: u8) -> Result<bool, GivenUp> {
        if plies == 0 {
            return Ok(false);
        }
        if let Some(known) = self.table.get(position, plies) {
            return Ok(known);
        }
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return Err(GivenUp);
        }
        let forced = self.look(position, plies)?;
        self.table.put(position, plies, forced);
        Ok(forced)
    }

    fn look(&mut self, position: &Position, plies: u8) -> Result<bool, GivenUp> {
        // One move is enough for the winner; for the other side, one that does not lose.
        let wanted = position.side == self.winner;
        let last = self.last[usize::from(plies)];
        if let Some(ply) = last.filter(|&ply| self.rules.is_legal(position, ply))
            && self.reaches(position, ply, plies)? == wanted
        {
            return Ok(wanted);
        }
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        if plies > 1 {
            let settled = &self.settled;
            list.sort_by_key(|&ply| Reverse(settled[place(position.side, ply)]));
        }
        for ply in list {
            if self.reaches(position, ply, plies)? == wanted {
                self.last[usize::from(plies)] = Some(ply);
                let weight = &mut self.settled[place(position.side, ply)];
                *weight = weight.saturating_add(u32::from(plies) * u32::from(plies));
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    /// Whether the winner has won with this move, or forces a win within the plies then left.
    fn reaches(&mut self, position: &Position, ply: Move, plies: u8) -> Result<bool, GivenUp> {
        let after = self.rules.play(position, ply).position;
        match self.rules.ending(&after) {
            Some(outcome) => Ok(outcome.winner == Some(self.winner)),
            None => self.forces(&after, plies - 1),
        }
    }

    /// The fewest plies within which the side to move, which is the winner, forces a win; `None`
    /// if it takes more than `most`.
    pub fn shortest(&mut self, position: &Position, most: u8) -> Result<Option<u8>, GivenUp> {
        for plies in (1..=most).step_by(2) {
            if self.forces(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// The winner's moves that force a win within so many plies, by origin, then by target.
    pub fn best(&mut self, position: &Position, plies: u8) -> Result<Vec<Move>, GivenUp> {
        let mut best = Vec::new();
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        for ply in list {
            if self.reaches(position, ply, plies)? {
                best.push(ply);
            }
        }
        Ok(best)
    }
}

fn place(side: Side, ply: Move) -> usize {
    (side as usize * SQUARES + ply.from.index()) * SQUARES + ply.to.index()
}

/// Whether what the search says of a win within so many plies is true of games, which end by
/// repetition: see the head of this file.
pub fn heeds_no_history(ruleset: &Ruleset, winner: Side, plies: u8) -> bool {
    let Repetition::Counted { count, result } = ruleset.repetition else {
        return true;
    };
    let helps = match result {
        RepetitionResult::Draw => false,
        RepetitionResult::Attackers => winner == Side::Attackers,
        RepetitionResult::Defenders => winner == Side::Defenders,
        RepetitionResult::MoverLoses => true,
    };
    !helps || u32::from(plies) < 4 * (count - 1)
}
