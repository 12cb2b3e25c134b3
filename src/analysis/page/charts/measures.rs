//! Measures of the games, a panel each.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::balance::{equals, players};
use super::parts;
use super::{Chart, Section, Tables};

const PANEL: usize = 210;
const COLUMNS: usize = 3;
const TIPS: [(&str, &str); 7] = [
    ("ruleset", ""),
    ("players", ""),
    ("measure", ""),
    ("mean", ".3~f"),
    ("low", ".3~f"),
    ("high", ".3~f"),
    ("games", ","),
];

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let experiments = tables.by_experiment("games").into_iter();
    experiments
        .filter_map(|(experiment, rows)| chart(tables, experiment, &equals(&rows)))
        .collect()
}

fn chart(tables: &Tables, experiment: &str, rows: &[Row]) -> Option<Chart> {
    let is_shown = |row: &&Row| tells(rows, row.text("measure"));
    let rows: Vec<Row> = rows.iter().filter(is_shown).copied().collect();
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
    let x = json!({
        "field": "mean",
        "type": "quantitative",
        "scale": { "zero": false },
        "axis": { "title": null, "tickCount": 5 },
    });
    let panel = json!({
        "width": PANEL,
        "height": { "step": parts::band(&names, 19) },
        "encoding": { "y": parts::rulesets(&tables.names.heading(experiment), true) },
        "layer": parts::dots(&x, &parts::by_player(&strengths, "ordinal"), &parts::tips(&TIPS), false),
    });
    let mut spec = parts::panels(&title, &values, ("measure", &measures), COLUMNS, &panel);
    // Each measure has a unit of its own.
    spec["resolve"] = json!({ "scale": { "x": "independent" } });
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

/// Whether a measure differs between cells; how games ended has a chart of its
/// own.
fn tells(rows: &[Row], measure: &str) -> bool {
    let own = rows.iter().filter(|row| row.text("measure") == measure);
    let means = distinct(own.filter_map(|row| row.number("mean")));
    !measure.starts_with("ended_")
        && (means.len() > 1 || (means.len() == 1 && rows_of_one_cell(rows)))
}

fn rows_of_one_cell(rows: &[Row]) -> bool {
    distinct(rows.iter().map(|row| row.text("cell"))).len() == 1
}
