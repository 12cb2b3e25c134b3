//! The squares soldiers may stand on, and the sets of so many of them in a
//! fixed order. Imports rules and bitboards.

use crate::game::{Bitboard, Position, Rules, SQUARES, Side, Square};

/// More soldiers than any set has.
const MOST: usize = 9;

/// Where soldiers and the king may stand while a game goes on.
#[derive(Clone, Debug)]
pub(in crate::solver) struct Ground {
    /// For soldiers.
    pub soldiers: Bitboard,
    /// For the king.
    pub king: Bitboard,
    /// `weights[i][square]`: what the `i`-th soldier from below adds to the
    /// number of his set.
    weights: [[u32; SQUARES]; MOST],
}

impl Ground {
    /// Asks the rules where a man alone could stand.
    pub fn of(rules: &Rules) -> Ground {
        let alone = |soldier, king| {
            let position = Position {
                attackers: soldier,
                defenders: Bitboard::EMPTY,
                king,
                side: Side::Attackers,
            };
            rules.admit(&position).is_ok()
        };
        let squares = || Square::all().map(Bitboard::of);
        let soldiers = squares().filter(|&set| alone(set, Bitboard::EMPTY));
        let soldiers = soldiers.fold(Bitboard::EMPTY, Bitboard::with);
        let king = squares().filter(|&set| alone(Bitboard::EMPTY, set));
        let mut weights = [[0; SQUARES]; MOST];
        for (below, square) in soldiers.into_iter().enumerate() {
            for (order, row) in weights.iter_mut().enumerate() {
                row[square.index()] = choose(below as u32, order as u32 + 1) as u32;
            }
        }
        Ground {
            soldiers,
            king: king.fold(Bitboard::EMPTY, Bitboard::with),
            weights,
        }
    }

    /// The number of a set among all sets of its size.
    #[inline]
    pub fn number(&self, set: Bitboard) -> usize {
        let mut number = 0;
        for (order, square) in set.into_iter().enumerate() {
            number += self.weights[order][square.index()];
        }
        number as usize
    }

    /// All sets of so many soldiers, in the order of their numbers.
    pub fn sets(&self, size: u32) -> Vec<Bitboard> {
        let mut sets = Vec::with_capacity(choose(self.soldiers.len(), size) as usize);
        collect(Bitboard::EMPTY, self.soldiers, size, &mut sets);
        sets
    }
}

/// Adds all sets of `size` more soldiers from these squares. Numbers grow with
/// the highest soldier first, so he is chosen first.
fn collect(above: Bitboard, from: Bitboard, size: u32, sets: &mut Vec<Bitboard>) {
    if size == 0 {
        sets.push(above);
        return;
    }
    let mut lower = Bitboard::EMPTY;
    for square in from {
        let square = Bitboard::of(square);
        if lower.len() >= size - 1 {
            collect(above | square, lower, size - 1, sets);
        }
        lower |= square;
    }
}

/// How many sets of `size` there are among `count` things.
pub(in crate::solver) fn choose(count: u32, size: u32) -> u64 {
    let (count, size) = (u64::from(count), u64::from(size));
    (0..size).fold(1, |sets, taken| {
        sets * count.saturating_sub(taken) / (taken + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ruleset, RulesetTable};

    #[test]
    fn sets_have_their_numbers_in_order() {
        let ordinary: RulesetTable = toml::from_str("throne = \"ordinary\"").unwrap();
        for (ruleset, squares) in [(Ruleset::default(), 44), (ordinary.resolve().unwrap(), 45)] {
            let ground = Ground::of(&Rules::new(ruleset));
            assert_eq!(ground.soldiers.len(), squares);
            assert_eq!(ground.king.len(), 45);
            for size in 0..4 {
                let sets = ground.sets(size);
                assert_eq!(sets.len() as u64, choose(squares, size));
                for (number, &set) in sets.iter().enumerate() {
                    assert_eq!((set.len(), ground.number(set)), (size, number));
                    assert!(set.is_subset(ground.soldiers));
                }
            }
        }
        assert_eq!(choose(44, 5), 1_086_008);
    }
}
