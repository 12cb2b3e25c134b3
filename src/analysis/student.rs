//! Student's t distribution. Imports the normal distribution.

use super::normal;

/// From so many degrees of freedom on, an expansion in their inverse is exact
/// to eight digits.
const MANY: u64 = 200;

/// From so many on, Hill's normal deviate is exact to five digits of the chance.
const SOME: u64 = 20;

/// The 0.975 quantile for so many degrees of freedom, at least one: how many
/// estimated standard errors reach to the ends of a 95 % interval of a mean.
/// Never below the normal distribution's.
pub(super) fn quantile_975(freedom: u64) -> f64 {
    if freedom >= MANY {
        return expansion(freedom as f64);
    }
    let (mut inside, mut outside) = (1.0, 13.0);
    // More halvings than a number has digits.
    for _ in 0..60 {
        let middle = f64::midpoint(inside, outside);
        if within(middle, freedom) < 0.95 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// The chance of a value no further from zero than `t`: finite sums
/// (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn within(t: f64, freedom: u64) -> f64 {
    let angle = libm::atan(t / (freedom as f64).sqrt());
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let is_odd = freedom % 2 == 1;
    let (mut term, mut sum) = if is_odd { (cosine, 0.0) } else { (1.0, 0.0) };
    let mut at = if is_odd { 3 } else { 2 };
    while at <= freedom {
        sum += term;
        term *= cosine * cosine * (at - 1) as f64 / at as f64;
        at += 2;
    }
    if is_odd {
        std::f64::consts::FRAC_2_PI * (angle + sine * sum)
    } else {
        sine * sum
    }
}

/// The chance of a value at least this far from zero, in either direction, for so
/// many degrees of freedom, at least one.
pub(super) fn two_sided(t: f64, freedom: u64) -> f64 {
    // Of so many, what the sum leaves of one has too few digits.
    if freedom >= SOME {
        normal::two_sided(deviate(t.abs(), freedom as f64))
    } else if t * t > freedom as f64 {
        beyond(t, freedom as f64)
    } else {
        1.0 - within(t.abs(), freedom)
    }
}

/// The same far from zero: the incomplete beta function's series (Abramowitz and Stegun,
/// 26.5.4 and 26.7.1), whose terms more than halve.
fn beyond(t: f64, freedom: f64) -> f64 {
    let (x, a) = (freedom / (freedom + t * t), freedom / 2.0);
    let (mut term, mut sum, mut at) = (1.0, 0.0, 0.0);
    while term > 1e-17 {
        sum += term * a / (a + at);
        term *= x * (0.5 + at) / (1.0 + at);
        at += 1.0;
    }
    let beta = libm::lgamma(a) + libm::lgamma(0.5) - libm::lgamma(a + 0.5);
    libm::exp(a * libm::log(x) - beta) / a * sum
}

/// The normal deviate that is as rare (Hill, Algorithm 395, "Student's
/// t-distribution", Communications of the ACM 13, 1970).
fn deviate(t: f64, freedom: f64) -> f64 {
    let a = freedom - 0.5;
    let b = 48.0 * a * a;
    let square = a * libm::log1p(t * t / freedom);
    let z = square.sqrt();
    let first = (square + 3.0) / b;
    let rest = (((0.4 * square + 3.3) * square + 24.0) * square + 85.5)
        / (0.8 * square * square + 100.0 + b);
    z * (1.0 + first - rest / b)
}

/// Cornish and Fisher's expansion (Abramowitz and Stegun, 26.7.5).
fn expansion(freedom: f64) -> f64 {
    let z = normal::quantile(0.975);
    let square = z * z;
    let terms = [
        z,
        z * (square + 1.0) / 4.0,
        z * ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
    ];
    terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum / freedom + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964),
    /// table 26.10, two-sided 5 %.
    #[test]
    fn quantiles_are_the_published_ones() {
        for (freedom, quantile) in [
            (1, "12.706"),
            (2, "4.303"),
            (3, "3.182"),
            (4, "2.776"),
            (5, "2.571"),
            (9, "2.262"),
            (19, "2.093"),
            (30, "2.042"),
            (60, "2.000"),
            (120, "1.980"),
        ] {
            assert_eq!(
                format!("{:.3}", quantile_975(freedom)),
                quantile,
                "{freedom}"
            );
        }
    }

    /// What the quantile says is as rare; and the two ways to it agree where one takes
    /// over from the other.
    #[test]
    fn chances_are_those_of_the_quantiles() {
        for freedom in [1, 2, 5, 19, 20, 60, 199, 200, 5000] {
            let chance = two_sided(quantile_975(freedom), freedom);
            assert!((chance - 0.05).abs() < 1e-6, "{freedom}: {chance}");
            assert!((two_sided(0.0, freedom) - 1.0).abs() < 1e-12);
        }
        for t in [0.3, 1.0, 2.0, 3.0, 5.0] {
            for freedom in [SOME, 50, 190] {
                let sum = 1.0 - within(t, freedom);
                let deviate = two_sided(-t, freedom);
                assert!(
                    (deviate / sum - 1.0).abs() < 1e-4,
                    "{t} {freedom}: {deviate} {sum}"
                );
            }
        }
        // 2 * scipy.stats.t.sf(t, freedom)
        for (t, freedom, chance) in [
            (1.5, 2, 0.272_393_124_891_001_3),
            (4.0, 5, 0.010_323_415_480_831_45),
            (111.0, 10, 8.634_871_837_892_184e-17),
            (153.0, 9, 1.106_534_644_043_812_5e-16),
        ] {
            let found = two_sided(t, freedom);
            assert!(
                (found / chance - 1.0).abs() < 1e-9,
                "{t} {freedom}: {found:e}"
            );
        }
        // 2 * scipy.stats.t.sf(12, 100)
        let far = two_sided(12.0, 100);
        assert!((far / 4.395_087_7e-21 - 1.0).abs() < 1e-6, "{far}");
    }

    #[test]
    fn sums_and_expansion_agree_and_fall_to_the_normal_quantile() {
        assert!((quantile_975(MANY - 1) - expansion((MANY - 1) as f64)).abs() < 1e-8);
        let quantiles: Vec<f64> = (1..2 * MANY).map(quantile_975).collect();
        assert!(quantiles.windows(2).all(|pair| pair[0] > pair[1]));
        let normal = normal::quantile(0.975);
        assert!(quantile_975(u64::MAX) >= normal && quantile_975(1_000_000) - normal < 1e-5);
    }
}
