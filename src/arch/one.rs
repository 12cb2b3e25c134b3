//! One lane: plain numbers, on any processor. Imports the traits.

use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{Job, Lanes, LowRow, Row, Word};

/// The token of one lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct One;

impl Lanes for One {
    type Word = Single<One>;

    #[inline(always)]
    fn all(self, number: u64) -> Single<One> {
        Single::new(number)
    }

    #[inline(always)]
    fn load_from(self, row: &Row, lane: usize) -> Single<One> {
        Single::new(row.0[lane])
    }

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        job.with(self)
    }
}

impl Nth for One {
    #[inline(always)]
    fn nth(set: u64, n: u64) -> u64 {
        let mut left = set;
        for _ in 0..n {
            left &= left.wrapping_sub(1);
        }
        left & left.wrapping_neg()
    }
}

/// How a bit is found by its number among the set ones; all that differs
/// between kinds of one lane.
pub(crate) trait Nth: Copy {
    /// See [`Word::nth`].
    fn nth(set: u64, n: u64) -> u64;
}

/// One number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single<N>(u64, PhantomData<N>);

impl<N> Single<N> {
    #[inline(always)]
    pub(super) fn new(number: u64) -> Single<N> {
        Single(number, PhantomData)
    }
}

macro_rules! operator {
    ($Trait:ident, $method:ident, $number:ident) => {
        impl<N> $Trait for Single<N> {
            type Output = Single<N>;

            #[inline(always)]
            fn $method(self, other: Single<N>) -> Single<N> {
                Single::new(self.0.$number(other.0))
            }
        }
    };
}
operator!(BitAnd, bitand, bitand);
operator!(BitOr, bitor, bitor);
operator!(BitXor, bitxor, bitxor);
operator!(Add, add, wrapping_add);
operator!(Sub, sub, wrapping_sub);

impl<N> Not for Single<N> {
    type Output = Single<N>;

    #[inline(always)]
    fn not(self) -> Single<N> {
        Single::new(!self.0)
    }
}

impl<N: Nth> Word for Single<N> {
    type Mask = bool;

    const LANES: usize = 1;

    #[inline(always)]
    fn store_to(self, row: &mut Row, lane: usize) {
        row.0[lane] = self.0;
    }

    #[inline(always)]
    fn store_low_to(self, row: &mut LowRow, lane: usize) {
        row.0[lane] = self.0 as u16;
    }

    #[inline(always)]
    fn first(self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn up<const BY: u32>(self) -> Self {
        Single::new(self.0 << BY)
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> Self {
        Single::new(self.0 >> BY)
    }

    #[inline(always)]
    fn shifted(self, by: Self) -> Self {
        Single::new(self.0 << (by.0 & 63))
    }

    #[inline(always)]
    fn rotated<const BY: u32>(self) -> Self {
        Single::new(self.0.rotate_left(BY))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Single::new(u64::from(self.0 as u32) * u64::from(other.0 as u32))
    }

    #[inline(always)]
    fn count(self) -> Self {
        Single::new(u64::from(self.0.count_ones()))
    }

    #[inline(always)]
    fn highest(self) -> Self {
        // Without a branch: the lowest bit is lost on the way and put back.
        let top = (1 << 63) >> (self.0 | 1).leading_zeros();
        Single::new(top & self.0)
    }

    #[inline(always)]
    fn lowest(self) -> Self {
        Single::new(self.0 & self.0.wrapping_neg())
    }

    #[inline(always)]
    fn nth(self, n: Self) -> Self {
        Single::new(N::nth(self.0, n.0))
    }

    #[inline(always)]
    fn index(self) -> Self {
        Single::new(u64::from(self.0.trailing_zeros()))
    }

    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self.0 == other.0
    }

    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self.0 < other.0
    }

    #[inline(always)]
    fn select(mask: bool, one: Self, other: Self) -> Self {
        if mask { one } else { other }
    }

    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }

    #[inline(always)]
    fn only(self, mask: bool) -> Self {
        Single::new(self.0 & u64::from(mask).wrapping_neg())
    }
}
