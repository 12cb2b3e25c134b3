//! Random numbers by which a position and its seven images are hashed, kept
//! from move to move (Zobrist, "A new hashing method with application for game
//! playing", 1970). Imports positions and symmetries.

use super::bitboard::Bitboard;
use super::geometry::Symmetry;
use super::position::Position;
use super::square::{SQUARES, Square};

/// What an image's hash differs by when it is the defenders' turn.
pub(crate) const DEFENDERS_TURN: u64 = 0x5bd1_e995_9e37_79b9;

/// Whom a square's numbers stand for.
#[derive(Clone, Copy)]
pub(crate) enum Piece {
    Attacker,
    Defender,
    King,
}

/// For each piece and square the number of the square's image under each
/// symmetry.
pub(crate) struct Numbers([[[u64; 8]; SQUARES]; 3]);

impl Numbers {
    /// The numbers that follow from a seed.
    pub(crate) const fn new(seed: u64) -> Numbers {
        let mut plain = [[0; SQUARES]; 3];
        let mut state = seed;
        let mut piece = 0;
        while piece < 3 {
            let mut square = 0;
            while square < SQUARES {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                plain[piece][square] = mixed(state);
                square += 1;
            }
            piece += 1;
        }
        let mut numbers = [[[0; 8]; SQUARES]; 3];
        let mut piece = 0;
        while piece < 3 {
            let mut square = 0;
            while square < SQUARES {
                let mut symmetry = 0;
                while symmetry < 8 {
                    let image = Symmetry::new(symmetry as u8).square(Square::new(square));
                    numbers[piece][square][symmetry] = plain[piece][image.index()];
                    symmetry += 1;
                }
                square += 1;
            }
            piece += 1;
        }
        Numbers(numbers)
    }

    /// The hashes of the eight images of a position, the side to move left out.
    pub(crate) fn hashes(&self, position: &Position) -> [u64; 8] {
        let mut hashes = [0; 8];
        self.flip(&mut hashes, Piece::Attacker, position.attackers);
        self.flip(&mut hashes, Piece::Defender, position.defenders);
        self.flip(&mut hashes, Piece::King, position.king);
        hashes
    }

    /// Puts pieces on squares or takes them off.
    #[inline]
    pub(crate) fn flip(&self, hashes: &mut [u64; 8], piece: Piece, squares: Bitboard) {
        for square in squares {
            let numbers = &self.0[piece as usize][square.index()];
            for (hash, number) in hashes.iter_mut().zip(numbers) {
                *hash ^= number;
            }
        }
    }
}

/// The mixing step of `SplitMix64` (Steele, Lea and Flood, 2014).
const fn mixed(state: u64) -> u64 {
    let mut bits = state;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
