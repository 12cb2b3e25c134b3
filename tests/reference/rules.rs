//! The table of rule axes and the table of presets, copied by hand from the rules document, and
//! the reading of a ruleset from JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::board::{Board, board_from_lists, read_position};

/// Every axis with a plain value: its name, its values, the default first. `layout` and
/// `repetition` are read apart.
pub const AXES: [(&str, &[&str]); 11] = [
    ("king_armed", &["true", "false"]),
    ("throne_hostile", &["everyone", "none", "soldiers"]),
    ("king_capture", &["two", "throne", "zone", "four"]),
    ("king_return", &["true", "false"]),
    ("king_edge", &["three", "safe"]),
    ("throne", &["reserved", "ordinary"]),
    ("throne_pass", &["everyone", "king", "nobody"]),
    ("corners_hostile", &["everyone", "none", "soldiers"]),
    ("king_speed", &["slide", "step"]),
    ("no_moves", &["draw", "loses"]),
    ("encirclement", &["false", "true"]),
];

/// The axes that mean nothing where the throne is a plain square.
pub const THRONE_AXES: [&str; 3] = ["king_return", "throne_hostile", "throne_pass"];

/// The names of all presets.
pub const PRESETS: [&str; 19] = [
    "disputed",
    "walker-2011",
    "nielsen-cyningstan",
    "masters",
    "masters-weak-king",
    "masters-armed",
    "branan",
    "branan-step",
    "branan-unarmed",
    "branan-quiet-throne",
    "how-to-play",
    "wtf",
    "irish-1",
    "irish-1-no-return",
    "brandubh-3",
    "weak-throne",
    "dragonheelslair",
    "crust",
    "throneless",
];

/// One complete ruleset.
#[derive(Clone, Debug)]
pub struct Rules {
    axes: BTreeMap<String, String>,
    /// How often a position may stand before the game ends, and the result then; `None` where
    /// repetition is ignored.
    pub repetition: Option<(u64, String)>,
    /// The position the game starts from.
    pub start: Board,
}

impl Rules {
    /// Reads a ruleset: a preset's name, or an object of axes that may name a `base` preset.
    ///
    /// # Errors
    /// Says what is wrong: an unknown preset, axis or value, or values that exclude each other.
    pub fn from_json(value: &Value) -> Result<Rules, String> {
        let own = match value {
            Value::String(name) => named_axes(&preset(name)?),
            Value::Object(_) => named_axes(value),
            _ => return Err(format!("a ruleset is a name or an object, not {value}")),
        };
        Rules::from_axes(&resolve(own)?)
    }

    /// Fills in the defaults.
    fn from_axes(named: &BTreeMap<String, Value>) -> Result<Rules, String> {
        for key in named.keys() {
            let known = AXES.iter().any(|(axis, _)| axis == key);
            if !known && key != "layout" && key != "repetition" {
                return Err(format!("no such axis: {key:?}"));
            }
        }
        let ordinary = named.get("throne") == Some(&json!("ordinary"));
        let mut axes = BTreeMap::new();
        for (axis, values) in AXES {
            if ordinary && THRONE_AXES.contains(&axis) {
                continue;
            }
            let text = match named.get(axis) {
                None => values[0].to_owned(),
                Some(given) => read_value(axis, values, given)?,
            };
            axes.insert(axis.to_owned(), text);
        }
        let repetition = match named.get("repetition") {
            None => Some((3, "draw".to_owned())),
            Some(given) => read_repetition(given)?,
        };
        let start = match named.get("layout") {
            None => layout("cross")?,
            Some(Value::String(text)) => layout(text)?,
            Some(other) => return Err(format!("layout: a name or a position, not {other}")),
        };
        Ok(Rules {
            axes,
            repetition,
            start,
        })
    }

    /// Whether an axis has this value. An axis that an ordinary throne leaves out has none.
    pub fn is(&self, axis: &str, value: &str) -> bool {
        debug_assert!(
            AXES.iter()
                .any(|(name, values)| *name == axis && values.contains(&value)),
            "{axis} = {value} is not in the table of axes"
        );
        self.axes.get(axis).is_some_and(|held| held == value)
    }
}

/// The axes an object names, `base` among them.
fn named_axes(value: &Value) -> BTreeMap<String, Value> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Lays the axes named in a ruleset over those of its base, and the base's over its own base.
fn resolve(mut own: BTreeMap<String, Value>) -> Result<BTreeMap<String, Value>, String> {
    let mut merged = match own.remove("base") {
        None => BTreeMap::new(),
        Some(Value::String(name)) => resolve(named_axes(&preset(&name)?))?,
        Some(other) => return Err(format!("base: a preset's name, not {other}")),
    };
    if own.get("throne") == Some(&json!("ordinary")) {
        for axis in THRONE_AXES {
            merged.remove(axis);
        }
    }
    merged.extend(own);
    if merged.get("throne") == Some(&json!("ordinary")) {
        for axis in THRONE_AXES {
            if merged.contains_key(axis) {
                return Err(format!("an ordinary throne leaves no room for {axis}"));
            }
        }
        if let Some(capture) = merged.get("king_capture")
            && (capture == "throne" || capture == "zone")
        {
            return Err(format!(
                "an ordinary throne excludes king_capture {capture}"
            ));
        }
    }
    Ok(merged)
}

fn read_value(axis: &str, values: &[&str], given: &Value) -> Result<String, String> {
    let text = match given {
        Value::Bool(truth) if values.contains(&"true") => truth.to_string(),
        Value::String(text) if !values.contains(&"true") => text.clone(),
        _ => return Err(format!("{axis}: one of {values:?}, not {given}")),
    };
    if values.contains(&text.as_str()) {
        Ok(text)
    } else {
        Err(format!("{axis}: one of {values:?}, not {given}"))
    }
}

fn read_repetition(given: &Value) -> Result<Option<(u64, String)>, String> {
    if given == "ignored" {
        return Ok(None);
    }
    let wrong = || format!("repetition: \"ignored\" or a count of 2 or more and a result: {given}");
    let table = given.as_object().ok_or_else(wrong)?;
    let count = table.get("count").and_then(Value::as_u64);
    let result = table.get("result").and_then(Value::as_str);
    match (count, result) {
        (
            Some(count @ 2..),
            Some(result @ ("draw" | "attackers" | "defenders" | "mover-loses")),
        ) if table.len() == 2 => Ok(Some((count, result.to_owned()))),
        _ => Err(wrong()),
    }
}

/// The start position of a layout, given by name or as a position string.
pub fn layout(text: &str) -> Result<Board, String> {
    let attackers = match text {
        "cross" => "d1 d2 a4 b4 f4 g4 d6 d7",
        "circle" => "a4 b2 b6 d1 d7 f2 f6 g4",
        "line" => "a3 a5 c1 c7 e1 e7 g3 g5",
        "ring" => "b3 b5 c2 c6 e2 e6 f3 f5",
        _ if text.starts_with('/') => return read_position(text),
        _ => return Err(format!("no such layout: {text:?}")),
    };
    board_from_lists(attackers, "d3 c4 e4 d5", "d4")
}

/// The axes of a preset, in the order of the table: `king_armed`, `throne_hostile`,
/// `king_capture`, `king_return`, others.
pub fn preset(name: &str) -> Result<Value, String> {
    let axes = match name {
        "disputed" => json!({}),
        "walker-2011" => json!({
            "king_armed": true, "throne_hostile": "none", "king_capture": "two", "king_return": true,
            "repetition": {"count": 3, "result": "draw"}, "no_moves": "draw",
        }),
        "nielsen-cyningstan" => json!({
            "king_armed": true, "throne_hostile": "everyone", "king_capture": "zone",
            "king_return": false,
            "repetition": {"count": 2, "result": "draw"}, "no_moves": "draw",
        }),
        "masters" => json!({
            "king_armed": false, "king_capture": "four",
            "throne": "ordinary", "king_edge": "three",
        }),
        "masters-weak-king" => json!({
            "king_armed": false, "king_capture": "two",
            "throne": "ordinary", "king_edge": "three",
        }),
        "masters-armed" => json!({
            "king_armed": true, "king_capture": "four",
            "throne": "ordinary", "king_edge": "three",
        }),
        "branan" => json!({
            "king_armed": true, "throne_hostile": "soldiers", "king_capture": "four",
            "king_return": true,
            "king_edge": "safe", "throne_pass": "king", "corners_hostile": "none",
        }),
        "branan-step" => json!({"base": "branan", "king_speed": "step"}),
        "branan-unarmed" => json!({"base": "branan", "king_armed": false}),
        "branan-quiet-throne" => json!({"base": "branan", "throne_hostile": "none"}),
        "how-to-play" => json!({
            "king_armed": true, "throne_hostile": "everyone", "king_capture": "zone",
            "king_return": false,
        }),
        "wtf" => json!({
            "king_armed": true, "throne_hostile": "soldiers", "king_capture": "throne",
            "king_return": true,
            "repetition": {"count": 3, "result": "attackers"}, "no_moves": "loses",
            "encirclement": true,
        }),
        "irish-1" => json!({
            "king_armed": true, "throne_hostile": "everyone", "king_capture": "zone",
            "king_return": true,
            "repetition": {"count": 3, "result": "attackers"}, "no_moves": "loses",
        }),
        "irish-1-no-return" => json!({"base": "irish-1", "king_return": false}),
        "brandubh-3" => json!({
            "king_armed": true, "throne_hostile": "everyone", "king_capture": "zone",
            "king_return": false,
            "throne_pass": "nobody",
        }),
        "weak-throne" => json!({
            "king_armed": true, "throne_hostile": "everyone", "king_capture": "throne",
            "king_return": true,
        }),
        "dragonheelslair" => json!({
            "king_armed": true, "throne_hostile": "none", "king_capture": "two", "king_return": true,
            "no_moves": "draw",
        }),
        "crust" => json!({
            "king_armed": true, "throne_hostile": "none", "king_capture": "two",
            "king_return": false,
            "no_moves": "loses",
        }),
        "throneless" => json!({"king_armed": true, "king_capture": "two", "throne": "ordinary"}),
        _ => return Err(format!("no such preset: {name:?}")),
    };
    Ok(axes)
}
