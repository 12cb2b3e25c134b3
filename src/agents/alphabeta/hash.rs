//! Hashes of a position and its seven images, kept from move to move; the
//! smallest names them all (Zobrist, "A new hashing method with application
//! for game playing", 1970). Imports `game`.

use crate::game::{Bitboard, Move, Position, SQUARES, Side, Square, Symmetry};

/// The hashes of the eight images of a position, the side to move left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hashes([u64; 8]);

/// Attackers, defenders, king.
type Numbers = [[[u64; 8]; SQUARES]; 3];

/// Whom a square's numbers stand for.
#[derive(Clone, Copy)]
enum Piece {
    Attacker,
    Defender,
    King,
}

/// `NUMBERS[piece][square][symmetry]`: the number of the square's image.
static NUMBERS: Numbers = {
    let mut plain = [[0; SQUARES]; 3];
    let mut state = 0x6272_616e_6475_6262;
    let mut piece = 0;
    while piece < 3 {
        let mut square = 0;
        while square < SQUARES {
            state = split_mix(state);
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
    numbers
};

const DEFENDERS_TURN: u64 = 0x5bd1_e995_9e37_79b9;

/// The steps of `SplitMix64` (Steele, Lea and Flood, 2014).
const fn split_mix(state: u64) -> u64 {
    state.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

const fn mixed(state: u64) -> u64 {
    let mut bits = state;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl Hashes {
    /// The hashes of a position, from nothing.
    pub(super) fn of(position: &Position) -> Hashes {
        let mut hashes = Hashes([0; 8]);
        hashes.flip(Piece::Attacker, position.attackers);
        hashes.flip(Piece::Defender, position.defenders);
        hashes.flip(Piece::King, position.king);
        hashes
    }

    /// The hashes after a move of `before`'s side that captured these.
    #[inline]
    pub(super) fn after(&self, before: &Position, ply: Move, captured: Bitboard) -> Hashes {
        let mut hashes = *self;
        let (mover, victims) = match before.side {
            Side::Attackers => (Piece::Attacker, Piece::Defender),
            Side::Defenders if before.king.contains(ply.from) => (Piece::King, Piece::Attacker),
            Side::Defenders => (Piece::Defender, Piece::Attacker),
        };
        hashes.flip(mover, Bitboard::of(ply.from) | Bitboard::of(ply.to));
        // A captured king ends the game: nobody asks for its hash.
        hashes.flip(victims, captured);
        hashes
    }

    #[inline]
    fn flip(&mut self, piece: Piece, squares: Bitboard) {
        for square in squares {
            let numbers = &NUMBERS[piece as usize][square.index()];
            for (hash, number) in self.0.iter_mut().zip(numbers) {
                *hash ^= number;
            }
        }
    }

    /// The hash that a position shares with its images, and a symmetry that
    /// leads to the image it is the hash of.
    #[inline]
    pub(super) fn folded(&self, side: Side) -> (u64, Symmetry) {
        let mut least = 0;
        for image in 1..8 {
            if self.0[image] < self.0[least] {
                least = image;
            }
        }
        let turn = match side {
            Side::Attackers => 0,
            Side::Defenders => DEFENDERS_TURN,
        };
        (self.0[least] ^ turn, Symmetry::new(least as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Rules, Ruleset, sample};

    #[test]
    fn images_share_a_hash_and_the_kept_hashes_are_those_from_nothing() {
        let rules = Rules::new(Ruleset::default());
        let mut stream = crate::agents::stream([3; 32]);
        for _ in 0..50 {
            let mut game = Game::new(&rules);
            let mut hashes = Hashes::of(game.position());
            while game.outcome().is_none() && game.plies() < 100 {
                let here = *game.position();
                assert_eq!(hashes, Hashes::of(&here));
                let (folded, to_image) = hashes.folded(here.side);
                for symmetry in Symmetry::all() {
                    let image = here.image(symmetry);
                    let (same, back) = Hashes::of(&image).folded(here.side);
                    assert_eq!(same, folded);
                    // Both ways lead to the same image of the position.
                    assert_eq!(back.set(image.attackers), to_image.set(here.attackers));
                    assert_eq!(back.set(image.king), to_image.set(here.king));
                }
                assert_ne!(hashes.folded(here.side.other()).0, folded);
                let Some(ply) = sample::random_move(&rules, &here, &mut stream) else {
                    break;
                };
                let captured = game.play_legal(ply);
                hashes = hashes.after(&here, ply, captured);
            }
        }
    }
}
