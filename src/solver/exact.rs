//! The exact value of a position, how a byte holds it, and who may know it.
//! Imports positions only, so that agents may ask without the tables.

use std::cmp::Ordering;

#[cfg(feature = "tables")]
use crate::game::{Outcome, Side};
use crate::game::{Position, Repetition, RepetitionResult, Ruleset};

/// The value of a position for the side to move, and the plies to the end when
/// the winner hurries and the loser delays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move forces a win in so many plies, an odd number.
    Win {
        /// 1 to 253.
        plies: u8,
    },
    /// Nobody forces a win without a repetition.
    Draw,
    /// The other side forces a win in so many plies, an even number; 0 where
    /// the game is over.
    Loss {
        /// 0 to 254.
        plies: u8,
    },
}

/// The plies of the longest win that a byte can hold.
#[cfg(feature = "tables")]
pub(in crate::solver) const MOST_PLIES: u8 = 254;

impl Value {
    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Value::Win { .. } => "win",
            Value::Draw => "draw",
            Value::Loss { .. } => "loss",
        }
    }

    /// Plies to the end; `None` for a draw.
    #[must_use]
    pub const fn plies(self) -> Option<u8> {
        match self {
            Value::Win { plies } | Value::Loss { plies } => Some(plies),
            Value::Draw => None,
        }
    }

    /// What a move to a position of this value is worth to the one who makes
    /// it.
    ///
    /// # Panics
    /// If that would be more than 254 plies: no table holds such a value.
    #[must_use]
    pub const fn before(self) -> Value {
        match self {
            Value::Win { plies } => Value::Loss { plies: plies + 1 },
            Value::Draw => Value::Draw,
            Value::Loss { plies } => Value::Win { plies: plies + 1 },
        }
    }

    /// What the end of a game is worth to the side then to move. Nobody wins
    /// by the other's move.
    #[cfg(feature = "tables")]
    pub(in crate::solver) fn of_outcome(outcome: Outcome, side: Side) -> Value {
        match outcome.winner {
            None => Value::Draw,
            Some(winner) => {
                assert_ne!(winner, side, "nobody wins by the other's move");
                Value::Loss { plies: 0 }
            }
        }
    }

    /// Better values for the side to move are greater: a quick win, a slow
    /// win, a draw, a slow loss, a quick loss.
    #[must_use]
    pub fn compare(self, other: Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }

    const fn rank(self) -> i32 {
        match self {
            Value::Win { plies } => 1000 - plies as i32,
            Value::Draw => 0,
            Value::Loss { plies } => plies as i32 - 1000,
        }
    }

    /// 0 for a draw, else one more than the plies: even for a win, odd for a
    /// loss.
    #[cfg(feature = "tables")]
    pub(in crate::solver) const fn code(self) -> u8 {
        match self {
            Value::Win { plies } | Value::Loss { plies } => plies + 1,
            Value::Draw => 0,
        }
    }

    #[cfg(feature = "tables")]
    pub(in crate::solver) const fn of_code(code: u8) -> Value {
        match code {
            0 => Value::Draw,
            _ if code.is_multiple_of(2) => Value::Win { plies: code - 1 },
            _ => Value::Loss { plies: code - 1 },
        }
    }
}

/// Whether a position whose value is a draw is one of these rules,
/// played from there with nothing before it: so if repetition draws, or is
/// ignored and both would play on for ever. Otherwise it is only known that
/// nobody forces a win before a position repeats.
#[must_use]
pub fn draws_hold(ruleset: &Ruleset) -> bool {
    match ruleset.repetition {
        Repetition::Ignored => true,
        Repetition::Counted { result, .. } => result == RepetitionResult::Draw,
    }
}

/// Whoever knows the exact value of some positions.
///
/// A value is that of the position alone: nothing that stood before counts.
pub trait Probe: Send + Sync {
    /// The value for the side to move; `None` where it is not known.
    fn probe(&self, position: &Position) -> Option<Value>;
}

#[cfg(all(test, feature = "tables"))]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back_and_values_are_in_order() {
        let mut last: Option<Value> = None;
        let wins = (1..=253).step_by(2).map(|plies| Value::Win { plies });
        let losses = (0..=254).rev().step_by(2);
        let losses = losses.map(|plies| Value::Loss { plies });
        for value in wins.chain([Value::Draw]).chain(losses) {
            assert_eq!(Value::of_code(value.code()), value);
            if let Some(better) = last {
                assert_eq!(
                    better.compare(value),
                    Ordering::Greater,
                    "{better:?} {value:?}"
                );
            }
            last = Some(value);
        }
        assert_eq!(Value::Loss { plies: 0 }.before(), Value::Win { plies: 1 });
    }
}
