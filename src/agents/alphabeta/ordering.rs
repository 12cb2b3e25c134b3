//! Which move to try first: what earlier cut-offs say. Imports `game`.

use arrayvec::ArrayVec;

use super::score::MAX_PLY;
use crate::game::{Bitboard, Move, Position, Rules, SQUARES, Side, Square};

/// Moves with their ranks; no position has more than a list can hold.
pub(super) type Ranked = ArrayVec<(i32, Move), 588>;

/// Ranks above all that history can give.
const CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
/// A king's move from where he sees a corner.
const OPENING: i32 = 1 << 18;
/// No weight of history is as large as this.
const MOST: i32 = 1 << 14;

/// By target; 64, so that a masked number is always inside.
type Row = [i32; 64];

/// What cut off before.
pub(super) struct Ordering {
    killers: [[Option<Move>; 2]; MAX_PLY],
    /// By side, origin and target, between -[`MOST`] and [`MOST`].
    history: [Vec<Row>; 2],
    /// If not, every move ranks the same.
    enabled: bool,
}

impl Ordering {
    pub(super) fn new(enabled: bool) -> Ordering {
        Ordering {
            enabled,
            killers: [[None; 2]; MAX_PLY],
            history: [(); 2].map(|()| vec![[0; 64]; SQUARES]),
        }
    }

    /// Halves the weight of what earlier searches saw.
    pub(super) fn age(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        for weight in self.history.iter_mut().flatten().flatten() {
            *weight /= 2;
        }
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
        let weight = &mut self.history[side as usize][ply.from.index()][ply.to.index()];
        *weight += bonus - *weight * bonus.abs() / MOST;
    }

    /// Adds every move but one, with the rank by which it is tried: the
    /// larger, the sooner.
    pub(super) fn rank(
        &self,
        rules: &Rules,
        position: &Position,
        at: usize,
        but: Option<Move>,
        moves: &mut Ranked,
    ) {
        let side = position.side;
        let takes = rules.capture_squares(position, side);
        let opens = match side {
            Side::Attackers => Bitboard::EMPTY,
            Side::Defenders => {
                let corners = Bitboard::CORNERS;
                rules.king_reach_from(position, corners) & Bitboard::EDGES
            }
        };
        let killers = self.killers[at];
        for from in position.pieces(side) {
            let to_of = |ply: Option<Move>| match ply {
                Some(ply) if ply.from == from => Bitboard::of(ply.to),
                _ => Bitboard::EMPTY,
            };
            let targets = rules.targets(position, from) - to_of(but);
            if !self.enabled {
                moves.extend(targets.into_iter().map(|to| (0, Move { from, to })));
                continue;
            }
            let history = &self.history[side as usize][from.index()];
            let weighed = |to: Square| (history[to.index() & 63], Move { from, to });
            let killing = to_of(killers[0]) | to_of(killers[1]);
            let opening = match position.king.contains(from) {
                true => opens,
                false => Bitboard::EMPTY,
            };
            if !targets.meets(takes | killing | opening) {
                for to in targets {
                    moves.push(weighed(to));
                }
                continue;
            }
            for to in targets {
                let (mut rank, ply) = weighed(to);
                if takes.contains(to) {
                    rank += CAPTURE;
                } else if killing.contains(to) {
                    rank += KILLER;
                } else if opening.contains(to) {
                    rank += OPENING;
                }
                moves.push((rank, ply));
            }
        }
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
    let (mut best, mut most) = (index, moves[index].0);
    for (other, &(rank, _)) in moves.iter().enumerate().skip(index + 1) {
        if rank > most {
            (best, most) = (other, rank);
        }
    }
    moves.swap(index, best);
    moves[index]
}
