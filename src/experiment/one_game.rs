//! One game of a cell, from its index alone. Imports cells and streams.

use super::config::Experiment;
use super::grid::Cell;
use super::record::{GameRecord, Recorder};
use super::seed::GameStreams;
use crate::agents::{Agent, Stream};
use crate::game::{Game, Move, MoveList, Outcome, Rules, Side, sample};

/// A game move by move.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The moves.
    pub moves: Vec<Move>,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// How it ended on the board; `None` at the ply limit.
    pub outcome: Option<Outcome>,
    /// The row that is kept of it.
    pub record: GameRecord,
}

/// Plays games of one cell.
pub struct Table<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    rules: Rules,
    recorder: Recorder,
    moves: Vec<Move>,
}

impl Table<'_> {
    /// A table for the games of this cell.
    #[must_use]
    pub fn new<'a>(experiment: &'a Experiment, cell: &'a Cell) -> Table<'a> {
        let rules = cell.rules();
        Table {
            experiment,
            cell,
            recorder: Recorder::new(&rules.start()),
            rules,
            moves: Vec::new(),
        }
    }

    /// Plays the game of this index and gives its row.
    pub fn record(&mut self, index: u64) -> GameRecord {
        self.play(index).2
    }

    /// Plays the game of this index and gives all of it.
    pub fn transcript(&mut self, index: u64) -> Transcript {
        let (opening_plies, outcome, record) = self.play(index);
        Transcript {
            moves: self.moves.clone(),
            opening_plies,
            outcome,
            record,
        }
    }

    fn play(&mut self, index: u64) -> (usize, Option<Outcome>, GameRecord) {
        let mut players = Players::new(self.cell, index);
        let mut game = Game::new(&self.rules);
        self.moves.clear();
        let mut opening_plies = 0;
        while opening_plies < self.experiment.random_plies as usize && game.outcome().is_none() {
            let Some(ply) = quiet_random_move(&game, &mut players.opening) else {
                break;
            };
            game.play_legal(ply);
            self.moves.push(ply);
            opening_plies += 1;
        }
        while game.outcome().is_none() && game.plies() < self.experiment.ply_limit {
            let ply = players.choose(&game);
            game.play_legal(ply);
            self.moves.push(ply);
        }
        let outcome = game.outcome();
        let record =
            self.recorder
                .record(index, outcome, game.position(), &self.moves, opening_plies);
        (opening_plies, outcome, record)
    }
}

struct Players {
    opening: Stream,
    attackers: Box<dyn Agent>,
    defenders: Box<dyn Agent>,
}

impl Players {
    fn new(cell: &Cell, index: u64) -> Players {
        let streams = GameStreams::new(cell.keys, index);
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
