/*!
The defenders' quiet moves, for all of the king's squares at once: they stay in
the row, since the attackers stay where they are. Imports the work and rules.
*/

use super::work::{Shape, Word, between};
use crate::game::{Bitboard, Position, Rules, Side, Square};

/// What arriving quietly needs, for one row.
#[derive(Clone, Copy)]
pub(super) struct QuietRow<'a> {
    pub king: &'a [Bitboard],
    pub soldiers: &'a [Bitboard],
}

/// Where moves are to lead, by words of the same row.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    pub words: &'a [Bitboard],
    /// Whether what is not in the words is meant.
    pub outside: bool,
    /// Squares that count for the king in every word.
    pub beside: Bitboard,
}

/// From which of the king's squares of a word, defenders to move, a quiet move
/// leads to the goal.
#[inline]
pub(super) fn gather(
    rules: &Rules,
    shape: &Shape,
    attackers: Bitboard,
    word: &Word,
    quiet: QuietRow<'_>,
    goal: Goal<'_>,
) -> Bitboard {
    let flip = match goal.outside {
        true => Bitboard::FULL,
        false => Bitboard::EMPTY,
    };
    let there = |number: usize| goal.words[number] ^ flip;
    let soldiers = attackers | word.set;
    let arrivals = (there(word.number) | goal.beside) & quiet.king[word.number];
    let mut from = match arrivals.is_empty() {
        true => Bitboard::EMPTY,
        false => rules.king_sources(arrivals, soldiers),
    };
    for soldier in word.set {
        let rest = word.set - Bitboard::of(soldier);
        for to in rules.soldier_reach(soldier, soldiers) {
            let after = rest | Bitboard::of(to);
            let number = shape.index.ground.number(after);
            let slot = number * shape.slots() + slot(after, to);
            let way = between(soldier, to) | Bitboard::of(to);
            from |= there(number) & (quiet.soldiers[slot] - way);
        }
    }
    from & word.valid
}

/// Which of the set's soldiers, from below, stands there.
#[inline]
pub(super) fn slot(set: Bitboard, square: Square) -> usize {
    Bitboard(set.0 & (Bitboard::of(square).0 - 1)).len() as usize
}

/// Fills in where arriving captures nobody, by asking the rules of every
/// arrival beside an attacker.
pub(super) fn find_quiet(
    rules: &Rules,
    shape: &Shape,
    attackers: Bitboard,
    king: &mut [Bitboard],
    soldiers: &mut [Bitboard],
) {
    let near = attackers.neighbours();
    for word in shape.words(attackers) {
        let after = |square| Position {
            attackers,
            defenders: word.set,
            king: Bitboard::of(square),
            side: Side::Attackers,
        };
        // Who stands on a corner has won, whomever he took.
        let mut quiet = Bitboard::FULL;
        for square in word.valid & near {
            if !rules.taken_on_arrival(&after(square), square).is_empty() {
                quiet = quiet - Bitboard::of(square);
            }
        }
        king[word.number] = quiet;
        for (slot, to) in word.set.into_iter().enumerate() {
            let mut quiet = Bitboard::FULL;
            if near.contains(to) {
                for square in word.valid {
                    if !rules.taken_on_arrival(&after(square), to).is_empty() {
                        quiet = quiet - Bitboard::of(square);
                    }
                }
            }
            soldiers[word.number * shape.slots() + slot] = quiet;
        }
    }
}
