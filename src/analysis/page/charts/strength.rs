//! The score against the budget of two equal players, one panel a ruleset.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::parts::{self, DEFENDERS};
use super::{Chart, Section, Tables};

const PANEL: usize = 212;
const COLUMNS: usize = 4;

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let mut charts = Vec::new();
    for (experiment, rows) in tables.by_experiment("strength") {
        for family in distinct(rows.iter().map(|row| row.text("family"))) {
            let is_equal = |row: &&Row| {
                row.text("family") == family
                    && row.text("attackers_budget") == row.text("defenders_budget")
                    && row
                        .number("attackers_budget")
                        .is_some_and(|budget| budget > 0.0)
                    && row.number("score").is_some()
            };
            let rows: Vec<Row> = rows.iter().filter(is_equal).copied().collect();
            let budgets = budgets(&rows);
            if budgets.len() > 1 {
                charts.push(chart(tables, experiment, family, &rows, &budgets));
            }
        }
    }
    charts
}

/// The budgets of the attackers, from small to large.
pub fn budgets(rows: &[Row]) -> Vec<f64> {
    let mut budgets = distinct(rows.iter().filter_map(|row| row.number("attackers_budget")));
    budgets.sort_by(f64::total_cmp);
    budgets
}

fn chart(tables: &Tables, experiment: &str, family: &str, rows: &[Row], budgets: &[f64]) -> Chart {
    let (name, unit) = words::family(family);
    let values: Vec<Value> = rows
        .iter()
        .map(|&row| {
            json!({
                "ruleset": tables.names.of(row),
                unit.as_str(): row.number("attackers_budget"),
                "score": row.number("score"),
                "low": row.number("low"),
                "high": row.number("high"),
                "draws": row.number("draw_rate"),
                "games": row.number("games"),
            })
        })
        .collect();
    let rulesets = distinct(rows.iter().map(|&row| tables.names.of(row)));
    let title = tables.title(
        &format!("The score of two equal players, {name}"),
        experiment,
    );
    let panel = panel(&unit, budgets);
    let spec = parts::panels(&title, &values, ("ruleset", &rulesets), COLUMNS, &panel);
    Chart {
        id: format!(
            "strength-{}-{}",
            parts::slug(experiment),
            parts::slug(family)
        ),
        section: Section::Strength,
        description: describe(tables, rows, budgets, &unit),
        title,
        spec,
    }
}

fn panel(unit: &str, budgets: &[f64]) -> Value {
    let least = budgets[0];
    let most = budgets[budgets.len() - 1];
    // Every budget has a tick where there is room for its number.
    let every = budgets.len().div_ceil(5);
    let ticks: Vec<f64> = budgets.iter().copied().step_by(every).collect();
    let x = json!({
        "field": unit,
        "type": "quantitative",
        "scale": { "type": "log", "domain": [least, most], "padding": 8, "nice": false },
        "axis": {
            "title": format!("{unit} (log scale)"),
            "values": ticks,
            "format": "~s",
            "grid": false,
            "labelFlush": false,
        },
    });
    let score = json!({
        "field": "score",
        "type": "quantitative",
        "scale": { "domain": [0, 1] },
        "axis": { "format": ".0%", "values": [0, 0.5, 1], "title": "attackers' score" },
    });
    json!({
        "width": PANEL,
        "height": 90,
        "encoding": { "x": x },
        "layer": [
            {
                "mark": { "type": "area", "opacity": 0.25, "color": DEFENDERS, "aria": false },
                "encoding": {
                    "y": { "field": "low", "type": "quantitative" },
                    "y2": { "field": "high" },
                },
            },
            {
                "mark": { "type": "line", "color": DEFENDERS, "aria": false },
                "encoding": { "y": score },
            },
            {
                "mark": { "type": "point", "filled": true, "size": 30, "opacity": 1, "color": DEFENDERS },
                "encoding": {
                    "y": { "field": "score", "type": "quantitative" },
                    "tooltip": parts::tips(&[
                        ("ruleset", ""),
                        (unit, ","),
                        ("score", ".1%"),
                        ("low", ".1%"),
                        ("high", ".1%"),
                        ("draws", ".1%"),
                        ("games", ","),
                    ]),
                },
            },
        ],
    })
}

fn describe(tables: &Tables, rows: &[Row], budgets: &[f64], unit: &str) -> String {
    let at = |ruleset: &str, budget: f64| {
        let mut found = rows.iter().filter(|row| {
            row.text("ruleset") == ruleset && row.number("attackers_budget") == Some(budget)
        });
        found.next().and_then(|row| row.number("score"))
    };
    let (least, most) = (budgets[0], budgets[budgets.len() - 1]);
    let mut steepest: Option<(f64, f64, Row)> = None;
    for row in rows {
        let ruleset = row.text("ruleset");
        let (Some(from), Some(to)) = (at(ruleset, least), at(ruleset, most)) else {
            continue;
        };
        if steepest.is_none_or(|(a, b, _)| (to - from).abs() > (b - a).abs()) {
            steepest = Some((from, to, *row));
        }
    }
    let mut text = format!(
        "Each panel is a ruleset, with its attackers' score where both players have the same \
         number of {unit}, which grows to the right on a logarithmic scale; the shade is the \
         95 % interval."
    );
    if let Some((from, to, row)) = steepest {
        let name = tables.names.of(row).replace('\n', " ");
        let _ = write!(
            text,
            " It changes most for {name}, from {} to {}.",
            words::percent(from),
            words::percent(to)
        );
    }
    text
}
