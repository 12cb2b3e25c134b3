//! Estimates of rates with their uncertainty. Imports nothing of ours.

/// The 0.975 quantile of the standard normal distribution.
pub const WILSON_95_Z: f64 = 1.959_963_984_540_054;

/// A rate and the bounds of its interval, each from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The share observed; 0 where nothing was observed.
    pub rate: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The share of `successes` in `trials` with its Wilson score interval at 95 %
/// (Wilson, "Probable inference, the law of succession, and statistical
/// inference", 1927), without continuity correction; 0 to 1 where there are no
/// trials.
///
/// ```
/// use brandub::analysis::wilson;
///
/// let interval = wilson(10, 100);
/// assert_eq!(format!("{:.4} {:.4}", interval.low, interval.high), "0.0552 0.1744");
/// ```
#[must_use]
pub fn wilson(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval {
            rate: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let (none, all) = (successes == 0, successes == trials);
    let (successes, trials) = (successes as f64, trials as f64);
    let rate = successes / trials;
    let z2 = WILSON_95_Z * WILSON_95_Z;
    let scale = 1.0 / (1.0 + z2 / trials);
    let centre = (rate + z2 / (2.0 * trials)) * scale;
    let spread = (rate * (1.0 - rate) / trials + z2 / (4.0 * trials * trials)).sqrt();
    let half = WILSON_95_Z * spread * scale;
    // The bounds meet 0 and 1 exactly where nothing or all was observed;
    // rounding must not push them past.
    Interval {
        rate,
        low: if none { 0.0 } else { centre - half },
        high: if all { 1.0 } else { centre + half },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, "Two-sided confidence intervals for the single proportion",
    /// Statistics in Medicine 17 (1998), table I: the score method without
    /// continuity correction.
    #[test]
    fn the_interval_is_the_published_one() {
        for (successes, trials, low, high) in [
            (81, 263, "0.2553", "0.3662"),
            (15, 148, "0.0624", "0.1605"),
            (0, 20, "0.0000", "0.1611"),
            (1, 29, "0.0061", "0.1718"),
        ] {
            let interval = wilson(successes, trials);
            assert_eq!(format!("{:.4}", interval.low), low, "{successes}/{trials}");
            assert_eq!(
                format!("{:.4}", interval.high),
                high,
                "{successes}/{trials}"
            );
        }
    }

    #[test]
    fn bounds_stay_in_range_and_mirror_each_other() {
        for trials in 1..200 {
            for successes in 0..=trials {
                let interval = wilson(successes, trials);
                let mirror = wilson(trials - successes, trials);
                assert!(0.0 <= interval.low && interval.low <= interval.rate);
                assert!(interval.rate <= interval.high && interval.high <= 1.0);
                assert!((interval.low - (1.0 - mirror.high)).abs() < 1e-12);
            }
        }
        let unknown = wilson(0, 0);
        assert!(unknown.low <= 0.0 && unknown.high >= 1.0);
    }
}
