//! The standard normal distribution. Imports nothing of ours.

use std::f64::consts::SQRT_2;

/// The chance of a value up to this one.
pub(super) fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The chance of a value at least this far from zero, in either direction.
pub(super) fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

/// Numerator and denominator of a quotient of polynomials, constants first.
type Quotient = [[f64; 8]; 2];

/// Near one half, in 0.180625 − (p − ½)².
const MIDDLE: Quotient = [
    [
        3.387_132_872_796_366_5,
        1.331_416_678_917_843_8e2,
        1.971_590_950_306_551_3e3,
        1.373_169_376_550_946e4,
        4.592_195_393_154_987e4,
        6.726_577_092_700_87e4,
        3.343_057_558_358_813e4,
        2.509_080_928_730_122_7e3,
    ],
    [
        1.0,
        4.231_333_070_160_091e1,
        6.871_870_074_920_579e2,
        5.394_196_021_424_751e3,
        2.121_379_430_158_66e4,
        3.930_789_580_009_271e4,
        2.872_908_573_572_194_3e4,
        5.226_495_278_852_854e3,
    ],
];
/// Farther out, in √(−ln p) − 1.6.
const SHOULDER: Quotient = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        2.417_807_251_774_506e-1,
        2.272_384_498_926_918_4e-2,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        6.897_673_349_851e-1,
        1.481_039_764_274_800_8e-1,
        1.519_866_656_361_645_7e-2,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];
/// Farthest, in √(−ln p) − 5.
const TAIL: Quotient = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        2.965_605_718_285_048_7e-1,
        2.653_218_952_657_612_4e-2,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        5.998_322_065_558_88e-1,
        1.369_298_809_227_358e-1,
        1.487_536_129_085_061_5e-2,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_7e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

/// The value that is not exceeded with this chance, to about 16 digits:
/// algorithm AS 241, PPND16 (Wichura, "The percentage points of the normal
/// distribution", Applied Statistics 37, 1988). Infinite at 0 and 1.
pub(super) fn quantile(chance: f64) -> f64 {
    let off = chance - 0.5;
    if off.abs() <= 0.425 {
        return off * quotient(&MIDDLE, 0.180_625 - off * off);
    }
    let tail = if off < 0.0 { chance } else { 1.0 - chance };
    if tail <= 0.0 {
        return off.signum() * f64::INFINITY;
    }
    let root = (-libm::log(tail)).sqrt();
    let distance = if root <= 5.0 {
        quotient(&SHOULDER, root - 1.6)
    } else {
        quotient(&TAIL, root - 5.0)
    };
    off.signum() * distance
}

fn quotient(polynomials: &Quotient, at: f64) -> f64 {
    let value = |coefficients: &[f64; 8]| {
        let highest_first = coefficients.iter().rev();
        highest_first.fold(0.0, |sum, coefficient| sum * at + coefficient)
    };
    value(&polynomials[0]) / value(&polynomials[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::WILSON_95_Z;

    /// Wichura (1988): the values by which an implementation is checked.
    #[test]
    fn quantiles_are_the_published_ones() {
        for (chance, expected) in [
            (0.25, -0.674_489_750_196_081_7),
            (0.001, -3.090_232_306_167_813_5),
            (1e-20, -9.262_340_089_798_408),
        ] {
            let found = quantile(chance);
            assert!((found / expected - 1.0).abs() < 1e-15, "{chance}: {found}");
        }
        assert!((quantile(0.975) - WILSON_95_Z).abs() < 1e-15);
        assert!(quantile(0.0) < -1e300 && quantile(1.0) > 1e300);
        assert!(quantile(0.5).abs() < 1e-300);
    }

    /// Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964),
    /// table 26.1.
    #[test]
    fn chances_are_the_published_ones() {
        for (z, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (2.0, 0.977_249_868_051_820_8),
            (3.0, 0.998_650_101_968_369_9),
        ] {
            assert!((cdf(z) - expected).abs() < 1e-15, "{z}");
            assert!(
                (two_sided(-z) - 2.0 * (1.0 - expected)).abs() < 1e-15,
                "{z}"
            );
        }
    }

    #[test]
    fn quantile_and_chance_undo_each_other() {
        for thousandth in 1..1000 {
            let chance = f64::from(thousandth) / 1000.0;
            assert!((cdf(quantile(chance)) - chance).abs() < 1e-15, "{chance}");
        }
        for exponent in 4..300 {
            let chance = libm::pow(10.0, -f64::from(exponent));
            assert!(
                (cdf(quantile(chance)) / chance - 1.0).abs() < 1e-11,
                "{chance}"
            );
        }
    }
}
