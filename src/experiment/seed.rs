//! Random streams: one for each game, from master seed, cell and index alone.
//! Imports the grid's cells and agents' streams.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::game::playouts::Seed;

/// The key of a cell's games.
///
/// `scope` is what the games' randomness depends on beside the seed: the
/// cell's id, or with common random numbers a part of what is in it.
pub(super) fn key(seed: u64, scope: &str) -> [u8; 32] {
    Sha256::new()
        .chain_update(b"brandub games\0")
        .chain_update(seed.to_le_bytes())
        .chain_update(scope.as_bytes())
        .finalize()
        .into()
}

/// The keys of a cell's games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    /// For the opening's random moves; with common random numbers the same in
    /// every cell.
    pub(super) opening: [u8; 32],
    /// For the two agents.
    pub(super) agents: [u8; 32],
}

/// What the streams of one game begin with.
pub(super) struct GameSeeds {
    /// None where the opening takes no numbers.
    pub(super) opening: Option<Seed>,
    pub(super) attackers: Seed,
    pub(super) defenders: Seed,
}

impl GameSeeds {
    /// `ChaCha8` under the cell's keys, the game's index as its stream: the
    /// opening's seed comes first in its stream, the agents' after it in
    /// theirs.
    pub(super) fn new(keys: Keys, game: u64, has_opening: bool) -> GameSeeds {
        let source = |key| {
            let mut source = ChaCha8Rng::from_seed(key);
            source.set_stream(game);
            source
        };
        let opening = has_opening.then(|| next(&mut source(keys.opening)));
        let mut agents = source(keys.agents);
        next(&mut agents);
        GameSeeds {
            opening,
            attackers: next(&mut agents),
            defenders: next(&mut agents),
        }
    }
}

fn next(source: &mut ChaCha8Rng) -> Seed {
    let mut seed = [0; 32];
    source.fill_bytes(&mut seed);
    seed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_scope_index_and_role_each_change_the_numbers() {
        let numbers = |seed, scope, game| {
            let key = key(seed, scope);
            let keys = Keys {
                opening: key,
                agents: key,
            };
            let seeds = GameSeeds::new(keys, game, true);
            [seeds.opening.unwrap(), seeds.attackers, seeds.defenders]
        };
        let first = numbers(1, "a", 0);
        assert_eq!(first, numbers(1, "a", 0));
        let mut seen = [
            first,
            numbers(2, "a", 0),
            numbers(1, "b", 0),
            numbers(1, "a", 1),
        ]
        .concat();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 12);
    }
}
