//! A ruleset on the command line: a preset, a file, an inline table or axes as
//! tables name them; or in JSON.

use std::fs;
use std::path::Path;

use brandub::experiment::read_toml;
use brandub::game::{Ruleset, RulesetTable, preset};
use serde::Deserialize;
use serde_json::Value;

use super::failure::Failure;

/// Reads `wtf`, `rules.toml`, `{ base = "wtf", king_armed = false }` or, as
/// tables have it, `king_armed=false king_capture=four`.
pub fn ruleset(text: &str) -> Result<Ruleset, Failure> {
    let wrong = |problem: String| Failure::Usage(format!("rules `{text}`: {problem}"));
    let table: RulesetTable = if text.trim_start().starts_with('{') {
        #[derive(serde::Deserialize)]
        struct Inline {
            rules: RulesetTable,
        }
        let line = text.replace('\n', " ");
        toml::from_str::<Inline>(&format!("rules = {line}"))
            .map_err(|error| wrong(error.message().to_owned()))?
            .rules
    } else {
        match preset::find(text) {
            Ok(preset) => return Ok(preset.ruleset()),
            Err(unknown) => {
                let path = Path::new(text);
                if !path.is_file() && text.contains('=') {
                    return Ruleset::from_label(text).map_err(wrong);
                }
                if !path.is_file() {
                    return Err(Failure::Usage(format!("{unknown}; nor is it a file")));
                }
                let contents =
                    fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
                read_toml(text, &contents)?
            }
        }
    };
    table.resolve().map_err(|error| wrong(error.to_string()))
}

/// Reads a preset's name or a table of axes; the error begins with `rules: `.
pub fn ruleset_of_json(value: &Value) -> Result<Ruleset, String> {
    let table = match value {
        Value::String(name) => RulesetTable::of_base(name),
        Value::Object(_) => {
            RulesetTable::deserialize(value).map_err(|error| format!("rules: {error}"))?
        }
        _ => return Err("rules: expected a preset's name or a table of axes".to_owned()),
    };
    table.resolve().map_err(|error| format!("rules: {error}"))
}
