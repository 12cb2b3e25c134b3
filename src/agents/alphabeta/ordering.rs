//! Which move to try first: what earlier cut-offs say. Imports `game`.

use arrayvec::ArrayVec;

use super::score::MAX_PLY;
use crate::game::{Bitboard, Move, MoveList, Position, Rules, SQUARES, Side};

/// Moves with their ranks; no position has more than a list can hold.
pub(super) type Ranked = ArrayVec<(i32, Move), 588>;

/// Ranks above all that history can give.
const CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
/// A king's move from where he sees a corner.
const OPENING: i32 = 1 << 18;
/// No weight of history is as large as this.
const MOST: i32 = 1 << 14;

/// What cut off before.
pub(super) struct Ordering {
    killers: [[Option<Move>; 2]; MAX_PLY],
    /// By side, origin and target, between -[`MOST`] and [`MOST`].
    history: Vec<i32>,
    /// If not, every move ranks the same.
    enabled: bool,
}

impl Ordering {
    pub(super) fn new(enabled: bool) -> Ordering {
        Ordering {
            enabled,
            killers: [[None; 2]; MAX_PLY],
            history: vec![0; 2 * SQUARES * SQUARES],
        }
    }

    /// Halves the weight of what earlier searches saw.
    pub(super) fn age(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        for weight in &mut self.history {
            *weight /= 2;
        }
    }

    #[inline]
    fn place(side: Side, ply: Move) -> usize {
        (side as usize * SQUARES + ply.from.index()) * SQUARES + ply.to.index()
    }

    /// A quiet move cut off after these others had not.
    pub(super) fn cut_off(
        &mut self,
        side: Side,
        ply: Move,
        at: usize,
        depth: i32,
        tried: &[(i32, Move)],
    ) {
        if self.killers[at][0] != Some(ply) {
            self.killers[at] = [Some(ply), self.killers[at][0]];
        }
        let bonus = (depth * depth).min(400) * 8;
        self.weigh(side, ply, bonus);
        for &(rank, other) in tried {
            if is_quiet(rank) && other != ply {
                self.weigh(side, other, -bonus);
            }
        }
    }

    /// Moves a weight towards one of its bounds, the less the nearer it is.
    fn weigh(&mut self, side: Side, ply: Move, bonus: i32) {
        let weight = &mut self.history[Ordering::place(side, ply)];
        *weight += bonus - *weight * bonus.abs() / MOST;
    }

    /// Every move but one, with the rank by which it is tried: the larger, the
    /// sooner.
    pub(super) fn ranked(
        &self,
        rules: &Rules,
        position: &Position,
        at: usize,
        but: Option<Move>,
    ) -> Ranked {
        let side = position.side;
        let mut list = MoveList::new();
        rules.moves(position, &mut list);
        list.retain(|ply| Some(*ply) != but);
        if !self.enabled {
            return list.into_iter().map(|ply| (0, ply)).collect();
        }
        let takes = rules.capture_squares(position, side);
        let opens = match side {
            Side::Attackers => Bitboard::EMPTY,
            Side::Defenders => {
                let corners = Bitboard::CORNERS;
                rules.king_reach_from(position, corners) & Bitboard::EDGES
            }
        };
        let killers = self.killers[at];
        list.into_iter()
            .map(|ply| {
                let mut rank = self.history[Ordering::place(side, ply)];
                if takes.contains(ply.to) {
                    rank += CAPTURE;
                } else if killers.contains(&Some(ply)) {
                    rank += KILLER;
                } else if opens.contains(ply.to) && position.king.contains(ply.from) {
                    rank += OPENING;
                }
                (rank, ply)
            })
            .collect()
    }
}

/// Whether a rank is that of a move that takes part in no capture and was not
/// a killer: one that may be searched less deeply.
#[inline]
pub(super) fn is_late(rank: i32) -> bool {
    rank < OPENING - MOST
}

/// Whether a rank is that of a move that captures nothing.
#[inline]
pub(super) fn is_quiet(rank: i32) -> bool {
    rank < CAPTURE - MOST
}

/// Brings the best of the moves not yet tried to `index`.
#[inline]
pub(super) fn take_next(moves: &mut [(i32, Move)], index: usize) -> (i32, Move) {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].0 > moves[best].0 {
            best = other;
        }
    }
    moves.swap(index, best);
    moves[index]
}
