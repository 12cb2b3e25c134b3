//! The two sides. Imports nothing of ours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A side: the attackers, who move first, or the defenders with their king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// They win by capturing the king.
    Attackers,
    /// They win by bringing the king to a corner.
    Defenders,
}

impl Side {
    /// Both sides, attackers first.
    pub const BOTH: [Side; 2] = [Side::Attackers, Side::Defenders];

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Attackers => Side::Defenders,
            Side::Defenders => Side::Attackers,
        }
    }

    /// `attackers` or `defenders`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::Attackers => "attackers",
            Side::Defenders => "defenders",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Side, String> {
        match text {
            "attackers" => Ok(Side::Attackers),
            "defenders" => Ok(Side::Defenders),
            _ => Err(format!("`{text}` is no side: attackers or defenders")),
        }
    }
}
