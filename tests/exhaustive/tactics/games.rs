//! Games to take positions from: seeded, between agents of unequal strength, so that one of them
//! blunders now and then.

use brandub::agents::{Agent, AgentSpec, Stream, stream};
use brandub::game::sample::{below, random_move};
use brandub::game::{Game, Move, Position, Rules, Side};

const AGENTS: [&str; 5] = [
    "greedy",
    "alphabeta:depth=2",
    "alphabeta:depth=3",
    "alphabeta:depth=4",
    "alphabeta:depth=5",
];
const PLY_LIMIT: u32 = 100;
/// The longest random opening.
const MOST_RANDOM: u32 = 8;

/// The positions of a game in their order, and who won it.
pub struct Played {
    pub positions: Vec<Position>,
    pub winner: Option<Side>,
}

/// Plays the game of this number under these rules.
pub fn play(rules: &Rules, seed: u64, number: u64) -> Played {
    let mut random = streams(seed, number, 0);
    let mut opening = below(MOST_RANDOM, &mut random) + 2;
    let mut agent = |role: u8| {
        let spec = AGENTS[below(AGENTS.len() as u32, &mut random) as usize];
        let spec: AgentSpec = spec.parse().expect("a spec");
        spec.build(streams(seed, number, role), None)
    };
    let mut agents = [agent(1), agent(2)];
    let mut random = streams(seed, number, 3);
    let mut game = Game::new(rules);
    let mut positions = Vec::new();
    while game.outcome().is_none() && game.plies() < PLY_LIMIT {
        positions.push(*game.position());
        let ply = if opening > 0 {
            opening -= 1;
            random_move(rules, game.position(), &mut random).expect("the game goes on")
        } else {
            choose(agents[game.position().side as usize].as_mut(), &game)
        };
        game.play_legal(ply);
    }
    Played {
        positions,
        winner: game.outcome().and_then(|outcome| outcome.winner),
    }
}

fn choose(agent: &mut dyn Agent, game: &Game<'_>) -> Move {
    agent.choose(game).expect("it never forfeits")
}

fn streams(seed: u64, number: u64, role: u8) -> Stream {
    let mut bytes = [0x5a; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    bytes[16] = role;
    // The generator's first numbers after such a seed are alike; below the surface they are not.
    let mut mixed = stream(bytes);
    for _ in 0..16 {
        below(2, &mut mixed);
    }
    mixed
}
