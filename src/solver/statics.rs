//! What can be said of a position at a glance: who wins with the next move or
//! the one after, and how much is left to do otherwise. Imports `game`.

use crate::game::{Position, Rules, Side};

/// What a glance says, for the side that is to prove a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glance {
    /// The prover wins within so many plies, whatever the other does.
    Proved(u16),
    /// The prover does not win: the other side does, or the game is drawn.
    Refuted,
    /// Attackers have to stand in the king's way: in so many ways.
    Blocks(u32),
    /// Any move may do.
    Quiet,
}

/// Looks at a position that a legal move has led to, repetition apart.
#[inline]
#[must_use]
pub fn glance(rules: &Rules, prover: Side, position: &Position) -> Glance {
    let won = |winner: Side, plies| {
        if winner == prover {
            Glance::Proved(plies)
        } else {
            Glance::Refuted
        }
    };
    if let Some(outcome) = rules.ending(position) {
        return match outcome.winner {
            Some(winner) => won(winner, 0),
            None => Glance::Refuted,
        };
    }
    let escapes = rules.escapes(position);
    match position.side {
        Side::Defenders if !escapes.is_empty() => won(Side::Defenders, 1),
        Side::Defenders => Glance::Quiet,
        Side::Attackers => {
            if rules.king_captures(position).next().is_some() {
                return won(Side::Attackers, 1);
            }
            if escapes.is_empty() {
                return Glance::Quiet;
            }
            // Attackers who can neither take the king nor stand in his way
            // watch him go.
            match rules.blocks(position).count() as u32 {
                0 => won(Side::Defenders, 2),
                ways => Glance::Blocks(ways),
            }
        }
    }
}
