//! Hashes of a position and its seven images, kept from move to move; the
//! smallest names them all. Imports `game`.

use crate::game::zobrist::{DEFENDERS_TURN, Numbers, Piece};
use crate::game::{Bitboard, Move, Position, Side, Symmetry};

/// The hashes of the eight images of a position, the side to move left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hashes([u64; 8]);

static NUMBERS: Numbers = Numbers::new(0x6272_616e_6475_6262);

impl Hashes {
    /// The hashes of a position, from nothing.
    pub(super) fn of(position: &Position) -> Hashes {
        Hashes(NUMBERS.hashes(position))
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
        let moved = Bitboard::of(ply.from) | Bitboard::of(ply.to);
        NUMBERS.flip(&mut hashes.0, mover, moved);
        // A captured king ends the game: nobody asks for its hash.
        NUMBERS.flip(&mut hashes.0, victims, captured);
        hashes
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
