//! The board's fixed tables: rays, rook targets, capture lines, symmetries.
//! Computed at compile time from squares; knows no rules.

use super::bitboard::Bitboard;
use super::square::{Move, SIDE_LEN, SQUARES, Square};

/// The four directions as (files, ranks); the first two grow in index.
const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Rook targets of any square: six along the rank and six along the file.
pub const ROOK_TARGETS: usize = 12;

/// One of a square's rook targets.
#[derive(Clone, Copy, Debug)]
pub struct RookTarget {
    /// The square itself.
    pub square: Square,
    /// The squares strictly between.
    pub between: Bitboard,
}

/// A neighbour of a square and the square beyond it in the same direction.
#[derive(Clone, Copy, Debug)]
pub struct CaptureLine {
    /// The neighbour; empty where the board ends or nothing lies beyond.
    pub neighbour: Bitboard,
    /// The square beyond it.
    pub beyond: Bitboard,
}

const fn ray(square: Square, direction: usize) -> Bitboard {
    let (files, ranks) = DIRECTIONS[direction];
    let mut bits = 0;
    let mut at = square.offset(files, ranks);
    while let Some(next) = at {
        bits |= Bitboard::of(next).0;
        at = next.offset(files, ranks);
    }
    Bitboard(bits)
}

/// `RAYS[square][direction]`: the squares in that direction. The 64 rows let a
/// sentinel bit 63 stand for "no blocker".
static RAYS: [[u64; 64]; 4] = {
    let mut rays = [[0; 64]; 4];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            rays[direction][square] = ray(Square::new(square), direction).0;
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// The squares a rook on `square` sees, the first blocker in each direction
/// included.
#[inline]
#[must_use]
pub fn rook_reach(square: Square, blockers: Bitboard) -> Bitboard {
    let from = square.index();
    let mut reach = 0;
    let mut direction = 0;
    while direction < 2 {
        let ray = RAYS[direction][from];
        let first = ((ray & blockers.0) | 1 << 63).trailing_zeros() as usize;
        reach |= ray ^ RAYS[direction][first];
        direction += 1;
    }
    while direction < 4 {
        let ray = RAYS[direction][from];
        // No square lies below a1 or left of it, so a1 as the sentinel (the
        // low bit) takes nothing away.
        let first = 63 - ((ray & blockers.0) | 1).leading_zeros() as usize;
        reach |= ray ^ (RAYS[direction][first] & ray);
        direction += 1;
    }
    Bitboard(reach)
}

/// The squares strictly between two squares of one rank or file.
#[inline]
#[must_use]
pub fn between(one: Square, other: Square) -> Bitboard {
    rook_reach(one, Bitboard::of(other)) & rook_reach(other, Bitboard::of(one))
}

/// `ROOK[square]`: its twelve rook targets in a fixed order.
pub static ROOK: [[RookTarget; ROOK_TARGETS]; SQUARES] = {
    let empty = RookTarget {
        square: Square::THRONE,
        between: Bitboard::EMPTY,
    };
    let mut targets = [[empty; ROOK_TARGETS]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut filled = 0;
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = DIRECTIONS[direction];
            let mut between = 0;
            let mut at = Square::new(square).offset(files, ranks);
            while let Some(next) = at {
                targets[square][filled] = RookTarget {
                    square: next,
                    between: Bitboard(between),
                };
                filled += 1;
                between |= Bitboard::of(next).0;
                at = next.offset(files, ranks);
            }
            direction += 1;
        }
        assert!(filled == ROOK_TARGETS, "a rook sees twelve squares");
        square += 1;
    }
    targets
};

/// `CAPTURE_LINES[square]`: in each direction, whom a piece arriving on the
/// square may capture, and against what.
pub static CAPTURE_LINES: [[CaptureLine; 4]; SQUARES] = {
    let none = CaptureLine {
        neighbour: Bitboard::EMPTY,
        beyond: Bitboard::EMPTY,
    };
    let mut lines = [[none; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = DIRECTIONS[direction];
            let at = Square::new(square);
            if let (Some(neighbour), Some(beyond)) =
                (at.offset(files, ranks), at.offset(2 * files, 2 * ranks))
            {
                lines[square][direction] = CaptureLine {
                    neighbour: Bitboard::of(neighbour),
                    beyond: Bitboard::of(beyond),
                };
            }
            direction += 1;
        }
        square += 1;
    }
    lines
};

/// One of the eight symmetries of the square board; 0 leaves it as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(u8);

/// Rows of 64, so that no index has to be checked.
static IMAGES: [[Square; 64]; 8] = {
    let mut images = [[Square::THRONE; 64]; 8];
    let last = SIDE_LEN as i8 - 1;
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < SQUARES {
            let at = Square::new(square);
            let (mut file, mut rank) = (at.file(), at.rank());
            if symmetry & 1 != 0 {
                file = last - file;
            }
            if symmetry & 2 != 0 {
                rank = last - rank;
            }
            if symmetry & 4 != 0 {
                (file, rank) = (rank, file);
            }
            if let Some(image) = Square::at(file, rank) {
                images[symmetry][square] = image;
            }
            square += 1;
        }
        symmetry += 1;
    }
    images
};

impl Symmetry {
    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// The symmetry of this number, 0 to 7.
    #[inline]
    #[must_use]
    pub(crate) const fn new(number: u8) -> Symmetry {
        Symmetry(number & 7)
    }

    /// The symmetry that takes everything back.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        // A turn to the side exchanges what the two reflections before it do.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            number => Symmetry(number),
        }
    }

    /// Where a square goes.
    #[inline]
    #[must_use]
    pub const fn square(self, square: Square) -> Square {
        IMAGES[(self.0 & 7) as usize][square.index() & 63]
    }

    /// Where a set of squares goes.
    #[must_use]
    pub fn set(self, set: Bitboard) -> Bitboard {
        set.into_iter().map(|square| self.square(square)).collect()
    }

    /// What a move becomes.
    #[inline]
    #[must_use]
    pub fn ply(self, ply: Move) -> Move {
        Move {
            from: self.square(ply.from),
            to: self.square(ply.to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reach by walking, one step after the other.
    fn walked(square: Square, blockers: Bitboard) -> Bitboard {
        let mut reach = Bitboard::EMPTY;
        for (files, ranks) in DIRECTIONS {
            let mut at = square.offset(files, ranks);
            while let Some(next) = at {
                reach |= Bitboard::of(next);
                at = match blockers.contains(next) {
                    true => None,
                    false => next.offset(files, ranks),
                };
            }
        }
        reach
    }

    #[test]
    fn the_reach_is_what_walking_finds_for_every_way_to_block_two_lines() {
        for square in Square::all() {
            let rank: Vec<Square> = (0..7)
                .filter_map(|f| Square::at(f, square.rank()))
                .collect();
            let file: Vec<Square> = (0..7)
                .filter_map(|r| Square::at(square.file(), r))
                .collect();
            for choice in 0..1 << 14 {
                let blockers: Bitboard = (0..14)
                    .filter(|bit| choice >> bit & 1 != 0)
                    .map(|bit| if bit < 7 { rank[bit] } else { file[bit - 7] })
                    .filter(|&blocker| blocker != square)
                    .collect();
                assert_eq!(rook_reach(square, blockers), walked(square, blockers));
            }
        }
    }

    #[test]
    fn symmetries_are_eight_different_ways_to_keep_neighbours() {
        let mut seen = std::collections::BTreeSet::new();
        for symmetry in Symmetry::all() {
            let images: Vec<Square> = Square::all().map(|s| symmetry.square(s)).collect();
            for square in Square::all() {
                let around = Bitboard::of(square).neighbours();
                let image = Bitboard::of(symmetry.square(square)).neighbours();
                assert_eq!(symmetry.set(around), image);
            }
            let back = symmetry.inverse();
            assert!(Square::all().all(|s| back.square(symmetry.square(s)) == s));
            seen.insert(images);
        }
        assert_eq!(seen.len(), 8);
    }
}
