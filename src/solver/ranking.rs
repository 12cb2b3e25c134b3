//! Positions as numbers: the images of a position share one, and different
//! positions have different ones. Certificates name positions by it.
//! Imports `game` only.

use std::hash::Hasher;

use crate::game::{Bitboard, Position, SQUARES, Side, Square, Symmetry};

/// `IMAGES[square][symmetry]`: the square's image as a set.
static IMAGES: [[u64; 8]; SQUARES] = {
    let mut images = [[0; 8]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut symmetry = 0;
        while symmetry < 8 {
            let image = Symmetry::new(symmetry as u8).square(Square::new(square));
            images[square][symmetry] = 1 << image.index();
            symmetry += 1;
        }
        square += 1;
    }
    images
};

/// The eight images of a set.
#[inline]
fn images(set: Bitboard) -> [u64; 8] {
    let mut images = [0; 8];
    for square in set {
        for (image, bit) in images.iter_mut().zip(&IMAGES[square.index()]) {
            *image |= bit;
        }
    }
    images
}

/// The image of a position that stands for all eight: the one with the king on
/// the lowest square, then with the least set of attackers, then of defenders,
/// read as numbers.
#[must_use]
pub fn folded(position: &Position) -> Position {
    let attackers = images(position.attackers);
    let defenders = images(position.defenders);
    let kings = images(position.king);
    let least = (0..8)
        .min_by_key(|&image| (kings[image], attackers[image], defenders[image]))
        .unwrap_or(0);
    Position {
        attackers: Bitboard(attackers[least]),
        defenders: Bitboard(defenders[least]),
        king: Bitboard(kings[least]),
        side: position.side,
    }
}

/// `CHOOSE[n][k]`: the ways to choose *k* of *n*, below 2^47.
static CHOOSE: [[u64; SQUARES + 1]; SQUARES + 1] = {
    let mut choose = [[0; SQUARES + 1]; SQUARES + 1];
    let mut n = 0;
    while n <= SQUARES {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choose[n][k] = choose[n - 1][k - 1] + if k < n { choose[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The number of a set among the sets of its size, in colexicographic order.
fn rank(set: Bitboard) -> u64 {
    set.into_iter()
        .enumerate()
        .map(|(index, square)| CHOOSE[square.index()][index + 1])
        .sum()
}

/// The set of this number among the sets of `size` squares; the number must be
/// below the count of such sets.
fn unrank(mut number: u64, size: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut below = SQUARES;
    for chosen in (1..=size).rev() {
        while below > 0 && CHOOSE[below - 1][chosen] > number {
            below -= 1;
        }
        below = below.saturating_sub(1);
        number -= CHOOSE[below][chosen].min(number);
        set |= Bitboard::of(Square::new(below));
    }
    set
}

/// Numbers for all positions with up to so many soldiers on each side: by how
/// many there are, then attackers, defenders, king.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Soldiers of either side at most.
    most: [usize; 2],
    /// The first number of each class: `first[attackers][defenders]`.
    first: Vec<Vec<u64>>,
    end: u64,
}

impl Ranking {
    /// The numbering of everything that can come of a position; `None` where
    /// there are so many soldiers that 64 bits are not enough.
    #[must_use]
    pub fn of(position: &Position) -> Option<Ranking> {
        let most = [position.attackers.len(), position.defenders.len()].map(|n| n as usize);
        let mut end = 0_u64;
        let mut first = Vec::new();
        for attackers in &CHOOSE[SQUARES][..=most[0]] {
            let mut row = Vec::new();
            for defenders in &CHOOSE[SQUARES][..=most[1]] {
                row.push(end);
                let class = attackers
                    .checked_mul(*defenders)?
                    .checked_mul(SQUARES as u64)?;
                end = end.checked_add(class)?;
            }
            first.push(row);
        }
        Some(Ranking { most, first, end })
    }

    /// The number of a position and its images; `None` if it has more soldiers
    /// than the numbering is for, or no king.
    #[must_use]
    pub fn number(&self, position: &Position) -> Option<u64> {
        let form = folded(position);
        let (attackers, defenders) = (form.attackers.len(), form.defenders.len());
        let first = self
            .first
            .get(attackers as usize)?
            .get(defenders as usize)?;
        let king = form.king.first()?.index() as u64;
        let soldiers =
            rank(form.attackers) * CHOOSE[SQUARES][defenders as usize] + rank(form.defenders);
        Some(first + soldiers * SQUARES as u64 + king)
    }

    /// The folded position of a number, with this side to move; `None` where
    /// no position has the number.
    #[must_use]
    pub fn position(&self, number: u64, side: Side) -> Option<Position> {
        if number >= self.end {
            return None;
        }
        let attackers = self.first.partition_point(|row| row[0] <= number) - 1;
        let row = &self.first[attackers];
        let defenders = row.partition_point(|&first| first <= number) - 1;
        let rest = number - row[defenders];
        let king = (rest % SQUARES as u64) as usize;
        let soldiers = rest / SQUARES as u64;
        let ways = CHOOSE[SQUARES][defenders];
        let position = Position {
            attackers: unrank(soldiers / ways, attackers),
            defenders: unrank(soldiers % ways, defenders),
            king: Bitboard::of(Square::new(king)),
            side,
        };
        let apart = !position.attackers.meets(position.defenders)
            && !position.king.meets(position.soldiers());
        (apart && folded(&position) == position).then_some(position)
    }
}

/// Numbers of positions are spread well enough by one multiplication.
#[derive(Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}

/// A place for a number, evenly over all.
pub(super) fn spread(number: u64) -> u64 {
    let mut hasher = Spread::default();
    hasher.write_u64(number);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Rules, Ruleset, sample};
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn numbers_and_positions_go_both_ways_and_images_share_one() {
        let rules = Rules::new(Ruleset::default());
        let ranking = Ranking::of(&rules.start()).unwrap();
        let mut numbers = Xoshiro256PlusPlus::seed_from_u64(5);
        for _ in 0..50 {
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 120 {
                let here = *game.position();
                let number = ranking.number(&here).unwrap();
                let back = ranking.position(number, here.side).unwrap();
                assert_eq!(back, folded(&here));
                for symmetry in Symmetry::all() {
                    assert_eq!(ranking.number(&here.image(symmetry)), Some(number));
                }
                game.play_legal(sample::random_move(&rules, &here, &mut numbers).unwrap());
            }
        }
    }

    #[test]
    fn a_number_of_no_position_is_refused() {
        let start = Rules::new(Ruleset::default()).start();
        let ranking = Ranking::of(&start).unwrap();
        assert_eq!(ranking.position(ranking.end, Side::Attackers), None);
        assert_eq!(ranking.position(u64::MAX, Side::Attackers), None);
        // Soldiers of both sides on a1 and onwards, the king among them.
        let own = ranking.first[8][4];
        assert_eq!(ranking.position(own, Side::Attackers), None);
        assert!(ranking.number(&start).unwrap() > own);
    }

    #[test]
    fn more_soldiers_than_can_be_numbered_are_refused() {
        let crowd = Position {
            attackers: unrank(0, 20),
            defenders: unrank(0, 20),
            king: Bitboard::THRONE,
            side: Side::Attackers,
        };
        assert_eq!(Ranking::of(&crowd), None);
    }
}
