//! What an experiment varies. Imports rulesets.

use crate::game::{AXES, Ruleset};

/// A rule axis with at least two values among some rulesets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    /// Its place in [`AXES`].
    pub(super) place: usize,
    /// Its values in the order of the rulesets.
    pub(super) levels: Vec<String>,
}

impl Axis {
    /// Every axis that the rulesets vary. That an axis does not exist under
    /// some of them is no value: what took it away is the difference.
    pub(super) fn varied(rulesets: &[Ruleset]) -> Vec<Axis> {
        let mut axes: Vec<Axis> = (0..AXES.len())
            .map(|place| Axis {
                place,
                levels: Vec::new(),
            })
            .collect();
        for ruleset in rulesets {
            for (axis, value) in axes.iter_mut().zip(ruleset.axes()) {
                if let Some(value) = value.filter(|value| !axis.levels.contains(value)) {
                    axis.levels.push(value);
                }
            }
        }
        axes.retain(|axis| axis.levels.len() > 1);
        axes
    }

    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        AXES[self.place]
    }

    /// The place of a ruleset's value among the levels; `None` where the axis
    /// does not exist.
    pub(super) fn level(&self, ruleset: &Ruleset) -> Option<usize> {
        let value = ruleset.axes()[self.place].take()?;
        self.levels.iter().position(|level| *level == value)
    }
}
