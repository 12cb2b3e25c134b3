//! Some of many positions, each with the same chance, without knowing how many
//! will come. Imports `game`.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::Position;

/// A reservoir (Waterman's algorithm R, in Knuth, "The Art of Computer
/// Programming", volume 2, section 3.4.2).
pub(super) struct Sample {
    most: usize,
    seen: u64,
    kept: Vec<Position>,
    stream: Xoshiro256PlusPlus,
}

impl Sample {
    pub(super) fn new(most: usize, seed: u64) -> Sample {
        Sample {
            most,
            seen: 0,
            kept: Vec::new(),
            stream: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    pub(super) fn kept(&self) -> &[Position] {
        &self.kept
    }

    pub(super) fn see(&mut self, position: &Position) {
        self.seen += 1;
        if self.kept.len() < self.most {
            self.kept.push(*position);
            return;
        }
        // The bias is below seen / 2^64.
        let product = u128::from(self.stream.next_u64()) * u128::from(self.seen);
        if let Some(place) = self.kept.get_mut((product >> 64) as usize) {
            *place = *position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Bitboard, Side, Square};

    #[test]
    fn every_position_has_the_same_chance() {
        let position = |number: usize| Position {
            attackers: Bitboard::of(Square::new(number)),
            defenders: Bitboard::EMPTY,
            king: Bitboard::of(Square::new(24)),
            side: Side::Attackers,
        };
        let mut counts = [0_u32; 20];
        for seed in 0..4_000 {
            let mut sample = Sample::new(5, seed);
            (0..20).for_each(|number| sample.see(&position(number)));
            assert_eq!(sample.kept().len(), 5);
            for kept in sample.kept() {
                counts[kept.attackers.first().unwrap().index()] += 1;
            }
        }
        // Binomial with mean 1000 and standard deviation 27.
        assert!(
            counts.iter().all(|count| (880..1120).contains(count)),
            "{counts:?}"
        );
    }
}
