//! Positions by how many soldiers each side has. Imports positions only, so that
//! agents may name layers without the tables.

use std::fmt;
use std::str::FromStr;

use crate::game::Position;

/// The most soldiers of a side in a layer.
pub const MOST_SOLDIERS: u8 = 8;

/// How many soldiers each side has; the king is always there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layer {
    /// Defenders beside the king, 0 to 8.
    pub defenders: u8,
    /// Attackers, 0 to 8.
    pub attackers: u8,
}

impl Layer {
    /// The layer a position belongs to, however large.
    #[inline]
    #[must_use]
    pub fn of(position: &Position) -> Layer {
        Layer {
            defenders: position.defenders.len() as u8,
            attackers: position.attackers.len() as u8,
        }
    }

    /// Whether it has no more soldiers of either side than another.
    #[must_use]
    pub fn is_within(self, most: Layer) -> bool {
        self.defenders <= most.defenders && self.attackers <= most.attackers
    }

    /// All layers with no more soldiers of either side, itself among them.
    pub fn within(self) -> impl Iterator<Item = Layer> {
        (0..=self.defenders).flat_map(move |defenders| {
            (0..=self.attackers).map(move |attackers| Layer {
                defenders,
                attackers,
            })
        })
    }

    /// The layers that captures lead to from here, in the order in which they
    /// can be built: one move captures one to three soldiers, all of one side.
    pub fn lower(self) -> impl Iterator<Item = Layer> {
        let fewer = |count: u8| count.saturating_sub(3)..count;
        let defenders = fewer(self.defenders).map(move |defenders| Layer { defenders, ..self });
        let attackers = fewer(self.attackers).map(move |attackers| Layer { attackers, ..self });
        defenders.chain(attackers)
    }
}

impl fmt::Display for Layer {
    /// `d1a4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("d{}a{}", self.defenders, self.attackers))
    }
}

impl FromStr for Layer {
    type Err = ();

    fn from_str(text: &str) -> Result<Layer, ()> {
        let (defenders, attackers) = text
            .strip_prefix('d')
            .and_then(|counts| counts.split_once('a'))
            .ok_or(())?;
        let layer = Layer {
            defenders: defenders.parse().map_err(|_| ())?,
            attackers: attackers.parse().map_err(|_| ())?,
        };
        let small = layer.defenders <= MOST_SOLDIERS && layer.attackers <= MOST_SOLDIERS;
        (small && layer.to_string() == text)
            .then_some(layer)
            .ok_or(())
    }
}
