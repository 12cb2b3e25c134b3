//! A ruleset compiled to masks: the one place that decides which moves are
//! legal, what they capture and whether the game is over.
//! Imports the board's tables, positions and rulesets.

use super::axis::{NoMoves, Repetition, RepetitionResult};
use super::bitboard::Bitboard;
use super::geometry::CAPTURE_LINES;
use super::masks::{Hostile, KingFate, Mobility, Obstacles};
use super::moves::MoveList;
use super::outcome::{Outcome, Reason};
use super::position::Position;
use super::ruleset::{Ruleset, Throne};
use super::side::Side;
use super::square::{Move, SQUARES, Square};

/// A ruleset ready to play by.
#[derive(Clone, Debug)]
pub struct Rules {
    ruleset: Ruleset,
    pub(super) soldier: Mobility,
    pub(super) king: Mobility,
    /// Every square if the king is armed, else none.
    pub(super) king_arms: Bitboard,
    pub(super) to_soldiers: Hostile,
    pub(super) to_king: Hostile,
    pub(super) king_fate: [KingFate; SQUARES],
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
        let king_arms = if ruleset.king_armed {
            Bitboard::FULL
        } else {
            Bitboard::EMPTY
        };
        Rules {
            soldier: Mobility::of_soldiers(&ruleset),
            king: Mobility::of_king(&ruleset),
            king_arms,
            to_soldiers: Hostile::to_soldiers(&ruleset),
            to_king: Hostile::to_king(&ruleset),
            king_fate: std::array::from_fn(|index| KingFate::on(Square::new(index), &ruleset)),
            ruleset,
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
        let is_king = position.king.contains(from);
        let mobility = if is_king { self.king } else { self.soldier };
        mobility.targets(from, position.occupied())
    }

    /// What stands in the way of the side to move, for asking about single
    /// targets.
    #[inline]
    pub(super) fn obstacles(&self, position: &Position) -> Obstacles {
        Obstacles::new(self.soldier, self.king, position)
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
        let occupied = position.occupied();
        let (soldiers, king) = match position.side {
            Side::Attackers => (position.attackers, Bitboard::EMPTY),
            Side::Defenders => (position.defenders, position.king),
        };
        // One by one, he may stop where he may not slide on.
        let of_king = king
            .first()
            .map_or(0, |from| self.king.targets(from, occupied).len());
        u64::from(self.soldier.count(soldiers, occupied) + of_king)
    }

    /// Whether the side to move has a legal move.
    #[inline]
    #[must_use]
    pub fn has_moves(&self, position: &Position) -> bool {
        // A soldier with an open square beside it can move; only where none
        // has one is each piece asked in turn.
        let soldiers = position.pieces(position.side) - position.king;
        let open = self.soldier.open(position.occupied());
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
        let captured = match position.side {
            Side::Attackers => {
                next.attackers = next.attackers ^ shift;
                let captured = self.taken_by_attackers(&next, ply.to);
                next.defenders = next.defenders - captured;
                next.king = next.king - captured;
                captured
            }
            Side::Defenders => {
                if position.king.contains(ply.from) {
                    next.king = Bitboard::of(ply.to);
                } else {
                    next.defenders = next.defenders ^ shift;
                }
                let captured = self.taken_by_defenders(&next, ply.to);
                next.attackers = next.attackers - captured;
                captured
            }
        };
        Played {
            position: next,
            captured,
        }
    }

    /// Whom the piece that has just come to `to` captures in the position that
    /// its move left, before anybody is lifted. Where it came from makes no
    /// difference.
    #[inline]
    #[must_use]
    pub fn taken_on_arrival(&self, after: &Position, to: Square) -> Bitboard {
        match after.side.other() {
            Side::Attackers => self.taken_by_attackers(after, to),
            Side::Defenders => self.taken_by_defenders(after, to),
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

    /// Whom the defenders' piece that arrived on `to` captures.
    #[inline]
    fn taken_by_defenders(&self, after: &Position, to: Square) -> Bitboard {
        let captures = !(after.king.contains(to) && self.king_arms.is_empty());
        if !captures || !Bitboard::of(to).neighbours().meets(after.attackers) {
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
