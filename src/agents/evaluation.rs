//! The worth of a position that is not decided, in whole numbers.
//! Imports `game`.

use crate::game::{Bitboard, Position, Rules, Side};

/// One attackers' soldier; a defenders' soldier is twice as rare and counts
/// twice as much.
const ATTACKER: i32 = 50;
const DEFENDER: i32 = 100;
/// One square the king can go to.
const KING_MOVE: i32 = 8;
/// One corner the king threatens to reach with his next move but one.
const CORNER_THREAT: i32 = 40;

/// More than any evaluation's absolute value.
pub(super) const BOUND: i32 = 10_000;

/// Material and the king's mobility, from the defenders' side: positive is
/// good for them. The king must be on the board.
pub(super) fn material_and_mobility(rules: &Rules, position: &Position) -> i32 {
    weigh(position, king_reach(rules, position))
}

fn weigh(position: &Position, reach: Bitboard) -> i32 {
    DEFENDER * position.defenders.len() as i32 - ATTACKER * position.attackers.len() as i32
        + KING_MOVE * reach.len() as i32
}

/// [`material_and_mobility`] and the corners the king can come to in two
/// moves, for the side to move.
pub(super) fn evaluate(rules: &Rules, position: &Position) -> i32 {
    let reach = king_reach(rules, position);
    // Corners are seen from edges alone.
    let corners = (reach & Bitboard::EDGES)
        .into_iter()
        .map(|square| {
            let there = Position {
                king: Bitboard::of(square),
                side: Side::Defenders,
                ..*position
            };
            rules.destinations(&there, square) & Bitboard::CORNERS
        })
        .fold(Bitboard::EMPTY, |all, some| all | some);
    let score = weigh(position, reach) + CORNER_THREAT * corners.len() as i32;
    match position.side {
        Side::Defenders => score,
        Side::Attackers => -score,
    }
}

/// Where the king could go if it were the defenders' turn.
pub(super) fn king_reach(rules: &Rules, position: &Position) -> Bitboard {
    let Some(king) = position.king.first() else {
        return Bitboard::EMPTY;
    };
    let turn = Position {
        side: Side::Defenders,
        ..*position
    };
    rules.destinations(&turn, king)
}
