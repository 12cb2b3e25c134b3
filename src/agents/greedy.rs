//! One ply ahead: take a win, stop a loss, else material and the king's
//! mobility. Imports `game`.

use super::evaluation::material_and_mobility;
use super::{Agent, Forfeit, Stream};
use crate::game::{Game, Move, MoveList, Outcome, Position, Side, sample::below};

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
        None if wins_at_once(game, &played.position) => Worth::Hanging(score(&played.position)),
        None => Worth::Open(score(&played.position)),
    }
}

/// Whether the side to move has a move that wins at once, on the board or by
/// repetition, in a position one move on from the game's.
fn wins_at_once(game: &Game<'_>, position: &Position) -> bool {
    let mut list = MoveList::new();
    game.rules().moves(position, &mut list);
    list.iter().any(|&ply| {
        game.end_at(&game.rules().play(position, ply).position)
            .is_some_and(|outcome| outcome.winner == Some(position.side))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::stream;
    use crate::game::{Outcome, Reason, Rules, preset};

    /// How the games end in which a move of the opponent's follows at once.
    fn lost_by<'g>(game: &'g Game<'_>, ply: Move) -> impl Iterator<Item = Outcome> + 'g {
        let mut next = game.clone();
        next.play_legal(ply);
        let side = game.position().side;
        let mut replies = MoveList::new();
        if next.outcome().is_none() {
            next.moves(&mut replies);
        }
        let ends = replies.into_iter().filter_map(move |reply| {
            let mut last = next.clone();
            last.play_legal(reply);
            last.outcome()
        });
        ends.filter(move |outcome| outcome.winner == Some(side.other()))
    }

    #[test]
    fn no_loss_that_can_be_stopped_is_let_happen() {
        let rules = Rules::new(preset::find("irish-1").unwrap().ruleset());
        let mut stopped = [0; 2];
        for number in 0..200 {
            let mut greedy = Greedy::new(stream([number; 32]));
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 200 {
                let ply = greedy.choose(&game).unwrap();
                let mut all = MoveList::new();
                game.moves(&mut all);
                let safe = all
                    .iter()
                    .any(|&other| lost_by(&game, other).next().is_none());
                assert!(
                    !safe || lost_by(&game, ply).next().is_none(),
                    "{number}: {ply}"
                );
                let reasons = all.iter().flat_map(|&other| lost_by(&game, other));
                for outcome in reasons {
                    stopped[usize::from(outcome.reason == Reason::Repetition)] += 1;
                }
                game.play_legal(ply);
            }
        }
        assert!(stopped.iter().all(|&count| count > 100), "{stopped:?}");
    }
}
