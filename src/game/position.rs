//! Where the pieces stand and who moves; OpenTafl position strings.
//! Imports squares, bitboards, symmetries and sides; knows no rules.

use std::fmt;

use super::bitboard::Bitboard;
use super::geometry::Symmetry;
use super::side::Side;
use super::square::{SIDE_LEN, SQUARES, Square};

/// The pieces on the board and the side to move.
///
/// The three sets never share a square. `king` holds one square, or none once
/// he has been captured and the game is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The attackers' soldiers.
    pub attackers: Bitboard,
    /// The defenders' soldiers.
    pub defenders: Bitboard,
    /// The king's square.
    pub king: Bitboard,
    /// Who moves next.
    pub side: Side,
}

/// What is wrong with a position string.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "position `{text}`: {problem}; expected seven ranks such as /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/, rank 1 first (t attacker, T defender, K king, digits empty squares)"
)]
pub struct PositionError {
    /// What was read.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
}

impl Position {
    /// Every piece.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.attackers | self.defenders | self.king
    }

    /// Every piece but the king.
    #[inline]
    #[must_use]
    pub fn soldiers(&self) -> Bitboard {
        self.attackers | self.defenders
    }

    /// The pieces of a side, the king among the defenders'.
    #[inline]
    #[must_use]
    pub fn pieces(&self, side: Side) -> Bitboard {
        match side {
            Side::Attackers => self.attackers,
            Side::Defenders => self.defenders | self.king,
        }
    }

    /// The same position in two words, nothing lost: equal keys are equal
    /// positions.
    #[inline]
    #[must_use]
    pub fn key(&self) -> [u64; 2] {
        let king = self.king.0.trailing_zeros() as u64;
        let side = self.side as u64;
        [self.attackers.0, self.defenders.0 | king << 49 | side << 56]
    }

    /// The position of a key that [`Position::key`] gave.
    pub(super) fn from_key([attackers, rest]: [u64; 2]) -> Position {
        let king = (rest >> 49 & 0x7f) as usize;
        Position {
            attackers: Bitboard(attackers),
            defenders: Bitboard(rest) & Bitboard::FULL,
            king: if king < SQUARES {
                Bitboard::of(Square::new(king))
            } else {
                Bitboard::EMPTY
            },
            side: if rest >> 56 == 0 {
                Side::Attackers
            } else {
                Side::Defenders
            },
        }
    }

    /// The position that a symmetry of the board makes of this one.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Position {
        Position {
            attackers: symmetry.set(self.attackers),
            defenders: symmetry.set(self.defenders),
            king: symmetry.set(self.king),
            side: self.side,
        }
    }

    /// Reads an OpenTafl position string, rank 1 first, slashes at the ends
    /// optional, with the given side to move.
    ///
    /// # Errors
    /// Anything but seven ranks of seven squares with exactly one king.
    pub fn from_otn(text: &str, side: Side) -> Result<Position, PositionError> {
        parse(text, side).map_err(|problem| PositionError {
            text: text.to_owned(),
            problem,
        })
    }

    /// Writes the OpenTafl position string, rank 1 first.
    #[must_use]
    pub fn to_otn(&self) -> String {
        let mut text = String::from("/");
        for rank in 0..SIDE_LEN {
            let mut empty = 0;
            for file in 0..SIDE_LEN {
                let symbol = self.symbol(Square::new(rank * SIDE_LEN + file));
                if symbol == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(symbol);
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            text.push('/');
        }
        text
    }

    /// `t`, `T`, `K`, or `.` for an empty square.
    #[must_use]
    pub fn symbol(&self, square: Square) -> char {
        if self.attackers.contains(square) {
            't'
        } else if self.defenders.contains(square) {
            'T'
        } else if self.king.contains(square) {
            'K'
        } else {
            '.'
        }
    }
}

fn parse(text: &str, side: Side) -> Result<Position, String> {
    let inner = text.strip_prefix('/').unwrap_or(text);
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    let ranks: Vec<&str> = inner.split('/').collect();
    if ranks.len() != SIDE_LEN {
        return Err(format!("{} ranks instead of 7", ranks.len()));
    }
    let mut position = Position {
        attackers: Bitboard::EMPTY,
        defenders: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        side,
    };
    for (rank, symbols) in ranks.iter().enumerate() {
        let mut file = 0;
        for symbol in symbols.chars() {
            if let Some(run @ 1..=7) = symbol.to_digit(10) {
                file += run as usize;
                continue;
            }
            if file >= SIDE_LEN {
                return Err(format!("rank {} is longer than 7 squares", rank + 1));
            }
            let square = Bitboard::of(Square::new(rank * SIDE_LEN + file));
            match symbol {
                't' => position.attackers |= square,
                'T' => position.defenders |= square,
                'K' => position.king |= square,
                other => return Err(format!("`{other}` in rank {} is no piece", rank + 1)),
            }
            file += 1;
        }
        if file != SIDE_LEN {
            return Err(format!("rank {} has {file} squares instead of 7", rank + 1));
        }
    }
    match position.king.len() {
        1 => Ok(position),
        kings => Err(format!("{kings} kings instead of 1")),
    }
}

impl fmt::Display for Position {
    /// Draws the board, rank 7 on top; empty corners are `x`, an empty `d4`
    /// is `+`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIDE_LEN).rev() {
            write!(f, "{} ", rank + 1)?;
            for file in 0..SIDE_LEN {
                let square = Square::new(rank * SIDE_LEN + file);
                let symbol = match self.symbol(square) {
                    '.' if Bitboard::CORNERS.contains(square) => 'x',
                    '.' if square == Square::THRONE => '+',
                    symbol => symbol,
                };
                write!(f, " {symbol}")?;
            }
            writeln!(f)?;
        }
        write!(f, "   a b c d e f g")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CROSS: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

    #[test]
    fn position_strings_go_in_and_out_unchanged() {
        let position = Position::from_otn(CROSS, Side::Attackers).unwrap();
        assert_eq!(position.to_otn(), CROSS);
        assert_eq!(position.attackers.len(), 8);
        assert_eq!(position.defenders.len(), 4);
        assert_eq!(position.king, Bitboard::THRONE);
        let bare = "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3";
        assert_eq!(Position::from_otn(bare, Side::Attackers).unwrap(), position);
        assert_eq!(
            position.to_string().lines().next(),
            Some("7  x . . t . . x")
        );
    }

    #[test]
    fn damaged_position_strings_say_what_is_wrong() {
        for (text, problem) in [
            ("", "1 ranks instead of 7"),
            ("/7/7/7/7/7/7/7/", "0 kings instead of 1"),
            ("/KK5/7/7/7/7/7/7/", "2 kings instead of 1"),
            ("/K7/7/7/7/7/7/7/", "rank 1 has 8 squares instead of 7"),
            ("/7K/7/7/7/7/7/7/", "rank 1 is longer than 7 squares"),
            ("/K5/7/7/7/7/7/7/", "rank 1 has 6 squares instead of 7"),
            ("/K6/7/2x4/7/7/7/7/", "`x` in rank 3 is no piece"),
            ("/K6/7/0/7/7/7/7/", "`0` in rank 3 is no piece"),
        ] {
            let error = Position::from_otn(text, Side::Attackers).unwrap_err();
            assert_eq!(error.problem, problem, "{text}");
        }
    }
}
