//! The children of a position and the numbers they begin with.
//! Imports `game` and the search's parts.

use super::hash::Key;
use super::node::Node;
use super::numbers::{INFINITE, Numbers};
use super::search::{Found, NOTHING, Search};
use super::statics::Glance;
use crate::game::{Bitboard, Move, MoveList, Position, Side};

/// How much nearer a move seems that has won at the same depth before.
const EASED: u32 = 8;

/// A move that is not decided at a glance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) key: Key,
    pub(super) ply: Move,
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// The earliest place on the path that its refutation rests on.
    pub(super) rests_on: u16,
}

/// The children of a position: those from `base` on, and the longest of the
/// wins that are left out.
pub(super) struct Expanded {
    pub(super) base: usize,
    pub(super) longest: u16,
}

fn fact(numbers: Numbers) -> Found {
    Found {
        numbers,
        rests_on: NOTHING,
    }
}

impl Search<'_> {
    /// Makes the children, or says at once what becomes of the position.
    pub(super) fn expand(&mut self, node: &Node, key: Key) -> Result<Expanded, Found> {
        let base = self.children.len();
        let proving = node.position.side == self.prover;
        let mut list = MoveList::new();
        let mut longest = self.moves(&node.position, &mut list);
        for &ply in &list {
            let child = node.child(self.rules, ply);
            match self.look(&child.position) {
                Glance::Proved(plies) if proving => {
                    self.won_by(ply);
                    return Err(fact(Numbers::won(plies + 1)));
                }
                Glance::Proved(plies) => longest = longest.max(plies + 1),
                Glance::Refuted if proving => {}
                Glance::Refuted => return Err(fact(Numbers::won(0))),
                Glance::Open { moves } => {
                    let (phi, delta) = self.first_numbers(&child.position, ply, moves);
                    self.children.push(Child {
                        key: child.key(),
                        ply,
                        phi,
                        delta,
                        rests_on: NOTHING,
                    });
                }
            }
        }
        if node.hashes.is_symmetric() {
            self.fold(base);
        }
        if proving {
            self.advise(base, key);
            self.narrow(base);
        }
        self.look_up(base, proving, &mut longest)?;
        Ok(Expanded { base, longest })
    }

    /// The moves that need a look, and how long the win against any other takes.
    pub(super) fn moves(&self, position: &Position, list: &mut MoveList) -> u16 {
        let wins = Side::Defenders == self.prover;
        if position.side == Side::Attackers && !self.rules.escapes(position).is_empty() {
            list.clear();
            list.extend(self.rules.blocks(position));
            return if wins { 2 } else { 0 };
        }
        self.rules.moves(position, list);
        0
    }

    /// What a position that nobody has searched begins with: for the side that
    /// needs one good move, how hard it seems to find; for the side that has
    /// to meet all, how many there are.
    fn first_numbers(&self, child: &Position, ply: Move, moves: u32) -> (u32, u32) {
        if child.side != self.prover {
            let known = self.killers[self.path.len() - 1].contains(&Some(ply));
            let replies = if known { moves.div_ceil(EASED) } else { moves };
            return (1, replies + 1);
        }
        (self.distance(child), moves + 1)
    }

    /// How far the defenders, to move, seem from a win.
    fn distance(&self, position: &Position) -> u32 {
        if self.prover == Side::Attackers {
            return 1;
        }
        let reach = self.rules.king_reach(position);
        let beyond = self.rules.king_reach_from(position, reach);
        match (beyond & Bitboard::CORNERS).len() {
            0 => 4,
            1 => 2,
            _ => 1,
        }
    }

    /// Remembers a move that has won for the prover at this depth.
    pub(super) fn won_by(&mut self, ply: Move) {
        let killers = &mut self.killers[self.path.len() - 1];
        if killers[0] != Some(ply) {
            killers[1] = killers[0];
            killers[0] = Some(ply);
        }
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

    /// Puts the move of an older strategy first, if it knows the position.
    fn advise(&mut self, base: usize, key: Key) {
        if let Some(&after) = self.advice.get(&key.check) {
            for child in &mut self.children[base..] {
                if child.key.check == after {
                    child.delta = 1;
                }
            }
        }
    }

    /// Keeps the candidates only.
    fn narrow(&mut self, base: usize) {
        if let Some(most) = self.options.candidates
            && self.children.len() - base > most
        {
            self.children[base..].sort_by_key(|child| child.delta);
            self.children.truncate(base + most);
        }
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
