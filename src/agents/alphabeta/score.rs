//! Scores of decided positions. Imports `game`, exact values and the evaluation's bound.

use crate::agents::evaluation::BOUND;
use crate::game::{Outcome, Side};
use crate::solver::exact::Value;

/// The score of a win at the root; a win in *n* plies is `MATE - n`.
pub(super) const MATE: i32 = 30_000;
/// Plies a line can have.
pub(super) const MAX_PLY: usize = 128;
/// Scores beyond this are wins in so many plies.
pub(super) const MATE_IN_REACH: i32 = MATE - MAX_PLY as i32;
/// A repetition that will win once it has gone on long enough.
pub(super) const REPEATED_WIN: i32 = BOUND + 1_000;

/// The score of a game that has ended, for `side`.
pub(super) fn final_score(outcome: Outcome, side: Side, ply: usize) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => MATE - ply as i32,
        Some(_) => ply as i32 - MATE,
    }
}

/// The score of a position whose value is known, `ply` plies from the root, for
/// its side to move; `None` for a draw that a repetition might yet decide.
///
/// A win further away than a line can be is as sure as a repetition that wins.
pub(super) fn exact_score(value: Value, ply: usize, draws_hold: bool) -> Option<i32> {
    let end = |plies: u8| ply as i32 + i32::from(plies);
    match value {
        Value::Draw => draws_hold.then_some(0),
        Value::Win { plies } if end(plies) < MAX_PLY as i32 => Some(MATE - end(plies)),
        Value::Loss { plies } if end(plies) < MAX_PLY as i32 => Some(end(plies) - MATE),
        Value::Win { .. } => Some(REPEATED_WIN),
        Value::Loss { .. } => Some(-REPEATED_WIN),
    }
}

/// Wins are stored as plies from the position, not from the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let score = match score {
        MATE_IN_REACH.. => score + ply as i32,
        _ if score <= -MATE_IN_REACH => score - ply as i32,
        _ => score,
    };
    score as i16
}

/// The score in this place of what [`to_table`] gave.
pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    match i32::from(score) {
        score @ MATE_IN_REACH.. => score - ply as i32,
        score if score <= -MATE_IN_REACH => score + ply as i32,
        score => score,
    }
}
