//! The score against the budget of two equal players, one panel a ruleset.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::parts::{self, INK};
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
                "mark": { "type": "area", "opacity": 0.25, "color": INK, "aria": false },
                "encoding": {
                    "y": { "field": "low", "type": "quantitative" },
                    "y2": { "field": "high" },
                },
            },
            {
                "mark": { "type": "line", "color": INK, "aria": false },
                "encoding": { "y": score },
            },
            {
                "mark": { "type": "point", "filled": true, "size": 30, "opacity": 1, "color": INK },
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
    let mut text = format!(
        "Each panel is a ruleset, with its attackers' score where both players have the same \
         number of {unit}, which grows to the right on a logarithmic scale; the shade is the \
         95 % interval."
    );
    let at = |ruleset: &str, budget: f64| {
        let mut found = rows.iter().filter(|row| {
            row.text("ruleset") == ruleset && row.number("attackers_budget") == Some(budget)
        });
        found.next().and_then(|row| row.number("score"))
    };
    let (least, most) = (budgets[0], budgets[budgets.len() - 1]);
    let trends: Vec<Option<bool>> = rows.iter().map(|row| has_trend(tables, *row)).collect();
    let mut steepest: Option<(f64, f64, Row)> = None;
    for (row, _) in rows
        .iter()
        .zip(&trends)
        .filter(|(_, it)| **it == Some(true))
    {
        let ruleset = row.text("ruleset");
        let (Some(from), Some(to)) = (at(ruleset, least), at(ruleset, most)) else {
            continue;
        };
        if steepest.is_none_or(|(a, b, _)| (to - from).abs() > (b - a).abs()) {
            steepest = Some((from, to, *row));
        }
    }
    if let Some((from, to, row)) = steepest {
        let name = tables.names.of(row).replace('\n', " ");
        let _ = write!(
            text,
            " Of the rulesets with a trend it changes most for {name}, from {} to {}.",
            words::percent(from),
            words::percent(to)
        );
    } else if trends.contains(&Some(false)) {
        text.push_str(" No trend with strength is shown.");
    }
    text
}

/// Whether the verdict on the slope of a ruleset and family is a trend; `None`
/// where there is no such slope.
fn has_trend(tables: &Tables, row: Row) -> Option<bool> {
    let mut slopes = tables.get("trends").rows().filter(|slope| {
        let of = ["experiment", "ruleset", "family"];
        slope.text("quantity") == "equal_slope"
            && of
                .iter()
                .all(|column| slope.text(column) == row.text(column))
    });
    let verdict = slopes.next()?.text("verdict");
    Some(!matches!(verdict, "" | "no trend seen"))
}

#[cfg(test)]
mod tests {
    use super::super::super::PageTable;
    use super::*;

    const STRENGTH: &str = "experiment,ruleset,label,family,attackers_budget,defenders_budget,score\n\
        x,1,wtf,alphabeta:nodes=*,100,100,0.68\n\
        x,1,wtf,alphabeta:nodes=*,900,900,0.40\n\
        x,2,crust,alphabeta:nodes=*,100,100,0.5\n\
        x,2,crust,alphabeta:nodes=*,900,900,0.6\n";

    fn caption(verdicts: [&str; 2]) -> String {
        let [one, other] = verdicts;
        let trends = format!(
            "experiment,ruleset,label,family,quantity,verdict\n\
             x,1,wtf,alphabeta:nodes=*,equal_slope,{one}\n\
             x,2,crust,alphabeta:nodes=*,equal_slope,{other}\n"
        );
        let table = |name: &str, csv: &str| PageTable {
            name: name.to_owned(),
            caption: String::new(),
            csv: csv.to_owned(),
        };
        let tables = [table("strength", STRENGTH), table("trends", &trends)];
        let charts = charts(&Tables::read(&tables).unwrap());
        charts[0].description.clone()
    }

    #[test]
    fn only_trends_are_said_to_change_the_score() {
        let none = caption(["no trend seen", "no trend seen"]);
        assert!(
            none.ends_with(" No trend with strength is shown."),
            "{none}"
        );
        let one = caption(["no trend seen", "toward attackers"]);
        let expected = "with a trend it changes most for crust, from 50 % to 60 %.";
        assert!(one.ends_with(expected), "{one}");
        let both = caption(["away from balance", "toward attackers"]);
        assert!(both.ends_with("for wtf, from 68 % to 40 %."), "{both}");
    }
}
