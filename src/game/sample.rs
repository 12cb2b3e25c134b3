//! Drawing a legal move uniformly, without a list of moves.
//! Imports rules; the random numbers are the caller's.

use rand_core::Rng;

use super::geometry::{ROOK, ROOK_TARGETS};
use super::moves::MoveList;
use super::position::Position;
use super::rules::Rules;
use super::square::{Move, SQUARES, Square};

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
    loop {
        let (number, fair) = scale(rng.next_u32(), bound, unfair(bound));
        if fair {
            return number;
        }
    }
}

/// How many low halves of a product with `bound` are to be drawn again.
const fn unfair(bound: u32) -> u32 {
    bound.wrapping_neg() % bound
}

/// A 32-bit draw as a number below `bound`, and whether it may be used.
#[inline]
const fn scale(draw: u32, bound: u32, unfair: u32) -> (u32, bool) {
    let product = draw as u64 * bound as u64;
    ((product >> 32) as u32, product as u32 >= unfair)
}

static UNFAIR: [u32; SQUARES + 1] = {
    let mut table = [0; SQUARES + 1];
    let mut bound = 1;
    while bound <= SQUARES {
        table[bound] = unfair(bound as u32);
        bound += 1;
    }
    table
};

const UNFAIR_TARGET: u32 = unfair(ROOK_TARGETS as u32);

/// A legal move of the side to move, each equally likely; `None` if there is
/// none.
///
/// Every square has exactly twelve rook targets, so a piece and a target are
/// drawn together and the pair is kept if it is a legal move: each legal move
/// is exactly one such pair. A pair takes 64 bits of the stream, the high half
/// for the piece (in the order of the squares), the low half for the target.
/// After 64 draws without a move, the moves are listed and one is drawn.
#[inline]
pub fn random_move(rules: &Rules, position: &Position, rng: &mut impl Rng) -> Option<Move> {
    let pieces = position.pieces(position.side);
    let mut squares = [Square::THRONE; SQUARES];
    let mut count = 0;
    for square in pieces {
        squares[count] = square;
        count += 1;
    }
    if count > 0 {
        let obstacles = rules.obstacles(position);
        for _ in 0..MAX_DRAWS {
            let draw = rng.next_u64();
            let (piece, fair_piece) = scale((draw >> 32) as u32, count as u32, UNFAIR[count]);
            let (target, fair_target) = scale(draw as u32, ROOK_TARGETS as u32, UNFAIR_TARGET);
            let from = squares[piece as usize];
            let target = &ROOK[from.index()][target as usize];
            if obstacles.allow(from, target) & fair_piece & fair_target {
                return Some(Move {
                    from,
                    to: target.square,
                });
            }
        }
    }
    listed(rules, position, rng)
}

#[cold]
fn listed(rules: &Rules, position: &Position, rng: &mut impl Rng) -> Option<Move> {
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    if list.is_empty() {
        return None;
    }
    Some(list[below(list.len() as u32, rng) as usize])
}
