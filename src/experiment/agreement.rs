//! Whether an agent would have played what the winners of recorded games
//! played. Imports `game` and `agents`; reads no file.

use std::sync::Arc;

use crate::agents::{AgentSpec, Forfeit, stream};
use crate::game::{Game, Move, MoveList, Position, Side, Symmetry};
use crate::solver::exact::Probe;

use super::seed::{GameSeeds, Keys, key};

/// Plies of a game's opening.
pub const OPENING_PLIES: u32 = 10;

/// A recorded game: legal moves from its start to its end.
#[derive(Clone, Debug)]
pub struct Recording<'r> {
    /// The game before the first move.
    pub start: Game<'r>,
    /// The moves, each legal after those before it.
    pub moves: Vec<Move>,
    /// How many of them nobody chose: those of a random opening.
    pub opening_plies: usize,
    /// Who won in the end.
    pub winner: Side,
}

/// Moves of one game's winner and how many of them the agent agrees with.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counts {
    /// The winner's moves, those without a choice left out.
    pub moves: u64,
    /// Those the agent would have played, up to the position's symmetries.
    pub agreed: u64,
    /// Those a uniformly random legal move would be expected to agree with.
    pub by_chance: f64,
}

impl Counts {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Counts) -> Counts {
        Counts {
            moves: self.moves + other.moves,
            agreed: self.agreed + other.agreed,
            by_chance: self.by_chance + other.by_chance,
        }
    }
}

/// What one game gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameAgreement {
    /// Whose moves were looked at.
    pub winner: Side,
    /// In the first [`OPENING_PLIES`] plies.
    pub opening: Counts,
    /// After them.
    pub later: Counts,
}

/// Asks the agent for a move wherever the winner had a choice; `tables` are
/// those that it asks.
///
/// The agent sees the game up to there and is built for this game, with random
/// numbers that depend on the seed, its own spec and the game's number.
///
/// # Errors
/// The fault of an external engine, which plays its own moves and cannot follow
/// a game in which others were played.
pub fn agreement(
    recording: &Recording<'_>,
    spec: &AgentSpec,
    tables: Option<Arc<dyn Probe>>,
    seed: u64,
    number: u64,
) -> Result<GameAgreement, Forfeit> {
    let seeds = seeds(spec, seed, number);
    let numbers = stream(match recording.winner {
        Side::Attackers => seeds.attackers,
        Side::Defenders => seeds.defenders,
    });
    let mut agent = spec.build(numbers, tables);
    let mut found = GameAgreement {
        winner: recording.winner,
        opening: Counts::default(),
        later: Counts::default(),
    };
    let mut game = recording.start.clone();
    let mut list = MoveList::new();
    for (index, &ply) in recording.moves.iter().enumerate() {
        game.moves(&mut list);
        let is_chosen = index >= recording.opening_plies;
        if is_chosen && game.position().side == recording.winner && list.len() > 1 {
            let alike = alike(game.position(), ply);
            let chosen = agent.choose(&game)?;
            let counts = if game.plies() < OPENING_PLIES {
                &mut found.opening
            } else {
                &mut found.later
            };
            counts.moves += 1;
            counts.agreed += u64::from(alike.contains(&chosen));
            counts.by_chance += alike.len() as f64 / list.len() as f64;
        }
        game.play_legal(ply);
    }
    Ok(found)
}

fn seeds(spec: &AgentSpec, seed: u64, number: u64) -> GameSeeds {
    let key = key(seed, &format!("agreement {spec}"));
    let keys = Keys {
        opening: key,
        agents: key,
    };
    GameSeeds::new(keys, number, false)
}

/// The moves that are this one up to the symmetries of the position, the
/// smallest first.
pub(super) fn alike(position: &Position, ply: Move) -> Vec<Move> {
    let mut moves: Vec<Move> = Symmetry::all()
        .filter(|symmetry| position.image(*symmetry) == *position)
        .map(|symmetry| symmetry.ply(ply))
        .collect();
    moves.sort_unstable();
    moves.dedup();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Ruleset};

    fn recording<'r>(rules: &'r Rules, moves: &str, winner: Side) -> Recording<'r> {
        Recording {
            start: Game::new(rules),
            moves: moves.split(' ').map(|ply| ply.parse().unwrap()).collect(),
            opening_plies: 0,
            winner,
        }
    }

    #[test]
    fn a_move_on_the_start_position_has_its_images() {
        let rules = Rules::new(Ruleset::default());
        let start = rules.start();
        assert_eq!(alike(&start, "d2-e2".parse().unwrap()).len(), 8);
        let mut game = Game::new(&rules);
        game.play("d2-e2".parse().unwrap()).unwrap();
        assert_eq!(alike(game.position(), "d3-d2".parse().unwrap()).len(), 1);
    }

    #[test]
    fn chance_is_the_share_of_equal_moves() {
        let rules = Rules::new(Ruleset::default());
        let won = recording(&rules, "d2-e2 d3-d2", Side::Attackers);
        let found = agreement(&won, &AgentSpec::Random, None, 1, 0).unwrap();
        assert_eq!((found.opening.moves, found.later.moves), (1, 0));
        assert!((found.opening.by_chance - 8.0 / 40.0).abs() < 1e-12);
    }

    #[test]
    fn the_agent_agrees_with_itself() {
        let rules = Rules::new(Ruleset::default());
        let spec: AgentSpec = "alphabeta:depth=2".parse().unwrap();
        let mut agent = spec.build(stream(seeds(&spec, 3, 5).attackers), None);
        let mut game = Game::new(&rules);
        let mut moves = Vec::new();
        while game.outcome().is_none() && moves.len() < 12 {
            let ply = match game.position().side {
                Side::Attackers => agent.choose(&game).unwrap(),
                Side::Defenders => {
                    let mut list = MoveList::new();
                    game.moves(&mut list);
                    list[0]
                }
            };
            moves.push(ply);
            game.play_legal(ply);
        }
        let won = Recording {
            start: Game::new(&rules),
            moves,
            opening_plies: 0,
            winner: Side::Attackers,
        };
        let found = agreement(&won, &spec, None, 3, 5).unwrap();
        assert_eq!(found.opening.agreed, found.opening.moves);
        assert_eq!(found.later.agreed, found.later.moves);
    }
}
