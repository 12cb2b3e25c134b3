//! The score of every ruleset with its bounds, one panel a pair of players.

use serde_json::json;

use super::super::frame::{Row, distinct};
use super::super::words;
use super::parts::{self, ATTACKERS, DEFENDERS, EVEN, Kind, UNKNOWN};
use super::{Chart, Section, Tables};

const COLUMNS: usize = 5;
/// What a dot's colour and shape say, in the legend's order.
const FAVOURS: [Kind; 4] = [
    ("favours the attackers", ATTACKERS, "triangle-right"),
    ("favours the defenders", DEFENDERS, "triangle-left"),
    ("balanced", EVEN, "diamond"),
    ("undecided", UNKNOWN, "circle"),
];

const TIPS: [(&str, &str); 7] = [
    ("ruleset", ""),
    ("players", ""),
    ("score", ".1%"),
    ("low", ".1%"),
    ("high", ".1%"),
    ("games", ","),
    ("verdict", ""),
];

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let experiments = tables.by_experiment("winrates").into_iter();
    experiments
        .filter_map(|(experiment, rows)| chart(tables, experiment, &rows))
        .collect()
}

/// The rows whose two players are the same, or all where no player meets his
/// like.
pub fn equals<'a>(rows: &[Row<'a>]) -> Vec<Row<'a>> {
    let equal = |row: &&Row| row.text("attackers") == row.text("defenders");
    let equals: Vec<Row> = rows.iter().filter(equal).copied().collect();
    if equals.is_empty() {
        rows.to_vec()
    } else {
        equals
    }
}

/// The two players of a row, in lines of a panel's width.
pub fn players(row: Row) -> String {
    let name = words::players(row.text("attackers"), row.text("defenders"));
    let name = name.replace(" against ", "\nagainst ");
    let lines = name.lines().flat_map(|line| words::lines(line, 26));
    lines.collect::<Vec<_>>().join("\n")
}

fn chart(tables: &Tables, experiment: &str, rows: &[Row]) -> Option<Chart> {
    let rows: Vec<Row> = equals(rows)
        .into_iter()
        .filter(|row| row.number("score").is_some())
        .collect();
    if rows.is_empty() {
        return None;
    }
    let names: Vec<String> = rows.iter().map(|&row| tables.names.of(row)).collect();
    let panels = distinct(rows.iter().map(|&row| players(row)));
    let values: Vec<_> = rows
        .iter()
        .zip(&names)
        .map(|(&row, name)| {
            let [low, high] = bounds(tables, row);
            json!({
                "ruleset": name,
                "players": players(row),
                "score": row.number("score"),
                "low": low,
                "high": high,
                "games": row.number("games"),
                "verdict": favours(tables, row),
            })
        })
        .collect();
    let title = tables.title("The attackers' score under each ruleset", experiment);
    let mut layers = vec![parts::upright(0.5)];
    layers.extend(parts::dots(
        &parts::score_axis("attackers' score"),
        &parts::by_verdict(&FAVOURS),
        &parts::tips(&TIPS),
        false,
    ));
    let panel = json!({
        "width": parts::panel_width(panels.len()),
        "height": { "step": parts::band(&names, 19) },
        "encoding": { "y": parts::rulesets(&tables.names.heading(experiment), true) },
        "layer": layers,
    });
    let spec = parts::panels(&title, &values, ("players", &panels), COLUMNS, &panel);
    Some(Chart {
        id: format!("balance-{}", parts::slug(experiment)),
        section: Section::Balance,
        title,
        description: describe(tables, &rows, &names),
        spec,
    })
}

/// A cell's row of verdicts, if there is one.
fn verdict<'t>(tables: &'t Tables, row: Row) -> Option<Row<'t>> {
    tables.get("verdicts").rows().find(|verdict| {
        verdict.text("experiment") == row.text("experiment")
            && verdict.text("cell") == row.text("cell")
    })
}

/// The interval that the verdict goes by: where a rule decided how many games there
/// are, the one that allows for it.
fn bounds(tables: &Tables, row: Row) -> [Option<f64>; 2] {
    match verdict(tables, row) {
        Some(verdict) => ["low", "high"].map(|end| verdict.number(end)),
        None => ["score_low", "score_high"].map(|end| row.number(end)),
    }
}

/// The verdict on a cell, or where there is none whether its interval leaves ½
/// out.
fn favours(tables: &Tables, row: Row) -> &'static str {
    let [low, high] = bounds(tables, row);
    match verdict(tables, row).map(|verdict| verdict.text("verdict")) {
        Some("attackers") => FAVOURS[0].0,
        Some("defenders") => FAVOURS[1].0,
        Some("balanced") => FAVOURS[2].0,
        None if low.is_some_and(|low| low > 0.5) => FAVOURS[0].0,
        None if high.is_some_and(|high| high < 0.5) => FAVOURS[1].0,
        _ => FAVOURS[3].0,
    }
}

fn describe(tables: &Tables, rows: &[Row], names: &[String]) -> String {
    let mut extremes: Vec<(f64, String)> = rows
        .iter()
        .zip(names)
        .map(|(row, name)| {
            let score = row.number("score").unwrap_or(0.5);
            let players = words::players(row.text("attackers"), row.text("defenders"));
            let name = name.replace('\n', " ");
            (
                score,
                format!("{} for {name} ({players})", words::percent(score)),
            )
        })
        .collect();
    extremes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let confidence = verdict(tables, rows[0]).and_then(|row| row.number("confidence"));
    let confidence = confidence.unwrap_or(0.95);
    let (low, high) = (&extremes[0].1, &extremes[extremes.len() - 1].1);
    format!(
        "A dot is the attackers' score over the games of one ruleset and pair of players, a draw \
         counting one half; its line is the {} interval. Right of the broken line at 50 % the \
         rules favour the attackers, left of it the defenders. The scores run from {low} to {high}.{}",
        words::confidence(confidence),
        margin(tables, rows)
    )
}

/// What the verdict `balanced` means, where there are verdicts.
fn margin(tables: &Tables, rows: &[Row]) -> String {
    let verdicts = tables.rows_of("verdicts", rows[0].text("experiment"));
    // Where a rule decided how many games there are, nothing is tested.
    let tested =
        |row: &Row| !row.text("p_balanced").is_empty() || row.number("confidence").is_none();
    let is_ruled = !verdicts.iter().any(tested);
    let margin = verdicts.first().and_then(|row| row.number("margin"));
    margin.map_or_else(String::new, |margin| {
        let margin = words::points(margin);
        if is_ruled {
            return format!(
                " Verdicts are those of the intervals, each for itself; balanced means that \
                 all of one is within {margin} points of 50 %."
            );
        }
        format!(
            " Verdicts allow for the number of rows; balanced means within {margin} points \
             of 50 %, at a level of 5 %."
        )
    })
}
