//! Whether both programs play the same game: move by move, in random games.

use std::collections::BTreeSet;

use brandub::agents::stream;
use brandub::game::{Game, Move, MoveList, Reason, Rules, Side, sample};
use hnefatafl::aliases::SmallBasicGameState;
use hnefatafl::game::{GameOutcome, GameStatus, WinReason};
use hnefatafl::pieces::Side as PeerSide;

use super::super::super::failure::Failure;
use super::CAP;
use super::theirs::{Theirs, our_move, squares, their_play, winner};

const GAMES: u32 = 200;

/// Plays random games in both programs at once; how many positions they had.
///
/// # Errors
/// The first position in which the programs do not agree.
pub fn compare(rules: &Rules) -> Result<u64, Failure> {
    let peer = Theirs::new();
    let mut numbers = stream([2; 32]);
    let mut positions = 0;
    for _ in 0..GAMES {
        let mut game = Game::new(rules);
        let mut state = peer.start;
        while game.outcome().is_none() && game.plies() < CAP {
            same_moves(&game, &peer, &state)?;
            positions += 1;
            let Some(ply) = sample::random_move(rules, game.position(), &mut numbers) else {
                break;
            };
            game.play_legal(ply);
            state = peer.logic.do_valid_play(their_play(ply), state).new_state;
            if repeated(&game, &state) {
                // The one ending that is not the same.
                break;
            }
            same_state(&game, &state)?;
        }
    }
    Ok(positions)
}

fn repeated(game: &Game<'_>, state: &SmallBasicGameState) -> bool {
    let reason = game.outcome().map(|outcome| outcome.reason);
    reason == Some(Reason::Repetition)
        || matches!(
            state.status,
            GameStatus::Over(GameOutcome::Win(WinReason::Repetition, _))
        )
}

fn same_moves(game: &Game<'_>, peer: &Theirs, state: &SmallBasicGameState) -> Result<(), Failure> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let ours: BTreeSet<Move> = list.into_iter().collect();
    let theirs: BTreeSet<Move> = peer.list(state).into_iter().map(our_move).collect();
    if ours == theirs {
        return Ok(());
    }
    let differing: Vec<String> = ours
        .symmetric_difference(&theirs)
        .map(Move::to_string)
        .collect();
    Err(differs(
        game,
        &format!("legal in one alone: {}", differing.join(" ")),
    ))
}

fn same_state(game: &Game<'_>, state: &SmallBasicGameState) -> Result<(), Failure> {
    let position = game.position();
    for (side, theirs) in [
        (Side::Attackers, PeerSide::Attacker),
        (Side::Defenders, PeerSide::Defender),
    ] {
        if position.pieces(side) != squares(&state.board, theirs) {
            return Err(differs(game, &format!("other {side} are left")));
        }
    }
    let over = state.status != GameStatus::Ongoing;
    let won = game.outcome().and_then(|outcome| outcome.winner);
    if over != game.outcome().is_some() || won != winner(state) {
        let ours = game
            .outcome()
            .map_or("goes on".to_owned(), |outcome| outcome.to_string());
        return Err(differs(
            game,
            &format!("here {ours}, there {:?}", state.status),
        ));
    }
    Ok(())
}

fn differs(game: &Game<'_>, how: &str) -> Failure {
    let position = game.position();
    Failure::Failed(format!(
        "hnefatafl plays another game, no comparison of speeds: at {}, {} to move: {how}",
        position.to_otn(),
        position.side
    ))
}
