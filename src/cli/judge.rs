//! `brandub judge`: how often agents gave up what was proved.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use brandub::analysis::{Table as Data, blunders_table};
use brandub::experiment::{
    Endgames, Fate, Grid, JudgedGame, Manifest, Pairing, Prover, ReplayError, Replayed, Status,
    replay,
};
use brandub::solver::MOST_PLIES;
use brandub::solver::exact::Value;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde_json::json;

use super::counter::Counter;
use super::endgames::{endgames, endgames_or};
use super::failure::{Failure, say};
use super::run::use_threads;

/// How often each agent threw away a proved win or draw
///
/// Plays the first games of every cell again and proves what it can of the
/// positions in which an agent moved: by endgame tables (`--tables`), and where
/// they end by trying everything for `--plies` plies.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub judge results/default\n  \
    brandub judge results/default --tables tables --sample 200\n  \
    brandub judge results/default --tables tables --plies 0 --csv > blunders.csv\n\n\
    docs/tables.md says what each column means.")]
pub struct Arguments {
    /// The result folder
    results: PathBuf,
    /// Games of every cell to play again
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
    /// Folder of endgame tables of all the run's rulesets [default: none]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Wins in at most so many plies are looked for where the tables end, an
    /// odd number; 0 looks for none
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = plies)]
    plies: u8,
    /// Threads to compute on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// No progress, only results and errors
    #[arg(long, short)]
    quiet: bool,
    /// Every row as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Every row, and every move that gave something up, as one JSON object
    #[arg(long)]
    json: bool,
}

fn plies(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(plies) if plies == 0 || plies % 2 == 1 && plies <= MOST_PLIES => Ok(plies),
        _ => Err(format!("expected 0 or an odd number up to {MOST_PLIES}")),
    }
}

/// Judges the folder named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.plies == 0 && arguments.tables.is_none() {
        return Err(Failure::Usage(
            "with --plies 0 and no --tables nothing can be proved: expected one of them".to_owned(),
        ));
    }
    use_threads(arguments.threads)?;
    let manifest = Manifest::read(&arguments.results)?;
    let grid = Grid::new(manifest.experiment.clone());
    let tables = arguments.tables.clone().map(Endgames::new);
    let rulesets = &grid.experiment.rulesets;
    let prover = Prover::new(rulesets, tables.as_ref(), arguments.plies)?;
    let judged = judge(arguments, &manifest, &prover)?;
    if judged.external.len() == grid.cells.len() {
        return Err(Failure::Usage(format!(
            "{}: an external engine plays in every cell, and need not play the same moves again",
            arguments.results.display()
        )));
    }
    if judged.games.is_empty() {
        return Err(Failure::Usage(format!(
            "{}: no game is kept there to be judged",
            arguments.results.display()
        )));
    }
    if !judged.external.is_empty() {
        say(&format!(
            "note: the games of {} cells with an external engine are left out, since it need not play the same moves again",
            judged.external.len()
        ));
    }
    if manifest.status == Status::Incomplete {
        say("note: the run is not finished; judged are games that it has so far");
    }
    let table = blunders_table(&grid, &judged.games);
    let mut out = io::stdout().lock();
    if arguments.json {
        let whole = json!({
            "experiment": grid.experiment.name,
            "sample": arguments.sample,
            "plies": arguments.plies,
            "tables": arguments.tables.is_some(),
            "games": judged.games.len(),
            "rows": table.records(),
            "blunders": blunders(&grid, &judged.games),
        });
        serde_json::to_writer(&mut out, &whole).map_err(io::Error::from)?;
        writeln!(out)?;
    } else if arguments.csv {
        out.write_all(&table.csv())?;
    } else {
        print(&mut out, arguments, &grid, judged.games.len(), &table)?;
    }
    Ok(())
}

fn judge(
    arguments: &Arguments,
    manifest: &Manifest,
    prover: &Prover,
) -> Result<Replayed<JudgedGame>, Failure> {
    let counter = Counter::new("judging", "games", arguments.quiet);
    // Agents that ask tables most likely asked these.
    let agents = arguments
        .tables
        .as_deref()
        .map_or_else(endgames, endgames_or);
    let judged = replay(
        &arguments.results,
        manifest,
        arguments.sample,
        &agents,
        &AtomicBool::new(false),
        &counter,
        |place, cell, transcript| prover.judge(place, cell, transcript),
    );
    judged.map_err(|error| match error {
        ReplayError::Folder(error) => Failure::from(error),
        ReplayError::Tables(_) | ReplayError::Revision { .. } => Failure::Usage(error.to_string()),
        _ => Failure::Failed(format!("{}: {error}", arguments.results.display())),
    })
}

/// Every move that gave something up.
fn blunders(grid: &Grid, judged: &[JudgedGame]) -> Vec<serde_json::Value> {
    let value = |value: Value| json!({"value": value.name(), "plies": value.plies()});
    let mut all = Vec::new();
    for game in judged {
        let cell = &grid.cells[game.cell];
        let given_up = game
            .proved
            .iter()
            .filter(|judged| judged.fate != Fate::Kept);
        all.extend(given_up.map(|judged| {
            json!({
                "cell": cell.id,
                "ruleset": cell.ruleset_id,
                "game": game.game,
                "plies": judged.plies,
                "agent": cell.pair.of(judged.position.side),
                "side": judged.position.side.name(),
                "position": judged.position.to_otn(),
                "move": judged.ply.to_string(),
                "proof": judged.proof.name(),
                "before": value(judged.value),
                "after": judged.after.map(value),
                "fate": judged.fate.name(),
            })
        }));
    }
    all
}

fn print(
    out: &mut impl Write,
    arguments: &Arguments,
    grid: &Grid,
    games: usize,
    data: &Data,
) -> io::Result<()> {
    let rows = 0..data.frame().height();
    let several = rows.clone().any(|row| data.word("label", row) == "all");
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "agent",
        "side",
        "proof",
        "games",
        "wins",
        "thrown\n%",
        "missed\n%",
        "draws",
        "lost\n%",
    ]);
    for row in rows {
        let label = data.word("label", row);
        if several && label != "all"
            || data.value("wins", row) == Some(0.0)
                && data.value("draws", row).is_none_or(|draws| draws == 0.0)
        {
            continue;
        }
        let percent = |name: &str| {
            let number = |end: &str| data.value(&format!("{name}_{end}"), row);
            let (Some(rate), Some(low), Some(high)) =
                (number("rate"), number("low"), number("high"))
            else {
                return "-".to_owned();
            };
            format!(
                "{:.2}  {:.2}–{:.2}",
                100.0 * rate,
                100.0 * low,
                100.0 * high
            )
        };
        table.add_row([
            data.word("agent", row),
            data.word("side", row),
            data.word("proof", row),
            data.word("games", row),
            data.word("wins", row),
            percent("thrown"),
            percent("missed"),
            data.word("draws", row),
            percent("draws_lost"),
        ]);
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{}", table.trim_fmt())?;
    let search = format!("a search of at most {} plies", arguments.plies);
    let proved = match (arguments.tables.is_some(), arguments.plies) {
        (true, 0) => "endgame tables".to_owned(),
        (true, _) => format!("endgame tables or by {search}"),
        (false, _) => search,
    };
    let clusters = match grid.experiment.pairing {
        Pairing::Common => "all games of an opening as one cluster",
        Pairing::Independent => "games as clusters",
    };
    writeln!(
        out,
        "{games} games played again; wins, draws: moves in positions proved so for the mover,\n\
         by {proved};\n\
         thrown: of the wins, those after which it is proved that there is none; missed: those after which none\n\
         is in reach of the search, and no more is known; lost: of the draws, those after which the other side's\n\
         win is proved; with Wilson 95 % bounds, {clusters}"
    )?;
    if several {
        writeln!(out, "all rulesets together: --csv has each")?;
    }
    Ok(())
}
