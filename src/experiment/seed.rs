//! Random streams: one for each game, from master seed, cell and index alone.
//! Imports the grid's cells and agents' streams.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::agents::{Stream, stream};

/// The key of a cell's games.
///
/// `scope` is what the games' randomness depends on beside the seed: the
/// cell's id, or with common random numbers all of it but the ruleset.
pub(super) fn key(seed: u64, scope: &str) -> [u8; 32] {
    Sha256::new()
        .chain_update(b"brandub games\0")
        .chain_update(seed.to_le_bytes())
        .chain_update(scope.as_bytes())
        .finalize()
        .into()
}

/// The streams of one game.
pub(super) struct GameStreams {
    pub(super) opening: Stream,
    pub(super) attackers: Stream,
    pub(super) defenders: Stream,
}

impl GameStreams {
    /// `ChaCha8` under the cell's key, the game's index as its stream.
    pub(super) fn new(key: [u8; 32], game: u64) -> GameStreams {
        let mut source = ChaCha8Rng::from_seed(key);
        source.set_stream(game);
        let mut next = || {
            let mut seed = [0; 32];
            source.fill_bytes(&mut seed);
            stream(seed)
        };
        GameStreams {
            opening: next(),
            attackers: next(),
            defenders: next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_scope_index_and_role_each_change_the_numbers() {
        let numbers = |seed, scope, game| {
            let mut streams = GameStreams::new(key(seed, scope), game);
            [
                streams.opening.next_u64(),
                streams.attackers.next_u64(),
                streams.defenders.next_u64(),
            ]
        };
        let first = numbers(1, "a", 0);
        assert_eq!(first, numbers(1, "a", 0));
        let mut seen: Vec<u64> = [
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
