//! What the pieces are worth by where they stand, a rank at a time. Imports
//! `game` and the features, of which it knows the sums.

use super::features::{ATTACKER_ON, CLASS, DEFENDER_ON, FEATURES, KING_ON};
use crate::game::{Bitboard, Position, SIDE_LEN, SQUARES};

/// The ranks that the board's symmetry makes alike have one table.
const RANKS: usize = SIDE_LEN / 2 + 1;
/// Which squares of a rank are taken, as a number.
const PATTERNS: usize = 1 << SIDE_LEN;
/// Below an entry's worth stands how many pieces it is of.
const COUNT_BITS: u32 = 8;

/// For every rank and pattern of pieces on it, their worth and number.
type Ranks = [[i32; PATTERNS]; RANKS];

/// Sums of weights, made once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    attackers: Ranks,
    defenders: Ranks,
    king: [i32; SQUARES],
}

/// Pieces on the board.
pub(super) struct Standing {
    /// What the squares of all are worth.
    pub(super) worth: i32,
    /// How many attackers there are.
    pub(super) attackers: usize,
    /// How many defenders there are, without the king.
    pub(super) defenders: usize,
}

impl Pieces {
    pub(super) fn new(weights: &[i16; FEATURES]) -> Pieces {
        let on =
            |group: usize, square: usize| i32::from(weights[group + usize::from(CLASS[square])]);
        let ranks = |group: usize| {
            let entry = |rank: usize, pattern: usize| {
                let files = (0..SIDE_LEN).filter(|file| pattern >> file & 1 != 0);
                files
                    .map(|file| (on(group, rank * SIDE_LEN + file) << COUNT_BITS) + 1)
                    .sum()
            };
            std::array::from_fn(|rank| std::array::from_fn(|pattern| entry(rank, pattern)))
        };
        Pieces {
            attackers: ranks(ATTACKER_ON),
            defenders: ranks(DEFENDER_ON),
            king: std::array::from_fn(|square| on(KING_ON, square)),
        }
    }

    #[inline]
    pub(super) fn standing(&self, position: &Position) -> Standing {
        let attackers = sum(&self.attackers, position.attackers);
        let defenders = sum(&self.defenders, position.defenders);
        let king = position.king.first();
        let king = king.map_or(0, |square| self.king[square.index()]);
        let number = |sum: i32| (sum & ((1 << COUNT_BITS) - 1)) as usize;
        Standing {
            worth: (attackers >> COUNT_BITS) + (defenders >> COUNT_BITS) + king,
            attackers: number(attackers),
            defenders: number(defenders),
        }
    }
}

#[inline]
fn sum(ranks: &Ranks, set: Bitboard) -> i32 {
    (0..SIDE_LEN)
        .map(|rank| {
            let pattern = set.0 as usize >> (rank * SIDE_LEN) & (PATTERNS - 1);
            ranks[rank.min(SIDE_LEN - 1 - rank)][pattern]
        })
        .sum()
}
