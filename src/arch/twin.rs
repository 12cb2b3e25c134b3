//! Two words side by side. Imports the traits.
//!
//! What is done to one of them does not wait for the other: a processor that
//! would stand still between two dependent instructions has something to do.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{Job, Lanes, LowRow, Row, Word};

/// The token of two words of another kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twin<L>(pub(super) L);

/// Two words, or two masks.
#[derive(Clone, Copy)]
pub(crate) struct Both<W>(W, W);

impl<L: Lanes> Lanes for Twin<L> {
    type Word = Both<L::Word>;

    #[inline(always)]
    fn all(self, number: u64) -> Both<L::Word> {
        let word = self.0.all(number);
        Both(word, word)
    }

    #[inline(always)]
    fn load_from(self, row: &Row, lane: usize) -> Both<L::Word> {
        let second = self.0.load_from(row, lane + L::Word::LANES);
        Both(self.0.load_from(row, lane), second)
    }

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        self.0.run(Twice(job))
    }
}

/// The job in two words of the kind that it is done in.
struct Twice<J>(J);

impl<J: Job> Job for Twice<J> {
    type Output = J::Output;

    #[inline(always)]
    fn with<L: Lanes>(self, lanes: L) -> J::Output {
        self.0.with(Twin(lanes))
    }
}

macro_rules! operator {
    ($Trait:ident, $method:ident) => {
        impl<W: $Trait<Output = W>> $Trait for Both<W> {
            type Output = Both<W>;

            #[inline(always)]
            fn $method(self, other: Both<W>) -> Both<W> {
                Both(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}
operator!(BitAnd, bitand);
operator!(BitOr, bitor);
operator!(BitXor, bitxor);
operator!(Add, add);
operator!(Sub, sub);

impl<W: Not<Output = W>> Not for Both<W> {
    type Output = Both<W>;

    #[inline(always)]
    fn not(self) -> Both<W> {
        Both(!self.0, !self.1)
    }
}

impl<W: Word> Word for Both<W> {
    type Mask = Both<W::Mask>;

    const LANES: usize = 2 * W::LANES;

    #[inline(always)]
    fn store_to(self, row: &mut Row, lane: usize) {
        self.0.store_to(row, lane);
        self.1.store_to(row, lane + W::LANES);
    }

    #[inline(always)]
    fn store_low_to(self, row: &mut LowRow, lane: usize) {
        self.0.store_low_to(row, lane);
        self.1.store_low_to(row, lane + W::LANES);
    }

    #[inline(always)]
    fn up<const BY: u32>(self) -> Both<W> {
        Both(self.0.up::<BY>(), self.1.up::<BY>())
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> Both<W> {
        Both(self.0.down::<BY>(), self.1.down::<BY>())
    }

    #[inline(always)]
    fn shifted(self, by: Both<W>) -> Both<W> {
        Both(self.0.shifted(by.0), self.1.shifted(by.1))
    }

    #[inline(always)]
    fn rotated<const BY: u32>(self) -> Both<W> {
        Both(self.0.rotated::<BY>(), self.1.rotated::<BY>())
    }

    #[inline(always)]
    fn times(self, other: Both<W>) -> Both<W> {
        Both(self.0.times(other.0), self.1.times(other.1))
    }

    #[inline(always)]
    fn count(self) -> Both<W> {
        Both(self.0.count(), self.1.count())
    }

    #[inline(always)]
    fn highest(self) -> Both<W> {
        Both(self.0.highest(), self.1.highest())
    }

    #[inline(always)]
    fn lowest(self) -> Both<W> {
        Both(self.0.lowest(), self.1.lowest())
    }

    #[inline(always)]
    fn nth(self, n: Both<W>) -> Both<W> {
        Both(self.0.nth(n.0), self.1.nth(n.1))
    }

    #[inline(always)]
    fn index(self) -> Both<W> {
        Both(self.0.index(), self.1.index())
    }

    #[inline(always)]
    fn meets(self, other: Both<W>) -> Both<W::Mask> {
        Both(self.0.meets(other.0), self.1.meets(other.1))
    }

    #[inline(always)]
    fn equals(self, other: Both<W>) -> Both<W::Mask> {
        Both(self.0.equals(other.0), self.1.equals(other.1))
    }

    #[inline(always)]
    fn below(self, other: Both<W>) -> Both<W::Mask> {
        Both(self.0.below(other.0), self.1.below(other.1))
    }

    #[inline(always)]
    fn select(mask: Both<W::Mask>, one: Both<W>, other: Both<W>) -> Both<W> {
        let second = W::select(mask.1, one.1, other.1);
        Both(W::select(mask.0, one.0, other.0), second)
    }

    #[inline(always)]
    fn bits(mask: Both<W::Mask>) -> u32 {
        W::bits(mask.0) | W::bits(mask.1) << W::LANES
    }

    #[inline(always)]
    fn only(self, mask: Both<W::Mask>) -> Both<W> {
        Both(self.0.only(mask.0), self.1.only(mask.1))
    }
}
