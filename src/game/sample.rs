//! Drawing a legal move uniformly, without a list of moves.
//! Imports rules; the random numbers are the caller's.

use rand_core::Rng;

use super::geometry::ROOK_TARGETS;
use super::moves::MoveList;
use super::position::Position;
use super::rules::{Rules, rook_move};
use super::square::Move;

/// Draws that may fail before the moves are listed after all: enough that
/// open positions hardly ever come to it, few enough for stuck ones.
const MAX_DRAWS: u32 = 64;

/// A number below `bound`, each equally likely: the high half of a 32-bit
/// product, the few products that would favour some numbers drawn again
/// (Lemire, "Fast random integer generation in an interval", 2019).
///
/// `bound` is at least 1.
#[inline]
pub fn below(bound: u32, rng: &mut impl Rng) -> u32 {
    let mut product = u64::from(rng.next_u32()) * u64::from(bound);
    if (product as u32) < bound {
        let unfair = bound.wrapping_neg() % bound;
        while (product as u32) < unfair {
            product = u64::from(rng.next_u32()) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

/// A legal move of the side to move, each equally likely; `None` if there is
/// none.
///
/// Every square has exactly twelve rook targets, so a piece and a target are
/// drawn together and the pair is kept if it is a legal move: each legal move
/// is exactly one such pair. After [`MAX_DRAWS`] draws the moves are listed.
#[inline]
pub fn random_move(rules: &Rules, position: &Position, rng: &mut impl Rng) -> Option<Move> {
    let pieces = position.pieces(position.side);
    let pairs = pieces.len() * ROOK_TARGETS as u32;
    if pairs > 0 {
        for _ in 0..MAX_DRAWS {
            let pair = below(pairs, rng);
            let mut left = pieces.0;
            for _ in 0..pair / ROOK_TARGETS as u32 {
                left &= left - 1;
            }
            let from = super::square::Square::new(left.trailing_zeros() as usize);
            let target = (pair % ROOK_TARGETS as u32) as usize;
            let ply = rook_move(rules, position, from, target);
            if ply.is_some() {
                return ply;
            }
        }
    }
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    if list.is_empty() {
        return None;
    }
    Some(list[below(list.len() as u32, rng) as usize])
}
