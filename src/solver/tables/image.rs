//! The images of sets under the board's symmetries, by tables: a row of the
//! board at a time. Imports bitboards and symmetries.

use crate::game::{Bitboard, SIDE_LEN, Square, Symmetry};

/// One of the eight symmetries by number.
pub(in crate::solver) type Turn = u8;

const ROW: usize = 1 << SIDE_LEN;

static IMAGES: [[[u64; ROW]; SIDE_LEN]; 8] = {
    let mut images = [[[0; ROW]; SIDE_LEN]; 8];
    let mut turn = 0;
    while turn < 8 {
        let mut square = 0;
        while square < SIDE_LEN * SIDE_LEN {
            let to = Symmetry::new(turn as u8).square(Square::new(square));
            let mut bits = 0;
            while bits < ROW {
                if bits >> (square % SIDE_LEN) & 1 != 0 {
                    images[turn][square / SIDE_LEN][bits] |= 1 << to.index();
                }
                bits += 1;
            }
            square += 1;
        }
        turn += 1;
    }
    images
};

/// Where a symmetry takes a set.
#[inline]
pub(in crate::solver) fn image(turn: Turn, set: Bitboard) -> Bitboard {
    if turn == 0 || set.is_empty() {
        return set;
    }
    let rows = &IMAGES[usize::from(turn)];
    let mut bits = set.0;
    let mut all = 0;
    for row in rows {
        all |= row[bits as usize % ROW];
        bits >>= SIDE_LEN;
    }
    Bitboard(all)
}

/// Where the inverse of a symmetry takes a set.
#[inline]
pub(in crate::solver) fn image_back(turn: Turn, set: Bitboard) -> Bitboard {
    image(inverse(turn), set)
}

/// The symmetry that takes everything back.
#[inline]
pub(in crate::solver) const fn inverse(turn: Turn) -> Turn {
    match turn {
        5 => 6,
        6 => 5,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_those_of_the_symmetries() {
        let mut bits = 1_u64;
        for _ in 0..2000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let set = Bitboard(bits >> 7) & Bitboard::FULL;
            for (turn, symmetry) in (0..).zip(Symmetry::all()) {
                assert_eq!(image(turn, set), symmetry.set(set));
                assert_eq!(image_back(turn, image(turn, set)), set);
            }
        }
    }
}
