//! Measures of the games, a panel each.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::balance::{equals, players};
use super::parts;
use super::{Chart, Section, Tables};

const PANEL: usize = 210;
const COLUMNS: usize = 3;

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let experiments = tables.by_experiment("games").into_iter();
    experiments
        .filter_map(|(experiment, rows)| chart(tables, experiment, &equals(&rows)))
        .collect()
}

fn chart(tables: &Tables, experiment: &str, rows: &[Row]) -> Option<Chart> {
    let is_known = |row: &&Row| row.number("mean").is_some();
    let rows: Vec<Row> = rows.iter().filter(is_known).copied().collect();
    if rows.is_empty() {
        return None;
    }
    let names: Vec<String> = rows.iter().map(|&row| tables.names.of(row)).collect();
    let strengths = distinct(rows.iter().map(|&row| players(row).replace('\n', " ")));
    let measures = distinct(rows.iter().map(|row| words::spaced(row.text("measure"))));
    let values: Vec<Value> = rows
        .iter()
        .zip(&names)
        .map(|(&row, name)| {
            json!({
                "ruleset": name,
                "players": players(row).replace('\n', " "),
                "measure": words::spaced(row.text("measure")),
                "mean": row.number("mean"),
                "low": row.number("low"),
                "high": row.number("high"),
                "games": row.number("games"),
            })
        })
        .collect();
    let title = tables.title("What the games are like", experiment);
    let spec = json!({
        "title": title,
        "data": { "values": values },
        "facet": parts::facet("measure", &measures),
        "columns": COLUMNS.min(measures.len()),
        "spacing": { "row": 22, "column": 18 },
        "resolve": { "scale": { "x": "independent" } },
        "spec": {
            "width": PANEL,
            "height": { "step": parts::band(names.iter().map(String::as_str), 19) },
            "encoding": { "y": parts::rulesets(&tables.names.heading(experiment), true) },
            "layer": layers(&strengths),
        },
        "usermeta": parts::panels(measures.len(), COLUMNS, PANEL),
    });
    Some(Chart {
        id: format!("games-{}", parts::slug(experiment)),
        section: Section::Measures,
        title,
        description: "Each panel is one measure, with a scale of its own; a dot is its mean over \
                      the games of a ruleset and pair of players, its line the 95 % interval."
            .to_owned(),
        spec,
    })
}

fn layers(strengths: &[String]) -> Value {
    let (color, shape) = parts::by_player(strengths, "ordinal");
    json!([
        {
            "mark": { "type": "rule", "strokeWidth": 1.5, "aria": false },
            "encoding": {
                "x": { "field": "low", "type": "quantitative", "scale": { "zero": false } },
                "x2": { "field": "high" },
                "color": color,
            },
        },
        {
            "mark": { "type": "point", "filled": true, "size": 36, "opacity": 1 },
            "encoding": {
                "x": {
                    "field": "mean",
                    "type": "quantitative",
                    "scale": { "zero": false },
                    "axis": { "title": null, "tickCount": 5 },
                },
                "color": color,
                "shape": shape,
                "tooltip": [
                    { "field": "ruleset", "type": "nominal" },
                    { "field": "players", "type": "nominal" },
                    { "field": "measure", "type": "nominal" },
                    { "field": "mean", "type": "quantitative", "format": ".3~f" },
                    { "field": "low", "type": "quantitative", "format": ".3~f" },
                    { "field": "high", "type": "quantitative", "format": ".3~f" },
                    { "field": "games", "type": "quantitative", "format": "," },
                ],
            },
        },
    ])
}
