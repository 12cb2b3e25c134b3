//! A ruleset compiled to masks: the one place that decides which moves are
//! legal, what they capture and whether the game is over.
//! Imports the board's tables, positions and rulesets.

use super::axis::{
    Hostility, KingCapture, KingEdge, KingSpeed, NoMoves, Repetition, RepetitionResult, ThronePass,
};
use super::bitboard::Bitboard;
use super::geometry::{CAPTURE_LINES, RookTarget, rook_reach};
use super::moves::MoveList;
use super::outcome::{Outcome, Reason};
use super::position::Position;
use super::ruleset::{Ruleset, Throne};
use super::side::Side;
use super::square::{Move, SQUARES, Square};

/// Where one kind of piece may go.
#[derive(Clone, Copy, Debug)]
struct Mobility {
    /// Squares it may stop on while they are empty.
    stop: Bitboard,
    /// Empty squares it may not slide over: the throne or nothing.
    wall: Bitboard,
}

impl Mobility {
    /// The squares a sliding piece may go to.
    #[inline]
    fn slides(self, from: Square, occupied: Bitboard) -> Bitboard {
        (rook_reach(from, occupied | self.wall) & self.stop) - occupied
    }
}

/// Empty squares that stand in for an enemy.
#[derive(Clone, Copy, Debug)]
struct Hostile {
    /// Corners, always empty while a game goes on.
    corners: Bitboard,
    /// The throne or nothing; counts while it is empty.
    throne: Bitboard,
}

impl Hostile {
    fn new(corners: bool, throne: bool) -> Hostile {
        Hostile {
            corners: if corners {
                Bitboard::CORNERS
            } else {
                Bitboard::EMPTY
            },
            throne: if throne {
                Bitboard::THRONE
            } else {
                Bitboard::EMPTY
            },
        }
    }

    #[inline]
    fn squares(self, occupied: Bitboard) -> Bitboard {
        self.corners | (self.throne - occupied)
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

/// What [`Rules::destinations`] says, asked of one rook target at a time and
/// answered without a branch.
#[derive(Clone, Copy)]
pub(super) struct Obstacles {
    king_square: Bitboard,
    /// Soldiers', then the king's.
    by_kind: [Obstacle; 2],
}

impl Obstacles {
    /// Whether the piece of the side to move on `from` may go to this rook
    /// target of that square.
    #[inline]
    pub(super) fn allow(&self, from: Square, target: &RookTarget) -> bool {
        let kind = usize::from(self.king_square.contains(from));
        let Obstacle { path, stop } = self.by_kind[kind];
        let blocked = (target.between & path) | (Bitboard::of(target.square) & stop);
        blocked.is_empty()
    }
}

/// How the king is captured on one square.
#[derive(Clone, Copy, Debug)]
enum KingFate {
    /// Between two, like a soldier.
    Sandwich,
    /// When all of these squares are closed.
    Surround(Bitboard),
    /// Never.
    Safe,
}

/// A ruleset ready to play by.
#[derive(Clone, Debug)]
pub struct Rules {
    ruleset: Ruleset,
    soldier: Mobility,
    king: Mobility,
    king_steps: bool,
    /// Every square if the king is armed, else none.
    king_arms: Bitboard,
    to_soldiers: Hostile,
    to_king: Hostile,
    king_fate: [KingFate; SQUARES],
}

/// What a move did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The position after it, the captured lifted and the other side to move.
    pub position: Position,
    /// The squares of the captured, the king's among them.
    pub captured: Bitboard,
}

impl From<Ruleset> for Rules {
    fn from(ruleset: Ruleset) -> Rules {
        Rules::new(ruleset)
    }
}

impl Rules {
    /// Compiles a ruleset.
    #[must_use]
    pub fn new(ruleset: Ruleset) -> Rules {
        let open = Mobility {
            stop: !Bitboard::CORNERS,
            wall: Bitboard::EMPTY,
        };
        let (mut soldier, mut king) = (open, open);
        king.stop = Bitboard::FULL;
        let mut throne_hostile = Hostility::None;
        if let Throne::Reserved {
            hostile,
            pass,
            king_return,
        } = ruleset.throne
        {
            throne_hostile = hostile;
            soldier.stop = soldier.stop - Bitboard::THRONE;
            if pass != ThronePass::Everyone {
                soldier.wall = Bitboard::THRONE;
            }
            if pass == ThronePass::Nobody {
                king.wall = Bitboard::THRONE;
            }
            if !king_return {
                king.stop = king.stop - Bitboard::THRONE;
            }
        }
        let corners = ruleset.corners_hostile;
        let mut king_fate = [KingFate::Sandwich; SQUARES];
        for square in Square::all() {
            king_fate[square.index()] = fate(&ruleset, square);
        }
        Rules {
            ruleset,
            soldier,
            king,
            king_steps: ruleset.king_speed == KingSpeed::Step,
            king_arms: if ruleset.king_armed {
                Bitboard::FULL
            } else {
                Bitboard::EMPTY
            },
            to_soldiers: Hostile::new(
                corners != Hostility::None,
                throne_hostile != Hostility::None,
            ),
            to_king: Hostile::new(
                corners == Hostility::Everyone,
                throne_hostile == Hostility::Everyone,
            ),
            king_fate,
        }
    }

    /// What was compiled.
    #[must_use]
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The start position, attackers to move.
    #[must_use]
    pub fn start(&self) -> Position {
        self.ruleset.layout.position()
    }

    /// Whether a position can be played on under these rules.
    ///
    /// # Errors
    /// A piece on a corner, or a soldier on the reserved throne.
    pub fn admit(&self, position: &Position) -> Result<(), String> {
        let soldiers = position.attackers | position.defenders;
        if let Some(square) = (position.occupied() & Bitboard::CORNERS).first() {
            return Err(format!(
                "a piece on the corner {square}: no game goes on there"
            ));
        }
        if self.ruleset.throne != Throne::Ordinary && soldiers.meets(Bitboard::THRONE) {
            return Err("a soldier on d4: none may stop on a reserved throne".to_owned());
        }
        Ok(())
    }

    /// The squares the piece on `from` may go to; empty if no piece of the
    /// side to move stands there.
    #[inline]
    #[must_use]
    pub fn destinations(&self, position: &Position, from: Square) -> Bitboard {
        if !position.pieces(position.side).contains(from) {
            return Bitboard::EMPTY;
        }
        self.targets(position, from)
    }

    /// The squares the piece of the side to move on `from` may go to.
    #[inline]
    fn targets(&self, position: &Position, from: Square) -> Bitboard {
        let occupied = position.occupied();
        if position.king.contains(from) {
            let slides = self.king.slides(from, occupied);
            match self.king_steps {
                true => slides & Bitboard::of(from).neighbours(),
                false => slides,
            }
        } else {
            self.soldier.slides(from, occupied)
        }
    }

    /// What stands in the way of the side to move, for asking about single
    /// targets.
    #[inline]
    pub(super) fn obstacles(&self, position: &Position) -> Obstacles {
        let occupied = position.occupied();
        let of = |mobility: Mobility| Obstacle {
            path: occupied | mobility.wall,
            stop: occupied | !mobility.stop,
        };
        let mut king = of(self.king);
        if self.king_steps {
            king.path = Bitboard::FULL;
        }
        Obstacles {
            king_square: position.king,
            by_kind: [of(self.soldier), king],
        }
    }

    /// Whether the side to move may play this.
    #[must_use]
    pub fn is_legal(&self, position: &Position, ply: Move) -> bool {
        self.destinations(position, ply.from).contains(ply.to)
    }

    /// Every legal move of the side to move, by origin, then by target.
    #[inline]
    pub fn moves(&self, position: &Position, list: &mut MoveList) {
        list.clear();
        for from in position.pieces(position.side) {
            for to in self.targets(position, from) {
                list.push(Move { from, to });
            }
        }
    }

    /// How many legal moves the side to move has.
    #[must_use]
    pub fn count_moves(&self, position: &Position) -> u64 {
        position
            .pieces(position.side)
            .into_iter()
            .map(|from| u64::from(self.targets(position, from).len()))
            .sum()
    }

    /// Whether the side to move has a legal move.
    #[inline]
    #[must_use]
    pub fn has_moves(&self, position: &Position) -> bool {
        // A soldier with an open square beside it can move; only where none
        // has one is each piece asked in turn.
        let soldiers = position.pieces(position.side) - position.king;
        let open = self.soldier.stop - position.occupied();
        soldiers.neighbours().meets(open)
            || position
                .pieces(position.side)
                .into_iter()
                .any(|from| !self.targets(position, from).is_empty())
    }

    /// Plays a move that is known to be legal. An illegal one gives a
    /// meaningless position, never undefined behaviour.
    #[inline]
    #[must_use]
    pub fn play(&self, position: &Position, ply: Move) -> Played {
        let shift = Bitboard::of(ply.from) ^ Bitboard::of(ply.to);
        let mut next = *position;
        next.side = position.side.other();
        let to = Bitboard::of(ply.to);
        let captured = match position.side {
            Side::Attackers => {
                next.attackers = next.attackers ^ shift;
                let captured = self.taken_by_attackers(&next, ply.to);
                next.defenders = next.defenders - captured;
                next.king = next.king - captured;
                captured
            }
            Side::Defenders => {
                let armed = if position.king.contains(ply.from) {
                    next.king = to;
                    self.king_arms
                } else {
                    next.defenders = next.defenders ^ shift;
                    Bitboard::FULL
                };
                let captured = self.taken_by_defenders(&next, ply.to) & armed;
                next.attackers = next.attackers - captured;
                captured
            }
        };
        Played {
            position: next,
            captured,
        }
    }

    /// Whom a legal move would capture.
    #[inline]
    #[must_use]
    pub fn captures(&self, position: &Position, ply: Move) -> Bitboard {
        let enemies = position.pieces(position.side.other());
        if Bitboard::of(ply.to).neighbours().meets(enemies) {
            self.play(position, ply).captured
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whom the defenders' piece that arrived on `to` captures, if it captures.
    #[inline]
    fn taken_by_defenders(&self, after: &Position, to: Square) -> Bitboard {
        if !Bitboard::of(to).neighbours().meets(after.attackers) {
            return Bitboard::EMPTY;
        }
        let anvils = after.defenders
            | (after.king & self.king_arms)
            | self.to_soldiers.squares(after.occupied());
        sandwiched(to, after.attackers, anvils)
    }

    /// Whom the attacker that arrived on `to` captures, the king among them.
    #[inline]
    fn taken_by_attackers(&self, after: &Position, to: Square) -> Bitboard {
        let beside = Bitboard::of(to).neighbours();
        if !beside.meets(after.defenders | after.king) {
            return Bitboard::EMPTY;
        }
        let occupied = after.occupied();
        let anvils = after.attackers | self.to_soldiers.squares(occupied);
        let mut captured = sandwiched(to, after.defenders, anvils);
        if beside.meets(after.king)
            && let Some(king) = after.king.first()
        {
            let closed = after.attackers | self.to_king.squares(occupied);
            let taken = match self.king_fate[king.index()] {
                KingFate::Sandwich => !sandwiched(to, after.king, closed).is_empty(),
                KingFate::Surround(sides) => sides.is_subset(closed),
                KingFate::Safe => false,
            };
            if taken {
                captured |= after.king;
            }
        }
        captured
    }

    /// How the game ended with the move that led to this position, repetition
    /// apart: that needs the history, and comes last.
    #[inline]
    #[must_use]
    pub fn ending(&self, after: &Position) -> Option<Outcome> {
        if after.king.meets(Bitboard::CORNERS) {
            return Some(Outcome {
                winner: Some(Side::Defenders),
                reason: Reason::KingEscaped,
            });
        }
        if after.king.is_empty() {
            return Some(Outcome {
                winner: Some(Side::Attackers),
                reason: Reason::KingCaptured,
            });
        }
        if self.ruleset.encirclement && after.side == Side::Defenders && encircled(after) {
            return Some(Outcome {
                winner: Some(Side::Attackers),
                reason: Reason::Encircled,
            });
        }
        self.stalemate(after)
    }

    /// The end by `no-moves`, if the side to move has none.
    #[inline]
    #[must_use]
    pub fn stalemate(&self, position: &Position) -> Option<Outcome> {
        if self.has_moves(position) {
            return None;
        }
        Some(Outcome {
            winner: match self.ruleset.no_moves {
                NoMoves::Draw => None,
                NoMoves::Loses => Some(position.side.other()),
            },
            reason: Reason::NoMoves,
        })
    }

    /// How often a position may stand before the game ends, if ever.
    #[inline]
    #[must_use]
    pub fn repetition_limit(&self) -> Option<u32> {
        match self.ruleset.repetition {
            Repetition::Ignored => None,
            Repetition::Counted { count, .. } => Some(count),
        }
    }

    /// The end by repetition, brought about by a move of `mover`; `None` where
    /// repetition is ignored.
    #[must_use]
    pub fn repeated(&self, mover: Side) -> Option<Outcome> {
        let Repetition::Counted { result, .. } = self.ruleset.repetition else {
            return None;
        };
        Some(Outcome {
            winner: match result {
                RepetitionResult::Draw => None,
                RepetitionResult::Attackers => Some(Side::Attackers),
                RepetitionResult::Defenders => Some(Side::Defenders),
                RepetitionResult::MoverLoses => Some(mover.other()),
            },
            reason: Reason::Repetition,
        })
    }
}

/// The pieces of `victims` beside `to` that have an anvil behind them.
#[inline]
fn sandwiched(to: Square, victims: Bitboard, anvils: Bitboard) -> Bitboard {
    let mut taken = Bitboard::EMPTY;
    for line in &CAPTURE_LINES[to.index()] {
        if line.neighbour.meets(victims) && line.beyond.meets(anvils) {
            taken |= line.neighbour;
        }
    }
    taken
}

/// Whether no defender and not the king is connected to an edge through
/// squares that attackers do not hold.
fn encircled(position: &Position) -> bool {
    let open = !position.attackers;
    let outside = (Bitboard::EDGES & open).flood(open);
    !outside.meets(position.defenders | position.king)
}

fn fate(ruleset: &Ruleset, square: Square) -> KingFate {
    let at = Bitboard::of(square);
    let sides = at.neighbours();
    match ruleset.king_capture {
        KingCapture::Throne | KingCapture::Zone if square == Square::THRONE => {
            KingFate::Surround(sides)
        }
        KingCapture::Zone if sides.meets(Bitboard::THRONE) => {
            KingFate::Surround(sides - Bitboard::THRONE)
        }
        KingCapture::Two | KingCapture::Throne | KingCapture::Zone => KingFate::Sandwich,
        KingCapture::Four
            if ruleset.king_edge == KingEdge::Safe && Bitboard::EDGES.contains(square) =>
        {
            KingFate::Safe
        }
        KingCapture::Four => KingFate::Surround(sides),
    }
}
