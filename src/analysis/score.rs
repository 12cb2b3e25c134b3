/*!
The attackers' score among finished games: its test and its interval. Imports
the normal distribution.

A game scores 1, 0 or ½, so that 2·score − 1 is the difference between the
shares of games won and lost. That is a difference of paired proportions, for
which Tango gave the score test and its inversion ("Equivalence test and
confidence interval for the difference in proportions for the paired-sample
design", Statistics in Medicine 17, 1998): the variance is that of the most
likely shares of won, lost and drawn games that have the score in question.
Where nobody drew, the interval is Wilson's; for a score of ½ the test weighs
games won against games lost; nothing degenerates where all games were won,
lost or drawn.
*/

use super::normal;

/// Finished games by how they ended for the attackers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Score {
    won: f64,
    lost: f64,
    games: f64,
}

impl Score {
    /// Of games won, lost and drawn.
    pub(super) fn new([won, lost, drawn]: [u64; 3]) -> Score {
        Score {
            won: won as f64,
            lost: lost as f64,
            games: (won + lost + drawn) as f64,
        }
    }

    /// The score seen, from 0 to 1; `None` without games.
    pub(super) fn value(&self) -> Option<f64> {
        (self.games > 0.0).then(|| 0.5 + 0.5 * (self.won - self.lost) / self.games)
    }

    /// By how many standard errors the score seen is above a score, if that
    /// is the true one.
    pub(super) fn z(&self, score: f64) -> f64 {
        let difference = 2.0 * score - 1.0;
        // The formula loses digits for negative differences; it is symmetric.
        if difference < 0.0 {
            -z(self.lost, self.won, self.games, -difference)
        } else {
            z(self.won, self.lost, self.games, difference)
        }
    }

    /// The scores that the test at this critical value does not reject; 0 to
    /// 1 without games.
    pub(super) fn interval(&self, critical: f64) -> [f64; 2] {
        let Some(value) = self.value() else {
            return [0.0, 1.0];
        };
        let below = |score: f64| self.z(score) > critical;
        let above = |score: f64| self.z(score) < -critical;
        [border(value, 0.0, below), border(value, 1.0, above)]
    }

    /// The two-sided p value of a score of ½.
    pub(super) fn p_even(&self) -> Option<f64> {
        (self.games > 0.0).then(|| normal::two_sided(self.z(0.5)))
    }

    /// The least p value of a score of ½ that the exact test has of so many
    /// decided games: when all went one way.
    pub(super) fn least_p_even(&self) -> f64 {
        libm::exp2(1.0 - self.decided()).min(1.0)
    }

    /// The least p value that the exact test has of so many games for a score
    /// outside ½ ± `margin`: when all were drawn, by the shares of that bound
    /// that draw most.
    pub(super) fn least_p_balanced(&self, margin: f64) -> f64 {
        libm::pow(1.0 - 2.0 * margin, self.games)
    }

    /// Games won or lost.
    pub(super) fn decided(&self) -> f64 {
        self.won + self.lost
    }

    /// By how many standard errors the score seen is inside ½ ± `margin`: the
    /// less of the distances to the two bounds.
    pub(super) fn z_inside(&self, margin: f64) -> f64 {
        self.z(0.5 - margin).min(-self.z(0.5 + margin))
    }

    /// The greater p value of the two one-sided tests that the score is
    /// outside ½ ± `margin` (Schuirmann, 1987): below α exactly if the interval
    /// of 1 − 2α is inside.
    pub(super) fn p_balanced(&self, margin: f64) -> Option<f64> {
        (self.games > 0.0).then(|| normal::cdf(-self.z_inside(margin)))
    }
}

/// Tango's statistic for a difference from 0 to 1 between the shares of games
/// won and lost.
fn z(won: f64, lost: f64, games: f64, difference: f64) -> f64 {
    let above = won - lost - games * difference;
    let a = 2.0 * games;
    let b = (2.0 * games - won + lost) * difference - won - lost;
    let c = lost * difference * (1.0 - difference);
    let root = (b * b + 4.0 * a * c).sqrt();
    // The most likely share of lost games with this difference.
    let lost_share = if b > 0.0 {
        2.0 * c / (root + b)
    } else {
        (root - b) / (2.0 * a)
    };
    let variance = games * (2.0 * lost_share + difference * (1.0 - difference));
    if above == 0.0 {
        0.0
    } else {
        above / variance.sqrt()
    }
}

/// Where, from inside to an end of the range, `rejected` becomes true; the end
/// itself if it never does.
fn border(inside: f64, end: f64, rejected: impl Fn(f64) -> bool) -> f64 {
    if !rejected(end) {
        return end;
    }
    let (mut inside, mut outside) = (inside, end);
    // More halvings than a number has digits.
    for _ in 0..64 {
        let middle = 0.5 * (inside + outside);
        if rejected(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{WILSON_95_Z, wilson};

    /// Fagerland, Lydersen and Laake, "Recommended tests and confidence
    /// intervals for paired binomial proportions", Statistics in Medicine 33
    /// (2014), and the R package contingencytables: 6 and 16 discordant pairs
    /// of 161 give −0.1240 to −0.0054 and p = 0.033006; 1 and 7 of
    /// 21 give −0.517 to −0.026.
    #[test]
    fn interval_and_test_are_the_published_ones() {
        for (counts, low, high) in [
            ([6, 16, 139], "-0.1240", "-0.0054"),
            ([1, 7, 13], "-0.5172", "-0.0260"),
        ] {
            let bounds = Score::new(counts).interval(WILSON_95_Z);
            let [left, right] = bounds.map(|bound| format!("{:.4}", 2.0 * bound - 1.0));
            assert_eq!((&*left, &*right), (low, high));
        }
        let p = Score::new([6, 16, 139]).p_even().unwrap();
        assert_eq!(format!("{p:.6}"), "0.033006");
    }

    /// Intervals and tests by maximising the likelihood numerically: see the
    /// script beside the table.
    #[test]
    fn interval_and_tests_are_those_of_the_likelihood() {
        let table = include_str!("../../tests/data/statistics/scores.csv");
        let z90 = normal::quantile(0.95);
        let rows = crate::analysis::fixture::numbers(table);
        assert_eq!(rows.len(), 10);
        for row in rows {
            let score = Score::new([row[0] as u64, row[1] as u64, row[2] as u64]);
            let [low, high] = score.interval(WILSON_95_Z);
            let [low90, high90] = score.interval(z90);
            let found = [score.value().unwrap(), low, high, low90, high90];
            for (found, expected) in found.iter().zip(&row[3..8]) {
                assert!((found - expected).abs() < 1e-6, "{row:?}: {found}");
            }
            let found = [score.p_balanced(0.05).unwrap(), score.p_even().unwrap()];
            for (found, expected) in found.iter().zip(&row[8..]) {
                assert!(
                    (found - expected).abs() < 1e-6 * expected,
                    "{row:?}: {found}"
                );
            }
        }
    }

    #[test]
    fn without_draws_the_interval_is_wilsons() {
        for (won, games) in [(0, 1), (1, 1), (0, 200), (3, 29), (50, 100), (81, 263)] {
            let [low, high] = Score::new([won, games - won, 0]).interval(WILSON_95_Z);
            let expected = wilson(won, games);
            assert!((low - expected.low).abs() < 1e-12, "{won}/{games}");
            assert!((high - expected.high).abs() < 1e-12, "{won}/{games}");
        }
    }

    #[test]
    fn draws_narrow_the_interval_but_never_to_a_point() {
        let decided = Score::new([50, 50, 0]).interval(WILSON_95_Z);
        let half = Score::new([25, 25, 50]).interval(WILSON_95_Z);
        let drawn = Score::new([0, 0, 100]).interval(WILSON_95_Z);
        for [low, high] in [decided, half, drawn] {
            assert!((low + high - 1.0).abs() < 1e-12);
        }
        assert!(decided[0] < half[0] && half[0] < drawn[0] && drawn[0] < 0.5);
        // As for a share of which nothing was seen in 100 trials, halved.
        assert!((0.5 - drawn[0] - wilson(0, 100).high / 2.0).abs() < 1e-12);
        assert_eq!(Score::new([0, 0, 100]).p_even(), Some(1.0));
    }

    #[test]
    fn the_test_of_balance_and_the_90_percent_interval_agree() {
        let z90 = normal::quantile(0.95);
        for won in 0..40 {
            for drawn in 0..=(40 - won) {
                let score = Score::new([won, 40 - won - drawn, drawn]);
                let [low, high] = score.interval(z90);
                for margin in [0.02, 0.05, 0.1, 0.2, 0.4] {
                    let inside = low > 0.5 - margin && high < 0.5 + margin;
                    let p = score.p_balanced(margin).unwrap();
                    assert_eq!(inside, p < 0.05, "{won} {drawn} {margin} {p}");
                }
                assert!(0.0 <= low && low <= score.value().unwrap());
                assert!(score.value().unwrap() <= high && high <= 1.0);
            }
        }
    }

    #[test]
    fn sides_exchanged_mirror_everything_and_no_games_say_nothing() {
        let (one, other) = (Score::new([12, 5, 3]), Score::new([5, 12, 3]));
        let (near, far) = (one.interval(2.0), other.interval(2.0));
        assert!((near[0] + far[1] - 1.0).abs() < 1e-12);
        assert!((one.z(0.45) + other.z(0.55)).abs() < 1e-12);
        let none = Score::new([0; 3]);
        assert_eq!(
            (none.value(), none.p_even(), none.p_balanced(0.05)),
            (None, None, None)
        );
        let [low, high] = none.interval(2.0);
        assert!(low <= 0.0 && high >= 1.0);
    }
}
