//! Wins that a certificate has no step for, as the rules themselves say. Imports
//! `game`.

use crate::game::{Move, MoveList, NoMoves, Position, Rules, Side};

/// Plies of the wins that a certificate leaves out: see [`wins_in_three`].
pub const LEFT_OUT: u16 = 3;

/// Whether the side to move can capture the king or bring him to his goal, as the
/// rules themselves say.
pub(super) fn wins_at_once(rules: &Rules, position: &Position) -> bool {
    rules.decisive_move(position).is_some_and(|ply| {
        let after = rules.play(position, ply).position;
        rules.is_legal(position, ply) && winner(rules, &after) == Some(position.side)
    })
}

/// The first move of the side to move that ends the game with its win otherwise than
/// by the king's capture or escape: by encirclement, or as nothing can move after it.
pub(super) fn ends_it(rules: &Rules, position: &Position) -> Option<Move> {
    let ruleset = rules.ruleset();
    if !ruleset.encirclement && ruleset.no_moves != NoMoves::Loses {
        return None;
    }
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    let wins = |&ply: &Move| {
        let after = rules.play(position, ply).position;
        winner(rules, &after) == Some(position.side)
    };
    list.into_iter().find(wins)
}

fn winner(rules: &Rules, after: &Position) -> Option<Side> {
    rules.ending(after)?.winner
}

/// Whether the side to move has a move that threatens to win at once, and after
/// every reply to it does win at once. The first such move.
#[must_use]
pub fn wins_in_three(rules: &Rules, position: &Position) -> Option<Move> {
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    list.into_iter()
        .find(|&ply| threatens_all(rules, &rules.play(position, ply).position))
}

/// Whether the side that has just moved threatens to win at once, and every
/// reply lets it.
pub(super) fn threatens_all(rules: &Rules, after: &Position) -> bool {
    let prover = after.side.other();
    let again = Position {
        side: prover,
        ..*after
    };
    if rules.decisive_move(&again).is_none() || rules.ending(after).is_some() {
        return false;
    }
    let mut replies = MoveList::new();
    rules.moves(after, &mut replies);
    replies.iter().all(|&reply| {
        let next = rules.play(after, reply).position;
        match rules.ending(&next) {
            Some(outcome) => outcome.winner == Some(prover),
            None => wins_at_once(rules, &next),
        }
    })
}

/// Those of these wins that a search looks for: whether the side to move wins within
/// three plies by capturing the king or bringing him to his goal, and within how many,
/// 1 or 3.
#[must_use]
pub fn short_win(rules: &Rules, position: &Position) -> Option<u16> {
    if wins_at_once(rules, position) {
        Some(1)
    } else {
        wins_in_three(rules, position).map(|_| LEFT_OUT)
    }
}
