//! Experiment files: what somebody wrote, checked and completed. Imports
//! `game`, `agents` and the experiment.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

use super::config::{Experiment, Match, Pairing};
use crate::agents::AgentSpec;
use crate::game::{AXES, Ruleset, RulesetTable, preset};

/// Most games a cell may have.
const MAX_GAMES: i64 = 1_000_000_000;
/// Most plies a game may have.
const MAX_PLIES: i64 = 100_000;
/// Most random plies an opening may have.
const MAX_OPENING: i64 = 100;

/// An experiment with what its author should know about it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The experiment.
    pub experiment: Experiment,
    /// Rulesets or matches that were written twice in other words, and are
    /// played once.
    pub notes: Vec<String>,
}

/// An experiment file that cannot be played.
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

impl Source {
    /// Reads an experiment file's text; `file` is its name for messages.
    ///
    /// # Errors
    /// Anything that is not an experiment, with line and column: wrong TOML,
    /// an unknown key, a wrong type, a count out of range, rules that exclude
    /// each other, an unknown preset or agent.
    pub fn parse(file: &str, text: &str) -> Result<Source, ConfigError> {
        read(text).map_err(|fault| {
            let before = &text[..fault.at.start.min(text.len())];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            ConfigError {
                file: file.to_owned(),
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
                message: fault.message,
            }
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    name: Spanned<String>,
    seed: Spanned<i64>,
    games: Spanned<i64>,
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
struct RawRules {
    base: Option<Spanned<RawRuleset>>,
    vary: Option<Vary>,
    presets: Option<Spanned<Vec<Spanned<RawRuleset>>>>,
}

/// A preset's name or a table of axes.
struct RawRuleset(RulesetTable);

impl<'de> Deserialize<'de> for RawRuleset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawRuleset, D::Error> {
        let table = match toml::Value::deserialize(deserializer)? {
            toml::Value::String(name) => RulesetTable::of_base(&name),
            toml::Value::Table(table) => RulesetTable::deserialize(table)
                .map_err(|error| de::Error::custom(error.message()))?,
            other => {
                return Err(de::Error::custom(format!(
                    "found {}, expected a preset's name or a table of axes",
                    other.type_str()
                )));
            }
        };
        Ok(RawRuleset(table))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOpening {
    random_plies: Spanned<i64>,
}

impl Default for RawOpening {
    fn default() -> RawOpening {
        RawOpening {
            random_plies: Spanned::new(0..0, 0),
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

fn read(text: &str) -> Result<Source, Fault> {
    let raw: RawFile = toml::from_str(text)
        .map_err(|error| fault(&error.span().unwrap_or(0..0), error.message()))?;
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
    let games = number("games", &raw.games, 1, MAX_GAMES)?;
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
    Ok(Source {
        experiment: Experiment {
            name: name.clone(),
            seed,
            games,
            ply_limit: ply_limit as u32,
            pairing: raw.pairing,
            random_plies: random_plies as u32,
            rulesets,
            matches,
        },
        notes,
    })
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

fn rulesets(rules: &Spanned<RawRules>, notes: &mut Vec<String>) -> Result<Vec<Ruleset>, Fault> {
    let raw = rules.get_ref();
    let mut tables = Vec::new();
    match (&raw.presets, &raw.base, &raw.vary) {
        (Some(presets), None, None) => {
            if presets.get_ref().is_empty() {
                return Err(fault(
                    &presets.span(),
                    "`presets` is empty: expected at least one",
                ));
            }
            for preset in presets.get_ref() {
                tables.push((preset.get_ref().0.clone(), preset.span()));
            }
        }
        (Some(presets), _, _) => {
            return Err(fault(
                &presets.span(),
                "`presets` stands beside `base` or `vary`: expected either a list of presets, or a base with axes to vary",
            ));
        }
        (None, base, vary) => {
            let base = base
                .as_ref()
                .map(|base| (base.get_ref().0.clone(), base.span()));
            let base = base.unwrap_or((RulesetTable::default(), rules.span()));
            if let Some(name) = &base.0.base {
                preset::find(name).map_err(|error| fault(&base.1, format!("rules: {error}")))?;
            }
            tables = cross(base, vary.as_ref())?;
        }
    }
    let mut rulesets: Vec<Ruleset> = Vec::new();
    for (table, at) in tables {
        let ruleset = table
            .resolve()
            .map_err(|error| fault(&at, format!("rules: {error}")))?;
        let form = ruleset.canonical();
        if rulesets.contains(&form) {
            notes.push(format!(
                "{} are rules that are in the experiment already ({}): played once",
                describe(&table),
                form.label()
            ));
        } else {
            rulesets.push(form);
        }
    }
    Ok(rulesets)
}

fn describe(table: &RulesetTable) -> String {
    match &table.base {
        Some(name) if *table == RulesetTable::of_base(name) => name.clone(),
        _ => serde_json::to_string(table).unwrap_or_default(),
    }
}

type Vary = BTreeMap<Spanned<String>, Spanned<Vec<Spanned<toml::Value>>>>;

/// The base with every combination of the axes to vary, the axes in the order
/// of the documentation, the last varying fastest.
fn cross(
    base: (RulesetTable, Range<usize>),
    vary: Option<&Vary>,
) -> Result<Vec<(RulesetTable, Range<usize>)>, Fault> {
    let mut tables = vec![base];
    let Some(vary) = vary else {
        return Ok(tables);
    };
    if let Some(unknown) = vary
        .keys()
        .find(|key| !AXES.contains(&key.get_ref().as_str()))
    {
        return Err(fault(
            &unknown.span(),
            format!(
                "`{}` is no rule axis: expected one of {}",
                unknown.get_ref(),
                AXES.join(", ")
            ),
        ));
    }
    for axis in AXES {
        let Some((_, values)) = vary.iter().find(|(key, _)| key.get_ref() == axis) else {
            continue;
        };
        if values.get_ref().is_empty() {
            return Err(fault(
                &values.span(),
                format!("`{axis}` has no values to vary: expected at least one"),
            ));
        }
        let mut choices = Vec::new();
        for value in values.get_ref() {
            let mut single = toml::Table::new();
            single.insert(axis.to_owned(), value.get_ref().clone());
            let choice = RulesetTable::deserialize(single)
                .map_err(|error| fault(&value.span(), format!("`{axis}`: {}", error.message())))?;
            choices.push((choice, value.span()));
        }
        tables = tables
            .iter()
            .flat_map(|(table, _)| {
                choices
                    .iter()
                    .map(move |(choice, at)| (table.overlaid(choice), at.clone()))
            })
            .collect();
    }
    Ok(tables)
}

fn matches(raw: &[Spanned<RawMatch>], notes: &mut Vec<String>) -> Result<Vec<Match>, Fault> {
    let mut matches: Vec<Match> = Vec::new();
    for block in raw {
        for pair in pairs(block)? {
            if matches.contains(&pair) {
                notes.push(format!(
                    "{} against {} is in the experiment already: played once",
                    pair.attackers, pair.defenders
                ));
            } else {
                matches.push(pair);
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
mod tests {
    use super::*;

    const GOOD: &str = r#"
name = "good"
seed = 1
games = 10
[rules]
base = "disputed"
vary = { king_return = [true, false], king_armed = [true, false] }
[opening]
random_plies = 2
[[match]]
agents = ["random", "greedy"]
cross = true
"#;

    #[test]
    fn axes_are_crossed_in_documented_order_and_agents_each_against_each() {
        let experiment = Source::parse("x.toml", GOOD).unwrap().experiment;
        assert_eq!(
            (experiment.ply_limit, experiment.pairing),
            (300, Pairing::Independent)
        );
        let labels: Vec<String> = experiment.rulesets.iter().map(Ruleset::label).collect();
        assert_eq!(
            labels,
            [
                "disputed",
                "king_return=false",
                "king_armed=false",
                "king_armed=false king_return=false"
            ]
        );
        let pairs: Vec<String> = experiment
            .matches
            .iter()
            .map(|pair| format!("{} {}", pair.attackers, pair.defenders))
            .collect();
        assert_eq!(
            pairs,
            [
                "random random",
                "random greedy",
                "greedy random",
                "greedy greedy"
            ]
        );
    }

    #[test]
    fn an_experiment_survives_the_manifest() {
        let experiment = Source::parse("x.toml", GOOD).unwrap().experiment;
        let json = serde_json::to_string(&experiment).unwrap();
        assert_eq!(
            serde_json::from_str::<Experiment>(&json).unwrap(),
            experiment
        );
    }

    #[test]
    fn equal_rules_are_played_once_and_said_to_be() {
        let text = GOOD.replace(
            "base = \"disputed\"\nvary = { king_return = [true, false], king_armed = [true, false] }",
            "presets = [\"walker-2011\", \"dragonheelslair\", { base = \"wtf\" }]",
        );
        let source = Source::parse("x.toml", &text).unwrap();
        assert_eq!(source.experiment.rulesets.len(), 2);
        assert_eq!(source.notes.len(), 1);
        assert!(
            source.notes[0].contains("dragonheelslair"),
            "{:?}",
            source.notes
        );
    }

    /// Replaces a part of the good file and gives the error's place and text.
    fn wrong(part: &str, by: &str) -> (usize, String) {
        assert!(GOOD.contains(part), "{part}");
        let error = Source::parse("x.toml", &GOOD.replace(part, by)).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with(&format!("x.toml:{}:", error.line))
        );
        (error.line, error.message)
    }

    #[expect(clippy::too_many_lines, reason = "a table of mistakes")]
    #[test]
    fn every_mistake_is_named_with_its_line() {
        for (part, by, line, expected) in [
            ("seed = 1", "sed = 1", 3, "unknown field `sed`"),
            ("seed = 1\n", "", 1, "missing field `seed`"),
            ("seed = 1", "seed = -1", 3, "`seed` = -1 is out of range"),
            ("seed = 1", "seed = \"1\"", 3, "invalid type: string"),
            (
                "games = 10",
                "games = 0",
                4,
                "`games` = 0 is out of range: expected a whole number from 1 to",
            ),
            (
                "games = 10",
                "games = 2000000000",
                4,
                "`games` = 2000000000 is out of range",
            ),
            (
                "games = 10",
                "games = 10\nply_limit = 2",
                10,
                "`random_plies` = 2 leaves no ply",
            ),
            (
                "games = 10",
                "games = 10\nply_limit = 0",
                5,
                "`ply_limit` = 0",
            ),
            ("games = 10", "games = ", 4, ""),
            (
                "name = \"good\"",
                "name = \"../good\"",
                2,
                "names the result folder",
            ),
            (
                "\"disputed\"",
                "\"wft\"",
                6,
                "no ruleset is named `wft`; nearest: `wtf`",
            ),
            (
                "\"disputed\"",
                "{ king_armd = true }",
                6,
                "unknown field `king_armd`",
            ),
            (
                "\"disputed\"",
                "{ repetition = { count = 1, result = \"draw\" } }",
                6,
                "2 or more",
            ),
            (
                "\"disputed\"",
                "\"masters\"",
                7,
                "`king_return`: means nothing with an ordinary throne",
            ),
            (
                "king_armed = [",
                "king_arms = [",
                7,
                "`king_arms` is no rule axis",
            ),
            (
                "king_armed = [true, false]",
                "king_capture = [\"two\", \"three\"]",
                7,
                "unknown variant `three`",
            ),
            (
                "king_armed = [true, false]",
                "king_armed = []",
                7,
                "no values to vary",
            ),
            (
                "king_armed = [true, false]",
                "king_armed = true",
                7,
                "expected a sequence",
            ),
            ("random_plies = 2", "random_plies = 101", 9, "from 0 to 100"),
            (
                "\"greedy\"",
                "\"gredy\"",
                11,
                "`agents`: agent `gredy`: no such agent",
            ),
            (
                "cross = true",
                "attackers = \"random\"",
                10,
                "expected either attackers and defenders",
            ),
            ("cross = true", "cross = 1", 12, "invalid type: integer"),
            (
                "[opening]",
                "[opening]\npresets = []",
                9,
                "unknown field `presets`",
            ),
        ] {
            let (found, message) = wrong(part, by);
            assert!(message.contains(expected), "{by}: {message}");
            assert_eq!(found, line, "{by}: {message}");
        }
    }
}
