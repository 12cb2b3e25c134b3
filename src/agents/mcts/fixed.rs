//! Logarithm, exponential and logistic function on whole numbers, so that the
//! tree grows the same way on every processor. Imports the scale of evaluations.

use super::MctsOptions;
use crate::agents::evaluation::SCALE;

/// A won game; half of it is a draw.
pub(super) const WIN: u32 = 2048;

// As many as can be asked for add up in 32 bits.
const _: () = assert!(WIN.checked_mul(MctsOptions::MAX_PLAYOUTS).is_some());

/// The natural logarithm of a number from 1 on, in 1/65536, by repeated
/// squaring of the mantissa.
pub(super) fn natural_log(number: u32) -> u64 {
    const LN_2: u64 = 45_426;
    let whole = u64::from(number.ilog2());
    let mut mantissa = (u64::from(number) << 32) >> whole;
    let mut log = whole;
    for _ in 0..16 {
        mantissa = ((u128::from(mantissa) * u128::from(mantissa)) >> 32) as u64;
        let above_two = mantissa >> 33;
        log = log << 1 | above_two;
        mantissa >>= above_two;
    }
    (log * LN_2) >> 16
}

/// e to the power of `-units` / [`SCALE`], in 1/65536: whole powers of two by
/// shifting, each bit of the rest by one factor.
pub(super) fn exp_of_minus(units: u32) -> u32 {
    /// 2 to the power of -1/2, -1/4, …
    const ROOTS: [u64; 8] = [
        46_341, 55_109, 60_097, 62_757, 64_132, 64_830, 65_182, 65_359,
    ];
    /// log2 e, in 1/65536.
    const LOG_E: u64 = 94_548;
    let bits = (u64::from(units) * LOG_E / SCALE as u64) >> 8;
    let mut power = 1 << 16;
    for (index, root) in ROOTS.iter().enumerate() {
        if bits >> (7 - index) & 1 == 1 {
            power = (power * root) >> 16;
        }
    }
    (power >> (bits >> 8).min(63)) as u32
}

/// The expected score, in parts of a [`WIN`], of a position worth `score` to
/// the one who asks.
pub(super) fn expected(score: i32) -> u32 {
    let better = (WIN << 16) / ((1 << 16) + exp_of_minus(score.unsigned_abs()));
    if score >= 0 { better } else { WIN - better }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integer_logarithm_is_the_logarithm() {
        for number in [1, 2, 3, 10, 999, 65_536, 12_345_678, u32::MAX] {
            let exact = f64::from(number).ln() * 65_536.0;
            let error = (natural_log(number) as f64 - exact).abs();
            assert!(error <= 0.0003 * exact + 2.0, "{number}: {error}");
        }
    }

    #[test]
    fn the_integer_logistic_is_the_logistic() {
        for score in (-10_000..=10_000).step_by(7) {
            let exact = f64::from(WIN) / (1.0 + (-f64::from(score) / 256.0).exp());
            let error = (f64::from(expected(score)) - exact).abs();
            assert!(error <= 2.5, "{score}: {error}");
            assert_eq!(expected(score) + expected(-score), WIN);
        }
        assert_eq!(expected(0), WIN / 2);
        assert!(expected(10_000) <= WIN);
    }
}
