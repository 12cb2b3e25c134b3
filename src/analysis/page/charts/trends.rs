//! Whether the score moves as both players grow stronger: a slope a ruleset.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::parts::{self, ATTACKERS, DEFENDERS, EVEN, Kind, UNKNOWN};
use super::{Chart, Section, Tables};

/// The verdicts on a slope, in the legend's order.
const VERDICTS: [Kind; 5] = [
    ("toward attackers", ATTACKERS, "triangle-right"),
    ("toward defenders", DEFENDERS, "triangle-left"),
    ("toward balance", EVEN, "diamond"),
    ("away from balance", "#cc79a7", "square"),
    ("no trend seen", UNKNOWN, "circle"),
];

const TIPS: [(&str, &str); 6] = [
    ("ruleset", ""),
    ("slope", "+.3f"),
    ("low", "+.3f"),
    ("high", "+.3f"),
    ("games", ","),
    ("verdict", ""),
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
    let x = json!({
        "field": "slope",
        "type": "quantitative",
        "axis": { "title": format!("log-odds of the attackers' score for each doubling of {unit}"), "labelExpr": "datum.value == 0 ? '0' : format(datum.value, '+')", "tickCount": 9, "grid": true },
    });
    let mut layers = vec![parts::upright(0.0)];
    let verdicts = parts::by_verdict(&VERDICTS);
    layers.extend(parts::dots(&x, &verdicts, &parts::tips(&TIPS), false));
    let spec = json!({
        "title": title,
        "data": { "values": values },
        "width": 480,
        "height": { "step": parts::band(&names, 19) },
        "encoding": { "y": parts::rulesets(&tables.names.heading(experiment), true) },
        "layer": layers,
    });
    Chart {
        id: format!("trends-{}-{}", parts::slug(experiment), parts::slug(family)),
        section: Section::Strength,
        title,
        description: format!(
            "A dot is by how much the log-odds of the attackers' score change with each doubling \
             of both players' {unit}, its line the 95 % interval: right of zero the attackers \
             gain as both grow stronger, left of it the defenders. Verdicts allow for the number \
             of rulesets."
        ),
        spec,
    }
}
