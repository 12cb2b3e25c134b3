//! Sets of squares in one word. Knows the board's shape and no rules.
//! Imports squares only.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

use super::square::{SIDE_LEN, SQUARES, Square};

/// A set of squares: bit *i* is the square of index *i*; the 15 high bits are
/// always zero. Only a set with such a bit could give a square off the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub(crate) u64);

const BOARD: u64 = (1 << SQUARES) - 1;
const FILE_A: u64 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < SIDE_LEN {
        bits |= 1 << (rank * SIDE_LEN);
        rank += 1;
    }
    bits
};
const RANK_1: u64 = (1 << SIDE_LEN) - 1;

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 49 squares.
    pub const FULL: Bitboard = Bitboard(BOARD);
    /// `a1 g1 a7 g7`.
    pub const CORNERS: Bitboard = Bitboard(1 | 1 << 6 | 1 << 42 | 1 << 48);
    /// `d4` alone.
    pub const THRONE: Bitboard = Bitboard(1 << 24);
    /// The 24 squares of the rim, corners among them.
    pub const EDGES: Bitboard =
        Bitboard(FILE_A | FILE_A << (SIDE_LEN - 1) | RANK_1 | RANK_1 << (SQUARES - SIDE_LEN));

    /// The set of one square.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// The set of an optional square: empty for `None`.
    #[must_use]
    pub const fn of_option(square: Option<Square>) -> Bitboard {
        match square {
            Some(square) => Bitboard::of(square),
            None => Bitboard::EMPTY,
        }
    }

    /// Whether no square is in the set.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The squares of either set; what `|` says, where constants are made.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }

    /// How many squares are in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of the set is in `other`.
    #[inline]
    #[must_use]
    pub const fn is_subset(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// The square of lowest index, if there is one.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square(self.0.trailing_zeros() as u8))
        }
    }

    /// The squares one step up, right, down and left of the set, the set
    /// itself only where its squares neighbour each other.
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> Bitboard {
        let bits = self.0;
        let right = (bits & !(FILE_A << (SIDE_LEN - 1))) << 1;
        let left = (bits & !FILE_A) >> 1;
        let up = (bits << SIDE_LEN) & BOARD;
        let down = bits >> SIDE_LEN;
        Bitboard(right | left | up | down)
    }

    /// The set moved one square in a direction; what would leave the board is
    /// lost.
    #[inline]
    #[must_use]
    pub(super) const fn step(self, direction: Direction) -> Bitboard {
        let bits = self.0;
        Bitboard(match direction {
            Direction::Right => (bits & !(FILE_A << (SIDE_LEN - 1))) << 1,
            Direction::Up => (bits << SIDE_LEN) & BOARD,
            Direction::Left => (bits & !FILE_A) >> 1,
            Direction::Down => bits >> SIDE_LEN,
        })
    }

    /// The squares of `open` that rooks on the set would slide over: each
    /// direction by doubling steps (Kogge and Stone's parallel prefix).
    #[inline]
    #[must_use]
    pub(super) const fn slides(self, open: Bitboard) -> Bitboard {
        let rank = open.0;
        // A step to the right never arrives on the first file, nor one to the
        // left on the last.
        let right = rank & !FILE_A;
        let left = rank & !(FILE_A << (SIDE_LEN - 1));
        Bitboard(
            up_fill(self.0, right, 1)
                | up_fill(self.0, rank, SIDE_LEN as u32)
                | down_fill(self.0, left, 1)
                | down_fill(self.0, rank, SIDE_LEN as u32),
        )
    }

    /// How many ways rooks on the set have to slide over `open` and stop on
    /// one of `stops`. None of them stands in `open`, so no two slides in one
    /// direction share a square.
    #[inline]
    #[must_use]
    pub(super) const fn count_slides(self, open: Bitboard, stops: Bitboard) -> u32 {
        let rank = open.0;
        let right = rank & !FILE_A;
        let left = rank & !(FILE_A << (SIDE_LEN - 1));
        let stops = stops.0;
        (up_fill(self.0, right, 1) & stops).count_ones()
            + (up_fill(self.0, rank, SIDE_LEN as u32) & stops).count_ones()
            + (down_fill(self.0, left, 1) & stops).count_ones()
            + (down_fill(self.0, rank, SIDE_LEN as u32) & stops).count_ones()
    }

    /// The squares of `open` from which a rook would slide onto the set, over
    /// squares of `open` alone. A square of the set is among them if another
    /// one lies ahead of it.
    #[inline]
    #[must_use]
    pub(super) const fn approaches(self, open: Bitboard) -> Bitboard {
        let all = open.0;
        let right = all & !FILE_A;
        let left = all & !(FILE_A << (SIDE_LEN - 1));
        Bitboard(
            right & (up_all(self.0, right, 1) << 1)
                | all & (up_all(self.0, all, SIDE_LEN as u32) << SIDE_LEN)
                | left & (down_all(self.0, left, 1) >> 1)
                | all & (down_all(self.0, all, SIDE_LEN as u32) >> SIDE_LEN),
        )
    }

    /// The squares of `open` that can be reached from the set by orthogonal
    /// steps through `open`, the part of the set inside `open` among them.
    #[inline]
    #[must_use]
    pub fn flood(self, open: Bitboard) -> Bitboard {
        let mut reached = self & open;
        loop {
            let wider = (reached | reached.neighbours()) & open;
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }
}

/// One of the four ways to step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Right,
    Up,
    Left,
    Down,
}

/// All four, opposites two apart.
pub(super) const DIRECTIONS: [Direction; 4] = [
    Direction::Right,
    Direction::Up,
    Direction::Left,
    Direction::Down,
];

/// The open bits that can be reached by steps of `by` bits up, through open
/// bits alone.
const fn up_fill(from: u64, open: u64, by: u32) -> u64 {
    up_all(from, open, by) & !from
}

/// The same with what it began from.
const fn up_all(from: u64, open: u64, by: u32) -> u64 {
    let mut reached = from;
    let mut open = open;
    reached |= open & (reached << by);
    open &= open << by;
    reached |= open & (reached << (2 * by));
    open &= open << (2 * by);
    reached | (open & (reached << (4 * by)))
}

/// As [`up_fill`], by steps down.
const fn down_fill(from: u64, open: u64, by: u32) -> u64 {
    down_all(from, open, by) & !from
}

/// As [`up_all`], by steps down.
const fn down_all(from: u64, open: u64, by: u32) -> u64 {
    let mut reached = from;
    let mut open = open;
    reached |= open & (reached >> by);
    open &= open >> by;
    reached |= open & (reached >> (2 * by));
    open &= open >> (2 * by);
    reached | (open & (reached >> (4 * by)))
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;
    /// The squares of the first set that are not in the second.
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    /// The squares of the board that are not in the set.
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & BOARD)
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_the_orthogonal_steps() {
        for square in Square::all() {
            let expected: Bitboard = [(1, 0), (-1, 0), (0, 1), (0, -1)]
                .into_iter()
                .filter_map(|(files, ranks)| square.offset(files, ranks))
                .collect();
            assert_eq!(Bitboard::of(square).neighbours(), expected, "{square}");
        }
    }

    #[test]
    fn edges_have_three_neighbours_or_fewer() {
        for square in Square::all() {
            let on_edge = Bitboard::of(square).neighbours().len() < 4;
            assert_eq!(Bitboard::EDGES.contains(square), on_edge, "{square}");
        }
        assert_eq!(Bitboard::EDGES.len(), 24);
    }

    #[test]
    fn a_flood_stops_at_walls() {
        let wall: Bitboard = (0..7).filter_map(|rank| Square::at(3, rank)).collect();
        let reached = Bitboard::of(Square::new(0)).flood(!wall);
        assert_eq!(reached.len(), 21);
        assert!(!reached.meets(wall));
        assert_eq!(Bitboard::THRONE.flood(!wall), Bitboard::EMPTY);
    }
}
