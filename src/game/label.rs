//! A ruleset's short name for people, written and read.
//! Imports rulesets and presets.

use serde::Deserialize;
use toml::{Table, Value};

use super::preset::{self, Preset};
use super::ruleset::{AXES, Ruleset};
use super::ruleset_table::RulesetTable;

impl Ruleset {
    /// A short name for people: the preset these rules are, else the values
    /// that differ from the defaults, as `king_armed=false king_capture=four`.
    #[must_use]
    pub fn label(&self) -> String {
        let form = self.canonical();
        if let Some(preset) = Preset::ALL
            .iter()
            .find(|preset| preset.ruleset().canonical() == form)
        {
            return preset.name.to_owned();
        }
        let changed: Vec<String> = AXES
            .iter()
            .zip(form.axes().into_iter().zip(Ruleset::default().axes()))
            .filter_map(|(key, (value, default))| match value {
                Some(value) if Some(&value) != default.as_ref() => Some(format!("{key}={value}")),
                _ => None,
            })
            .filter(|change| change != "king_edge=three")
            .collect();
        changed.join(" ")
    }

    /// The rules of such a name: those that [`Ruleset::label`] gives it for, up
    /// to values that make no difference.
    ///
    /// # Errors
    /// What is neither a preset nor axes with values they can have.
    pub fn from_label(label: &str) -> Result<Ruleset, String> {
        if let Ok(preset) = preset::find(label) {
            return Ok(preset.ruleset());
        }
        let table = RulesetTable::from_axes(label)?;
        table.resolve().map_err(|error| error.to_string())
    }
}

impl RulesetTable {
    /// The table of axes as a label has them, such as
    /// `king_armed=false king_capture=four`.
    ///
    /// # Errors
    /// What is no axis with a value it can have.
    pub fn from_axes(label: &str) -> Result<RulesetTable, String> {
        let mut table = Table::new();
        // Of values, those of `repetition` alone have a blank: `3 attackers`.
        let mut words = label.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("`{word}`: expected an axis and its value, as key=value"))?;
            let more = words.next_if(|next| !next.contains('='));
            let value = value_of(value, more);
            if table.insert(key.to_owned(), value).is_some() {
                return Err(format!("`{key}` is there twice"));
            }
        }
        // One by one, so that what is wrong is named with its axis.
        for (key, value) in &table {
            let alone = Table::from_iter([(key.clone(), value.clone())]);
            RulesetTable::deserialize(alone).map_err(|error| match error.message() {
                unknown if unknown.contains(&format!("`{key}`")) => unknown.to_owned(),
                other => format!("`{key}`: {other}"),
            })?;
        }
        RulesetTable::deserialize(table).map_err(|error| error.message().to_owned())
    }
}

/// An axis's value as a file has it.
fn value_of(text: &str, more: Option<&str>) -> Value {
    if let Some(result) = more {
        let count = text
            .parse::<u32>()
            .map_or_else(|_| Value::from(text), Value::from);
        let both = [("count", count), ("result", Value::from(result))];
        return Value::Table(
            both.map(|(key, value)| (key.to_owned(), value))
                .into_iter()
                .collect(),
        );
    }
    text.parse::<bool>()
        .map_or_else(|_| Value::from(text), Value::from)
}
