//! What the search knows a position by: the hashes of its eight images, kept
//! from move to move. Imports `game`.

use crate::game::zobrist::{DEFENDERS_TURN, Numbers, Piece};
use crate::game::{Bitboard, Played, Position, Side};

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

static NUMBERS: Numbers = Numbers::new(0x736f_6c76_6572_3031);

impl Hashes {
    /// The hashes of a position, from nothing.
    #[must_use]
    pub fn of(position: &Position) -> Hashes {
        Hashes(NUMBERS.hashes(position))
    }

    /// The hashes after a move from `before`.
    #[inline]
    #[must_use]
    pub fn after(&self, before: &Position, played: &Played) -> Hashes {
        let after = &played.position;
        let mut hashes = *self;
        hashes.flip(Piece::Attacker, before.attackers ^ after.attackers);
        hashes.flip(Piece::Defender, before.defenders ^ after.defenders);
        if before.king != after.king {
            hashes.flip(Piece::King, before.king ^ after.king);
        }
        hashes
    }

    #[inline]
    fn flip(&mut self, piece: Piece, squares: Bitboard) {
        NUMBERS.flip(&mut self.0, piece, squares);
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
    use crate::game::{MoveList, Rules, Ruleset, Symmetry};

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
