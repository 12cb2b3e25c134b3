/*!
Players: from uniformly random to searching ones. Imports `game` and, to be told
exact values, `solver::exact`.

An agent is built fresh for each game from an [`AgentSpec`] and its own random
stream. Given stream, budget and rules its moves are the same on every machine:
budgets are plies, nodes or playouts, never time, and all arithmetic that
decides a move is on integers. Only external engines (feature `cli`) keep that
promise or not as they like.

```
use brandub::agents::{AgentSpec, stream};
use brandub::game::{Game, Rules, Ruleset};

let rules = Rules::new(Ruleset::default());
let game = Game::new(&rules);
let spec: AgentSpec = "alphabeta:depth=2".parse()?;
let ply = spec.build(stream([7; 32]), None).choose(&game)?;
assert!(rules.is_legal(game.position(), ply));
# Ok::<(), Box<dyn std::error::Error>>(())
```
*/

mod alphabeta;
pub mod evaluation;
#[cfg(feature = "cli")]
mod external;
mod forfeit;
mod greedy;
mod mcts;
mod random;
mod spec;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Game, Move};

pub use alphabeta::{Budget, SearchOptions, Searched};
#[cfg(feature = "cli")]
pub use external::{EngineCommand, end_engines};
pub use forfeit::{Forfeit, ForfeitKind};
pub use mcts::{MctsOptions, Playout};
pub use spec::{AgentSpec, AskedTables, SpecError, search, search_knowing};

/// A player of one side in one game.
pub trait Agent: Send {
    /// A legal move for the side to move.
    ///
    /// The game must not be over. Calls come in the order of the game, each
    /// with both sides' last moves played.
    ///
    /// # Errors
    /// If an external engine gave no legal move; agents of this crate always
    /// do. The game is then over for the agent, which is not asked again.
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit>;

    /// A legal move that is none of these, if the agent has another to name.
    ///
    /// The game must not be over.
    ///
    /// # Errors
    /// As of [`choose`](Agent::choose).
    fn choose_other(&mut self, game: &Game<'_>, not: &[Move]) -> Result<Option<Move>, Forfeit> {
        let ply = self.choose(game)?;
        Ok((!not.contains(&ply)).then_some(ply))
    }
}

/// An agent's own random numbers.
pub type Stream = Xoshiro256PlusPlus;

/// The stream of this seed, which is taken as it is: its bytes should be
/// random already.
#[must_use]
pub fn stream(seed: [u8; 32]) -> Stream {
    Stream::from_seed(seed)
}

/// Puts a list in random order, each order equally likely (Fisher–Yates).
fn shuffle<T>(items: &mut [T], stream: &mut Stream) {
    for last in (1..items.len()).rev() {
        let chosen = crate::game::sample::below(last as u32 + 1, stream) as usize;
        items.swap(last, chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::{AgentSpec, stream};
    use crate::game::{Game, Move, Rules, Ruleset};

    #[test]
    fn who_knows_one_move_names_no_other() {
        let rules = Rules::new(Ruleset::default());
        let game = Game::new(&rules);
        let spec: AgentSpec = "greedy".parse().unwrap();
        let other = |not: &[Move]| {
            let mut agent = spec.build(stream([1; 32]), None);
            agent.choose_other(&game, not).unwrap()
        };
        let only = spec.build(stream([1; 32]), None).choose(&game).unwrap();
        let another: Move = if only == "d2-g2".parse().unwrap() {
            "d2-f2".parse().unwrap()
        } else {
            "d2-g2".parse().unwrap()
        };
        assert_eq!(other(&[]), Some(only));
        assert_eq!(other(&[another]), Some(only));
        assert_eq!(other(&[another, only]), None);
    }
}
