//! Squares of the 7x7 board and the moves between them.
//! Imports nothing of ours.

use std::fmt;
use std::str::FromStr;

/// Files (and ranks) of the board.
pub const SIDE_LEN: usize = 7;
/// Squares of the board.
pub const SQUARES: usize = SIDE_LEN * SIDE_LEN;

/// A square, `a1` = 0, `b1` = 1, … `g1` = 6, `a2` = 7, … `g7` = 48.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(super) u8);

impl Square {
    /// `d4`, the centre, where the throne is under the rules that have one.
    pub const THRONE: Square = Square(24);

    /// The square with this index.
    ///
    /// # Panics
    /// If `index` is not below [`SQUARES`].
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Square {
        assert!(index < SQUARES, "a square's index is below 49");
        Square(index as u8)
    }

    /// The square whose index, below 49, is in the low six bits.
    #[inline]
    pub(super) const fn from_low_bits(bits: u16) -> Square {
        debug_assert!((bits & 63) < SQUARES as u16, "a square's index is below 49");
        Square((bits & 63) as u8)
    }

    /// The square on this file and rank, each from 0, if it is on the board.
    #[inline]
    #[must_use]
    pub const fn at(file: i8, rank: i8) -> Option<Square> {
        let len = SIDE_LEN as i8;
        if file < 0 || rank < 0 || file >= len || rank >= len {
            None
        } else {
            Some(Square((rank * len + file) as u8))
        }
    }

    /// 0 for `a1` to 48 for `g7`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the `a` file to 6 for the `g` file.
    #[inline]
    #[must_use]
    pub const fn file(self) -> i8 {
        (self.0 % SIDE_LEN as u8) as i8
    }

    /// 0 for rank 1 to 6 for rank 7.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> i8 {
        (self.0 / SIDE_LEN as u8) as i8
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    #[inline]
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        Square::at(self.file() + files, self.rank() + ranks)
    }

    /// All squares, `a1` first, rank by rank.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SQUARES).map(Square::new)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file() as u8);
        write!(f, "{file}{}", self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square or move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct NotationError {
    /// What was read.
    pub text: String,
    /// What would have been right.
    pub expected: &'static str,
}

impl FromStr for Square {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Square, NotationError> {
        let error = || NotationError {
            text: text.to_owned(),
            expected: "a square from a1 to g7",
        };
        let [file, rank] = text.as_bytes() else {
            return Err(error());
        };
        let file = (*file as i8).wrapping_sub(b'a' as i8);
        let rank = (*rank as i8).wrapping_sub(b'1' as i8);
        Square::at(file, rank).ok_or_else(error)
    }
}

/// A move: one piece from one square to another. Says nothing about legality.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = NotationError;

    /// Reads `d2-e2`; captures written behind it (`d2-e2xe3`) are not part of
    /// a move and are refused.
    fn from_str(text: &str) -> Result<Move, NotationError> {
        let squares = text
            .split_once('-')
            .and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        match squares {
            Some((from, to)) => Ok(Move { from, to }),
            None => Err(NotationError {
                text: text.to_owned(),
                expected: "a move such as d2-e2",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_its_name() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!(Square::new(0).to_string(), "a1");
        assert_eq!(Square::new(48).to_string(), "g7");
        assert_eq!(Square::THRONE.to_string(), "d4");
    }

    #[test]
    fn nonsense_is_no_square_and_no_move() {
        for text in ["", "h1", "a8", "a0", "A1", "a10", "é1", "d4 "] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
        for text in ["d2", "d2e2", "d2-", "-e2", "d2-e2xe3", "d2-h2"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
        assert_eq!("d2-e2".parse::<Move>().unwrap().to_string(), "d2-e2");
    }
}
