//! What an evaluation looks at: counts and indicators of a position, in groups
//! of consecutive numbers. Imports `game`.

use crate::game::{Bitboard, Position, Rules, SQUARES, Side, Square};

/// The groups of features in order: name and how many. All are from the
/// defenders' point of view only through their weights.
pub const GROUPS: [(&str, usize); 19] = [
    // 1 with the defenders to move, -1 with the attackers.
    ("tempo", 1),
    // One of these is 1: by how many there are.
    ("attackers", 9),
    ("defenders", 5),
    // Pieces on each class of squares that the symmetries make alike, from
    // the corner (0) along the edge and inwards to d4 (9).
    ("attacker_on", 10),
    ("defender_on", 10),
    ("king_on", 10),
    // One is 1: by how many squares the king can go to, 8 or more together.
    ("king_moves", 9),
    // By how many corners he can reach in two moves (0, 1, 2 or more), the
    // defenders to move; then the same, the attackers to move.
    ("corners_in_two", 6),
    // By how many more he can reach in three (0, 1, 2 or more).
    ("corners_in_three", 3),
    // By how many edge squares he can go to, 3 or more together.
    ("king_edges", 4),
    ("attackers_beside_king", 5),
    ("defenders_beside_king", 5),
    // By how many squares complete his capture, 2 or more together; then
    // whether an attacker can get to one, the defenders to move.
    ("king_nearly_captured", 3),
    ("king_threatened", 1),
    // How many squares soldiers can go to: attackers', defenders'.
    ("soldiers_reach", 2),
    // Squares on which a soldier can capture now: the attackers to move, the
    // defenders to move; then the defenders' own captures likewise.
    ("can_take", 4),
    // By how many corners are joined to the king by squares without attackers.
    ("corners_joined", 5),
    // How many squares are.
    ("king_region", 1),
    // For each corner one more at the pattern of attackers near it: 1 for the
    // diagonal square, 2 for a square next to it, 4 for one two steps away.
    ("corner_guards", 8),
];

/// How many features there are.
pub const FEATURES: usize = end_of(GROUPS.len());

const fn end_of(groups: usize) -> usize {
    let mut end = 0;
    let mut index = 0;
    while index < groups {
        end += GROUPS[index].1;
        index += 1;
    }
    end
}

const TEMPO: usize = end_of(0);
pub(super) const ATTACKERS: usize = end_of(1);
pub(super) const DEFENDERS: usize = end_of(2);
pub(super) const ATTACKER_ON: usize = end_of(3);
pub(super) const DEFENDER_ON: usize = end_of(4);
pub(super) const KING_ON: usize = end_of(5);
const KING_MOVES: usize = end_of(6);
const CORNERS_IN_TWO: usize = end_of(7);
const CORNERS_IN_THREE: usize = end_of(8);
const KING_EDGES: usize = end_of(9);
const ATTACKERS_BESIDE: usize = end_of(10);
const DEFENDERS_BESIDE: usize = end_of(11);
const NEARLY_CAPTURED: usize = end_of(12);
const THREATENED: usize = end_of(13);
const SOLDIERS_REACH: usize = end_of(14);
const CAN_TAKE: usize = end_of(15);
const CORNERS_JOINED: usize = end_of(16);
const KING_REGION: usize = end_of(17);
const CORNER_GUARDS: usize = end_of(18);

/// Squares that a symmetry of the board turns into each other share a number.
pub(super) const CLASS: [u8; SQUARES] = {
    let mut classes = [0; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::new(index);
        let (file, rank) = (square.file(), square.rank());
        let file = if file > 3 { 6 - file } else { file };
        let rank = if rank > 3 { 6 - rank } else { rank };
        let (low, high) = if file < rank {
            (file, rank)
        } else {
            (rank, file)
        };
        // Rows of 4, 3, 2 and 1 classes.
        classes[index] = [0, 4, 7, 9][low as usize] + (high - low) as u8;
        index += 1;
    }
    classes
};

/// The squares near each corner: on the diagonal, beside it, two steps away.
const GUARDS: [[Bitboard; 3]; 4] = {
    let mut guards = [[Bitboard::EMPTY; 3]; 4];
    let corners = [(0, 0, 1, 1), (6, 0, -1, 1), (0, 6, 1, -1), (6, 6, -1, -1)];
    let mut index = 0;
    while index < 4 {
        let (file, rank, right, up) = corners[index];
        guards[index] = [
            Bitboard::of_option(Square::at(file + right, rank + up)),
            Bitboard::of_option(Square::at(file + right, rank))
                .with(Bitboard::of_option(Square::at(file, rank + up))),
            Bitboard::of_option(Square::at(file + 2 * right, rank))
                .with(Bitboard::of_option(Square::at(file, rank + 2 * up))),
        ];
        index += 1;
    }
    guards
};

/// Calls `add` with every feature that is not zero and its value; a feature
/// may come several times, its values then add up. The king must be on the
/// board.
#[inline]
fn visit(rules: &Rules, position: &Position, mut add: impl FnMut(usize, i32)) {
    visit_pieces(position, &mut add);
    visit_relations(rules, position, &mut add);
}

/// The same without the features of pieces by themselves: `ATTACKERS` to
/// `KING_ON`.
#[inline]
pub(super) fn visit_relations(
    rules: &Rules,
    position: &Position,
    add: &mut impl FnMut(usize, i32),
) {
    let defenders_turn = position.side == Side::Defenders;
    add(TEMPO, if defenders_turn { 1 } else { -1 });
    let near = visit_king(rules, position, defenders_turn, add);
    visit_soldiers(rules, position, defenders_turn, add);
    visit_ground(position, near, add);
}

/// The size of a set, or `most` if that is smaller.
#[inline]
fn at_most(set: Bitboard, most: usize) -> usize {
    (set.len() as usize).min(most)
}

/// The size of a set, 2 if it is larger.
#[inline]
fn at_most_two(set: Bitboard) -> usize {
    let more = set.0 & set.0.wrapping_sub(1);
    usize::from(!set.is_empty()) + usize::from(more != 0)
}

/// How many corners are in a set.
#[inline]
fn corners(set: Bitboard) -> usize {
    let corners = set.0 & Bitboard::CORNERS.0;
    // The two upper corners come to lie on the two lower ones: two fields of
    // two bits.
    let lower = corners + (corners >> 42);
    (lower & 3) as usize + (lower >> 6 & 3) as usize
}

#[inline]
fn visit_pieces(position: &Position, add: &mut impl FnMut(usize, i32)) {
    add(ATTACKERS + at_most(position.attackers, 8), 1);
    add(DEFENDERS + at_most(position.defenders, 4), 1);
    let class = |square: Square| usize::from(CLASS[square.index()]);
    for square in position.attackers {
        add(ATTACKER_ON + class(square), 1);
    }
    for square in position.defenders {
        add(DEFENDER_ON + class(square), 1);
    }
    for square in position.king {
        add(KING_ON + class(square), 1);
    }
}

/// Gives squares that the king can come to.
#[inline]
fn visit_king(
    rules: &Rules,
    position: &Position,
    defenders_turn: bool,
    add: &mut impl FnMut(usize, i32),
) -> Bitboard {
    let one = rules.king_reach(position);
    let two = rules.king_reach_from(position, one - Bitboard::CORNERS);
    let three = rules.king_reach_from(position, two - Bitboard::CORNERS);
    let edges = Bitboard::EDGES - Bitboard::CORNERS;
    add(KING_MOVES + at_most(one, 8), 1);
    let in_two = corners(two).min(2) + if defenders_turn { 0 } else { 3 };
    add(CORNERS_IN_TWO + in_two, 1);
    add(CORNERS_IN_THREE + corners(three - two).min(2), 1);
    add(KING_EDGES + at_most(one & edges, 3), 1);
    let beside = position.king.neighbours();
    let beside = |soldiers: Bitboard| (beside & soldiers).len() as usize;
    add(ATTACKERS_BESIDE + beside(position.attackers), 1);
    add(DEFENDERS_BESIDE + beside(position.defenders), 1);
    let completing = rules.king_capture_squares(position);
    add(NEARLY_CAPTURED + at_most_two(completing), 1);
    if defenders_turn && !completing.is_empty() && rules.king_capture(position).is_some() {
        add(THREATENED, 1);
    }
    one | two | three
}

#[inline]
fn visit_soldiers(
    rules: &Rules,
    position: &Position,
    defenders_turn: bool,
    add: &mut impl FnMut(usize, i32),
) {
    let turn = usize::from(defenders_turn);
    let reaches = rules.both_soldiers_reach(position);
    let takes = Side::BOTH.map(|side| rules.capture_squares(position, side));
    for index in 0..2 {
        let captures = takes[index] & reaches[index];
        add(SOLDIERS_REACH + index, reaches[index].len() as i32);
        add(CAN_TAKE + 2 * index + turn, captures.len() as i32);
    }
}

/// `near`: squares joined to the king, from which to look for more.
#[inline]
fn visit_ground(position: &Position, near: Bitboard, add: &mut impl FnMut(usize, i32)) {
    let region = (position.king | near).flood(!position.attackers);
    add(CORNERS_JOINED + corners(region), 1);
    add(KING_REGION, region.len() as i32);
    for guards in &GUARDS {
        let pattern = guards.iter().enumerate().fold(0, |pattern, (bit, guard)| {
            pattern | usize::from(guard.meets(position.attackers)) << bit
        });
        add(CORNER_GUARDS + pattern, 1);
    }
}

/// The features of a position, [`FEATURES`] numbers in the order of
/// [`GROUPS`]. The king must be on the board.
#[must_use]
pub fn features(rules: &Rules, position: &Position) -> [i32; FEATURES] {
    let mut values = [0; FEATURES];
    visit(rules, position, |feature, value| values[feature] += value);
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Ruleset, Symmetry, sample};

    #[test]
    fn features_do_not_change_under_the_boards_symmetries() {
        let mut stream = crate::agents::stream([5; 32]);
        for ruleset in crate::game::preset::disputed_factorial() {
            let rules = Rules::new(ruleset);
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 60 {
                let here = *game.position();
                let values = features(&rules, &here);
                for symmetry in Symmetry::all() {
                    let image = here.image(symmetry);
                    assert_eq!(features(&rules, &image), values, "{here}");
                }
                let Some(ply) = sample::random_move(&rules, &here, &mut stream) else {
                    break;
                };
                game.play_legal(ply);
            }
        }
    }

    #[test]
    fn small_counts_are_counts() {
        let corners_of = |pattern: usize| -> Bitboard {
            let chosen = Bitboard::CORNERS.into_iter().enumerate();
            let chosen = chosen.filter(|(bit, _)| pattern >> bit & 1 != 0);
            chosen.map(|(_, square)| square).collect()
        };
        for pattern in 0..16 {
            let set = corners_of(pattern);
            let inside = Bitboard::FULL - Bitboard::CORNERS;
            assert_eq!(corners(set | inside), set.len() as usize);
            assert_eq!(at_most_two(set), (set.len() as usize).min(2));
        }
    }

    #[test]
    fn the_start_positions_features_are_what_can_be_counted_by_hand() {
        let rules = Rules::new(Ruleset::default());
        let values = features(&rules, &rules.start());
        let group = |name: &str| {
            let index = GROUPS.iter().position(|(other, _)| *other == name).unwrap();
            values[end_of(index)..end_of(index + 1)].to_vec()
        };
        assert_eq!(group("tempo"), [-1]);
        assert_eq!(group("attackers"), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(group("defenders"), [0, 0, 0, 0, 1]);
        assert_eq!(group("king_moves"), [1, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(group("defenders_beside_king"), [0, 0, 0, 0, 1]);
        // d1 and its like, then d2 and its like.
        assert_eq!(group("attacker_on"), [0, 0, 0, 4, 0, 0, 4, 0, 0, 0]);
        assert_eq!(group("king_on"), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(group("corners_joined"), [0, 0, 0, 0, 1]);
        assert_eq!(group("king_region"), [41]);
        assert_eq!(group("corner_guards"), [4, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(CLASS.iter().max(), Some(&9));
    }
}
