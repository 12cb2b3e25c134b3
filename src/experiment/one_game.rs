//! One game of a cell, from its index alone. Imports cells and streams.

use super::config::Experiment;
use super::grid::Cell;
use super::record::{End, GameRecord, Recorder};
use super::seed::GameSeeds;
use crate::agents::{Agent, AgentSpec, Forfeit, Stream, stream};
use crate::game::playouts::Seed;
use crate::game::{Game, Move, MoveList, Outcome, Rules, Side, sample};

/// A game move by move.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The moves.
    pub moves: Vec<Move>,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// How it ended on the board; `None` at the ply limit or by forfeit.
    pub outcome: Option<Outcome>,
    /// Which side's agent gave no legal move, if one did not, and why.
    pub forfeit: Option<(Side, Forfeit)>,
    /// The row that is kept of it.
    pub record: GameRecord,
}

/// Plays games of one cell.
pub struct Table<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    rules: Rules,
    recorder: Recorder,
}

/// A game that was played.
struct Played<'r> {
    game: Game<'r>,
    opening_plies: usize,
    forfeit: Option<(Side, Forfeit)>,
}

impl Table<'_> {
    /// A table for the games of this cell.
    ///
    /// Games are played only if the endgame tables that the agents ask are
    /// open: [`super::Grid::opened`], [`Cell::open_tables`].
    #[must_use]
    pub fn new<'a>(experiment: &'a Experiment, cell: &'a Cell) -> Table<'a> {
        let rules = cell.rules();
        Table {
            experiment,
            cell,
            recorder: Recorder::new(&rules.start()),
            rules,
        }
    }

    /// Plays the game of this index and gives its row, and which side's agent
    /// gave no legal move, if one did not.
    pub fn record(&mut self, index: u64) -> (GameRecord, Option<(Side, Forfeit)>) {
        let played = play(self.experiment, self.cell, &self.rules, index);
        let record = self.recorder.record_of(index, &played);
        (record, played.forfeit)
    }

    /// Plays the game of this index and gives all of it.
    pub fn transcript(&mut self, index: u64) -> Transcript {
        let played = play(self.experiment, self.cell, &self.rules, index);
        Transcript {
            record: self.recorder.record_of(index, &played),
            moves: played.game.played().to_vec(),
            opening_plies: played.opening_plies,
            outcome: played.game.outcome(),
            forfeit: played.forfeit,
        }
    }
}

impl Recorder {
    fn record_of(&mut self, index: u64, played: &Played<'_>) -> GameRecord {
        let game = &played.game;
        let end = End::of(game.outcome(), played.forfeit.as_ref());
        let opening_plies = played.opening_plies;
        self.record(index, end, game.position(), game.played(), opening_plies)
    }
}

fn play<'r>(experiment: &Experiment, cell: &Cell, rules: &'r Rules, index: u64) -> Played<'r> {
    let seeds = GameSeeds::new(cell.keys, index, experiment.random_plies > 0);
    let mut game = match seeds.opening {
        Some(seed) => opened(experiment, rules, seed),
        None => Game::new(rules),
    };
    let mut players = Players::new(cell, &seeds);
    let opening_plies = game.plies() as usize;
    let mut forfeit = None;
    while game.outcome().is_none() && game.plies() < experiment.ply_limit {
        match players.choose(&game) {
            Ok(ply) => {
                game.play_legal(ply);
            }
            Err(reason) => {
                forfeit = Some((game.position().side, reason));
                break;
            }
        }
    }
    Played {
        game,
        opening_plies,
        forfeit,
    }
}

/// A game in which the opening's random moves are played.
pub(super) fn opened<'r>(experiment: &Experiment, rules: &'r Rules, seed: Seed) -> Game<'r> {
    let mut numbers = stream(seed);
    let mut game = Game::new(rules);
    while game.plies() < experiment.random_plies && game.outcome().is_none() {
        let Some(ply) = quiet_random_move(&game, &mut numbers) else {
            break;
        };
        game.play_legal(ply);
    }
    game
}

struct Players {
    attackers: Box<dyn Agent>,
    defenders: Box<dyn Agent>,
}

impl Players {
    fn new(cell: &Cell, seeds: &GameSeeds) -> Players {
        let agent =
            |side: Side, spec: &AgentSpec, seed| spec.build(stream(seed), cell.tables(side));
        let pair = &cell.pair;
        Players {
            attackers: agent(Side::Attackers, &pair.attackers, seeds.attackers),
            defenders: agent(Side::Defenders, &pair.defenders, seeds.defenders),
        }
    }

    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::game::{Position, Ruleset};

    #[test]
    fn every_random_move_that_does_not_end_the_game_is_as_likely_as_any_other() {
        let rules = Rules::new(Ruleset::default());
        // Two of the king's moves end the game, to a1 and g1.
        let position = Position::from_otn("/3t3/7/7/t5t/4T2/3t3/1K5/", Side::Defenders);
        let game = Game::from_position(&rules, position.unwrap());
        let mut list = MoveList::new();
        game.moves(&mut list);
        let all = list.len();
        list.retain(|ply| game.preview(*ply).1.is_none());
        let quiet = list.len();
        assert_eq!(all - quiet, 2);
        assert!(quiet > 10, "{quiet}");
        let mut numbers = stream([4; 32]);
        let each = 1_000;
        let mut drawn = BTreeMap::new();
        for _ in 0..each * quiet {
            let ply = quiet_random_move(&game, &mut numbers).unwrap();
            *drawn.entry(ply.to_string()).or_insert(0) += 1;
        }
        assert_eq!(drawn.len(), quiet);
        // Five standard deviations of a count.
        let far = 5.0 * f64::from(each as u32).sqrt();
        for (ply, count) in &drawn {
            let off = f64::from(*count) - each as f64;
            assert!(off.abs() < far, "{ply}: {count} of {each} expected");
        }
    }

    #[test]
    fn where_every_move_ends_the_game_none_is_drawn() {
        let rules = Rules::new(Ruleset::default());
        let shut = |text| Position::from_otn(text, Side::Defenders).unwrap();
        // The king on a2 can go to a1 alone.
        let game = Game::from_position(&rules, shut("/3t3/7/7/7/t6/Kt5/7/"));
        assert_eq!(quiet_random_move(&game, &mut stream([4; 32])), None);
    }
}
