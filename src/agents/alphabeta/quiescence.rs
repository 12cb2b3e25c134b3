//! Beyond the full depth: captures, threats by the king, and the replies that
//! a threat to win at once leaves, until the position is quiet. Imports `game`
//! and the search.

use super::score::{MATE, MAX_PLY};
use super::search::{OutOfNodes, Search};
use crate::game::{Bitboard, Move, MoveList, Position, Side};

/// The king's threats are looked at so many plies beyond the full depth, and
/// all replies to threats against him.
const THREATS: u32 = 3;

impl Search<'_> {
    /// The score of a position for its side to move. Where a side is not
    /// forced it may also leave things as they are.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        ply: usize,
        beyond: u32,
    ) -> Result<i32, OutOfNodes> {
        self.count()?;
        if self.rules.decisive_move(position).is_some() {
            return Ok(MATE - ply as i32 - 1);
        }
        if ply + 1 >= MAX_PLY {
            return Ok(self.judge(position));
        }
        if let Some(score) = self.known(position, ply) {
            return Ok(score);
        }
        let mut list = MoveList::new();
        if self.must_block(position) {
            list.extend(self.rules.blocks(position));
            // What is not looked at lets the king out.
            let lost = ply as i32 + 2 - MATE;
            return self.replies(position, &list, (alpha, beta, lost), ply, beyond);
        }
        if beyond < THREATS && self.is_threatened(position) {
            self.rules.moves(position, &mut list);
            return self.replies(position, &list, (alpha, beta, -MATE), ply, beyond);
        }
        let stand = self.judge(position);
        if stand >= beta {
            return Ok(stand);
        }
        self.noisy(position, beyond, &mut list);
        self.replies(
            position,
            &list,
            (alpha.max(stand), beta, stand),
            ply,
            beyond,
        )
    }

    /// Whether the attackers could capture the king if it were their turn.
    fn is_threatened(&self, position: &Position) -> bool {
        position.side == Side::Defenders && self.rules.king_captures(position).next().is_some()
    }

    /// The best of these moves' scores and of `best`.
    fn replies(
        &mut self,
        position: &Position,
        list: &[Move],
        (mut alpha, beta, mut best): (i32, i32, i32),
        ply: usize,
        beyond: u32,
    ) -> Result<i32, OutOfNodes> {
        for &reply in list {
            let after = self.rules.play(position, reply).position;
            let score = match self.ended(&after, position.side, ply + 1) {
                Some(score) => score,
                None => -self.quiesce(&after, -beta, -alpha, ply + 1, beyond + 1)?,
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Captures, and the king's moves to where he sees a corner.
    fn noisy(&self, position: &Position, beyond: u32, list: &mut MoveList) {
        let rules = self.rules;
        let side = position.side;
        let takes = rules.capture_squares(position, side);
        list.extend(rules.soldiers_moves_to(position, side, takes));
        if side == Side::Attackers {
            return;
        }
        let mut goals = Bitboard::EMPTY;
        if rules.ruleset().king_armed {
            goals |= takes;
        }
        if beyond < THREATS {
            goals |= rules.king_reach_from(position, Bitboard::CORNERS);
        }
        let king = position.king.first();
        list.extend(king.into_iter().flat_map(|from| {
            let to = rules.king_reach(position) & goals;
            to.into_iter().map(move |to| Move { from, to })
        }));
    }
}
