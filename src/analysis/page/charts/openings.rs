//! First moves: the score after each, one panel a pair of players.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::balance::{equals, players};
use super::parts;
use super::surface::{score_color, score_text};
use super::{Chart, Section, Tables};

const CELL_WIDTH: usize = 46;
/// The most common first moves that a chart shows.
const MOVES: usize = 12;

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let experiments = tables.by_experiment("openings").into_iter();
    experiments
        .filter_map(|(experiment, rows)| chart(tables, experiment, &equals(&rows)))
        .collect()
}

/// The moves that most games began with, in the order of their names.
fn commonest<'a>(rows: &[Row<'a>]) -> (Vec<&'a str>, usize) {
    let all = distinct(rows.iter().map(|row| row.text("move")));
    let games = |name: &str| -> f64 {
        let rows = rows.iter().filter(|row| row.text("move") == name);
        rows.filter_map(|row| row.number("games")).sum()
    };
    let mut moves = all.clone();
    moves.sort_by(|one, other| games(other).total_cmp(&games(one)).then(one.cmp(other)));
    moves.truncate(MOVES);
    moves.sort_unstable();
    let left_out = all.len() - moves.len();
    (moves, left_out)
}

fn chart(tables: &Tables, experiment: &str, rows: &[Row]) -> Option<Chart> {
    let (moves, left_out) = commonest(rows);
    let is_shown = |row: &&Row| row.number("score").is_some() && moves.contains(&row.text("move"));
    let rows: Vec<Row> = rows.iter().filter(is_shown).copied().collect();
    if rows.is_empty() {
        return None;
    }
    let names: Vec<String> = rows.iter().map(|&row| tables.names.of(row)).collect();
    let panels = distinct(rows.iter().map(|&row| players(row)));
    let values: Vec<Value> = rows
        .iter()
        .zip(&names)
        .map(|(&row, name)| {
            json!({
                "ruleset": name,
                "players": players(row),
                "first move": row.text("move"),
                "score": row.number("score"),
                "low": row.number("low"),
                "high": row.number("high"),
                "games": row.number("games"),
                "share": row.number("share"),
            })
        })
        .collect();
    let width = CELL_WIDTH * moves.len();
    let columns = (800 / width.max(1)).clamp(1, 4);
    let title = tables.title("The attackers' score after each first move", experiment);
    let panel = json!({
        "width": width,
        "height": { "step": parts::band(&names, 20) },
        "encoding": {
            "y": parts::rulesets(&tables.names.heading(experiment), false),
            "x": {
                "field": "first move",
                "type": "ordinal",
                "sort": moves,
                "axis": { "title": "first move", "labelAngle": 0, "labelOverlap": false },
            },
        },
        "layer": layers(),
    });
    let spec = parts::panels(&title, &values, ("players", &panels), columns, &panel);
    Some(Chart {
        id: format!("openings-{}", parts::slug(experiment)),
        section: Section::Openings,
        title,
        description: describe(left_out),
        spec,
    })
}

fn layers() -> Value {
    json!([
        {
            "mark": { "type": "rect" },
            "encoding": {
                "color": score_color(),
                "tooltip": parts::tips(&[
                    ("ruleset", ""),
                    ("players", ""),
                    ("first move", ""),
                    ("score", ".1%"),
                    ("low", ".1%"),
                    ("high", ".1%"),
                    ("games", ","),
                    ("share", ".1%"),
                ]),
            },
        },
        score_text(),
    ])
}

fn describe(left_out: usize) -> String {
    let mut text = "Each cell is the attackers' score over the games that began with the move of \
                    its column, moves that are images of each other taken as one; empty where no \
                    game did. Where the first plies are random, all moves are about as common."
        .to_owned();
    if left_out > 0 {
        let _ = write!(text, " The {left_out} rarest moves are only in the table.");
    }
    text
}
