//! A game being played: the position, what came before, and how it ended.
//! Imports rules and history.

use super::bitboard::Bitboard;
use super::history::History;
use super::moves::MoveList;
use super::outcome::Outcome;
use super::position::Position;
use super::rules::{Played, Rules};
use super::side::Side;
use super::square::Move;

/// A game under one ruleset, from a start position on.
#[derive(Clone, Debug)]
pub struct Game<'r> {
    rules: &'r Rules,
    start: Position,
    position: Position,
    history: History,
    outcome: Option<Outcome>,
    played: Vec<Move>,
}

/// A move that may not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("{ply} after the end: {outcome}")]
    Over {
        /// What was tried.
        ply: Move,
        /// How the game had ended.
        outcome: Outcome,
    },
    /// No piece of the side to move stands there.
    #[error("{ply}: no piece of the {side} stands on {}", .ply.from)]
    NoPiece {
        /// What was tried.
        ply: Move,
        /// Whose turn it is.
        side: Side,
    },
    /// The piece cannot go there.
    #[error("{ply}: the piece on {} of the {side} cannot go to {}", .ply.from, .ply.to)]
    Unreachable {
        /// What was tried.
        ply: Move,
        /// Whose turn it is.
        side: Side,
    },
}

impl<'r> Game<'r> {
    /// A game from the ruleset's layout, attackers to move.
    #[inline]
    #[must_use]
    pub fn new(rules: &'r Rules) -> Game<'r> {
        Game::from_position(rules, rules.start())
    }

    /// A game from any position. If its side to move has no move, the game is
    /// over at once.
    #[inline]
    #[must_use]
    pub fn from_position(rules: &'r Rules, position: Position) -> Game<'r> {
        Game {
            rules,
            start: position,
            position,
            history: History::new(&position),
            outcome: rules.stalemate(&position),
            played: Vec::with_capacity(128),
        }
    }

    /// The rules it is played by.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// The position it began with.
    #[inline]
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position now.
    #[inline]
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The positions that can still repeat, the present one the last; where repetition is
    /// ignored, at most the first one.
    #[inline]
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How it ended, if it has.
    #[inline]
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The moves from the start to now.
    #[inline]
    #[must_use]
    pub fn played(&self) -> &[Move] {
        &self.played
    }

    /// Moves played so far, one side's move counting as one ply.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.played.len() as u32
    }

    /// The legal moves; none once the game is over.
    pub fn moves(&self, list: &mut MoveList) {
        list.clear();
        if self.outcome.is_none() {
            self.rules.moves(&self.position, list);
        }
    }

    /// Plays a move and gives the squares of the captured.
    ///
    /// # Errors
    /// A move that is not legal, or any move once the game is over; the game
    /// is left as it was.
    pub fn play(&mut self, ply: Move) -> Result<Bitboard, IllegalMove> {
        let side = self.position.side;
        if let Some(outcome) = self.outcome {
            return Err(IllegalMove::Over { ply, outcome });
        }
        if !self.position.pieces(side).contains(ply.from) {
            return Err(IllegalMove::NoPiece { ply, side });
        }
        if !self.rules.is_legal(&self.position, ply) {
            return Err(IllegalMove::Unreachable { ply, side });
        }
        Ok(self.play_legal(ply))
    }

    /// What a legal move would do, and how the game would end with it; the
    /// game stays as it is.
    #[must_use]
    pub fn preview(&self, ply: Move) -> (Played, Option<Outcome>) {
        let played = self.rules.play(&self.position, ply);
        let outcome = self.end_at(&played.position);
        (played, outcome)
    }

    /// How the game would end if it came to this position one or two moves from
    /// now: on the board, or because it has stood often enough.
    #[must_use]
    pub fn end_at(&self, position: &Position) -> Option<Outcome> {
        self.rules.ending(position).or_else(|| {
            let limit = self.rules.repetition_limit()?;
            let stood = self.history.times(position) + 1;
            (stood >= limit).then(|| self.rules.repeated(position.side.other()))?
        })
    }

    /// Plays a move that is known to be legal in a game that is not over.
    #[inline]
    pub fn play_legal(&mut self, ply: Move) -> Bitboard {
        let mover = self.position.side;
        let played = self.rules.play(&self.position, ply);
        self.position = played.position;
        self.played.push(ply);
        if !played.captured.is_empty() {
            self.history.forget();
        }
        self.outcome = self.rules.ending(&self.position);
        if let Some(limit) = self.rules.repetition_limit() {
            let stood = self.history.push(&self.position);
            if stood >= limit && self.outcome.is_none() {
                self.outcome = self.rules.repeated(mover);
            }
        }
        played.captured
    }
}

/// Writes a move with its captures: `d2-e2xe3`, `d2-e2xe1xe3`.
#[must_use]
pub fn annotate(ply: Move, captured: Bitboard) -> String {
    captured
        .into_iter()
        .fold(ply.to_string(), |text, square| format!("{text}x{square}"))
}
