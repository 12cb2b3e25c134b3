//! Experiment files: what somebody wrote, checked and completed. Imports
//! `game`, `agents` and the experiment.

use std::collections::HashSet;
use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

pub use self::rules::RulesSection;
use self::rules::{RawRules, rulesets};
use self::stop::{RawAdaptive, RawGames, RawStop};
use super::config::{Experiment, Match, Pairing};
use super::plain_words::plain_words;
use crate::agents::AgentSpec;
use crate::place_in_text::line_and_column;

/// Most plies a game may have.
const MAX_PLIES: i64 = 100_000;
/// Most random plies an opening may have.
const MAX_OPENING: i64 = 100;

mod rules;
mod stop;

/// An experiment with what its author should know about it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The experiment.
    pub experiment: Experiment,
    /// Rulesets or matches that were written twice in other words, and are
    /// played once.
    pub notes: Vec<String>,
}

/// An experiment file that cannot be played, or another whose `[rules]` are wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ConfigError {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The key, what is wrong, and what was expected.
    pub message: String,
}

/// An error and where in the text it is.
struct Fault {
    at: Range<usize>,
    message: String,
}

fn fault(at: &Range<usize>, message: impl Into<String>) -> Fault {
    Fault {
        at: at.clone(),
        message: message.into(),
    }
}

impl Fault {
    fn located(self, file: &str, text: &str) -> ConfigError {
        let (line, column) = line_and_column(text, self.at.start);
        ConfigError {
            file: file.to_owned(),
            line,
            column,
            message: self.message,
        }
    }
}

impl Source {
    /// Reads an experiment file's text; `file` is its name for messages.
    ///
    /// # Errors
    /// Anything that is not an experiment, with line and column: wrong TOML,
    /// an unknown key, a wrong type, a count out of range, rules that exclude
    /// each other, an unknown preset or agent.
    pub fn parse(file: &str, text: &str) -> Result<Source, ConfigError> {
        read(text).map_err(|fault| fault.located(file, text))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    name: Spanned<String>,
    seed: Spanned<i64>,
    games: Option<Spanned<RawGames>>,
    stop: Option<Spanned<RawStop>>,
    adaptive: Option<Spanned<RawAdaptive>>,
    #[serde(default = "default_ply_limit")]
    ply_limit: Spanned<i64>,
    #[serde(default)]
    pairing: Pairing,
    rules: Spanned<RawRules>,
    #[serde(default)]
    opening: RawOpening,
    #[serde(rename = "match")]
    matches: Vec<Spanned<RawMatch>>,
}

fn default_ply_limit() -> Spanned<i64> {
    Spanned::new(0..0, 300)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOpening {
    #[serde(default = "no_plies")]
    random_plies: Spanned<i64>,
}

fn no_plies() -> Spanned<i64> {
    Spanned::new(0..0, 0)
}

impl Default for RawOpening {
    fn default() -> RawOpening {
        RawOpening {
            random_plies: no_plies(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMatch {
    attackers: Option<Spanned<String>>,
    defenders: Option<Spanned<String>>,
    agents: Option<Spanned<Vec<Spanned<String>>>>,
    cross: Option<bool>,
}

/// Reads any file in TOML; `file` is its name for messages.
///
/// # Errors
/// What is wrong, with the key, line and column.
pub fn read_toml<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, ConfigError> {
    parse(text).map_err(|fault| fault.located(file, text))
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        fault(&at, in_plain_words(text, at.start, error.message()))
    })
}

/// What of an experiment that was not read from a file, but from a manifest, no
/// file could have said: the key, its value and what it may be.
pub(super) fn out_of_range(experiment: &Experiment) -> Option<String> {
    let (games, ply_limit) = (experiment.games, u64::from(experiment.ply_limit));
    let plies = u64::from(experiment.random_plies);
    let most_plies = (MAX_OPENING as u64).min(ply_limit.saturating_sub(1));
    let ranges = [
        ("games", games, 1, stop::MAX_GAMES as u64),
        ("ply_limit", ply_limit, 1, MAX_PLIES as u64),
        ("random_plies", plies, 0, most_plies),
    ];
    let wrong = ranges
        .into_iter()
        .find(|(_, value, least, most)| !(least..=most).contains(&value));
    let wrong = wrong.map(|(key, value, least, most)| {
        format!("`{key}` = {value}: expected a whole number from {least} to {most}")
    });
    wrong.or_else(|| stop::out_of_range(&experiment.stop?, games))
}

fn read(text: &str) -> Result<Source, Fault> {
    let raw: RawFile = parse(text)?;
    let mut notes = Vec::new();
    let name = raw.name.get_ref();
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    if name.is_empty() || name.len() > 100 || !name.bytes().all(plain) {
        return Err(fault(
            &raw.name.span(),
            format!(
                "`name` = {name:?} names the result folder: expected 1 to 100 lower-case letters, digits, - and _"
            ),
        ));
    }
    let seed = number("seed", &raw.seed, 0, i64::MAX)?;
    let ply_limit = number("ply_limit", &raw.ply_limit, 1, MAX_PLIES)?;
    let random_plies = number("random_plies", &raw.opening.random_plies, 0, MAX_OPENING)?;
    if random_plies >= ply_limit {
        return Err(fault(
            &raw.opening.random_plies.span(),
            format!(
                "`random_plies` = {random_plies} leaves no ply to the agents: expected less than ply_limit = {ply_limit}"
            ),
        ));
    }
    let rulesets = rulesets(&raw.rules, &mut notes)?;
    let matches = matches(&raw.matches, &mut notes)?;
    let (games, stop) = stop::games(raw.games.as_ref(), raw.stop.as_ref(), raw.adaptive.as_ref())?;
    let experiment = Experiment {
        name: name.clone(),
        seed,
        games,
        stop,
        ply_limit: ply_limit as u32,
        pairing: raw.pairing,
        random_plies: random_plies as u32,
        rulesets,
        matches,
    };
    stop::lasts(&experiment, raw.adaptive.as_ref())?;
    Ok(Source { experiment, notes })
}

/// A reader's message with the key it is about, if it names none, in plain words.
fn in_plain_words(text: &str, at: usize, message: &str) -> String {
    let mut plain = plain_words(message, "table");
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let whole = text[begin..].lines().next().unwrap_or_default().trim();
    let key = if let Some(heading) = whole.strip_prefix('[') {
        let name = heading.trim_matches(['[', ']', ' ']);
        if plain.contains("invalid type: list, expected a table") {
            plain = format!("{plain}: `[{name}]`, once");
        } else if plain.contains("invalid type: table, expected a list") {
            plain = format!("{plain}: `[[{name}]]`, as often as wanted");
        }
        name.rsplit('.').next()
    } else {
        let key = text[begin..at].rsplit_once('=');
        let key = key.map(|(before, _)| before.trim_end());
        key.and_then(|before| before.rsplit([' ', ',', '{', '.', '\t']).next())
    };
    match key {
        Some(key) if !key.is_empty() && !plain.contains(&format!("`{key}`")) => {
            format!("`{key}`: {plain}")
        }
        _ => plain,
    }
}

fn number(key: &str, value: &Spanned<i64>, low: i64, high: i64) -> Result<u64, Fault> {
    let number = *value.get_ref();
    if (low..=high).contains(&number) {
        return Ok(number as u64);
    }
    Err(fault(
        &value.span(),
        format!("`{key}` = {number} is out of range: expected a whole number from {low} to {high}"),
    ))
}

fn matches(raw: &[Spanned<RawMatch>], notes: &mut Vec<String>) -> Result<Vec<Match>, Fault> {
    let mut matches: Vec<Match> = Vec::new();
    let mut known = HashSet::new();
    for block in raw {
        for pair in pairs(block)? {
            if known.insert(pair.clone()) {
                matches.push(pair);
                continue;
            }
            let note = format!(
                "{} against {} is in the experiment already: played once",
                pair.attackers, pair.defenders
            );
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    if matches.is_empty() {
        return Err(fault(&(0..0), "no `[[match]]`: expected at least one"));
    }
    Ok(matches)
}

fn agent(key: &str, text: &Spanned<String>) -> Result<AgentSpec, Fault> {
    text.get_ref()
        .parse()
        .map_err(|error| fault(&text.span(), format!("`{key}`: {error}")))
}

fn pairs(block: &Spanned<RawMatch>) -> Result<Vec<Match>, Fault> {
    let raw = block.get_ref();
    match (&raw.attackers, &raw.defenders, &raw.agents) {
        (Some(attackers), Some(defenders), None) if raw.cross.is_none() => Ok(vec![Match {
            attackers: agent("attackers", attackers)?,
            defenders: agent("defenders", defenders)?,
        }]),
        (None, None, Some(agents)) => {
            let specs: Vec<AgentSpec> = agents
                .get_ref()
                .iter()
                .map(|text| agent("agents", text))
                .collect::<Result<_, _>>()?;
            if specs.is_empty() {
                return Err(fault(
                    &agents.span(),
                    "`agents` is empty: expected at least one",
                ));
            }
            let cross = raw.cross == Some(true);
            let all = specs.iter().flat_map(|attackers| {
                specs
                    .iter()
                    .filter(move |defenders| cross || attackers == *defenders)
                    .map(|defenders| Match {
                        attackers: attackers.clone(),
                        defenders: defenders.clone(),
                    })
            });
            Ok(all.collect())
        }
        _ => Err(fault(
            &block.span(),
            "`[[match]]`: expected either attackers and defenders, or agents = [ … ] (each against itself, with cross = true each against each)",
        )),
    }
}

#[cfg(test)]
mod tests;
