//! Runs whose games are given, for tests. Imports runs.

use std::path::PathBuf;

use super::run::{CellGames, Run};
use crate::experiment::{Cell, Grid, Manifest, Source, Status, Winner};

/// Sixty openings under twelve combinations of three rules.
pub(super) const GAMES: &str = include_str!("../../tests/data/statistics/games.csv");
/// The experiment they are of.
pub(super) const FACTORIAL: &str = "base='disputed'\nvary={king_armed=[true,false],throne_hostile=['none','soldiers','everyone'],king_capture=['two','four']}";

/// The run of an experiment's `[rules]`, between two random players.
pub(super) fn run(
    pairing: &str,
    rules: &str,
    winners: impl Fn(&Cell) -> Vec<Option<Winner>>,
) -> Run {
    run_of(
        pairing,
        &format!("{rules}\n[[match]]\nagents=['random']"),
        winners,
    )
}

/// The run of an experiment's `[rules]` and what follows.
pub(super) fn run_of(
    pairing: &str,
    rest: &str,
    winners: impl Fn(&Cell) -> Vec<Option<Winner>>,
) -> Run {
    let text = format!("name='fixture'\nseed=1\ngames=60\npairing='{pairing}'\n[rules]\n{rest}\n");
    let grid = Grid::new(Source::parse("x", &text).unwrap().experiment);
    let cells = grid.cells.iter();
    let cells: Vec<CellGames> = cells
        .map(|cell| CellGames::from_winners(cell, &winners(cell)))
        .collect();
    let files = vec![Vec::new(); cells.len()];
    let mut manifest = Manifest::new(&grid, None);
    manifest.status = Status::Complete;
    manifest.games = cells.iter().map(|cell| cell.row.games).sum();
    Run {
        folder: PathBuf::from("fixture"),
        manifest,
        cells,
        files,
    }
}

/// The winners in a table of rule axes, game and winner.
pub(super) fn winners(table: &str) -> impl Fn(&Cell) -> Vec<Option<Winner>> {
    let rows = rows(table);
    move |cell| {
        let axes = crate::game::AXES.into_iter().zip(cell.ruleset.axes());
        let axes: Vec<(&str, String)> = axes
            .filter_map(|(name, value)| Some((name, value?)))
            .collect();
        let own = rows.iter().filter(|row| {
            let mut axes = axes.iter();
            axes.all(|(name, value)| row.iter().all(|(key, other)| key != name || other == value))
        });
        let winner = |name: &str| {
            use Winner::{Attackers, Defenders, Draw, None};
            [Attackers, Defenders, Draw, None]
                .into_iter()
                .find(|winner| winner.name() == name)
        };
        let field = |row: &Vec<(String, String)>, key: &str| {
            let found = row.iter().find(|(name, _)| name == key);
            found.unwrap().1.clone()
        };
        own.enumerate()
            .map(|(game, row)| {
                assert_eq!(field(row, "game"), game.to_string());
                winner(&field(row, "winner"))
            })
            .collect()
    }
}

/// Each row's fields with their columns.
pub(super) fn rows(table: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let fields = header.iter().zip(row.iter());
        fields
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    });
    rows.collect()
}

/// A table's numbers, in rows; its first column may be words.
pub(super) fn numbers(table: &str) -> Vec<Vec<f64>> {
    let number = |(_, value): &(String, String)| value.parse().unwrap_or(f64::NAN);
    let rows = rows(table);
    rows.iter()
        .map(|row| row.iter().map(number).collect())
        .collect()
}
