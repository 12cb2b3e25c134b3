//! One line of `tests/data/tactics.jsonl`.

use brandub::game::{Move, Position, Ruleset, RulesetTable, Side};
use serde_json::{Value, json};

/// A position and its shortest forced win.
#[derive(Clone, Debug)]
pub struct Row {
    /// A preset's name, or a table of axes.
    pub rules: Value,
    /// The side to move wins.
    pub position: Position,
    /// Plies of the shortest win: odd.
    pub plies: u8,
    /// Every move that wins in so many plies, by origin, then by target.
    pub best: Vec<Move>,
}

impl Row {
    /// Writes the line.
    pub fn line(&self) -> String {
        let best: Vec<String> = self.best.iter().map(Move::to_string).collect();
        format!(
            "{{\"rules\": {}, \"position\": {}, \"side\": {}, \"plies\": {}, \"best\": {}}}",
            spaced(&self.rules),
            json!(self.position.to_otn()),
            json!(self.position.side.name()),
            self.plies,
            json!(best),
        )
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Row, String> {
        let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |key: &str| row[key].as_str().ok_or_else(|| format!("no {key}"));
        let side: Side = text("side")?.parse()?;
        let best = row["best"].as_array().ok_or("no best")?;
        Ok(Row {
            rules: row["rules"].clone(),
            position: Position::from_otn(text("position")?, side).map_err(|e| e.to_string())?,
            plies: row["plies"].as_u64().ok_or("no plies")? as u8,
            best: best
                .iter()
                .map(|ply| {
                    ply.as_str()
                        .unwrap_or("")
                        .parse()
                        .map_err(|e| format!("{e}"))
                })
                .collect::<Result<_, String>>()?,
        })
    }

    /// The ruleset that `rules` stands for.
    pub fn ruleset(&self) -> Result<Ruleset, String> {
        let table = match &self.rules {
            Value::String(name) => RulesetTable::of_base(name),
            table => serde_json::from_value(table.clone()).map_err(|error| error.to_string())?,
        };
        table.resolve().map_err(|error| error.to_string())
    }
}

/// A flat table with a space behind each colon and comma.
fn spaced(value: &Value) -> String {
    let Value::Object(table) = value else {
        return value.to_string();
    };
    let pairs: Vec<String> = table
        .iter()
        .map(|(key, value)| format!("{}: {value}", json!(key)))
        .collect();
    format!("{{{}}}", pairs.join(", "))
}
