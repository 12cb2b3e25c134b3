//! Measures of the games, a panel each.

use std::fmt::Write;

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

/// Each measure's name in `games.csv`, with its unit, and what it says; the
/// whole definitions are in `docs/tables.md`.
const MEASURES: [(&str, &str, &str); 23] = [
    ("length", "length (plies)", "stopped games too"),
    (
        "completion",
        "completion (share)",
        "not stopped at the ply limit",
    ),
    ("decisive", "decisive (share)", "won by a side"),
    (
        "attackers_captured",
        "attackers captured (soldiers)",
        "in a game",
    ),
    (
        "defenders_captured",
        "defenders captured (soldiers)",
        "in a game",
    ),
    (
        "branching",
        "branching (moves)",
        "how many legal moves an agent had",
    ),
    (
        "lead_changes",
        "lead changes (times)",
        "how often the other side took the lead",
    ),
    (
        "lead_change_rate",
        "lead change rate (share of steps)",
        "lead changes from ply to ply",
    ),
    (
        "behind",
        "behind (share of positions)",
        "for how long the winner was behind",
    ),
    (
        "drama",
        "drama (0 to 1)",
        "how far the winner was behind while behind",
    ),
    (
        "drama_max",
        "greatest drama (0 to 1)",
        "how far the winner was behind at the worst",
    ),
    (
        "settled",
        "settled (share of positions)",
        "for how long it was clear who would win",
    ),
    (
        "judge_error",
        "judge error (0 to 1)",
        "mean squared error of the judge, who says little near ¼",
    ),
    (
        "raichi",
        "raichi (times)",
        "new threats of the king to go to one corner",
    ),
    (
        "tuichi",
        "tuichi (times)",
        "new threats of the king to go to two corners or more",
    ),
    (
        "king_returns",
        "king returns (times)",
        "the king stepped onto the throne",
    ),
    (
        "returned_to_throne",
        "returned to throne (share)",
        "the king did so at all",
    ),
    (
        "king_captured_a_man",
        "king captured a man (share)",
        "which only an armed king can",
    ),
    (
        "man_captured_against_king",
        "man captured against king (share)",
        "by a soldier, with an armed king as the other side",
    ),
    (
        "man_captured_with_throne",
        "man captured with throne (share)",
        "only because it is hostile",
    ),
    (
        "man_captured_with_corner",
        "man captured with corner (share)",
        "only because it is hostile",
    ),
    (
        "throne_helped_king_capture",
        "throne helped king's capture (share)",
        "the empty throne was one of the sides that closed in on the king",
    ),
    (
        "only_two",
        "only two needed (share)",
        "the king was captured by fewer than four",
    ),
];
/// Those that the records of all games have; the others need games played again.
const RECORDED: [&str; 5] = [
    "length",
    "completion",
    "decisive",
    "attackers_captured",
    "defenders_captured",
];

/// A measure's name with its unit.
fn name(measure: &str) -> String {
    let known = MEASURES.iter().find(|(key, _, _)| *key == measure);
    known.map_or_else(|| words::spaced(measure), |(_, name, _)| (*name).to_owned())
}

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let experiments = tables.by_experiment("games").into_iter();
    experiments
        .filter_map(|(experiment, rows)| chart(tables, experiment, &equals(&rows)))
        .collect()
}

fn chart(tables: &Tables, experiment: &str, rows: &[Row]) -> Option<Chart> {
    let one_cell = rows
        .iter()
        .all(|row| row.text("cell") == rows[0].text("cell"));
    let mut shown = distinct(rows.iter().map(|row| row.text("measure")));
    shown.retain(|measure| tells(rows, measure, one_cell));
    let is_shown = |row: &&Row| shown.contains(&row.text("measure"));
    let rows: Vec<Row> = rows.iter().filter(is_shown).copied().collect();
    if rows.is_empty() {
        return None;
    }
    let names: Vec<String> = rows.iter().map(|&row| tables.names.of(row)).collect();
    let strengths = distinct(rows.iter().map(|&row| players(row).replace('\n', " ")));
    let measures = distinct(rows.iter().map(|row| name(row.text("measure"))));
    let values: Vec<Value> = rows
        .iter()
        .zip(&names)
        .map(|(&row, ruleset)| {
            json!({
                "ruleset": ruleset,
                "players": players(row).replace('\n', " "),
                "measure": name(row.text("measure")),
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
        "layer": parts::dots(&x, &parts::by_player(None, &strengths), &parts::tips(&TIPS), false),
    });
    let mut spec = parts::panels(&title, &values, ("measure", &measures), COLUMNS, &panel);
    // Each measure has a unit of its own.
    spec["resolve"] = json!({ "scale": { "x": "independent" } });
    Some(Chart {
        id: format!("games-{}", parts::slug(experiment)),
        section: Section::Measures,
        title,
        description: describe(&rows),
        spec,
    })
}

/// How the panels are read, which games they are of, and what each says.
fn describe(rows: &[Row]) -> String {
    let is_recorded = |row: &&Row| RECORDED.contains(&row.text("measure"));
    let (recorded, sampled): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(is_recorded);
    let names = |rows: &[&Row]| {
        let keys = distinct(rows.iter().map(|row| row.text("measure")));
        let names: Vec<String> = keys.into_iter().map(words::spaced).collect();
        names.join(", ")
    };
    let mut text = "Each panel is one measure, with a scale of its own; a dot is its mean over \
                    the games of a ruleset and pair of players, its line the 95 % interval; no \
                    line where all games have the same value."
        .to_owned();
    if !recorded.is_empty() {
        let _ = write!(text, " Of all games: {}.", names(&recorded));
    }
    let games = sampled.iter().filter_map(|row| row.number("games"));
    let most = games.fold(0.0, f64::max);
    if most > 0.0 {
        let _ = write!(
            text,
            " Measures of replayed games, the first {} of each cell: {}.",
            words::grouped(&format!("{most:.0}")),
            names(&sampled)
        );
    }
    let is_there = |key: &str| rows.iter().any(|row| row.text("measure") == key);
    let known = MEASURES.iter().filter(|(key, _, _)| is_there(key));
    let said: Vec<String> = known
        .map(|(key, _, gloss)| format!("{}: {gloss}", words::spaced(key)))
        .collect();
    if !said.is_empty() {
        let _ = write!(text, " What they say: {}.", said.join("; "));
    }
    text
}

/// Whether a measure differs between cells, if there are several; how games ended
/// has a chart of its own.
fn tells(rows: &[Row], measure: &str, one_cell: bool) -> bool {
    let own = rows.iter().filter(|row| row.text("measure") == measure);
    let mut means = own.filter_map(|row| row.number("mean"));
    let Some(first) = means.next() else {
        return false;
    };
    let differs = |mean: f64| mean.total_cmp(&first).is_ne();
    !measure.starts_with("ended_") && (one_cell || means.any(differs))
}

#[cfg(test)]
mod tests {
    use super::super::super::PageTable;
    use super::*;

    #[test]
    fn measures_have_units_and_say_which_games_they_are_of() {
        let csv = "experiment,cell,ruleset,label,attackers,defenders,measure,games,mean\n\
                   x,1,a,one,greedy,greedy,length,1000,40\nx,2,b,two,greedy,greedy,length,1000,50\n\
                   x,1,a,one,greedy,greedy,branching,20,30\nx,2,b,two,greedy,greedy,branching,19,35\n";
        let tables = Tables::read(&[PageTable {
            name: "games".to_owned(),
            caption: String::new(),
            csv: csv.to_owned(),
        }]);
        let charts = charts(&tables.unwrap());
        let panels = &charts[0].spec["facet"]["sort"];
        assert_eq!(*panels, json!(["length (plies)", "branching (moves)"]));
        let caption = &charts[0].description;
        for part in [
            "no line where all games have the same value",
            " Of all games: length.",
            " Measures of replayed games, the first 20 of each cell: branching.",
            "branching: how many legal moves an agent had.",
        ] {
            assert!(caption.contains(part), "no {part} in {caption}");
        }
    }

    /// `docs/tables.md` defines every measure, and has none that is not known here.
    #[test]
    fn every_measure_has_a_unit() {
        let docs = include_str!("../../../../docs/tables.md");
        let (_, measures) = docs
            .split_once("Over all games, from the records:")
            .unwrap();
        let (measures, _) = measures.split_once("## `openings.csv`").unwrap();
        let lines = measures.lines().filter(|line| line.starts_with("| `"));
        let first = lines.filter_map(|line| line.split('|').nth(1));
        let names = first.flat_map(|field| field.split('`').skip(1).step_by(2));
        let mut names: Vec<&str> = names.filter(|name| !name.starts_with("ended_")).collect();
        names.sort_unstable();
        let mut known = MEASURES.map(|(key, _, _)| key);
        known.sort_unstable();
        assert_eq!(names, known);
        assert!(RECORDED.iter().all(|name| known.contains(name)));
    }
}
