/*!
Words of 64 bits, one or several at a time, by what the processor offers.
Imports nothing of ours.

A `Word` is one `u64` a lane. What is written over `Word` once runs in one
lane on any processor (`One`), in one lane with the bit instructions of
x86-64-v3 (`Bits`), in four lanes with AVX2 (`Four`) and in eight with
AVX-512 (`Eight`), of the last two always two words side by side (`Twin`);
every lane of every kind gives the same bits.

The words of a kind can be made only from its token, and the token only where
the processor has the instructions: that is what makes the calls into them
sound. These modules are the only ones with `unsafe`, but for the one that maps endgame
tables into memory (`solver::tables`).
*/
#![allow(clippy::inline_always)] // Compiled anew for the instructions of each kind.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod bits;
mod one;
#[cfg(target_arch = "x86_64")]
mod twin;

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

pub(crate) use one::One;
#[cfg(target_arch = "x86_64")]
use twin::Twin;

/// The most lanes a word has.
pub(crate) const MOST_LANES: usize = 16;

/// What a word is read from and written to: a number for each lane, those past
/// the word's lanes unused.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [u64; MOST_LANES]);

/// The low 16 bits of the lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(crate) struct LowRow(pub(crate) [u16; MOST_LANES]);

/// One kind of word: the proof that this processor has it.
pub(crate) trait Lanes: Copy {
    /// A `u64` in each lane.
    type Word: Word;

    /// How many lanes a word has.
    const LANES: usize = Self::Word::LANES;

    /// The same number in each lane.
    fn all(self, number: u64) -> Self::Word;

    /// The row's first numbers.
    #[inline(always)]
    fn load(self, row: &Row) -> Self::Word {
        self.load_from(row, 0)
    }

    /// The row's numbers from this lane on.
    fn load_from(self, row: &Row, lane: usize) -> Self::Word;

    /// Does the work compiled for the instructions of this kind.
    fn run<J: Job>(self, job: J) -> J::Output;
}

/// Work that is written for any kind of word.
pub(crate) trait Job {
    /// What it gives.
    type Output;

    /// Does it. Must be inlined, so that it is compiled for the kind.
    fn with<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// A `u64` in each lane. Arithmetic wraps.
pub(crate) trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// A truth in each lane.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// How many lanes there are, at most [`MOST_LANES`].
    const LANES: usize;

    /// Writes the lanes to the row's first numbers.
    #[inline(always)]
    fn store(self, row: &mut Row) {
        self.store_to(row, 0);
    }

    /// Writes the low 16 bits of the lanes to the row's first numbers.
    #[inline(always)]
    fn store_low(self, row: &mut LowRow) {
        self.store_low_to(row, 0);
    }

    /// Writes the lanes to the row's numbers from this lane on.
    fn store_to(self, row: &mut Row, lane: usize);
    /// Writes the low 16 bits of the lanes to the row's from this lane on.
    fn store_low_to(self, row: &mut LowRow, lane: usize);

    /// The first lane's number.
    #[inline(always)]
    fn first(self) -> u64 {
        let mut row = Row::default();
        self.store(&mut row);
        row.0[0]
    }

    /// Shifted up by less than 64.
    fn up<const BY: u32>(self) -> Self;
    /// Shifted down by less than 64.
    fn down<const BY: u32>(self) -> Self;
    /// Shifted up by each lane's own number, less than 64.
    fn shifted(self, by: Self) -> Self;
    /// Rotated up by less than 64.
    fn rotated<const BY: u32>(self) -> Self;
    /// The product of the low halves.
    fn times(self, other: Self) -> Self;

    /// The low 7 bits: how many bits are set.
    fn count(self) -> Self;
    /// The highest set bit alone; nothing of nothing.
    fn highest(self) -> Self;
    /// The lowest set bit alone; nothing of nothing.
    fn lowest(self) -> Self;
    /// The set bit above exactly `n` set bits, alone; of more bits than are
    /// set, anything.
    fn nth(self, n: Self) -> Self;

    /// The number of a single set bit.
    fn index(self) -> Self;

    /// Where a bit is set in both.
    fn meets(self, other: Self) -> Self::Mask;
    /// Where the two are equal.
    fn equals(self, other: Self) -> Self::Mask;
    /// Where this is less, both below 2^63.
    fn below(self, other: Self) -> Self::Mask;
    /// The one where the mask holds, the other elsewhere.
    fn select(mask: Self::Mask, one: Self, other: Self) -> Self;
    /// A mask as bits, the first lane the lowest.
    fn bits(mask: Self::Mask) -> u32;

    /// This without the bits of the other.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// This where the mask holds, nothing elsewhere.
    fn only(self, mask: Self::Mask) -> Self;
}

/// The kinds of word, the best last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// One lane, on any processor.
    One,
    /// One lane with the bit instructions of x86-64-v3 (BMI2, LZCNT, POPCNT).
    Bits,
    /// Eight lanes with AVX2.
    Avx2,
    /// Sixteen lanes with AVX-512 (F, BW, CD, DQ, VL).
    Avx512,
}

impl Kind {
    /// Every kind there is, the best last.
    pub const ALL: [Kind; 4] = [Kind::One, Kind::Bits, Kind::Avx2, Kind::Avx512];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::One => "portable",
            Kind::Bits => "bmi2",
            Kind::Avx2 => "avx2",
            Kind::Avx512 => "avx512",
        }
    }

    /// Whether this processor has it.
    #[must_use]
    pub fn is_here(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Kind::One => true,
            Kind::Bits => bits::Bits::detect().is_some(),
            Kind::Avx2 => avx2::Four::detect().is_some(),
            Kind::Avx512 => avx512::Eight::detect().is_some(),
        };
        #[cfg(not(target_arch = "x86_64"))]
        return self == Kind::One;
    }

    /// The kinds this processor has, the best last.
    pub fn here() -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(|kind| kind.is_here())
    }

    /// The best kind this processor has.
    #[must_use]
    pub fn best() -> Kind {
        Kind::here().last().unwrap_or(Kind::One)
    }

    /// The best kind of one lane.
    #[must_use]
    pub fn best_single() -> Kind {
        if Kind::Bits.is_here() {
            Kind::Bits
        } else {
            Kind::One
        }
    }

    /// Does the work in words of this kind, or of one lane where the processor
    /// does not have it.
    #[inline]
    pub(crate) fn run<J: Job>(self, job: J) -> J::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            Kind::One => {}
            Kind::Bits => {
                if let Some(lanes) = bits::Bits::detect() {
                    return lanes.run(job);
                }
            }
            Kind::Avx2 => {
                if let Some(lanes) = avx2::Four::detect() {
                    return Twin(lanes).run(job);
                }
            }
            Kind::Avx512 => {
                if let Some(lanes) = avx512::Eight::detect() {
                    return Twin(lanes).run(job);
                }
            }
        }
        One.run(job)
    }
}

#[cfg(test)]
mod tests;
