//! Each lane's own random numbers: xoshiro256++ (Blackman and Vigna 2021), as
//! the agents' streams are. Imports words.

use crate::arch::{Lanes, Row, Word};

/// What a stream begins with, taken as it is: its bytes should be random
/// already, and not all zero.
pub type Seed = [u8; 32];

/// A stream a lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers([Row; 4]);

impl Numbers {
    /// Begins a lane's stream.
    pub(super) fn seed(&mut self, lane: usize, seed: &Seed) {
        for (row, bytes) in self.0.iter_mut().zip(seed.chunks_exact(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            row.0[lane] = u64::from_le_bytes(word);
        }
    }

    /// The next number of every lane.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L) -> L::Word {
        let (a, b) = (lanes.load(&self.0[0]), lanes.load(&self.0[1]));
        let (c, d) = (lanes.load(&self.0[2]), lanes.load(&self.0[3]));
        let number = (a + d).rotated::<23>() + a;
        let shifted = b.up::<17>();
        let c = c ^ a;
        let d = d ^ b;
        let b = b ^ c;
        let a = a ^ d;
        let c = c ^ shifted;
        let d = d.rotated::<45>();
        a.store(&mut self.0[0]);
        b.store(&mut self.0[1]);
        c.store(&mut self.0[2]);
        d.store(&mut self.0[3]);
        number
    }

    /// Draws again in one lane where the number may not be used: where the
    /// low half of the product is one that some numbers below `count` have
    /// more often than others.
    #[cold]
    pub(super) fn again(&mut self, lane: usize, count: u32, mut low: u32, chosen: &mut u64) {
        let unfair = count.wrapping_neg() % count.max(1);
        while low < unfair {
            let product = (self.next_in(lane) >> 32) * u64::from(count);
            low = product as u32;
            *chosen = product >> 32;
        }
    }

    /// The next number of one lane.
    fn next_in(&mut self, lane: usize) -> u64 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|part: usize| self.0[part].0[lane]);
        let number = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        let state = [a ^ d, b ^ c, c ^ b << 17, d.rotate_left(45)];
        for (row, word) in self.0.iter_mut().zip(state) {
            row.0[lane] = word;
        }
        number
    }
}
