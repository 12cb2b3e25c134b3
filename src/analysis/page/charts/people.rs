//! People's scores beside those of programs.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::balance::players;
use super::parts;
use super::{Chart, Section, Tables};

const TIPS: [(&str, &str); 6] = [
    ("ruleset", ""),
    ("players", ""),
    ("score", ".1%"),
    ("low", ".1%"),
    ("high", ".1%"),
    ("games", ","),
];

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let experiments = tables.by_experiment("people").into_iter();
    experiments
        .filter_map(|(experiment, rows)| chart(tables, experiment, &rows))
        .collect()
}

/// What people are called among the players.
const PEOPLE: &str = "people";

fn chart(tables: &Tables, experiment: &str, rows: &[Row]) -> Option<Chart> {
    let ruleset = |row: Row| match row.text("preset") {
        "" => tables.names.of(row),
        preset => preset.to_owned(),
    };
    let mut values: Vec<Value> = Vec::new();
    let mut add = |row: Row, players: &str, columns: [&str; 4]| {
        let [score, low, high, games] = columns.map(|column| row.number(column));
        if score.is_some() {
            values.push(json!({
                "ruleset": ruleset(row),
                "players": players,
                "score": score,
                "low": low,
                "high": high,
                "games": games,
            }));
        }
    };
    let mut seen: Vec<&str> = Vec::new();
    for &row in rows {
        if !seen.contains(&row.text("ruleset")) {
            seen.push(row.text("ruleset"));
            add(
                row,
                PEOPLE,
                ["people_score", "people_low", "people_high", "people_games"],
            );
        }
        let name = players(row).replace('\n', " ");
        add(row, &name, ["score", "low", "high", "games"]);
    }
    if values.is_empty() {
        return None;
    }
    let machines = distinct(rows.iter().map(|&row| players(row).replace('\n', " ")));
    let everyone: Vec<String> = std::iter::once(PEOPLE.to_owned()).chain(machines).collect();
    let rulesets = distinct(rows.iter().map(|&row| ruleset(row)));
    let (y, offset) = parts::groups("ruleset", &rulesets, &everyone);
    let mut layers = vec![parts::upright(0.5)];
    layers.extend(parts::dots(
        &parts::score_axis("attackers' score"),
        &parts::by_player(&everyone, "category"),
        &parts::tips(&TIPS),
        false,
    ));
    let title = tables.title("People's games beside those of programs", experiment);
    let spec = json!({
        "title": title,
        "data": { "values": values },
        "width": 520,
        "height": { "step": parts::step(everyone.len()) },
        "encoding": { "y": y, "yOffset": offset },
        "layer": layers,
    });
    Some(Chart {
        id: format!("people-{}", parts::slug(experiment)),
        section: Section::People,
        title,
        description: "For each ruleset the attackers' score among people of equal strength, and \
                      below it among programs; lines are 95 % intervals."
            .to_owned(),
        spec,
    })
}
