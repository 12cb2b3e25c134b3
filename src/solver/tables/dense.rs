//! A finished layer in memory: a byte for every position.
//! Imports the index and values.

use super::image::Turn;
use super::index::Index;
use crate::game::{Bitboard, Position, Side};
use crate::solver::exact::Value;

/// Every value of one layer.
#[derive(Debug)]
pub(super) struct Dense {
    pub index: Index,
    /// Codes for attackers, then for defenders to move.
    pub codes: [Vec<u8>; 2],
}

impl Dense {
    /// The value of a position of this layer.
    #[inline]
    pub fn value(&self, position: &Position) -> Value {
        let number = self.index.number(position);
        Value::of_code(self.codes[position.side as usize][number])
    }

    /// The same where the attackers' row is known.
    #[inline]
    pub fn value_in(
        &self,
        row: usize,
        turn: Turn,
        defenders: Bitboard,
        king: Bitboard,
        side: Side,
    ) -> Value {
        let number = self.index.number_in(row, turn, defenders, king);
        Value::of_code(self.codes[side as usize][number])
    }
}
