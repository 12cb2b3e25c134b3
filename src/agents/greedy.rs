//! One ply ahead: take a win, stop a loss, else material and the king's
//! mobility. Imports `game`.

use super::evaluation::material_and_mobility;
use super::{Agent, Forfeit, Stream};
use crate::game::{Game, Move, MoveList, Outcome, Position, Rules, Side, sample::below};

pub(super) struct Greedy {
    stream: Stream,
}

impl Greedy {
    pub(super) fn new(stream: Stream) -> Greedy {
        Greedy { stream }
    }
}

/// What a move is worth to its mover, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// The game is lost at once.
    Lost,
    /// The opponent can win with his next move.
    Hanging(i32),
    Open(i32),
    Won,
}

impl Agent for Greedy {
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        let mut best = Worth::Lost;
        let mut equals = 0;
        let mut chosen = list[0];
        for &ply in &list {
            let worth = worth(game, ply);
            if worth > best {
                equals = 0;
                best = worth;
            }
            if worth == best {
                // Each of the equals is kept with the same chance in the end.
                equals += 1;
                if below(equals, &mut self.stream) == 0 {
                    chosen = ply;
                }
            }
        }
        Ok(chosen)
    }
}

fn worth(game: &Game<'_>, ply: Move) -> Worth {
    let mover = game.position().side;
    let (played, outcome) = game.preview(ply);
    let score = |position: &Position| {
        let score = material_and_mobility(game.rules(), position);
        if mover == Side::Defenders {
            score
        } else {
            -score
        }
    };
    match outcome {
        Some(Outcome {
            winner: Some(side), ..
        }) if side == mover => Worth::Won,
        Some(Outcome {
            winner: Some(_), ..
        }) => Worth::Lost,
        Some(Outcome { winner: None, .. }) => Worth::Open(0),
        None if wins_at_once(game.rules(), &played.position) => {
            Worth::Hanging(score(&played.position))
        }
        None => Worth::Open(score(&played.position)),
    }
}

/// Whether the side to move has a move that wins on the board, repetition
/// apart.
fn wins_at_once(rules: &Rules, position: &Position) -> bool {
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    list.iter().any(|&ply| {
        rules
            .ending(&rules.play(position, ply).position)
            .is_some_and(|outcome| outcome.winner == Some(position.side))
    })
}
