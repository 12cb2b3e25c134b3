//! What the search knows a position by: the hashes of its eight images, kept
//! from move to move (Zobrist, "A new hashing method with application for game
//! playing", 1970). Imports `game`.

use crate::game::{Bitboard, Played, Position, SQUARES, Side, Square, Symmetry};

/// The hashes of the eight images of a position, the side to move left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hashes([u64; 8]);

/// 128 bits that the images of a position share: the smallest and the largest
/// of its eight hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Says where in a table the position belongs.
    pub place: u64,
    /// Tells it from others there.
    pub check: u64,
}

/// Attackers, defenders, king.
type Numbers = [[[u64; 8]; SQUARES]; 3];

const ATTACKER: usize = 0;
const DEFENDER: usize = 1;
const KING: usize = 2;

/// `NUMBERS[piece][square][symmetry]`: the number of the square's image.
static NUMBERS: Numbers = {
    let mut plain = [[0; SQUARES]; 3];
    let mut state = 0x736f_6c76_6572_3031_u64;
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
    numbers
};

const DEFENDERS_TURN: u64 = 0x5bd1_e995_9e37_79b9;

/// The mixing step of `SplitMix64` (Steele, Lea and Flood, 2014).
const fn mixed(state: u64) -> u64 {
    let mut bits = state;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl Hashes {
    /// The hashes of a position, from nothing.
    #[must_use]
    pub fn of(position: &Position) -> Hashes {
        let mut hashes = Hashes([0; 8]);
        hashes.flip(ATTACKER, position.attackers);
        hashes.flip(DEFENDER, position.defenders);
        hashes.flip(KING, position.king);
        hashes
    }

    /// The hashes after a move from `before`.
    #[inline]
    #[must_use]
    pub fn after(&self, before: &Position, played: &Played) -> Hashes {
        let after = &played.position;
        let mut hashes = *self;
        hashes.flip(ATTACKER, before.attackers ^ after.attackers);
        hashes.flip(DEFENDER, before.defenders ^ after.defenders);
        if before.king != after.king {
            hashes.flip(KING, before.king ^ after.king);
        }
        hashes
    }

    #[inline]
    fn flip(&mut self, piece: usize, squares: Bitboard) {
        for square in squares {
            let numbers = &NUMBERS[piece][square.index()];
            for (hash, number) in self.0.iter_mut().zip(numbers) {
                *hash ^= number;
            }
        }
    }

    /// The key of the position and its images, with this side to move.
    #[inline]
    #[must_use]
    pub fn key(&self, side: Side) -> Key {
        let (mut least, mut most) = (self.0[0], self.0[0]);
        for &hash in &self.0[1..] {
            least = least.min(hash);
            most = most.max(hash);
        }
        match side {
            Side::Attackers => Key {
                place: least,
                check: most,
            },
            Side::Defenders => Key {
                place: least ^ DEFENDERS_TURN,
                check: most,
            },
        }
    }

    /// Whether the position is its own image under a symmetry but the identity.
    #[inline]
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.0[1..].contains(&self.0[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MoveList, Rules, Ruleset};

    #[test]
    fn hashes_kept_from_move_to_move_are_those_from_nothing() {
        let rules = Rules::new(Ruleset::default());
        let mut position = rules.start();
        let mut hashes = Hashes::of(&position);
        assert!(hashes.is_symmetric());
        let mut list = MoveList::new();
        let mut captures = 0;
        for step in 0..400 {
            rules.moves(&position, &mut list);
            if list.is_empty() || rules.ending(&position).is_some() {
                position = rules.start();
                hashes = Hashes::of(&position);
                continue;
            }
            let played = rules.play(&position, list[step * 31 % list.len()]);
            captures += played.captured.len();
            hashes = hashes.after(&position, &played);
            position = played.position;
            assert_eq!(hashes, Hashes::of(&position));
            for symmetry in Symmetry::all() {
                let image = position.image(symmetry);
                let key = Hashes::of(&image).key(image.side);
                assert_eq!(key, hashes.key(position.side));
            }
        }
        assert!(captures > 0);
    }
}
