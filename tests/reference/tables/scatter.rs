//! Random positions that random play would seldom reach: pieces crowded around the king, rings of
//! attackers, boards almost empty. Each is a position string and a side to move.

use crate::{
    reference::board::{
        Board, DIRECTIONS, Piece, Square, THRONE, is_corner, is_edge, step, write_position,
    },
    splitmix::SplitMix,
};

/// A king on or beside the throne, on an edge or anywhere, half of the soldiers near him.
pub fn scattered(random: &mut SplitMix) -> (String, String) {
    let mut board = Board::new();
    let king = loop {
        let square = any_square(random);
        let wanted = match random.below(3) {
            0 => distance(square, THRONE) <= 1,
            1 => is_edge(square),
            _ => true,
        };
        if wanted && !is_corner(square) {
            break square;
        }
    };
    board.insert(king, Piece::King);
    let (attackers, defenders) = (3 + random.below(6), random.below(5));
    add_soldiers(&mut board, Piece::Attacker, attackers, random);
    add_soldiers(&mut board, Piece::Defender, defenders, random);
    with_side(&board, random)
}

/// A king and a handful of soldiers: at least one attacker.
pub fn few_pieces(random: &mut SplitMix, attackers: usize, defenders: usize) -> (String, String) {
    let mut board = Board::new();
    let king = loop {
        let square = any_square(random);
        if !is_corner(square) {
            break square;
        }
    };
    board.insert(king, Piece::King);
    let attackers = 1 + random.below(attackers);
    let defenders = random.below(defenders + 1);
    add_soldiers(&mut board, Piece::Attacker, attackers, random);
    add_soldiers(&mut board, Piece::Defender, defenders, random);
    with_side(&board, random)
}

/// A ring of attackers around king and defenders, one attacker of it elsewhere.
pub fn ring(random: &mut SplitMix) -> Option<(String, String)> {
    let mut inside = vec![any_square(random)];
    for _ in 0..=random.below(4) {
        let direction = *random.pick(&DIRECTIONS);
        let grown = step(*random.pick(&inside), direction)?;
        if !inside.contains(&grown) {
            inside.push(grown);
        }
    }
    let mut border = Vec::new();
    for square in &inside {
        for next in DIRECTIONS.iter().filter_map(|d| step(*square, *d)) {
            if !inside.contains(&next) && !border.contains(&next) {
                border.push(next);
            }
        }
    }
    let open = inside.iter().any(|square| is_edge(*square));
    if open || border.len() > 8 || border.contains(&THRONE) {
        return None;
    }

    let mut board = Board::new();
    board.insert(*random.pick(&inside), Piece::King);
    for square in inside {
        if square != THRONE && random.below(4) == 0 {
            board.entry(square).or_insert(Piece::Defender);
        }
    }
    let away = random.below(border.len());
    border.remove(away);
    for square in border {
        board.insert(square, Piece::Attacker);
    }
    add_soldiers(&mut board, Piece::Attacker, 1, random);
    Some(with_side(&board, random))
}

fn add_soldiers(board: &mut Board, soldier: Piece, count: usize, random: &mut SplitMix) {
    let king = board
        .iter()
        .find(|(_, piece)| **piece == Piece::King)
        .map(|(square, _)| *square)
        .expect("the king is placed first");
    let mut placed = 0;
    while placed < count {
        let square = any_square(random);
        let near = random.below(2) == 0;
        let wanted = !near || distance(square, king) <= 2;
        if wanted && square != THRONE && !is_corner(square) && !board.contains_key(&square) {
            board.insert(square, soldier);
            placed += 1;
        }
    }
}

fn any_square(random: &mut SplitMix) -> Square {
    let file = *random.pick(&['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    (file, 1 + random.below(7) as u8)
}

/// Steps from one square to another.
fn distance(from: Square, to: Square) -> u8 {
    (from.0 as u8).abs_diff(to.0 as u8) + from.1.abs_diff(to.1)
}

fn with_side(board: &Board, random: &mut SplitMix) -> (String, String) {
    let side = *random.pick(&["attackers", "defenders"]);
    (write_position(board), side.to_owned())
}
