//! Four lanes with AVX2. Imports the traits.
#![allow(unsafe_code, clippy::wildcard_imports)]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::{Job, Lanes, LowRow, Row, Word};

/// The token: this processor has AVX2 and the bit instructions of x86-64-v3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four(());

impl Four {
    /// The token, if this processor has the instructions.
    #[inline]
    pub(crate) fn detect() -> Option<Four> {
        let here = is_x86_feature_detected!("avx2") && super::bits::Bits::detect().is_some();
        here.then_some(Four(()))
    }
}

/// Four numbers. There is one only where there was a token: so each call of an
/// instruction below is sound.
#[derive(Clone, Copy)]
pub(crate) struct Words(__m256i);

/// The same in memory.
#[repr(align(32))]
struct Own([u64; 4]);

impl Words {
    #[inline(always)]
    fn own(self) -> Own {
        let mut own = Own([0; 4]);
        // SAFETY: see `Words`; these are 32 bytes at a multiple of 32.
        unsafe { _mm256_store_si256(own.0.as_mut_ptr().cast(), self.0) };
        own
    }

    #[inline(always)]
    fn of(own: &Own) -> Words {
        // SAFETY: as above.
        Words(unsafe { _mm256_load_si256(own.0.as_ptr().cast()) })
    }
}

impl Lanes for Four {
    type Word = Words;

    #[inline(always)]
    fn all(self, number: u64) -> Words {
        // SAFETY: the token says that the processor has AVX2.
        Words(unsafe { _mm256_set1_epi64x(number.cast_signed()) })
    }

    #[inline(always)]
    fn load_from(self, row: &Row, lane: usize) -> Words {
        let from = row.0[lane..lane + 4].as_ptr();
        // SAFETY: as above; from there on are 32 bytes.
        Words(unsafe { _mm256_loadu_si256(from.cast()) })
    }

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        // SAFETY: the token says that the processor has these features.
        unsafe { compiled(self, job) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn compiled<J: Job>(lanes: Four, job: J) -> J::Output {
    job.with(lanes)
}

macro_rules! operator {
    ($Trait:ident, $method:ident, $of:ident, $instruction:ident) => {
        impl $Trait for $of {
            type Output = $of;

            #[inline(always)]
            fn $method(self, other: $of) -> $of {
                // SAFETY: see `Words`.
                $of(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}
operator!(BitAnd, bitand, Words, _mm256_and_si256);
operator!(BitOr, bitor, Words, _mm256_or_si256);
operator!(BitXor, bitxor, Words, _mm256_xor_si256);
operator!(Add, add, Words, _mm256_add_epi64);
operator!(Sub, sub, Words, _mm256_sub_epi64);
operator!(BitAnd, bitand, Mask, _mm256_and_si256);
operator!(BitOr, bitor, Mask, _mm256_or_si256);

impl Not for Words {
    type Output = Words;

    #[inline(always)]
    fn not(self) -> Words {
        // SAFETY: see `Words`.
        Words(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
    }
}

// SAFETY of every call below: see `Words`.
impl Word for Words {
    type Mask = Mask;

    const LANES: usize = 4;

    #[inline(always)]
    fn store_to(self, row: &mut Row, lane: usize) {
        let to = row.0[lane..lane + 4].as_mut_ptr();
        // From there on are 32 bytes.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    fn store_low_to(self, row: &mut LowRow, lane: usize) {
        for (low, wide) in row.0[lane..lane + 4].iter_mut().zip(self.own().0) {
            *low = wide as u16;
        }
    }

    #[inline(always)]
    fn up<const BY: u32>(self) -> Words {
        Words(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(BY.cast_signed())) })
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> Words {
        Words(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(BY.cast_signed())) })
    }

    #[inline(always)]
    fn shifted(self, by: Words) -> Words {
        Words(unsafe { _mm256_sllv_epi64(self.0, by.0) })
    }

    #[inline(always)]
    fn rotated<const BY: u32>(self) -> Words {
        let down = unsafe { _mm_cvtsi32_si128(64 - BY.cast_signed()) };
        self.up::<BY>() | Words(unsafe { _mm256_srl_epi64(self.0, down) })
    }

    #[inline(always)]
    fn times(self, other: Words) -> Words {
        Words(unsafe { _mm256_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn count(self) -> Words {
        // How many bits each half byte has set (Muła, "SSSE3: fast popcount").
        Words(unsafe {
            let bits = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let half = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(bits, _mm256_and_si256(self.0, half));
            let high = _mm256_and_si256(_mm256_srli_epi64::<4>(self.0), half);
            let bytes = _mm256_add_epi8(low, _mm256_shuffle_epi8(bits, high));
            _mm256_sad_epu8(bytes, _mm256_setzero_si256())
        })
    }

    #[inline(always)]
    fn highest(self) -> Words {
        let mut own = self.own();
        for number in &mut own.0 {
            let top = (1 << 63) >> (*number | 1).leading_zeros();
            *number &= top;
        }
        Words::of(&own)
    }

    #[inline(always)]
    fn lowest(self) -> Words {
        Words(unsafe { _mm256_and_si256(self.0, _mm256_sub_epi64(_mm256_setzero_si256(), self.0)) })
    }

    #[inline(always)]
    fn nth(self, n: Words) -> Words {
        let mut sets = self.own();
        for (set, n) in sets.0.iter_mut().zip(n.own().0) {
            *set = unsafe { _pdep_u64(1 << (n & 63), *set) };
        }
        Words::of(&sets)
    }

    #[inline(always)]
    fn index(self) -> Words {
        let mut own = self.own();
        for number in &mut own.0 {
            *number = u64::from(number.trailing_zeros());
        }
        Words::of(&own)
    }

    #[inline(always)]
    fn meets(self, other: Words) -> Mask {
        !Mask(unsafe {
            _mm256_cmpeq_epi64(_mm256_and_si256(self.0, other.0), _mm256_setzero_si256())
        })
    }

    #[inline(always)]
    fn equals(self, other: Words) -> Mask {
        Mask(unsafe { _mm256_cmpeq_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn below(self, other: Words) -> Mask {
        Mask(unsafe { _mm256_cmpgt_epi64(other.0, self.0) })
    }

    #[inline(always)]
    fn select(mask: Mask, one: Words, other: Words) -> Words {
        Words(unsafe { _mm256_blendv_epi8(other.0, one.0, mask.0) })
    }

    #[inline(always)]
    fn bits(mask: Mask) -> u32 {
        (unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(mask.0)) }).cast_unsigned()
    }

    #[inline(always)]
    fn only(self, mask: Mask) -> Words {
        Words(unsafe { _mm256_and_si256(self.0, mask.0) })
    }
}

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub(crate) struct Mask(__m256i);

impl Not for Mask {
    type Output = Mask;

    #[inline(always)]
    fn not(self) -> Mask {
        // SAFETY: see `Words`.
        Mask(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
    }
}
