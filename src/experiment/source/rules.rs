//! The `[rules]` of an experiment file. Imports rules.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{ConfigError, Fault, fault, in_plain_words};
use crate::game::{AXES, Ruleset, RulesetTable, preset};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRules {
    base: Option<Spanned<RawRuleset>>,
    vary: Option<Vary>,
    presets: Option<Spanned<Vec<Spanned<RawRuleset>>>>,
}

/// The `[rules]` of an experiment file on their own: a base with axes to vary,
/// or presets.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct RulesSection(Spanned<RawRules>);

impl RulesSection {
    /// The rulesets, each once, in the order of an experiment's; `text` is what
    /// the section was read from, `file` its name for messages.
    ///
    /// # Errors
    /// What an experiment file would be refused for.
    pub fn rulesets(&self, file: &str, text: &str) -> Result<Vec<Ruleset>, ConfigError> {
        rulesets(&self.0, &mut Vec::new()).map_err(|fault| fault.located(file, text))
    }
}

/// A preset's name or a table of axes, where they stand.
enum RawRuleset {
    Named(String),
    Axes(Vec<(Spanned<String>, Spanned<toml::Value>)>),
}

impl<'de> Deserialize<'de> for RawRuleset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawRuleset, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = RawRuleset;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a preset's name or a table of axes")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<RawRuleset, E> {
                Ok(RawRuleset::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawRuleset, A::Error> {
                let mut axes = Vec::new();
                while let Some(axis) = map.next_entry()? {
                    axes.push(axis);
                }
                Ok(RawRuleset::Axes(axes))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl RawRuleset {
    fn table(&self) -> Result<RulesetTable, Fault> {
        let axes = match self {
            RawRuleset::Named(name) => return Ok(RulesetTable::of_base(name)),
            RawRuleset::Axes(axes) => axes,
        };
        let mut table = RulesetTable::default();
        for (key, value) in axes {
            let name = key.get_ref();
            if name == "base" {
                let base = value.get_ref().as_str().ok_or_else(|| {
                    let found = value.get_ref().type_str();
                    let problem = format!("`base`: found {found}, expected a preset's name");
                    fault(&value.span(), problem)
                })?;
                table.base = Some(base.to_owned());
            } else if AXES.contains(&name.as_str()) {
                table = table.overlaid(&axis(name, value)?);
            } else {
                return Err(no_axis(key, "base, "));
            }
        }
        Ok(table)
    }
}

/// A table of one axis.
fn axis(name: &str, value: &Spanned<toml::Value>) -> Result<RulesetTable, Fault> {
    let mut single = toml::Table::new();
    single.insert(name.to_owned(), value.get_ref().clone());
    RulesetTable::deserialize(single).map_err(|error| {
        let problem = in_plain_words("", 0, error.message());
        fault(&value.span(), format!("`{name}`: {problem}"))
    })
}

fn no_axis(key: &Spanned<String>, more: &str) -> Fault {
    let (name, axes) = (key.get_ref(), AXES.join(", "));
    let problem = format!("`{name}` is no rule axis: expected one of {more}{axes}");
    fault(&key.span(), problem)
}

/// So many rulesets that are the same as others are named.
const NAMED: usize = 10;

pub(super) fn rulesets(
    rules: &Spanned<RawRules>,
    notes: &mut Vec<String>,
) -> Result<Vec<Ruleset>, Fault> {
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
                tables.push((preset.get_ref().table()?, preset.span()));
            }
        }
        (Some(presets), _, _) => {
            return Err(fault(
                &presets.span(),
                "`presets` stands beside `base` or `vary`: expected either a list of presets, or a base with axes to vary",
            ));
        }
        (None, base, vary) => {
            let base = match base {
                Some(base) => (base.get_ref().table()?, base.span()),
                None => (RulesetTable::default(), rules.span()),
            };
            if let Some(name) = &base.0.base {
                preset::find(name).map_err(|error| fault(&base.1, error.to_string()))?;
            }
            tables = cross(base, vary.as_ref())?;
        }
    }
    let mut rulesets: Vec<Ruleset> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut same = Vec::new();
    for (table, at) in tables {
        let ruleset = table
            .resolve()
            .map_err(|error| fault(&at, error.to_string()))?;
        let form = ruleset.canonical();
        let name = describe(&table);
        if let Some(place) = rulesets.iter().position(|other| *other == form) {
            let other = &names[place];
            same.push(format!("{name} are the same rules as {other}: played once"));
        } else {
            rulesets.push(form);
            names.push(name);
        }
    }
    let more = same.len().saturating_sub(NAMED);
    notes.extend(same.into_iter().take(NAMED));
    if more > 0 {
        notes.push(format!(
            "in {more} more cases, too, rules are the same as others"
        ));
    }
    Ok(rulesets)
}

fn describe(table: &RulesetTable) -> String {
    match &table.base {
        Some(name) if *table == RulesetTable::of_base(name) => name.clone(),
        _ => {
            // As labels have it: `king_armed=false`, and `base=wtf` before it.
            let table = serde_json::to_value(table).unwrap_or_default();
            let axes = table.as_object().into_iter().flatten();
            let axes = axes.map(|(axis, value)| match value {
                serde_json::Value::String(value) => format!("{axis}={value}"),
                value => format!("{axis}={value}"),
            });
            let axes: Vec<String> = axes.collect();
            if axes.is_empty() {
                return "the defaults".to_owned();
            }
            axes.join(" ")
        }
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
        return Err(no_axis(unknown, ""));
    }
    for name in AXES {
        let Some((_, values)) = vary.iter().find(|(key, _)| key.get_ref() == name) else {
            continue;
        };
        if values.get_ref().is_empty() {
            return Err(fault(
                &values.span(),
                format!("`{name}` has no values to vary: expected at least one"),
            ));
        }
        let mut choices = Vec::new();
        for value in values.get_ref() {
            choices.push((axis(name, value)?, value.span()));
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
