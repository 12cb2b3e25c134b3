//! Eight lanes with AVX-512. Imports the traits.
#![allow(unsafe_code, clippy::wildcard_imports)]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{Job, Lanes, LowRow, Row, Word};

/// The token: this processor has AVX-512 F, BW, CD, DQ and VL, and the bit
/// instructions of x86-64-v3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight(());

impl Eight {
    /// The token, if this processor has the instructions.
    #[inline]
    pub(crate) fn detect() -> Option<Eight> {
        let here = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && super::bits::Bits::detect().is_some();
        here.then_some(Eight(()))
    }
}

/// Eight numbers. There is one only where there was a token: so each call of
/// an instruction below is sound.
#[derive(Clone, Copy)]
pub(crate) struct Words(__m512i);

/// The same in memory.
#[repr(align(64))]
struct Own([u64; 8]);

impl Words {
    #[inline(always)]
    fn own(self) -> Own {
        let mut own = Own([0; 8]);
        // SAFETY: see `Words`; these are 64 bytes at a multiple of 64.
        unsafe { _mm512_store_si512(own.0.as_mut_ptr().cast(), self.0) };
        own
    }
}

impl Lanes for Eight {
    type Word = Words;

    #[inline(always)]
    fn all(self, number: u64) -> Words {
        // SAFETY: the token says that the processor has AVX-512.
        Words(unsafe { _mm512_set1_epi64(number.cast_signed()) })
    }

    #[inline(always)]
    fn load_from(self, row: &Row, lane: usize) -> Words {
        let from = row.0[lane..lane + 8].as_ptr();
        // SAFETY: as above; from there on are 64 bytes.
        Words(unsafe { _mm512_loadu_si512(from.cast()) })
    }

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        // SAFETY: the token says that the processor has these features.
        unsafe { compiled(self, job) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn compiled<J: Job>(lanes: Eight, job: J) -> J::Output {
    job.with(lanes)
}

macro_rules! operator {
    ($Trait:ident, $method:ident, $instruction:ident) => {
        impl $Trait for Words {
            type Output = Words;

            #[inline(always)]
            fn $method(self, other: Words) -> Words {
                // SAFETY: see `Words`.
                Words(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}
operator!(BitAnd, bitand, _mm512_and_si512);
operator!(BitOr, bitor, _mm512_or_si512);
operator!(BitXor, bitxor, _mm512_xor_si512);
operator!(Add, add, _mm512_add_epi64);
operator!(Sub, sub, _mm512_sub_epi64);

impl Not for Words {
    type Output = Words;

    #[inline(always)]
    fn not(self) -> Words {
        // SAFETY: see `Words`.
        Words(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}

// SAFETY of every call below: see `Words`.
impl Word for Words {
    type Mask = Mask;

    const LANES: usize = 8;

    #[inline(always)]
    fn store_to(self, row: &mut Row, lane: usize) {
        let to = row.0[lane..lane + 8].as_mut_ptr();
        // From there on are 64 bytes.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    fn store_low_to(self, row: &mut LowRow, lane: usize) {
        let to = row.0[lane..lane + 8].as_mut_ptr();
        // From there on are 16 bytes.
        unsafe { _mm_storeu_si128(to.cast(), _mm512_cvtepi64_epi16(self.0)) }
    }

    #[inline(always)]
    fn up<const BY: u32>(self) -> Words {
        Words(unsafe { _mm512_slli_epi64::<BY>(self.0) })
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> Words {
        Words(unsafe { _mm512_srli_epi64::<BY>(self.0) })
    }

    #[inline(always)]
    fn shifted(self, by: Words) -> Words {
        Words(unsafe { _mm512_sllv_epi64(self.0, by.0) })
    }

    #[inline(always)]
    fn rotated<const BY: u32>(self) -> Words {
        // The instruction's constant is signed.
        Words(unsafe {
            _mm512_or_si512(
                _mm512_slli_epi64::<BY>(self.0),
                _mm512_srlv_epi64(self.0, _mm512_set1_epi64(64 - i64::from(BY))),
            )
        })
    }

    #[inline(always)]
    fn times(self, other: Words) -> Words {
        Words(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn count(self) -> Words {
        // How many bits each half byte has set (Muła, "SSSE3: fast popcount").
        Words(unsafe {
            let bits = _mm512_broadcast_i32x4(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let half = _mm512_set1_epi8(15);
            let low = _mm512_shuffle_epi8(bits, _mm512_and_si512(self.0, half));
            let high = _mm512_and_si512(_mm512_srli_epi64::<4>(self.0), half);
            let bytes = _mm512_add_epi8(low, _mm512_shuffle_epi8(bits, high));
            _mm512_sad_epu8(bytes, _mm512_setzero_si512())
        })
    }

    #[inline(always)]
    fn highest(self) -> Words {
        Words(unsafe {
            // Of nothing there are 64 leading zeros, and the shift leaves none.
            _mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(self.0))
        })
    }

    #[inline(always)]
    fn lowest(self) -> Words {
        Words(unsafe { _mm512_and_si512(self.0, _mm512_sub_epi64(_mm512_setzero_si512(), self.0)) })
    }

    #[inline(always)]
    fn nth(self, n: Words) -> Words {
        let (mut sets, mut numbers) = (self.own(), n.own());
        // By way of memory: taken out of and put into the register one by one
        // they would crowd the port that shuffles.
        std::hint::black_box((&mut sets, &mut numbers));
        for (set, n) in sets.0.iter_mut().zip(numbers.0) {
            *set = unsafe { _pdep_u64(1 << (n & 63), *set) };
        }
        std::hint::black_box(&mut sets);
        Words(unsafe { _mm512_load_si512(sets.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn index(self) -> Words {
        Words(unsafe { _mm512_sub_epi64(_mm512_set1_epi64(63), _mm512_lzcnt_epi64(self.0)) })
    }

    #[inline(always)]
    fn meets(self, other: Words) -> Mask {
        Mask(unsafe { _mm512_test_epi64_mask(self.0, other.0) })
    }

    #[inline(always)]
    fn equals(self, other: Words) -> Mask {
        Mask(unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) })
    }

    #[inline(always)]
    fn below(self, other: Words) -> Mask {
        Mask(unsafe { _mm512_cmplt_epi64_mask(self.0, other.0) })
    }

    #[inline(always)]
    fn select(mask: Mask, one: Words, other: Words) -> Words {
        Words(unsafe { _mm512_mask_blend_epi64(mask.0, other.0, one.0) })
    }

    #[inline(always)]
    fn bits(mask: Mask) -> u32 {
        u32::from(mask.0)
    }

    #[inline(always)]
    fn only(self, mask: Mask) -> Words {
        Words(unsafe { _mm512_maskz_mov_epi64(mask.0, self.0) })
    }
}

/// A bit a lane.
#[derive(Clone, Copy)]
pub(crate) struct Mask(__mmask8);

impl BitAnd for Mask {
    type Output = Mask;

    #[inline(always)]
    fn bitand(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }
}

impl BitOr for Mask {
    type Output = Mask;

    #[inline(always)]
    fn bitor(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }
}

impl Not for Mask {
    type Output = Mask;

    #[inline(always)]
    fn not(self) -> Mask {
        Mask(!self.0)
    }
}
