//! The children of a position and the numbers they begin with.
//! Imports `game` and the search's parts.

use std::hint::black_box;

use super::estimates::Kind;
use super::hash::Key;
use super::node::Node;
use super::numbers::{INFINITE, Numbers};
use super::search::{Found, NOTHING, Search};
use super::soon::wins_in_three;
use super::statics::Glance;
use crate::game::{Bitboard, Move, MoveList, Position, Side};

/// How much nearer a move seems that has won at the same depth before.
const EASED: u32 = 8;
/// The same where numbers are estimated.
const EASED_ESTIMATE: u32 = 4;

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

/// A child before anything is known of it.
#[derive(Clone, Copy)]
pub(super) struct Fresh {
    position: Position,
    key: Key,
    ply: Move,
    /// In how many ways the side to move can meet a threat, if it must.
    ways: Option<u32>,
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
        self.fresh.clear();
        for &ply in &list {
            let child = node.child(self.rules, ply);
            let ways = match self.look(&child.position) {
                Glance::Proved(plies) if proving => {
                    self.won_by(ply);
                    return Err(fact(Numbers::won(plies.saturating_add(1))));
                }
                Glance::Proved(plies) => {
                    longest = longest.max(plies.saturating_add(1));
                    continue;
                }
                Glance::Refuted if proving => continue,
                Glance::Refuted => return Err(fact(Numbers::won(0))),
                Glance::Answers(ways) => Some(ways),
                Glance::Quiet => None,
            };
            self.fresh.push(Fresh {
                position: child.position,
                key: child.key(),
                ply,
                ways,
            });
        }
        let places = self.fresh.iter().map(|child| self.table.touch(child.key));
        black_box(places.fold(0, |all, place| all ^ place));
        if node.hashes.is_symmetric() {
            self.fold();
        }
        self.look_up(proving, &mut longest)?;
        if proving {
            self.advise(base, key);
            self.narrow(base);
        }
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

    /// What a position that nobody has searched begins with, from its side to
    /// move.
    fn first_numbers(&self, fresh: &Fresh) -> (u32, u32) {
        let child = &fresh.position;
        let moves = fresh
            .ways
            .unwrap_or_else(|| self.rules.count_moves(child) as u32);
        let replies = child.side != self.prover;
        let easy = replies && self.killers[self.path.len() - 1].contains(&Some(fresh.ply));
        let Some(estimates) = self.estimates else {
            return self.counted(child, moves, easy);
        };
        let kind = Kind::of(child.side, fresh.ways.is_some());
        let (proof, disproof) = estimates.numbers(self.rules, child, kind, moves);
        let proof = if easy {
            proof.div_ceil(EASED_ESTIMATE)
        } else {
            proof
        };
        if replies {
            (disproof, proof)
        } else {
            (proof, disproof)
        }
    }

    /// For the side that needs one good move, how hard it seems to find; for
    /// the side that has to meet all, how many there are.
    fn counted(&self, child: &Position, moves: u32, easy: bool) -> (u32, u32) {
        if child.side != self.prover {
            let replies = if easy { moves.div_ceil(EASED) } else { moves };
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
    fn fold(&mut self) {
        let mut kept = 0;
        for index in 0..self.fresh.len() {
            let key = self.fresh[index].key;
            if self.fresh[..kept].iter().all(|other| other.key != key) {
                self.fresh.swap(kept, index);
                kept += 1;
            }
        }
        self.fresh.truncate(kept);
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

    /// Gives the children the numbers that the path and the table have, or
    /// those to begin with.
    fn look_up(&mut self, proving: bool, longest: &mut u16) -> Result<(), Found> {
        let mut repeated = None;
        let mut won = None;
        for index in 0..self.fresh.len() {
            let Fresh { key, ply, .. } = self.fresh[index];
            let mut child = Child {
                key,
                ply,
                phi: 0,
                delta: INFINITE,
                rests_on: NOTHING,
            };
            if let Some(place) = self.path.find(key) {
                // The other side comes back to where it was; the prover gains
                // nothing by doing so.
                child.rests_on = place as u16;
                repeated = repeated.max(Some(child.rests_on));
            } else if let Some(numbers) = self.table.get(key) {
                child.phi = numbers.phi;
                child.delta = numbers.delta;
                if numbers.delta == 0 {
                    let plies = if proving {
                        numbers.plies.saturating_add(1)
                    } else {
                        0
                    };
                    won = Some(won.map_or(plies, |least: u16| least.min(plies)));
                } else if numbers.phi == 0 && !proving {
                    *longest = (*longest).max(numbers.plies.saturating_add(1));
                }
            } else if !proving && wins_in_three(self.rules, &self.fresh[index].position) {
                *longest = (*longest).max(4);
                continue;
            } else {
                (child.phi, child.delta) = self.first_numbers(&self.fresh[index]);
                if let Some(sample) = &mut self.sample {
                    sample.see(&self.fresh[index].position);
                }
            }
            self.children.push(child);
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
