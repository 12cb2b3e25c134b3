//! Rulesets that differ in one axis. Imports rulesets.

use super::ruleset::{AXES, Ruleset};
use super::ruleset_table::ThroneKind;

impl Ruleset {
    /// These rules with one axis of [`AXES`], by its place there, as other
    /// rules have it, in the canonical form. `None` if the rules then
    /// contradict each other; where the axis cannot matter, they are the same
    /// ones.
    ///
    /// ```
    /// use brandub::game::{AXES, preset};
    ///
    /// let rules = |name| preset::find(name).unwrap().ruleset();
    /// let axis = AXES.iter().position(|name| *name == "throne_hostile").unwrap();
    /// let quiet = rules("disputed").with_axis(axis, &rules("walker-2011"));
    /// assert_eq!(quiet, Some(rules("walker-2011")));
    /// ```
    ///
    /// # Panics
    /// If there is no such axis.
    #[must_use]
    pub fn with_axis(&self, axis: usize, other: &Ruleset) -> Option<Ruleset> {
        let mut table = self.to_table();
        let from = other.to_table();
        match AXES[axis] {
            "layout" => table.layout = from.layout,
            "king_armed" => table.king_armed = from.king_armed,
            "throne_hostile" => table.throne_hostile = from.throne_hostile,
            "king_capture" => table.king_capture = from.king_capture,
            "king_return" => table.king_return = from.king_return,
            "king_edge" => table.king_edge = from.king_edge,
            "throne" => {
                table.throne = from.throne;
                if from.throne == Some(ThroneKind::Ordinary) {
                    table.throne_hostile = None;
                    table.throne_pass = None;
                    table.king_return = None;
                }
            }
            "throne_pass" => table.throne_pass = from.throne_pass,
            "corners_hostile" => table.corners_hostile = from.corners_hostile,
            "king_speed" => table.king_speed = from.king_speed,
            "repetition" => table.repetition = from.repetition,
            "no_moves" => table.no_moves = from.no_moves,
            "encirclement" => table.encirclement = from.encirclement,
            other => unreachable!("{other} is no axis"),
        }
        table.resolve().ok().map(|ruleset| ruleset.canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Preset;

    #[test]
    fn a_variation_has_the_others_axis_and_its_own_others() {
        for one in Preset::ALL {
            let one = one.ruleset().canonical();
            for other in Preset::ALL {
                let other = other.ruleset().canonical();
                for (axis, name) in AXES.iter().enumerate() {
                    let Some(varied) = one.with_axis(axis, &other) else {
                        continue;
                    };
                    assert_eq!(varied, varied.canonical());
                    if one.axes()[axis] == other.axes()[axis] {
                        assert_eq!(varied, one, "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_cannot_matter_changes_nothing_and_contradictions_are_none() {
        let place = |name: &str| AXES.iter().position(|axis| *axis == name).unwrap();
        let rules = |name: &str| crate::game::preset::find(name).unwrap().ruleset();
        let (two, safe) = (rules("disputed"), rules("branan"));
        assert_eq!(two.with_axis(place("king_edge"), &safe), Some(two));
        let ordinary = rules("throneless");
        assert_eq!(ordinary.with_axis(place("throne_hostile"), &two), None);
        assert_eq!(two.with_axis(place("throne"), &ordinary), Some(ordinary));
        let zone = rules("how-to-play");
        assert_eq!(zone.with_axis(place("throne"), &ordinary), None);
    }
}
