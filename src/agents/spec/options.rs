//! Spec strings are read here. Imports the agents' options.

#[cfg(feature = "cli")]
use super::EngineCommand;
use super::{AgentSpec, AskedTables, Budget, Choice, MctsOptions, Playout, SearchOptions};

/// Reads a spec; what is wrong with it otherwise.
pub(super) fn parse(spec: &str) -> Result<AgentSpec, String> {
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
        "alphabeta" => Ok(AgentSpec::AlphaBeta(searched(&options)?, options.tables()?)),
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
            Some("linear") => Ok(Choice::Linear),
            Some("hand") => Ok(Choice::Hand),
            Some(other) => Err(format!("weights={other} is none of tuned, linear and hand")),
        }
    }

    fn tables(&self) -> Result<Option<AskedTables>, String> {
        match self.text("tables") {
            None => Ok(None),
            Some("") => Err("tables= names neither layers, such as d1a5, nor a folder".to_owned()),
            Some(text) => Ok(Some(
                text.parse()
                    .map_or_else(|()| AskedTables::In(text.to_owned()), AskedTables::UpTo),
            )),
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
        "tables",
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
    options.allow(&[
        "playouts", "c", "prior", "keep", "playout", "leaf", "weights",
    ])?;
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
    let most = u64::from(MctsOptions::MAX_LEAF_GAMES);
    if let Some(games) = options.number("leaf", 1, most)? {
        if read.playout != Playout::Random {
            return Err("leaf=N is how many games playout=random plays at a leaf".to_owned());
        }
        read.leaf_games = games as u32;
    }
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
