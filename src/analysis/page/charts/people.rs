//! People's scores beside those of programs.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::balance::{equals, players};
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
        .filter_map(|(experiment, rows)| chart(tables, experiment, &equals(&rows)))
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
    let people = std::iter::once(PEOPLE.to_owned());
    let everyone: Vec<String> = people.chain(machines.iter().cloned()).collect();
    let rulesets = distinct(rows.iter().map(|&row| ruleset(row)));
    let (y, offset) = parts::groups("ruleset", &rulesets, &everyone);
    let mut layers = vec![parts::upright(0.5)];
    layers.extend(parts::dots(
        &parts::score_axis("attackers' score"),
        &parts::by_player(Some(PEOPLE), &machines),
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

#[cfg(test)]
mod tests {
    use super::super::super::PageTable;
    use super::*;

    #[test]
    fn people_stand_beside_programs_that_meet_their_like() {
        let csv = "experiment,ruleset,label,preset,people_score,people_games,attackers,defenders,score,games\n\
                   x,1,wtf,wtf,0.4,100,greedy,greedy,0.6,50\n\
                   x,1,wtf,wtf,0.4,100,greedy,random,0.9,50\n";
        let tables = Tables::read(&[PageTable {
            name: "people".to_owned(),
            caption: String::new(),
            csv: csv.to_owned(),
        }]);
        let charts = charts(&tables.unwrap());
        let rows = charts[0].spec["data"]["values"].as_array().unwrap();
        let players: Vec<&Value> = rows.iter().map(|row| &row["players"]).collect();
        assert_eq!(players, ["people", "greedy"]);
    }
}
