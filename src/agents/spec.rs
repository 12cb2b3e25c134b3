//! Spec strings: which agent, and with which budget. Imports the agents.

mod options;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::alphabeta::{AlphaBeta, Budget, SearchOptions, Searched};
use super::evaluation::Choice;
#[cfg(feature = "cli")]
use super::external::{EngineCommand, External};
use super::greedy::Greedy;
use super::mcts::{Mcts, MctsOptions, Playout};
use super::random::Random;
use super::{Agent, Stream};
use crate::game::Game;
use crate::solver::Layer;
use crate::solver::exact::Probe;

/// An agent and its options, as a value. [`fmt::Display`] writes the canonical
/// spec string: options in one order, those at their default left out.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AgentSpec {
    /// Every legal move equally likely.
    Random,
    /// One ply ahead.
    Greedy,
    /// Alpha-beta search, and the endgame tables that it asks.
    AlphaBeta(SearchOptions, Option<AskedTables>),
    /// Monte Carlo tree search.
    Mcts(MctsOptions),
    /// Another program.
    #[cfg(feature = "cli")]
    External(EngineCommand),
}

/// Which endgame tables an agent asks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AskedTables {
    /// All layers up to this one, and no others: with the rules this says what
    /// the agent knows, wherever the tables are.
    UpTo(Layer),
    /// Those in a folder. What they know the folder alone says, so that no game
    /// is played by this spec: whoever opens the folder names the layers, see
    /// [`AgentSpec::with_tables`].
    In(String),
}

impl fmt::Display for AskedTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskedTables::UpTo(layer) => layer.fmt(f),
            AskedTables::In(folder) => f.pad(folder),
        }
    }
}

/// A spec string that names no agent, or one that cannot play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("agent `{spec}`: {problem}")]
pub struct SpecError {
    /// What was read.
    pub spec: String,
    /// What is wrong, and what was expected.
    pub problem: String,
}

impl AgentSpec {
    /// The player for one game, with its own stream and, where it asks
    /// [tables](AgentSpec::tables), somebody who knows the values in just these
    /// under the game's rules.
    ///
    /// # Panics
    /// If it asks tables and there are none, or the other way round: its games
    /// would not be those of its spec.
    #[must_use]
    pub fn build(&self, stream: Stream, exact: Option<Arc<dyn Probe>>) -> Box<dyn Agent> {
        assert_eq!(
            self.tables().is_some(),
            exact.is_some(),
            "{self} is given the tables that it asks"
        );
        match self {
            AgentSpec::Random => Box::new(Random::new(stream)),
            AgentSpec::Greedy => Box::new(Greedy::new(stream)),
            AgentSpec::AlphaBeta(options, _) => {
                Box::new(AlphaBeta::new(*options, stream).knowing(exact))
            }
            AgentSpec::Mcts(options) => Box::new(Mcts::new(*options, stream)),
            #[cfg(feature = "cli")]
            AgentSpec::External(command) => Box::new(External::new(command.clone(), stream)),
        }
    }

    /// The endgame tables that it asks.
    #[must_use]
    pub fn tables(&self) -> Option<&AskedTables> {
        match self {
            AgentSpec::AlphaBeta(_, tables) => tables.as_ref(),
            _ => None,
        }
    }

    /// The same agent asking the layers up to this one, if it asks any.
    #[must_use]
    pub fn with_tables(&self, most: Layer) -> AgentSpec {
        match self {
            AgentSpec::AlphaBeta(options, Some(_)) => {
                AgentSpec::AlphaBeta(*options, Some(AskedTables::UpTo(most)))
            }
            other => other.clone(),
        }
    }

    /// Whether another program plays, so that its moves need not be the same
    /// ones again.
    #[must_use]
    pub fn is_external(&self) -> bool {
        #[cfg(feature = "cli")]
        return matches!(self, AgentSpec::External(_));
        #[cfg(not(feature = "cli"))]
        return false;
    }

    /// Makes sure, before any game, that the program of an external engine is
    /// there.
    ///
    /// # Errors
    /// If it is not: what was looked for, and where.
    #[cfg(feature = "cli")]
    pub fn find_program(&self) -> Result<(), SpecError> {
        let AgentSpec::External(command) = self else {
            return Ok(());
        };
        let found = command.find().map(|_| ());
        found.map_err(|problem| SpecError {
            spec: self.to_string(),
            problem,
        })
    }

    /// About how many positions the agent looks at for one move, to cut work
    /// into even pieces by. Decides no move.
    #[must_use]
    pub fn effort(&self) -> u64 {
        match self {
            AgentSpec::Random => 1,
            AgentSpec::Greedy => 500,
            AgentSpec::AlphaBeta(options, _) => match options.budget {
                Budget::Depth(depth) => 6_u64.saturating_pow(depth).saturating_mul(3),
                Budget::Nodes(nodes) => nodes,
            },
            AgentSpec::Mcts(options) => u64::from(options.playouts) * 60,
            // Nobody knows; it is taken for a slow one.
            #[cfg(feature = "cli")]
            AgentSpec::External(_) => 20_000,
        }
    }
}

impl AgentSpec {
    /// The same agent looking at so many times as many positions for one move.
    /// `None` if it does not count them.
    #[must_use]
    pub fn with_effort(&self, times: u64) -> Option<AgentSpec> {
        let AgentSpec::AlphaBeta(options, tables) = self else {
            return None;
        };
        let Budget::Nodes(nodes) = options.budget else {
            return None;
        };
        let budget = Budget::Nodes(nodes.saturating_mul(times));
        let options = SearchOptions { budget, ..*options };
        Some(AgentSpec::AlphaBeta(options, tables.clone()))
    }

    /// The number that sets how long the agent thinks, and its family: the
    /// canonical spec with `*` for that number, which agents that differ in
    /// nothing else share. `None` for agents without one.
    #[must_use]
    pub fn budget(&self) -> Option<(String, u64)> {
        let number = match self {
            AgentSpec::AlphaBeta(options, _) => match options.budget {
                Budget::Depth(depth) => u64::from(depth),
                Budget::Nodes(nodes) => nodes,
            },
            AgentSpec::Mcts(options) => u64::from(options.playouts),
            AgentSpec::Random | AgentSpec::Greedy => return None,
            #[cfg(feature = "cli")]
            AgentSpec::External(_) => return None,
        };
        // The budget is the first option of every canonical spec.
        let family = self.to_string().replacen(&format!("={number}"), "=*", 1);
        Some((family, number))
    }
}

/// Searches one position of a game as `alphabeta` would, and tells what it
/// found.
///
/// The game must not be over.
#[must_use]
pub fn search(game: &Game<'_>, options: impl Into<SearchOptions>, stream: Stream) -> Searched {
    AlphaBeta::new(options.into(), stream).search(game, None)
}

/// The same with the values of some positions known beforehand, such as those of
/// endgame tables. The values must be those of the game's rules.
#[must_use]
pub fn search_knowing(
    game: &Game<'_>,
    options: impl Into<SearchOptions>,
    stream: Stream,
    exact: &dyn Probe,
) -> Searched {
    AlphaBeta::new(options.into(), stream).search(game, Some(exact))
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "cli")]
            AgentSpec::External(command) => f.pad(&format!("external:{command}")),
            AgentSpec::Random => f.pad("random"),
            AgentSpec::Greedy => f.pad("greedy"),
            AgentSpec::AlphaBeta(options, tables) => f.pad(&alphabeta(options, tables.as_ref())),
            AgentSpec::Mcts(options) => f.pad(&mcts(options)),
        }
    }
}

/// The canonical spec of a search.
fn alphabeta(options: &SearchOptions, tables: Option<&AskedTables>) -> String {
    let mut spec = match options.budget {
        Budget::Depth(depth) => format!("alphabeta:depth={depth}"),
        Budget::Nodes(nodes) => format!("alphabeta:nodes={nodes}"),
    };
    let default = SearchOptions::from(options.budget);
    for (name, value, usual) in [
        ("quiescence", options.quiescence, default.quiescence),
        ("ordering", options.ordering, default.ordering),
        ("reductions", options.reductions, default.reductions),
    ] {
        if value != usual {
            spec.extend([",", name, "=", if value { "on" } else { "off" }]);
        }
    }
    spec += weights(options.weights);
    if let Some(tables) = tables {
        spec.extend([",tables=", &tables.to_string()]);
    }
    spec
}

fn weights(choice: Choice) -> &'static str {
    match choice {
        Choice::Tuned => "",
        Choice::Linear => ",weights=linear",
        Choice::Hand => ",weights=hand",
    }
}

/// Thousandths as a decimal number without zeros at its end.
fn decimal(thousandths: u32) -> String {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The canonical spec of a tree search.
fn mcts(options: &MctsOptions) -> String {
    let mut spec = format!("mcts:playouts={}", options.playouts);
    if let Some(exploration) = options.exploration {
        spec.extend([",c=", &decimal(exploration)]);
    }
    let default = MctsOptions::new(options.playouts);
    for (name, value, usual) in [
        ("prior", options.prior, default.prior),
        ("keep", options.keep, default.keep),
    ] {
        if value != usual {
            spec.extend([",", name, "=", if value { "on" } else { "off" }]);
        }
    }
    match options.playout {
        Playout::None => {}
        Playout::Random => {
            spec += ",playout=random";
            if options.leaf_games != default.leaf_games {
                spec.extend([",leaf=", &options.leaf_games.to_string()]);
            }
        }
        Playout::Decisive => spec += ",playout=decisive",
    }
    spec += weights(options.weights);
    spec
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<AgentSpec, SpecError> {
        options::parse(spec).map_err(|problem| SpecError {
            spec: spec.to_owned(),
            problem,
        })
    }
}

impl TryFrom<String> for AgentSpec {
    type Error = SpecError;

    fn try_from(spec: String) -> Result<AgentSpec, SpecError> {
        spec.parse()
    }
}

impl From<AgentSpec> for String {
    fn from(spec: AgentSpec) -> String {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests;
