//! Rulesets that differ in one rule. Imports axes.

use super::axes::Axis;
use crate::game::Ruleset;

/// Rulesets that differ in one axis alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Comparisons {
    /// Places of those with the former and the latter value.
    pub(super) pairs: Vec<[usize; 2]>,
    /// Rulesets whose counterpart would be rules but is not among them.
    pub(super) alone: Vec<usize>,
}

impl Comparisons {
    /// Between two values of an axis, all other axes equal. A ruleset under
    /// which another axis does not exist is compared with each of its values.
    pub(super) fn new(rulesets: &[Ruleset], axis: &Axis, levels: [usize; 2]) -> Comparisons {
        let mut found = Comparisons::default();
        let donors = levels.map(|level| {
            let has = |ruleset: &&Ruleset| axis.level(ruleset) == Some(level);
            rulesets.iter().find(has)
        });
        for (place, ruleset) in rulesets.iter().enumerate() {
            let Some(own) = (0..2).find(|&own| axis.level(ruleset) == Some(levels[own])) else {
                continue;
            };
            let wanted = Some(levels[1 - own]);
            let other = donors[1 - own].and_then(|donor| ruleset.with_axis(axis.place, donor));
            // Values that mean the same rules are no two values.
            let Some(other) = other.filter(|other| axis.level(other) == wanted) else {
                continue;
            };
            match rulesets.iter().position(|ruleset| *ruleset == other) {
                None => found.alone.push(place),
                Some(there) => {
                    let pair = if own == 0 {
                        [place, there]
                    } else {
                        [there, place]
                    };
                    if !found.pairs.contains(&pair) {
                        found.pairs.push(pair);
                    }
                }
            }
        }
        found
    }
}

/// Every value of an axis but the first with the first one or, if no two
/// rulesets differ in just these, with the next one before it that allows a
/// comparison.
pub(super) fn of_axis(rulesets: &[Ruleset], axis: &Axis) -> Vec<([usize; 2], Comparisons)> {
    let of = |levels| (levels, Comparisons::new(rulesets, axis, levels));
    let found = (1..axis.levels.len()).map(|to| {
        let mut any = (0..to).map(|from| of([from, to]));
        any.find(|(_, comparisons)| !comparisons.pairs.is_empty())
            .unwrap_or_else(|| of([0, to]))
    });
    found.collect()
}
