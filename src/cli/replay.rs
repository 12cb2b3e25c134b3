//! `brandub replay`: any game of a run, move by move.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use brandub::experiment::{
    Cell, Grid, Manifest, Match, PLAY_REVISION, Table, Transcript, recorded_row, row,
    transcript_json,
};
use brandub::game::{Game, Rules, Side, annotate};

use super::endgames::endgames;
use super::failure::{Failure, after_printing, say};
use super::run::end_with_engines;

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
    /// The cell's id, or as much of its beginning as no other has
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
    let place = named(arguments, &grid)?;
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
    let agents = [&cell.pair.attackers, &cell.pair.defenders];
    for agent in agents {
        agent.find_program()?;
    }
    end_with_engines(agents)?;
    cell.open_tables(&endgames())?;
    let cell = &grid.cells[place];
    let recorded = recorded_row(&arguments.results, cell, game)?;
    if recorded.is_none() {
        say(&format!(
            "note: {} has no record of this game: there is nothing to compare it with",
            arguments.results.display()
        ));
    }
    announce_commands(&arguments.results, cell);
    let rules = cell.rules();
    let transcript = Table::new(&grid.experiment, cell).transcript(game);
    let mut out = io::stdout().lock();
    let printed = if arguments.json {
        writeln!(out, "{}", transcript_json(cell, &transcript))
    } else {
        print(&mut out, cell, &rules, &transcript, arguments.otn)
    };
    after_printing(printed, compare(cell, &transcript, recorded.as_deref()))
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

/// The place of the cell whose id begins as the argument does.
fn named(arguments: &Arguments, grid: &Grid) -> Result<usize, Failure> {
    let Some(asked) = arguments.cell.as_deref().filter(|cell| !cell.is_empty()) else {
        return Err(not_one(arguments, "no --cell", &grid.cells));
    };
    let places = (0..grid.cells.len()).filter(|&place| grid.cells[place].id.starts_with(asked));
    let places: Vec<usize> = places.collect();
    match places[..] {
        [place] => Ok(place),
        [] => {
            let none = format!("no cell `{asked}`");
            Err(not_one(arguments, &none, &grid.cells))
        }
        _ => {
            let several = format!("{} cells begin with `{asked}`", places.len());
            let cells = places.iter().map(|&place| &grid.cells[place]);
            Err(not_one(arguments, &several, cells))
        }
    }
}

/// Which of these cells can be asked for.
fn not_one<'a>(
    arguments: &Arguments,
    problem: &str,
    cells: impl IntoIterator<Item = &'a Cell>,
) -> Failure {
    let cells = cells.into_iter().map(|cell| {
        let Match {
            attackers,
            defenders,
        } = &cell.pair;
        let rules = cell.ruleset.label();
        format!("\n  {}  {rules}  {attackers} - {defenders}", cell.id)
    });
    let cells: String = cells.collect();
    let folder = arguments.results.display();
    Failure::Usage(format!("{problem}; the cells of {folder} are{cells}"))
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
