//! Whether the score moves as both players grow stronger: a slope a ruleset.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::parts::{self, ATTACKERS, DEFENDERS, EVEN, UNKNOWN};
use super::{Chart, Section, Tables};

/// The verdicts on a slope, in the legend's order.
const VERDICTS: [(&str, &str, &str); 5] = [
    ("toward attackers", ATTACKERS, "triangle-right"),
    ("toward defenders", DEFENDERS, "triangle-left"),
    ("toward balance", EVEN, "diamond"),
    ("away from balance", "#cc79a7", "square"),
    ("no trend seen", UNKNOWN, "circle"),
];

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let mut charts = Vec::new();
    for (experiment, rows) in tables.by_experiment("trends") {
        for family in distinct(rows.iter().map(|row| row.text("family"))) {
            let is_slope = |row: &&Row| {
                row.text("family") == family
                    && row.text("quantity") == "equal_slope"
                    && row.number("estimate").is_some()
            };
            let rows: Vec<Row> = rows.iter().filter(is_slope).copied().collect();
            if !rows.is_empty() {
                charts.push(chart(tables, experiment, family, &rows));
            }
        }
    }
    charts
}

fn chart(tables: &Tables, experiment: &str, family: &str, rows: &[Row]) -> Chart {
    let (name, unit) = words::family(family);
    let names: Vec<String> = rows.iter().map(|&row| tables.names.of(row)).collect();
    let values: Vec<Value> = rows
        .iter()
        .zip(&names)
        .map(|(row, name)| {
            json!({
                "ruleset": name,
                "slope": row.number("estimate"),
                "low": row.number("low"),
                "high": row.number("high"),
                "games": row.number("games"),
                "verdict": row.text("verdict"),
            })
        })
        .collect();
    let title = format!("Which way the score moves with strength, {name}");
    let title = tables.title(&title, experiment);
    let list = |column: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
        VERDICTS.iter().map(column).collect::<Vec<_>>()
    };
    let color = json!({
        "field": "verdict",
        "type": "nominal",
        "scale": { "domain": list(|it| it.0), "range": list(|it| it.1) },
        "legend": { "title": null, "columns": 3 },
    });
    let x = json!({
        "field": "slope",
        "type": "quantitative",
        "axis": { "title": format!("log-odds of the attackers' score for each doubling of {unit}"), "labelExpr": "datum.value == 0 ? '0' : format(datum.value, '+')", "tickCount": 9, "grid": true },
    });
    let spec = json!({
        "title": title,
        "data": { "values": values },
        "width": 480,
        "height": { "step": parts::band(names.iter().map(String::as_str), 19) },
        "encoding": { "y": parts::rulesets(&tables.names.heading(experiment), true) },
        "layer": [
            parts::upright(0.0),
            {
                "mark": { "type": "rule", "strokeWidth": 1.5, "aria": false },
                "encoding": {
                    "x": { "field": "low", "type": "quantitative" },
                    "x2": { "field": "high" },
                    "color": color,
                },
            },
            {
                "mark": { "type": "point", "filled": true, "size": 60, "opacity": 1 },
                "encoding": {
                    "x": x,
                    "color": color,
                    "shape": {
                        "field": "verdict",
                        "type": "nominal",
                        "scale": { "domain": list(|it| it.0), "range": list(|it| it.2) },
                    },
                    "tooltip": [
                        { "field": "ruleset", "type": "nominal" },
                        { "field": "slope", "type": "quantitative", "format": "+.3f" },
                        { "field": "low", "type": "quantitative", "format": "+.3f" },
                        { "field": "high", "type": "quantitative", "format": "+.3f" },
                        { "field": "verdict", "type": "nominal" },
                    ],
                },
            },
        ],
    });
    Chart {
        id: format!("trends-{}-{}", parts::slug(experiment), parts::slug(family)),
        section: Section::Strength,
        title,
        description: format!(
            "A dot is by how much the log-odds of the attackers' score change with each doubling \
             of both players' {unit}, its line the 95 % interval: right of zero the attackers \
             gain as both grow stronger, left of it the defenders."
        ),
        spec,
    }
}
