/*!
Which rules a table is for. A table knows nothing of where the game started nor
of repetition, so rulesets that differ in nothing else share their tables.
Imports rulesets.
*/

use crate::game::{AXES, Layout, Repetition, Ruleset};

/// Counts up whenever the engine plays some ruleset otherwise than before, or
/// a code means something else: older tables are then refused.
pub(super) const REVISION: u32 = 1;

/// The axes that make no difference to a table.
pub const NOT_HONOURED: [&str; 2] = ["layout", "repetition"];

/// The ruleset whose tables serve this one: the canonical form with the default
/// layout and no end by repetition.
#[must_use]
pub fn table_rules(ruleset: &Ruleset) -> Ruleset {
    Ruleset {
        layout: Layout::cross(),
        repetition: Repetition::Ignored,
        ..*ruleset
    }
    .canonical()
}

/// A short name for people: the label of a ruleset with these tables and the
/// default repetition.
#[must_use]
pub fn table_label(ruleset: &Ruleset) -> String {
    let repetition = Ruleset::default().repetition;
    let rules = table_rules(ruleset);
    Ruleset {
        repetition,
        ..rules
    }
    .label()
}

/// The axes that a table does honour, as `key=value`, `-` where one does not
/// exist.
pub(super) fn honoured(ruleset: &Ruleset) -> String {
    let axes = AXES.iter().zip(table_rules(ruleset).axes());
    let axes = axes.filter(|(axis, _)| !NOT_HONOURED.contains(axis));
    axes.map(|(axis, value)| format!("{axis}={}", value.as_deref().unwrap_or("-")))
        .collect::<Vec<_>>()
        .join(" ")
}
