//! How games end: shares of all games, one panel a pair of players.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::balance::{equals, players};
use super::parts;
use super::{Chart, Section, Tables};

const COLUMNS: usize = 5;
/// Columns of `winrates.csv`, what they are called, their colours: the
/// attackers' ways to win first, the defenders' last, so that what is between
/// them can be either's or nobody's.
const ENDINGS: [(&str, &str, &str); 7] = [
    ("ended_king_captured", "king captured", "#d55e00"),
    ("ended_encircled", "encircled", "#e69f00"),
    ("ended_no_moves", "no moves", "#cc79a7"),
    ("ended_repetition", "repetition", "#009e73"),
    ("ended_forfeit", "forfeit", "#56b4e9"),
    ("ply_limits", "stopped at the ply limit", "#b5b5b5"),
    ("ended_king_escaped", "king escaped", "#0072b2"),
];

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let experiments = tables.by_experiment("winrates").into_iter();
    experiments
        .filter_map(|(experiment, rows)| chart(tables, experiment, &equals(&rows)))
        .collect()
}

fn chart(tables: &Tables, experiment: &str, rows: &[Row]) -> Option<Chart> {
    let of = |row: Row, column: &str| row.number(column).unwrap_or(0.0);
    let seen: Vec<_> = ENDINGS
        .iter()
        .filter(|(column, _, _)| rows.iter().any(|&row| of(row, column) > 0.0))
        .collect();
    if seen.is_empty() {
        return None;
    }
    let names: Vec<String> = rows.iter().map(|&row| tables.names.of(row)).collect();
    let panels = distinct(rows.iter().map(|&row| players(row)));
    let mut values: Vec<Value> = Vec::new();
    for (&row, name) in rows.iter().zip(&names) {
        for (order, (column, ending, _)) in seen.iter().enumerate() {
            values.push(json!({
                "ruleset": name,
                "players": players(row),
                "ending": ending,
                "games": of(row, column),
                "share": of(row, column) / of(row, "games").max(1.0),
                "order": order,
            }));
        }
    }
    let list = |column: fn(&&(&'static str, &'static str, &'static str)) -> &'static str| {
        seen.iter().map(column).collect::<Vec<_>>()
    };
    let title = tables.title("How games end under each ruleset", experiment);
    let panel = json!({
        "width": parts::panel_width(panels.len()),
        "height": { "step": parts::band(&names, 19) },
        "mark": { "type": "bar", "height": { "band": 0.8 } },
        "encoding": {
            "y": parts::rulesets(&tables.names.heading(experiment), false),
            "x": {
                "field": "share",
                "type": "quantitative",
                "stack": "zero",
                "scale": { "domain": [0, 1] },
                "axis": { "format": ".0%", "values": [0, 0.5, 1], "title": "share of all games", "labelFlush": true },
            },
            "order": { "field": "order", "type": "quantitative" },
            "color": {
                "field": "ending",
                "type": "nominal",
                "scale": { "domain": list(|it| it.1), "range": list(|it| it.2) },
                "legend": { "title": null, "columns": 7 },
            },
            "tooltip": parts::tips(&[
                ("ruleset", ""),
                ("players", ""),
                ("ending", ""),
                ("share", ".1%"),
                ("games", ","),
            ]),
        },
    });
    let spec = parts::panels(&title, &values, ("players", &panels), COLUMNS, &panel);
    Some(Chart {
        id: format!("endings-{}", parts::slug(experiment)),
        section: Section::Endings,
        title,
        description: format!(
            "Each bar is all games of one ruleset and pair of players, cut into the shares of the \
             ways in which they ended, from left to right: {}.",
            list(|it| it.1).join(", ")
        ),
        spec,
    })
}
