//! Squares and boards as the rules speak of them: a square is a file letter and a rank, a board
//! is a dictionary from squares to pieces, a position string is read and written here.

use std::collections::BTreeMap;

/// A square: file `a` to `g`, rank 1 to 7.
pub type Square = (char, u8);

/// The occupied squares and what stands on them.
pub type Board = BTreeMap<Square, Piece>;

/// The square in the middle.
pub const THRONE: Square = ('d', 4);

/// The four orthogonal directions, as steps in file and rank.
pub const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// What may stand on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A soldier of the attackers.
    Attacker,
    /// A soldier of the defenders.
    Defender,
    /// The defenders' king.
    King,
}

/// The two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Who hunt the king and move first.
    Attackers,
    /// The king and his soldiers.
    Defenders,
}

impl Piece {
    /// The player the piece belongs to.
    pub fn side(self) -> Side {
        match self {
            Piece::Attacker => Side::Attackers,
            Piece::Defender | Piece::King => Side::Defenders,
        }
    }
}

impl Side {
    /// The player's name as written in results.
    pub fn name(self) -> &'static str {
        match self {
            Side::Attackers => "attackers",
            Side::Defenders => "defenders",
        }
    }

    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::Attackers => Side::Defenders,
            Side::Defenders => Side::Attackers,
        }
    }

    /// Reads a name written by [`Side::name`].
    pub fn from_name(name: &str) -> Result<Side, String> {
        match name {
            "attackers" => Ok(Side::Attackers),
            "defenders" => Ok(Side::Defenders),
            _ => Err(format!("no such side: {name:?}")),
        }
    }
}

/// The next square in a direction, if the board goes on there.
pub fn step(square: Square, direction: (i8, i8)) -> Option<Square> {
    let file = (square.0 as u8).checked_add_signed(direction.0)? as char;
    let rank = square.1.checked_add_signed(direction.1)?;
    (('a'..='g').contains(&file) && (1..=7).contains(&rank)).then_some((file, rank))
}

/// Whether the square is `a1`, `g1`, `a7` or `g7`.
pub fn is_corner(square: Square) -> bool {
    matches!(square.0, 'a' | 'g') && matches!(square.1, 1 | 7)
}

/// Whether the square lies on the border of the board; corners do.
pub fn is_edge(square: Square) -> bool {
    matches!(square.0, 'a' | 'g') || matches!(square.1, 1 | 7)
}

/// The square's name, such as `d4`.
pub fn square_name(square: Square) -> String {
    format!("{}{}", square.0, square.1)
}

/// Reads a square's name.
pub fn read_square(text: &str) -> Result<Square, String> {
    for file in 'a'..='g' {
        for rank in 1..=7 {
            if square_name((file, rank)) == text {
                return Ok((file, rank));
            }
        }
    }
    Err(format!("no such square: {text:?}"))
}

/// A board from three lists of squares: attackers, defenders, king.
pub fn board_from_lists(attackers: &str, defenders: &str, king: &str) -> Result<Board, String> {
    let mut board = Board::new();
    for (squares, piece) in [
        (attackers, Piece::Attacker),
        (defenders, Piece::Defender),
        (king, Piece::King),
    ] {
        for name in squares.split_whitespace() {
            if board.insert(read_square(name)?, piece).is_some() {
                return Err(format!("two pieces on {name}"));
            }
        }
    }
    Ok(board)
}

/// Reads a position string: seven rows between slashes, rank 1 first, `t` an attacker, `T` a
/// defender, `K` the king, digits for runs of empty squares.
pub fn read_position(text: &str) -> Result<Board, String> {
    let wrong = |what: &str| format!("position {text:?}: {what}");
    let inner = text
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'))
        .ok_or_else(|| wrong("must begin and end with a slash"))?;
    let rows: Vec<&str> = inner.split('/').collect();
    if rows.len() != 7 {
        return Err(wrong("must have seven rows"));
    }
    let mut board = Board::new();
    for (rank, row) in (1..=7).zip(rows) {
        let mut files = 'a'..='g';
        for letter in row.chars() {
            let piece = match letter {
                't' => Some(Piece::Attacker),
                'T' => Some(Piece::Defender),
                'K' => Some(Piece::King),
                '1'..='7' => None,
                _ => return Err(wrong("holds an unknown letter")),
            };
            let width = letter.to_digit(10).unwrap_or(1);
            for _ in 0..width {
                let file = files.next().ok_or_else(|| wrong("has a row too long"))?;
                if let Some(piece) = piece {
                    board.insert((file, rank), piece);
                }
            }
        }
        if files.next().is_some() {
            return Err(wrong("has a row too short"));
        }
    }
    Ok(board)
}

/// Writes the position string that [`read_position`] reads.
pub fn write_position(board: &Board) -> String {
    let mut text = String::from("/");
    for rank in 1..=7 {
        let mut empty = 0;
        for file in 'a'..='g' {
            let letter = match board.get(&(file, rank)) {
                None => {
                    empty += 1;
                    continue;
                }
                Some(Piece::Attacker) => 't',
                Some(Piece::Defender) => 'T',
                Some(Piece::King) => 'K',
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text.push('/');
    }
    text
}
