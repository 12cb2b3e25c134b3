//! A ruleset on the command line: a preset, a file, an inline table or axes as
//! tables name them; or in JSON.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use brandub::experiment::{plain_words, read_toml};
use brandub::game::{Ruleset, RulesetTable, UnknownPreset, preset};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::failure::Failure;
use super::input_file;

/// Reads `wtf`, `rules.toml`, `{ base = "wtf", king_armed = false }` or, as
/// tables have it, `king_armed=false king_capture=four`.
pub fn ruleset(text: &str) -> Result<Ruleset, Failure> {
    let wrong = |problem: String| Failure::Usage(format!("rules `{text}`: {problem}"));
    let table: RulesetTable = if is_inline(text) {
        inline(text).map_err(wrong)?
    } else {
        match preset::find(text) {
            Ok(preset) => return Ok(preset.ruleset()),
            Err(unknown) => {
                let path = Path::new(text);
                // A pipe and a device are files, too.
                let folder = fs::metadata(path).map(|found| found.is_dir());
                match folder {
                    Ok(false) => {}
                    _ if text.contains('=') => return Ruleset::from_label(text).map_err(wrong),
                    Ok(true) => return Err(wrong("is a folder, expected a file".to_owned())),
                    Err(error) => return Err(neither(&unknown, &error)),
                }
                let contents = input_file::text(path)?;
                let mut lines = contents.lines().map(str::trim);
                if lines.all(|line| line.is_empty() || line.starts_with('#')) {
                    let nothing = "is a file without an axis; expected one, or `base`";
                    return Err(wrong(nothing.to_owned()));
                }
                read_toml(text, &contents)?
            }
        }
    };
    table.resolve().map_err(|error| wrong(error.to_string()))
}

fn is_inline(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads an inline TOML table.
fn inline(text: &str) -> Result<RulesetTable, String> {
    #[derive(serde::Deserialize)]
    struct Inline {
        rules: RulesetTable,
    }
    let line = text.replace('\n', " ");
    toml::from_str::<Inline>(&format!("rules = {line}"))
        .map(|read| read.rules)
        .map_err(|error| plain_words(error.message(), "table"))
}

/// What is neither a preset nor a file. A path is like no preset's name.
fn neither(unknown: &UnknownPreset, error: &io::Error) -> Failure {
    let name = &unknown.name;
    let plain = |symbol: char| symbol.is_alphanumeric() || "-_ ".contains(symbol);
    Failure::Usage(if !name.is_empty() && name.chars().all(plain) {
        format!("{unknown}; nor is it a file")
    } else {
        format!("rules `{name}`: no ruleset has this name, and no file can be read there: {error}")
    })
}

/// Rules as JSON has them: a table of axes, or a text that is a preset's name, an inline
/// TOML table, or axes as labels have them, none of them twice.
#[derive(Clone, PartialEq)]
pub struct JsonRules(RulesetTable);

impl JsonRules {
    /// The ruleset; the error begins with `rules: `.
    pub fn ruleset(&self) -> Result<Ruleset, String> {
        self.0.resolve().map_err(|error| format!("rules: {error}"))
    }
}

impl<'de> Deserialize<'de> for JsonRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonRules, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = JsonRules;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a preset's name, a table of axes, or axes as key=value")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<JsonRules, E> {
                if is_inline(name) {
                    return inline(name).map(JsonRules).map_err(E::custom);
                }
                if name.contains('=') {
                    return RulesetTable::from_axes(name)
                        .map(JsonRules)
                        .map_err(E::custom);
                }
                Ok(JsonRules(RulesetTable::of_base(name)))
            }

            fn visit_map<A: MapAccess<'de>>(self, axes: A) -> Result<JsonRules, A::Error> {
                RulesetTable::deserialize(MapAccessDeserializer::new(axes)).map(JsonRules)
            }
        }

        deserializer.deserialize_any(Either)
    }
}
