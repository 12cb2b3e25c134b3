//! One game of a cell, from its index alone. Imports cells and streams.

use super::config::Experiment;
use super::grid::Cell;
use super::record::GameRecord;
use super::seed::GameStreams;
use crate::agents::Stream;
use crate::game::{Bitboard, Game, Move, MoveList, Outcome, Rules, Side, sample};

/// A game move by move.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The moves.
    pub moves: Vec<Move>,
    /// Whom each move captured.
    pub captures: Vec<Bitboard>,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// How it ended on the board; `None` at the ply limit.
    pub outcome: Option<Outcome>,
    /// The row that is kept of it.
    pub record: GameRecord,
}

/// Plays a cell's game of this index.
#[must_use]
pub fn play(experiment: &Experiment, cell: &Cell, rules: &Rules, index: u64) -> Transcript {
    let mut players = Players::new(cell, index);
    let mut game = Game::new(rules);
    let mut moves = Vec::with_capacity(128);
    let mut captures = Vec::with_capacity(128);
    let mut make = |game: &mut Game<'_>, ply| {
        captures.push(game.play_legal(ply));
        moves.push(ply);
    };
    let mut opening_plies = 0;
    while opening_plies < experiment.random_plies as usize && game.outcome().is_none() {
        let Some(ply) = quiet_random_move(&game, &mut players.opening) else {
            break;
        };
        make(&mut game, ply);
        opening_plies += 1;
    }
    while game.outcome().is_none() && game.plies() < experiment.ply_limit {
        let ply = players.choose(&game);
        make(&mut game, ply);
    }
    let record = GameRecord::new(
        index,
        game.outcome(),
        game.position(),
        &rules.start(),
        &moves,
        opening_plies,
    );
    Transcript {
        moves,
        captures,
        opening_plies,
        outcome: game.outcome(),
        record,
    }
}

struct Players {
    opening: Stream,
    attackers: Box<dyn crate::agents::Agent>,
    defenders: Box<dyn crate::agents::Agent>,
}

impl Players {
    fn new(cell: &Cell, index: u64) -> Players {
        let streams = GameStreams::new(cell.key, index);
        Players {
            opening: streams.opening,
            attackers: cell.pair.attackers.build(streams.attackers),
            defenders: cell.pair.defenders.build(streams.defenders),
        }
    }

    fn choose(&mut self, game: &Game<'_>) -> Move {
        match game.position().side {
            Side::Attackers => self.attackers.choose(game),
            Side::Defenders => self.defenders.choose(game),
        }
    }
}

/// A legal move that does not end the game, each equally likely; `None` if
/// every move ends it.
fn quiet_random_move(game: &Game<'_>, stream: &mut Stream) -> Option<Move> {
    let ends = |ply| game.preview(ply).1.is_some();
    let ply = sample::random_move(game.rules(), game.position(), stream)?;
    if !ends(ply) {
        return Some(ply);
    }
    let mut list = MoveList::new();
    game.moves(&mut list);
    list.retain(|ply| !ends(*ply));
    match list.len() {
        0 => None,
        some => Some(list[sample::below(some as u32, stream) as usize]),
    }
}
