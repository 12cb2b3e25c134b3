//! Estimates of rates with their uncertainty. Imports Student's distribution.

use super::student;

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
    let rate = successes as f64 / trials as f64;
    score_interval(rate, trials as f64)
}

/// The share of successes in trials that come in clusters, each `(successes,
/// trials)`, with its Wilson interval at 95 % for the effective number of
/// trials: their number over the design effect, which is the variance between
/// clusters over that of independent trials, and never taken below 1, times
/// the square of the quotient of Student's quantiles for as many degrees of
/// freedom as trials and as clusters have (Korn and Graubard, "Confidence
/// intervals for proportions with small expected number of positive counts
/// estimated from survey data", 1998). Where all trials came out alike, or
/// there is one cluster, nothing is known of the variance between them, and
/// each counts as one trial.
///
/// ```
/// use brandub::analysis::{wilson, wilson_clustered};
///
/// let alike = wilson_clustered(&[(5, 5), (0, 5), (5, 5), (0, 5)]);
/// assert!(alike.rate == 0.5 && alike.low < wilson(2, 4).low);
/// ```
#[must_use]
pub fn wilson_clustered(clusters: &[(u64, u64)]) -> Interval {
    let clusters: Vec<_> = clusters.iter().filter(|(_, trials)| *trials > 0).collect();
    let successes: u64 = clusters.iter().map(|(successes, _)| successes).sum();
    let trials: u64 = clusters.iter().map(|(_, trials)| trials).sum();
    if trials == 0 {
        return wilson(0, 0);
    }
    let (rate, count) = (successes as f64 / trials as f64, clusters.len() as f64);
    if clusters.len() < 2 || successes == 0 || successes == trials {
        return score_interval(rate, count);
    }
    let squares: f64 = clusters
        .iter()
        .map(|(successes, trials)| (*successes as f64 - rate * *trials as f64).powi(2))
        .sum();
    let between = squares * count / (count - 1.0);
    let design_effect = between / (trials as f64 * rate * (1.0 - rate));
    let freedom =
        student::quantile_975(trials - 1) / student::quantile_975(clusters.len() as u64 - 1);
    score_interval(
        rate,
        trials as f64 / design_effect.max(1.0) * freedom * freedom,
    )
}

/// The score interval of a rate in so many trials, whole or not.
fn score_interval(rate: f64, trials: f64) -> Interval {
    let z2 = WILSON_95_Z * WILSON_95_Z;
    let scale = 1.0 / (1.0 + z2 / trials);
    let centre = (rate + z2 / (2.0 * trials)) * scale;
    let spread = (rate * (1.0 - rate) / trials + z2 / (4.0 * trials * trials)).sqrt();
    let half = WILSON_95_Z * spread * scale;
    // The bounds meet 0 and 1 exactly where nothing or all was observed;
    // rounding must not push them past.
    Interval {
        rate,
        low: if rate <= 0.0 { 0.0 } else { centre - half },
        high: if rate >= 1.0 { 1.0 } else { centre + half },
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
    fn clusters_that_are_alike_widen_the_interval_and_others_do_not() {
        // 50 clusters tell what 49 degrees of freedom do, of 99.
        let freedom = student::quantile_975(99) / student::quantile_975(49);
        let even = wilson_clustered(&[(1, 2); 50]);
        assert_eq!(even, score_interval(0.5, 100.0 * freedom * freedom));
        assert!(even.low < wilson(50, 100).low && wilson(49, 98).low - even.low < 0.002);
        let each: Vec<(u64, u64)> = (0..100).map(|index| (index % 2, 1)).collect();
        let single = wilson_clustered(&each);
        assert!((single.low - wilson(50, 100).low).abs() < 0.001);
        // Ten trials that always agree are worth about one.
        let whole: Vec<(u64, u64)> = (0..100).map(|index| (index % 2 * 10, 10)).collect();
        let whole = wilson_clustered(&whole);
        assert!((whole.low - wilson(50, 100).low).abs() < 0.005);
        assert_eq!(wilson_clustered(&[]), wilson(0, 0));
        // Nobody knows whether these seven are worth more than two.
        assert_eq!(wilson_clustered(&[(3, 3), (4, 4), (0, 0)]), wilson(2, 2));
        assert_eq!(wilson_clustered(&[(0, 3), (0, 4)]), wilson(0, 2));
        let one = wilson_clustered(&[(3, 10)]);
        assert!(
            (one.rate - 0.3).abs() < 1e-12 && one.low < 0.05 && one.high > 0.8,
            "{one:?}"
        );
    }

    /// Where trials of a cluster are alike, the interval holds the rate about
    /// as often as it says: of 10 or 20 clusters of ten, of which each trial
    /// repeats the first with a chance of 0.3.
    #[test]
    fn the_interval_for_clusters_holds_the_rate() {
        use rand_chacha::ChaCha8Rng;
        use rand_chacha::rand_core::{Rng, SeedableRng};
        const RUNS: u32 = 2000;
        for (clusters, rate) in [(10, 0.05), (20, 0.02), (20, 0.5), (5, 0.2)] {
            let mut draws = ChaCha8Rng::seed_from_u64(clusters);
            let mut unit = || draws.next_u32() as f64 / f64::from(u32::MAX);
            let mut held = 0;
            for _ in 0..RUNS {
                let games: Vec<(u64, u64)> = (0..clusters)
                    .map(|_| {
                        let first = unit() < rate;
                        let trial = |_| match unit() < 0.3 {
                            true => first,
                            false => unit() < rate,
                        };
                        (0..10)
                            .map(trial)
                            .fold((0, 0), |(so, all), is| (so + u64::from(is), all + 1))
                    })
                    .collect();
                let interval = wilson_clustered(&games);
                held += u32::from(interval.low <= rate && rate <= interval.high);
            }
            let coverage = f64::from(held) / f64::from(RUNS);
            assert!(coverage > 0.93, "{clusters} {rate}: {coverage}");
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
