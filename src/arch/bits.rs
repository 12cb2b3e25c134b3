//! One lane with the bit instructions of x86-64-v3. Imports the traits.
#![allow(unsafe_code)]

use std::arch::x86_64::_pdep_u64;

use super::one::{Nth, Single};
use super::{Job, Lanes, Row};

/// The token: this processor has BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(());

impl Bits {
    /// The token, if this processor has the instructions.
    #[inline]
    pub(crate) fn detect() -> Option<Bits> {
        let here = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        here.then_some(Bits(()))
    }
}

impl Lanes for Bits {
    type Word = Single<Bits>;

    #[inline(always)]
    fn all(self, number: u64) -> Single<Bits> {
        Single::new(number)
    }

    #[inline(always)]
    fn load_from(self, row: &Row, lane: usize) -> Single<Bits> {
        Single::new(row.0[lane])
    }

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        // SAFETY: the token says that the processor has these features.
        unsafe { compiled(self, job) }
    }
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn compiled<J: Job>(lanes: Bits, job: J) -> J::Output {
    job.with(lanes)
}

impl Nth for Bits {
    #[inline(always)]
    fn nth(set: u64, n: u64) -> u64 {
        // SAFETY: a word of this kind was made from the token, so the
        // processor has BMI2.
        unsafe { _pdep_u64(1 << (n & 63), set) }
    }
}
