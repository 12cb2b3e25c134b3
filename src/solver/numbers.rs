//! Proof and disproof numbers, seen from the side to move, and the arithmetic
//! of thresholds. Imports nothing of ours.

/// More than any sum of numbers.
pub const INFINITE: u32 = u32::MAX / 2;

/// What is known of a position, from its side to move: with the prover to move
/// `phi` is the proof number and `delta` the disproof number, with the other
/// side to move the reverse (Nagai, "Df-pn algorithm for searching AND/OR trees
/// and its applications", 2002).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// How much is to be done at least for the side to move to have its way; 0
    /// when it has.
    pub phi: u32,
    /// The same for the other side.
    pub delta: u32,
    /// Where the prover wins: within how many plies; 0 elsewhere.
    pub plies: u16,
}

impl Numbers {
    /// The side to move has its way; where that is the prover's win, within so
    /// many plies.
    pub const fn won(plies: u16) -> Numbers {
        Numbers {
            phi: 0,
            delta: INFINITE,
            plies,
        }
    }

    /// The other side has its way.
    pub const fn lost(plies: u16) -> Numbers {
        Numbers {
            phi: INFINITE,
            delta: 0,
            plies,
        }
    }

    /// Whether either side has its way.
    pub const fn decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// The sum, below infinity.
pub const fn plus(one: u32, other: u32) -> u32 {
    let sum = one.saturating_add(other);
    if sum < INFINITE { sum } else { INFINITE - 1 }
}

/// A little more than the second best number: how far the best may rise before
/// the search turns to the second. Growing in proportion, it turns seldom
/// (Pawlewicz and Lew, "Improving depth-first PN-search: 1 + ε trick", 2007).
pub const fn raised(second: u32) -> u32 {
    if second >= INFINITE {
        INFINITE
    } else {
        plus(second, second / 4 + 1)
    }
}
