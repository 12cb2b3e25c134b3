//! Ratings as a person reads them.

use std::io::{self, Write};
use std::path::Path;

use brandub::analysis::{Estimate, Open, RESAMPLES, Ratings, Scope, Share, Strengths, Tallied};
use brandub::experiment::Manifest;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// Resamples of fewer openings than this spread too little.
const FEW: u64 = 20;

/// Prints strengths, steps and sides on standard output, and a note on them.
pub fn print(ratings: &Ratings, openings: u64, note: Option<String>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for scope in &ratings.scopes {
        writeln!(out, "{}\n\n{}\n", scope.label, strengths(scope).trim_fmt())?;
        writeln!(out, "{}\n", steps(scope).trim_fmt())?;
    }
    writeln!(out, "{}\n", sides(ratings).trim_fmt())?;
    let weakest = ratings.scopes.iter().map(|scope| scope.resamples).min();
    writeln!(
        out,
        "Elo points against the mean of all agents, with 95 % bounds from {} resamples of {} openings;\n\
         ∞: the games set no bound. Such agents are left out of the mean, unless that leaves nobody.\n\
         advantage, score and draws: of the attackers between two average agents",
        weakest.unwrap_or(RESAMPLES),
        openings
    )?;
    if openings < FEW {
        writeln!(
            out,
            "note: with fewer than {FEW} openings these bounds are too narrow"
        )?;
    }
    if let Some(note) = note {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

/// Says where the games and the tables in full are.
pub fn print_place(manifest: &Manifest, folder: &Path) -> io::Result<()> {
    writeln!(
        io::stdout(),
        "{} games in {folder}: {folder}/ratings.csv, {folder}/steps.csv, {folder}/sides.csv (these tables in full), {folder}/winrates.csv",
        manifest.games,
        folder = folder.display()
    )
}

fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>, names: usize) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(headings);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn strengths(scope: &Scope) -> Table {
    let headings = [
        "agent",
        "games",
        "stopped",
        "both roles",
        "attackers",
        "defenders",
    ];
    let rows = scope.agents.iter().map(|rating| {
        let roles = [rating.attacking, rating.defending];
        let finished: u64 = roles.iter().map(Tallied::finished).sum();
        let stopped: u64 = roles.iter().map(|games| games.stopped).sum();
        let mut row = vec![
            rating.agent.clone(),
            finished.to_string(),
            stopped.to_string(),
        ];
        row.extend(roles_of(&rating.strengths));
        row
    });
    table(&headings, rows, 1)
}

fn steps(scope: &Scope) -> Table {
    let headings = ["from", "to", "both roles", "attackers", "defenders"];
    let rows = scope.steps.iter().map(|step| {
        let mut row = vec![step.from.clone(), step.to.clone()];
        row.extend(roles_of(&step.gain));
        row
    });
    table(&headings, rows, 2)
}

fn sides(ratings: &Ratings) -> Table {
    let headings = [
        "ruleset",
        "fitted",
        "stopped",
        "advantage",
        "score %",
        "draws %",
    ];
    let joint = ratings.scopes.len() > 1;
    let rows = ratings.scopes.iter().flat_map(|scope| {
        let fitted = if joint && scope.name == "all" {
            "together"
        } else {
            "alone"
        };
        scope.sides.iter().map(move |side| {
            vec![
                side.label.clone(),
                fitted.to_owned(),
                side.games.stopped.to_string(),
                elo(&side.advantage),
                percent(&side.score),
                percent(&side.draws),
            ]
        })
    });
    table(&headings, rows, 2)
}

fn roles_of(strengths: &Strengths) -> [String; 3] {
    [&strengths.both, &strengths.attackers, &strengths.defenders].map(elo)
}

/// An estimate between its bounds.
fn elo(estimate: &Estimate) -> String {
    // It alone is told against: what it is worth is not measured.
    if estimate.se <= 0.0 && estimate.open.is_none() {
        return "0  reference".to_owned();
    }
    let bound =
        |bound: Option<f64>, infinite: &str| bound.map_or_else(|| infinite.to_owned(), whole);
    let open = |side: Open, sign: &'static str| {
        if estimate.open == Some(side) {
            sign
        } else {
            "?"
        }
    };
    format!(
        "{}  {} … {}",
        whole(estimate.elo),
        bound(estimate.low, open(Open::Below, "−∞")),
        bound(estimate.high, open(Open::Above, "∞"))
    )
}

/// A whole number with its sign, none before zero.
fn whole(value: f64) -> String {
    match value.round() as i64 {
        0 => "0".to_owned(),
        value => format!("{value:+}"),
    }
}

fn percent(share: &Share) -> String {
    let [share, low, high] = [share.share, share.low, share.high].map(|value| 100.0 * value);
    format!("{share:.1}  {low:.1}–{high:.1}")
}
