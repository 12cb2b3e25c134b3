//! `brandub replay`: any game of a run, move by move.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use brandub::experiment::{
    Cell, Grid, Manifest, Match, PLAY_REVISION, Table, Transcript, recorded_row, row,
    transcript_json,
};
use brandub::game::{Game, Rules, Side, annotate};

use super::endgames::endgames;
use super::failure::{Failure, say};

/// Show any game of a run move by move, computed anew from its seed
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub replay results/default --cell 3f09a1c2b7de --game 7\n  \
    brandub replay results/default --cell 3f09a1c2b7de --game 7 --json | brandub check -\n\n\
    The cell's id is the first column of winrates.csv; without --cell all are listed.\n\
    An external engine plays the game anew; exit status 1 if that is not the game on\n\
    record. Its command is the one in the folder's manifest.json and is run as it stands\n\
    there: replay such games of folders that you trust only.")]
pub struct Arguments {
    /// The result folder
    results: PathBuf,
    /// The cell's id
    #[arg(long)]
    cell: Option<String>,
    /// The game's index in its cell, from 0
    #[arg(long)]
    game: Option<u64>,
    /// One JSON object, as `brandub check` reads it
    #[arg(long)]
    json: bool,
    /// The position string after every move
    #[arg(long, conflicts_with = "json")]
    otn: bool,
}

/// Plays and shows the game named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let manifest = Manifest::read(&arguments.results)?;
    let revision = manifest.program.play_revision;
    if revision != PLAY_REVISION {
        return Err(Failure::Usage(format!(
            "{} was played by revision {revision} of the players (brandub {}, commit {}), this program has {PLAY_REVISION}: its games would be others",
            arguments.results.display(),
            manifest.program.version,
            manifest.program.commit
        )));
    }
    let mut grid = Grid::new(manifest.experiment.clone());
    let named = |cell: &Cell| Some(&cell.id) == arguments.cell.as_ref();
    let Some(place) = grid.cells.iter().position(named) else {
        return Err(no_cell(arguments, &grid));
    };
    let cell = &mut grid.cells[place];
    let games = manifest.games_of(place);
    let Some(game) = arguments.game.filter(|&game| game < games) else {
        let asked = arguments
            .game
            .map_or("--game".to_owned(), |game| format!("game {game}"));
        return Err(Failure::Usage(format!(
            "no {asked}: cell {} has games 0 to {}",
            cell.id,
            games.saturating_sub(1)
        )));
    };
    for agent in [&cell.pair.attackers, &cell.pair.defenders] {
        agent.find_program()?;
    }
    cell.open_tables(&endgames())?;
    let cell = &grid.cells[place];
    let recorded = recorded_row(&arguments.results, cell, game)?;
    announce_commands(&arguments.results, cell);
    let rules = cell.rules();
    let transcript = Table::new(&grid.experiment, cell).transcript(game);
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", transcript_json(cell, &transcript))?;
    } else {
        print(&mut out, cell, &rules, &transcript, arguments.otn)?;
    }
    compare(cell, &transcript, recorded.as_deref())
}

/// Says before they start which programs the folder has this one run.
fn announce_commands(folder: &Path, cell: &Cell) {
    for side in Side::BOTH {
        let agent = cell.pair.of(side);
        if agent.is_external() {
            say(&format!(
                "the {side}' command, which is in {}: {agent}",
                folder.join("manifest.json").display()
            ));
        }
    }
}

/// Which cells there are.
fn no_cell(arguments: &Arguments, grid: &Grid) -> Failure {
    let asked = arguments
        .cell
        .as_ref()
        .map_or("--cell".to_owned(), |cell| format!("cell `{cell}`"));
    let cells = grid.cells.iter().map(|cell| {
        let Match {
            attackers,
            defenders,
        } = &cell.pair;
        let rules = cell.ruleset.label();
        format!("\n  {}  {rules}  {attackers} - {defenders}", cell.id)
    });
    let cells: String = cells.collect();
    let folder = arguments.results.display();
    Failure::Usage(format!("no {asked}; the cells of {folder} are{cells}"))
}

/// Whether the game is the one on record, as far as there is one.
fn compare(cell: &Cell, transcript: &Transcript, recorded: Option<&str>) -> Result<(), Failure> {
    let played = row(cell, &transcript.record);
    let Some(recorded) = recorded.filter(|recorded| *recorded != played) else {
        return Ok(());
    };
    let why = if cell.is_reproducible() {
        "verify the folder"
    } else {
        "an external engine need not play the same moves again"
    };
    Err(Failure::Failed(format!(
        "this is not the game on record ({why}):\n  on record {recorded}\n  now       {played}"
    )))
}

fn print(
    out: &mut impl Write,
    cell: &Cell,
    rules: &Rules,
    transcript: &Transcript,
    otn: bool,
) -> io::Result<()> {
    let record = &transcript.record;
    writeln!(
        out,
        "rules     {} ({})",
        cell.ruleset.label(),
        cell.ruleset_id
    )?;
    writeln!(out, "attackers {}", cell.pair.attackers)?;
    writeln!(out, "defenders {}", cell.pair.defenders)?;
    writeln!(out, "game      {} of cell {}\n", record.game, cell.id)?;
    let mut game = Game::new(rules);
    writeln!(out, "{}\n", game.position())?;
    for (index, &ply) in transcript.moves.iter().enumerate() {
        let side = game.position().side;
        let captured = game.play_legal(ply);
        let opening = if index < transcript.opening_plies {
            "  opening"
        } else {
            ""
        };
        let position = if otn {
            format!("  {}", game.position().to_otn())
        } else {
            String::new()
        };
        writeln!(
            out,
            "{:>4} {side} {}{opening}{position}",
            index + 1,
            annotate(ply, captured)
        )?;
    }
    writeln!(out, "\n{}\n", game.position())?;
    writeln!(
        out,
        "{} after {} plies: {}",
        record.winner, record.plies, record.termination
    )?;
    match &transcript.forfeit {
        Some((side, forfeit)) => writeln!(out, "the {side}: {forfeit}"),
        None => Ok(()),
    }
}
