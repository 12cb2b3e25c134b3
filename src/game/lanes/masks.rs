//! A ruleset's masks as plain numbers. Imports the masks of compiled rules.

use crate::game::bitboard::Bitboard;
use crate::game::masks::{self, KingFate};
use crate::game::square::{SQUARES, Square};

/// What the rules say of single squares. All numbers are sets of squares.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct Masks {
    pub(in crate::game) soldier: Mobility,
    pub(in crate::game) king: Mobility,
    /// Whether the king moves one square only.
    pub(in crate::game) king_steps: bool,
    /// Whether the king captures.
    pub(in crate::game) king_armed: bool,
    pub(in crate::game) to_soldiers: Hostile,
    pub(in crate::game) to_king: Hostile,
    pub(in crate::game) capture: KingCapture,
    /// Whether the attackers win by surrounding everybody.
    pub(in crate::game) encirclement: bool,
}

/// Where one kind of piece may go.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct Mobility {
    /// Where it may stop.
    pub(super) stop: u64,
    /// Where it may not pass, even while nobody is there.
    pub(super) wall: u64,
}

/// What stands in for an enemy.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct Hostile {
    pub(super) corners: u64,
    /// Counts while it is empty.
    pub(super) throne: u64,
}

/// How the king is captured where.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::game) struct KingCapture {
    /// Where he is captured between two.
    pub(super) between: u64,
    /// Where he is captured when his sides are closed.
    pub(super) surrounded: u64,
    /// What need not be closed beside him.
    pub(super) spared: u64,
}

impl From<masks::Mobility> for Mobility {
    fn from(mobility: masks::Mobility) -> Mobility {
        Mobility {
            stop: mobility.stop.0,
            wall: mobility.wall.0,
        }
    }
}

impl From<masks::Hostile> for Hostile {
    fn from(hostile: masks::Hostile) -> Hostile {
        Hostile {
            corners: hostile.corners.0,
            throne: hostile.throne.0,
        }
    }
}

impl From<&[KingFate; SQUARES]> for KingCapture {
    fn from(fates: &[KingFate; SQUARES]) -> KingCapture {
        let mut capture = KingCapture::default();
        for (square, fate) in Square::all().zip(fates) {
            let here = Bitboard::of(square);
            match fate {
                KingFate::Sandwich => capture.between |= here.0,
                KingFate::Surround(sides) => {
                    capture.surrounded |= here.0;
                    capture.spared |= (here.neighbours() - *sides).0;
                }
                KingFate::Safe => {}
            }
        }
        capture
    }
}
