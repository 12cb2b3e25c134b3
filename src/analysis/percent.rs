//! Shares as people read them. Imports nothing of ours.

/// A share in per cent to a tenth, half a tenth away from zero, without a sign
/// before nothing.
///
/// A share of counts that lies between two tenths is rarely a binary fraction:
/// what is nearer to the tie than any other share of a thousand million games
/// is taken for it.
#[must_use]
pub fn percent(share: f64) -> f64 {
    const NEAR: f64 = 1e-10;
    let tenths = (1000.0 * share.abs() + NEAR).round();
    tenths.copysign(share) / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_between_two_tenths_are_rounded_away_from_zero() {
        let shown = |share| format!("{:+.1}", percent(share));
        for (share, expected) in [
            (0.3625, "+36.3"),
            (0.0175, "+1.8"),
            (207.0 / 400.0 - 0.5, "+1.8"),
            (31.0 / 400.0 - 0.5, "-42.3"),
            (0.8625, "+86.3"),
            (0.017_499, "+1.7"),
            (-0.0001, "+0.0"),
            (0.0, "+0.0"),
            (1.0, "+100.0"),
        ] {
            assert_eq!(shown(share), expected, "{share}");
        }
        // Every tie there is with so many games.
        for games in 1..=2_000_u32 {
            for part in (0..=games).filter(|part| 2000 * part % games == 0) {
                let halves = 2000 * part / games;
                let expected = f64::from(halves.div_ceil(2)) / 10.0;
                let share = f64::from(part) / f64::from(games);
                let found = [share, -share].map(|share| format!("{:.1}", percent(share)));
                let negative = if halves == 0 { 0.0 } else { -expected };
                assert_eq!(found, [expected, negative].map(|e| format!("{e:.1}")));
            }
        }
    }
}
