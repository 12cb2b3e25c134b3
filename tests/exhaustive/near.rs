//! Which positions are as good as the same.

use brandub::game::{Position, Symmetry};

/// The fewest squares on which one position differs from an image of the other; two where one
/// piece stands elsewhere.
pub fn distance(one: &Position, other: &Position) -> u32 {
    Symmetry::all()
        .map(|symmetry| {
            let differs = (one.attackers ^ symmetry.set(other.attackers))
                | (one.defenders ^ symmetry.set(other.defenders))
                | (one.king ^ symmetry.set(other.king));
            differs.len()
        })
        .min()
        .unwrap_or(0)
}
