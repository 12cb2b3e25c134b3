//! What a ruleset says of single squares, as masks: where pieces may go, what
//! is hostile to whom, how the king is captured where. Only compiled rules use
//! this. Imports the board's tables and rulesets.

use super::axis::{Hostility, KingCapture, KingEdge, KingSpeed, ThronePass};
use super::bitboard::Bitboard;
use super::geometry::{RookTarget, rook_reach};
use super::position::Position;
use super::ruleset::{Ruleset, Throne};
use super::square::Square;

/// The mask where it holds, else nothing.
const fn mask_if(holds: bool, mask: Bitboard) -> Bitboard {
    if holds { mask } else { Bitboard::EMPTY }
}

/// Where one kind of piece may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mobility {
    /// Squares it may stop on while they are empty.
    stop: Bitboard,
    /// Empty squares it may not slide over: the throne or nothing.
    wall: Bitboard,
    /// Whether it moves one square only.
    steps: bool,
}

impl Mobility {
    pub(super) fn of_soldiers(ruleset: &Ruleset) -> Mobility {
        let (reserved, passes) = match ruleset.throne {
            Throne::Ordinary => (false, true),
            Throne::Reserved { pass, .. } => (true, pass == ThronePass::Everyone),
        };
        Mobility {
            stop: !(Bitboard::CORNERS | mask_if(reserved, Bitboard::THRONE)),
            wall: mask_if(!passes, Bitboard::THRONE),
            steps: false,
        }
    }

    pub(super) fn of_king(ruleset: &Ruleset) -> Mobility {
        let (returns, passes) = match ruleset.throne {
            Throne::Ordinary => (true, true),
            Throne::Reserved {
                pass, king_return, ..
            } => (king_return, pass != ThronePass::Nobody),
        };
        Mobility {
            stop: !mask_if(!returns, Bitboard::THRONE),
            wall: mask_if(!passes, Bitboard::THRONE),
            steps: ruleset.king_speed == KingSpeed::Step,
        }
    }

    /// Squares it may stop on that nobody stands on.
    #[inline]
    pub(super) fn open(self, occupied: Bitboard) -> Bitboard {
        self.stop - occupied
    }

    /// The squares it may go to.
    #[inline]
    pub(super) fn targets(self, from: Square, occupied: Bitboard) -> Bitboard {
        let slides = rook_reach(from, occupied | self.wall) & self.open(occupied);
        match self.steps {
            true => slides & Bitboard::of(from).neighbours(),
            false => slides,
        }
    }

    /// The squares that pieces on any of these squares may go to; the pieces
    /// themselves stand in nobody's way unless they are `occupied`.
    #[inline]
    pub(super) fn targets_of_all(self, from: Bitboard, occupied: Bitboard) -> Bitboard {
        let slides = match self.steps {
            true => from.neighbours(),
            false => from.slides(!(occupied | self.wall)),
        };
        slides & self.open(occupied)
    }

    /// The squares from which a piece that stands there alone could go to one
    /// of these: what [`Mobility::targets`] says, asked backwards.
    #[inline]
    pub(super) fn sources(self, to: Bitboard, occupied: Bitboard) -> Bitboard {
        let to = to & self.open(occupied);
        if self.steps {
            return to.neighbours() - occupied;
        }
        let mut sources = to.approaches(!(occupied | self.wall));
        // A piece may start from the square that it could not slide over.
        for wall in self.wall - occupied {
            if self.targets(wall, occupied).meets(to) {
                sources |= Bitboard::of(wall);
            }
        }
        sources
    }

    /// How many moves pieces on these squares have, which are occupied.
    #[inline]
    pub(super) fn count(self, from: Bitboard, occupied: Bitboard) -> u32 {
        if self.steps {
            let each = from.into_iter();
            return each.map(|from| self.targets(from, occupied).len()).sum();
        }
        from.count_slides(!(occupied | self.wall), self.open(occupied))
    }

    /// The squares from which a slide could end on `to`, pieces in the way
    /// among them.
    #[inline]
    pub(super) fn seen_from(self, to: Square, occupied: Bitboard) -> Bitboard {
        rook_reach(to, occupied | self.wall)
    }

    fn obstacle(self, occupied: Bitboard) -> Obstacle {
        Obstacle {
            path: occupied | self.wall | mask_if(self.steps, Bitboard::FULL),
            stop: occupied | !self.stop,
        }
    }
}

/// Where one kind of piece cannot go in one position.
#[derive(Clone, Copy)]
struct Obstacle {
    /// Squares it cannot slide over.
    path: Bitboard,
    /// Squares it cannot stop on.
    stop: Bitboard,
}

/// What [`Mobility::targets`] says of all targets, asked of one rook target at
/// a time and answered without a branch.
#[derive(Clone, Copy)]
pub(super) struct Obstacles {
    king: Bitboard,
    /// Soldiers', then the king's.
    by_kind: [Obstacle; 2],
}

impl Obstacles {
    #[inline]
    pub(super) fn new(soldiers: Mobility, king: Mobility, position: &Position) -> Obstacles {
        let occupied = position.occupied();
        Obstacles {
            king: position.king,
            by_kind: [soldiers.obstacle(occupied), king.obstacle(occupied)],
        }
    }

    /// Whether the piece on `from` may go to this rook target of that square.
    #[inline]
    pub(super) fn allow(&self, from: Square, target: &RookTarget) -> bool {
        let Obstacle { path, stop } = self.by_kind[usize::from(self.king.contains(from))];
        let blocked = (target.between & path) | (Bitboard::of(target.square) & stop);
        blocked.is_empty()
    }
}

/// Empty squares that stand in for an enemy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hostile {
    /// Corners, always empty while a game goes on.
    corners: Bitboard,
    /// The throne or nothing; counts while it is empty.
    throne: Bitboard,
}

impl Hostile {
    pub(super) fn to_soldiers(ruleset: &Ruleset) -> Hostile {
        Hostile::to(ruleset, |hostility| hostility != Hostility::None)
    }

    pub(super) fn to_king(ruleset: &Ruleset) -> Hostile {
        Hostile::to(ruleset, |hostility| hostility == Hostility::Everyone)
    }

    fn to(ruleset: &Ruleset, counts: impl Fn(Hostility) -> bool) -> Hostile {
        let throne = match ruleset.throne {
            Throne::Ordinary => false,
            Throne::Reserved { hostile, .. } => counts(hostile),
        };
        Hostile {
            corners: mask_if(counts(ruleset.corners_hostile), Bitboard::CORNERS),
            throne: mask_if(throne, Bitboard::THRONE),
        }
    }

    #[inline]
    pub(super) fn squares(self, occupied: Bitboard) -> Bitboard {
        self.corners | (self.throne - occupied)
    }
}

/// How the king is captured on one square.
#[derive(Clone, Copy, Debug)]
pub(super) enum KingFate {
    /// Between two, like a soldier.
    Sandwich,
    /// When all of these squares are closed.
    Surround(Bitboard),
    /// Never.
    Safe,
}

impl KingFate {
    pub(super) fn on(square: Square, ruleset: &Ruleset) -> KingFate {
        let sides = Bitboard::of(square).neighbours();
        let safe = ruleset.king_edge == KingEdge::Safe && Bitboard::EDGES.contains(square);
        match ruleset.king_capture {
            KingCapture::Throne | KingCapture::Zone if square == Square::THRONE => {
                KingFate::Surround(sides)
            }
            KingCapture::Zone if sides.meets(Bitboard::THRONE) => {
                KingFate::Surround(sides - Bitboard::THRONE)
            }
            KingCapture::Two | KingCapture::Throne | KingCapture::Zone => KingFate::Sandwich,
            KingCapture::Four if safe => KingFate::Safe,
            KingCapture::Four => KingFate::Surround(sides),
        }
    }
}
