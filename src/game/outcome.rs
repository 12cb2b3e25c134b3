//! How a game ended on the board, and who won. Imports sides only.

use std::fmt;

use super::side::Side;

/// Why a game ended on the board, in the order in which they are looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The king stands on a corner.
    KingEscaped,
    /// The attackers captured the king.
    KingCaptured,
    /// No defender and not the king can reach an edge.
    Encircled,
    /// The player to move has no legal move.
    NoMoves,
    /// The position stood as often as the ruleset allows.
    Repetition,
}

impl Reason {
    /// The name used in every file: `king-escaped`, `king-captured`, …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reason::KingEscaped => "king-escaped",
            Reason::KingCaptured => "king-captured",
            Reason::Encircled => "encircled",
            Reason::NoMoves => "no-moves",
            Reason::Repetition => "repetition",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The end of a game: the winner, `None` for a draw, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` is a draw by rule.
    pub winner: Option<Side>,
    /// Which ending it was.
    pub reason: Reason,
}

impl Outcome {
    /// `attackers`, `defenders` or `draw`.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(side) => side.name(),
            None => "draw",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.result(), self.reason)
    }
}
