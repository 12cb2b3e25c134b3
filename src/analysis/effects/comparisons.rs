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
    /// Between the first value of an axis and another one, all other axes
    /// equal. A ruleset under which another axis does not exist is compared
    /// with each of its values.
    pub(super) fn new(rulesets: &[Ruleset], axis: &Axis, to: usize) -> Comparisons {
        let mut found = Comparisons::default();
        let levels = [0, to];
        for (place, ruleset) in rulesets.iter().enumerate() {
            let Some(own) = (0..2).find(|&own| axis.level(ruleset) == Some(levels[own])) else {
                continue;
            };
            let wanted = Some(levels[1 - own]);
            let donor = rulesets.iter().find(|other| axis.level(other) == wanted);
            let other = donor.and_then(|donor| ruleset.with_axis(axis.place, donor));
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
