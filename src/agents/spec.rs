//! Spec strings: which agent, and with which budget. Imports the agents.

use std::fmt;
use std::str::FromStr;

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
    /// Alpha-beta search.
    AlphaBeta(SearchOptions),
    /// Monte Carlo tree search.
    Mcts(MctsOptions),
    /// Another program.
    #[cfg(feature = "cli")]
    External(EngineCommand),
}

/// A spec string that names no agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("agent `{spec}`: {problem}")]
pub struct SpecError {
    /// What was read.
    pub spec: String,
    /// What is wrong, and what was expected.
    pub problem: String,
}

impl AgentSpec {
    /// The player for one game, with its own stream.
    #[must_use]
    pub fn build(&self, stream: Stream) -> Box<dyn Agent> {
        match self {
            AgentSpec::Random => Box::new(Random::new(stream)),
            AgentSpec::Greedy => Box::new(Greedy::new(stream)),
            AgentSpec::AlphaBeta(options) => Box::new(AlphaBeta::new(*options, stream)),
            AgentSpec::Mcts(options) => Box::new(Mcts::new(*options, stream)),
            #[cfg(feature = "cli")]
            AgentSpec::External(command) => Box::new(External::new(command.clone(), stream)),
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
            AgentSpec::AlphaBeta(options) => match options.budget {
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
    /// The number that sets how long the agent thinks, and its family: the
    /// canonical spec with `*` for that number, which agents that differ in
    /// nothing else share. `None` for agents without one.
    #[must_use]
    pub fn budget(&self) -> Option<(String, u64)> {
        let number = match self {
            AgentSpec::AlphaBeta(options) => match options.budget {
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
            AgentSpec::AlphaBeta(options) => f.pad(&alphabeta(options)),
            AgentSpec::Mcts(options) => f.pad(&mcts(options)),
        }
    }
}

/// The canonical spec of a search.
fn alphabeta(options: &SearchOptions) -> String {
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
    if options.weights == Choice::Hand {
        spec += ",weights=hand";
    }
    spec
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
        Playout::Random => spec += ",playout=random",
        Playout::Decisive => spec += ",playout=decisive",
    }
    if options.weights == Choice::Hand {
        spec += ",weights=hand";
    }
    spec
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<AgentSpec, SpecError> {
        parse(spec).map_err(|problem| SpecError {
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

fn parse(spec: &str) -> Result<AgentSpec, String> {
    if let Some(command) = spec.strip_prefix("external:") {
        return external(command);
    }
    let (name, options) = match spec.split_once(':') {
        Some((name, options)) => (name, options.split(',').collect()),
        None => (spec, Vec::new()),
    };
    let options = Options::read(name, options)?;
    match name {
        "random" => options.allow(&[]).map(|()| AgentSpec::Random),
        "greedy" => options.allow(&[]).map(|()| AgentSpec::Greedy),
        "alphabeta" => searched(&options).map(AgentSpec::AlphaBeta),
        "mcts" => tree_searched(&options).map(AgentSpec::Mcts),
        _ => Err(
            "no such agent; known: random, greedy, alphabeta:depth=N, alphabeta:nodes=N, mcts:playouts=N, external:COMMAND"
                .to_owned(),
        ),
    }
}

#[cfg(feature = "cli")]
fn external(command: &str) -> Result<AgentSpec, String> {
    EngineCommand::parse(command).map(AgentSpec::External)
}

#[cfg(not(feature = "cli"))]
fn external(_: &str) -> Result<AgentSpec, String> {
    Err("external engines need the feature `cli`, which this build is without".to_owned())
}

struct Options<'a> {
    agent: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    fn read(agent: &'a str, texts: Vec<&'a str>) -> Result<Options<'a>, String> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for text in texts {
            let Some((key, value)) = text.split_once('=') else {
                return Err(format!("option `{text}` is not of the form key=value"));
            };
            if pairs.iter().any(|(other, _)| *other == key) {
                return Err(format!("option `{key}` is given twice"));
            }
            pairs.push((key, value));
        }
        Ok(Options { agent, pairs })
    }

    fn allow(&self, known: &[&str]) -> Result<(), String> {
        let unknown = self.pairs.iter().find(|(key, _)| !known.contains(key));
        match unknown {
            None => Ok(()),
            Some((key, _)) if known.is_empty() => {
                Err(format!("unknown option `{key}`: {} has none", self.agent))
            }
            Some((key, _)) => Err(format!(
                "unknown option `{key}`; {} knows {}",
                self.agent,
                known.join(", ")
            )),
        }
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        let pair = self.pairs.iter().find(|(other, _)| *other == key);
        pair.map(|(_, value)| *value)
    }

    fn switch(&self, key: &str, default: bool) -> Result<bool, String> {
        match self.text(key) {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(other) => Err(format!("{key}={other} is neither on nor off")),
        }
    }

    fn weights(&self) -> Result<Choice, String> {
        match self.text("weights") {
            None | Some("tuned") => Ok(Choice::Tuned),
            Some("hand") => Ok(Choice::Hand),
            Some(other) => Err(format!("weights={other} is neither tuned nor hand")),
        }
    }

    fn number(&self, key: &str, low: u64, high: u64) -> Result<Option<u64>, String> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        match text.parse() {
            Ok(number) if (low..=high).contains(&number) => Ok(Some(number)),
            _ => Err(format!(
                "{key}={text} is no whole number from {low} to {high}"
            )),
        }
    }
}

fn searched(options: &Options<'_>) -> Result<SearchOptions, String> {
    options.allow(&[
        "depth",
        "nodes",
        "quiescence",
        "ordering",
        "reductions",
        "weights",
    ])?;
    let depth = options.number("depth", 1, 64)?;
    let nodes = options.number("nodes", 1, 1_000_000_000_000)?;
    let budget = match (depth, nodes) {
        (Some(depth), None) => Budget::Depth(depth as u32),
        (None, Some(nodes)) => Budget::Nodes(nodes),
        _ => return Err("needs one budget: depth=1…64 or nodes=1…1000000000000".to_owned()),
    };
    let default = SearchOptions::from(budget);
    Ok(SearchOptions {
        budget,
        quiescence: options.switch("quiescence", default.quiescence)?,
        ordering: options.switch("ordering", default.ordering)?,
        reductions: options.switch("reductions", default.reductions)?,
        weights: options.weights()?,
    })
}

fn tree_searched(options: &Options<'_>) -> Result<MctsOptions, String> {
    options.allow(&["playouts", "c", "prior", "keep", "playout", "weights"])?;
    let playouts = options
        .number("playouts", 1, u64::from(MctsOptions::MAX_PLAYOUTS))?
        .ok_or("needs a budget: playouts=1…1000000")? as u32;
    let mut read = MctsOptions::new(playouts);
    read.prior = options.switch("prior", read.prior)?;
    read.keep = options.switch("keep", read.keep)?;
    read.weights = options.weights()?;
    read.playout = match options.text("playout") {
        None | Some("none") => Playout::None,
        Some("random") => Playout::Random,
        Some("decisive") => Playout::Decisive,
        Some(other) => {
            return Err(format!(
                "playout={other} is none of none, random and decisive"
            ));
        }
    };
    if let Some(text) = options.text("c") {
        let exploration = thousandths(text)?;
        // What is the default anyway is not written again.
        read.exploration = Some(exploration).filter(|&given| given != read.exploration());
    }
    Ok(read)
}

/// Reads a decimal number from 0 to 10 with up to three decimals.
fn thousandths(text: &str) -> Result<u32, String> {
    let error = || format!("c={text} is no number from 0 to 10 with up to three decimals");
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() > 3 || whole.len() > 2 {
        return Err(error());
    }
    let value = format!("{whole}{decimals:0<3}")
        .parse()
        .map_err(|_| error())?;
    if value > 10_000 {
        Err(error())
    } else {
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_specs_read_back() {
        for (spec, canonical) in [
            ("random", "random"),
            ("greedy", "greedy"),
            ("alphabeta:depth=4", "alphabeta:depth=4"),
            ("alphabeta:nodes=020000", "alphabeta:nodes=20000"),
            (
                "alphabeta:reductions=on,weights=tuned,nodes=9",
                "alphabeta:nodes=9",
            ),
            (
                "alphabeta:weights=hand,reductions=on,quiescence=off,depth=3,ordering=off",
                "alphabeta:depth=3,quiescence=off,ordering=off,reductions=on,weights=hand",
            ),
            ("mcts:c=0.70,playouts=1000", "mcts:playouts=1000"),
            ("mcts:playouts=9,prior=off,c=1", "mcts:playouts=9,prior=off"),
            (
                "mcts:weights=hand,playout=decisive,keep=off,prior=off,c=0.7,playouts=9",
                "mcts:playouts=9,c=0.7,prior=off,keep=off,playout=decisive,weights=hand",
            ),
            ("mcts:playout=none,keep=on,playouts=9", "mcts:playouts=9"),
            ("mcts:playouts=1000,c=1.20", "mcts:playouts=1000,c=1.2"),
            ("mcts:playouts=1000,c=2", "mcts:playouts=1000,c=2"),
            ("mcts:playouts=5,c=0.05", "mcts:playouts=5,c=0.05"),
            #[cfg(feature = "cli")]
            (
                "external:seconds=5.0,'my engine'  --fast",
                "external:seconds=5,'my engine' --fast",
            ),
        ] {
            let parsed: AgentSpec = spec.parse().unwrap();
            assert_eq!(parsed.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(parsed.clone()));
            #[cfg(feature = "cli")]
            {
                let json = serde_json::to_string(&parsed).unwrap();
                assert_eq!(serde_json::from_str::<AgentSpec>(&json).unwrap(), parsed);
            }
        }
    }

    #[test]
    fn a_family_differs_in_its_budget_alone() {
        for (spec, family, number) in [
            ("alphabeta:depth=4", "alphabeta:depth=*", 4),
            (
                "alphabeta:nodes=20,weights=hand",
                "alphabeta:nodes=*,weights=hand",
                20,
            ),
            ("mcts:playouts=1,c=1", "mcts:playouts=*,c=1", 1),
        ] {
            let spec: AgentSpec = spec.parse().unwrap();
            assert_eq!(spec.budget(), Some((family.to_owned(), number)));
        }
        for spec in [AgentSpec::Random, AgentSpec::Greedy] {
            assert_eq!(spec.budget(), None);
        }
    }

    #[test]
    fn a_wrong_spec_names_the_option_and_its_range() {
        for (spec, part) in [
            ("", "no such agent"),
            ("alphabeat:depth=3", "no such agent"),
            ("random:depth=3", "unknown option `depth`: random has none"),
            ("alphabeta", "depth=1…64"),
            ("alphabeta:depth=3,nodes=4", "one budget"),
            (
                "alphabeta:depth=0",
                "depth=0 is no whole number from 1 to 64",
            ),
            ("alphabeta:depth=65", "from 1 to 64"),
            ("alphabeta:nodes=0", "from 1 to 1000000000000"),
            ("alphabeta:nodes=-5", "from 1 to 1000000000000"),
            ("alphabeta:nodes=99999999999999999999", "from 1 to"),
            ("alphabeta:depth", "`depth` is not of the form key=value"),
            ("alphabeta:depth=3,depth=3", "given twice"),
            (
                "alphabeta:plies=3",
                "alphabeta knows depth, nodes, quiescence",
            ),
            (
                "alphabeta:depth=3,ordering=yes",
                "ordering=yes is neither on nor off",
            ),
            (
                "alphabeta:depth=3,weights=mine",
                "weights=mine is neither tuned nor hand",
            ),
            ("mcts:c=1", "playouts=1…1000000"),
            ("mcts:playouts=2000000", "from 1 to 1000000"),
            ("mcts:playouts=10,c=-1", "c=-1 is no number"),
            ("mcts:playouts=10,c=11", "c=11 is no number"),
            ("mcts:playouts=10,c=1e1", "c=1e1 is no number"),
            ("mcts:playouts=0", "from 1 to 1000000"),
            ("mcts:playouts=9,bias=1", "mcts knows playouts, c, prior"),
            ("mcts:playouts=9,prior=1", "neither on nor off"),
            (
                "mcts:playouts=9,playout=clever",
                "playout=clever is none of none, random and decisive",
            ),
            ("mcts:playouts=9,weights=old", "neither tuned nor hand"),
        ] {
            let error = spec.parse::<AgentSpec>().unwrap_err();
            assert!(error.problem.contains(part), "{spec}: {error}");
        }
    }
}
