//! The score against the attackers' and the defenders' budgets, a heat map for
//! each ruleset.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::parts;
use super::strength::budgets;
use super::{Chart, Section, Tables};

const CELL_WIDTH: usize = 44;
const CELL_HEIGHT: usize = 26;

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let mut charts = Vec::new();
    for (experiment, rows) in tables.by_experiment("strength") {
        for family in distinct(rows.iter().map(|row| row.text("family"))) {
            let is_scored =
                |row: &&Row| row.text("family") == family && row.number("score").is_some();
            let rows: Vec<Row> = rows.iter().filter(is_scored).copied().collect();
            let is_unequal =
                |row: &Row| row.text("attackers_budget") != row.text("defenders_budget");
            if rows.iter().any(is_unequal) {
                charts.push(chart(tables, experiment, family, &rows));
            }
        }
    }
    charts
}

fn budget(text: &str) -> String {
    words::grouped(text)
}

fn chart(tables: &Tables, experiment: &str, family: &str, rows: &[Row]) -> Chart {
    let (name, unit) = words::family(family);
    let (attackers, defenders) = (
        format!("{unit} of the attackers"),
        format!("{unit} of the defenders"),
    );
    let values: Vec<Value> = rows
        .iter()
        .map(|&row| {
            json!({
                "ruleset": tables.names.of(row),
                attackers.as_str(): budget(row.text("attackers_budget")),
                defenders.as_str(): budget(row.text("defenders_budget")),
                "score": row.number("score"),
                "low": row.number("low"),
                "high": row.number("high"),
                "games": row.number("games"),
            })
        })
        .collect();
    let rulesets = distinct(rows.iter().map(|&row| tables.names.of(row)));
    let sizes: Vec<String> = budgets(rows)
        .iter()
        .map(|size| budget(&size.to_string()))
        .collect();
    let width = CELL_WIDTH * sizes.len();
    let columns = (880 / width.max(1)).clamp(1, 4);
    let title = format!("The score when one side thinks longer, {name}");
    let title = tables.title(&title, experiment);
    let panel = panel(&unit, &attackers, &defenders, &sizes);
    let spec = parts::panels(&title, &values, ("ruleset", &rulesets), columns, &panel);
    Chart {
        id: format!(
            "surface-{}-{}",
            parts::slug(experiment),
            parts::slug(family)
        ),
        section: Section::Surface,
        title,
        description: format!(
            "Each panel is a ruleset, each cell the attackers' score in per cent with the \
             attackers' {unit} of its row and the defenders' of its column: orange where the \
             attackers do better, blue where the defenders do. The framed cells are equal players."
        ),
        spec,
    }
}

fn panel(unit: &str, attackers: &str, defenders: &str, sizes: &[String]) -> Value {
    let downward: Vec<&String> = sizes.iter().rev().collect();
    // In two lines, since a panel of two budgets has no room for one.
    let axis = |field: &str, side: &str, sort: Value| {
        json!({
            "field": field,
            "type": "ordinal",
            "sort": sort,
            "axis": { "title": [side, unit], "labelAngle": 0, "labelOverlap": false },
        })
    };
    json!({
        "width": CELL_WIDTH * sizes.len(),
        "height": { "step": CELL_HEIGHT },
        "encoding": {
            "x": axis(defenders, "defenders'", json!(sizes)),
            "y": axis(attackers, "attackers'", json!(downward)),
        },
        "layer": layers(attackers, defenders),
    })
}

/// Coloured cells with their score in per cent, equal players framed.
fn layers(attackers: &str, defenders: &str) -> Value {
    let equal = format!("datum[{}] == datum[{}]", json!(attackers), json!(defenders));
    json!([
        { "mark": "rect", "encoding": {
            "color": score_color(),
            "tooltip": parts::tips(&[
                ("ruleset", ""),
                (attackers, ""),
                (defenders, ""),
                ("score", ".1%"),
                ("low", ".1%"),
                ("high", ".1%"),
                ("games", ","),
            ]),
        } },
        score_text(),
        {
            "transform": [{ "filter": equal }],
            "mark": { "type": "rect", "filled": false, "stroke": "#222222", "strokeWidth": 1.5, "aria": false },
        },
    ])
}

/// From the defenders' blue through white to the attackers' orange.
pub fn score_color() -> Value {
    json!({
        "field": "score",
        "type": "quantitative",
        "scale": { "domain": [0, 1], "range": "diverging" },
        "legend": { "title": "attackers' score", "format": ".0%", "gradientLength": 180, "values": [0, 0.5, 1] },
    })
}

/// The relative luminance on which black and white have the same contrast.
const EVEN_LUMINANCE: f64 = 0.179;

/// The score in per cent, in whichever of black and white can be read better
/// on the cell.
pub fn score_text() -> Value {
    json!({
        "mark": { "type": "text", "fontSize": 11, "aria": false },
        "encoding": {
            "text": { "field": "score", "type": "quantitative", "format": ".0%" },
            "color": {
                "condition": {
                    "test": format!("luminance(scale('color', datum.score)) < {EVEN_LUMINANCE}"),
                    "value": "#ffffff",
                },
                "value": "#000000",
            },
        },
    })
}
