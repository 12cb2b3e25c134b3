//! `brandub rate`: how strong the agents of a round robin are.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use brandub::analysis::{Outcomes, RESAMPLES, RateError, Ratings, RoundRobin, Run, forfeits_note};
use brandub::experiment::{Experiment, Grid, Manifest, Outcome, RunOptions, Status, run};

use super::counter::Counter;
use super::failure::{Failure, after_printing};
use super::rating_tables;
use super::run::{
    Changes, default_folder, finish, keep, keep_tables, leave, notes, play_until, seed, source,
    stop_on_signal, to_be_played, use_threads,
};

/// Rate agents: play a round robin and fit strengths in both roles
///
/// The games are those of `brandub run` on the same experiment, in the same
/// folder, with the same guarantees; a finished result folder instead of an
/// experiment is rated as it is. Needs pairing = "common" and every pair of
/// agents in both roles, so that they meet on the same openings.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub rate experiments/ladder.toml\n  \
    brandub rate experiments/ladder.toml --games 20 --out small-ladder\n  \
    brandub rate results/ladder --json             what has been played already\n  \
    brandub rate results/ladder --terminal         the same as tables, writes nothing\n\n\
    Writes ratings.csv, steps.csv and sides.csv beside winrates.csv. Strengths are in\n\
    Elo points against the mean of all agents (those without a bound are left out of it,\n\
    unless that leaves nobody); 400 points are odds of ten to one in\n\
    wins to losses.")]
pub struct Arguments {
    /// Experiment file, or a finished result folder
    #[arg(value_name = "EXPERIMENT|DIR")]
    what: PathBuf,
    /// Result folder [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Master seed instead of the experiment's
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Games a cell instead of the experiment's
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    games: Option<u64>,
    /// Threads to play on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// No progress, only the tables and errors
    #[arg(long, short)]
    quiet: bool,
    /// One JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// Rate a folder and write nothing, as where one may only read
    #[arg(long)]
    terminal: bool,
}

/// Rates the agents of the experiment or folder named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    if arguments.terminal {
        return show(arguments);
    }
    // Set by the first interrupt, once that is watched for.
    let mut stop = Arc::default();
    let outcome = if arguments.what.is_dir() {
        played_before(arguments)?
    } else {
        played_now(arguments, &mut stop)?
    };
    match outcome.manifest.status {
        Status::Complete => rate(outcome, arguments, &stop),
        // One JSON object is promised, of ratings.
        Status::Incomplete if arguments.json => leave(outcome),
        Status::Incomplete => finish(outcome),
    }
}

fn played_now(arguments: &Arguments, stop: &mut Arc<AtomicBool>) -> Result<Outcome, Failure> {
    let changes = Changes {
        seed: arguments.seed,
        games: arguments.games,
    };
    let source = source(Some(&arguments.what), changes)?;
    check(&source.experiment, &arguments.what)?;
    notes(&source, arguments.quiet);
    let grid = to_be_played(source)?;
    let folder = arguments.out.clone();
    let folder = folder.unwrap_or_else(|| default_folder(&grid.experiment));
    *stop = stop_on_signal("stopping; what has been played is kept; once more to stop at once")?;
    play_until(&grid, &folder, None, arguments.quiet, stop)
}

/// The manifest of a folder that is rated as it is.
fn finished(arguments: &Arguments) -> Result<Manifest, Failure> {
    let folder = &arguments.what;
    let usage = |problem: &str| Err(Failure::Usage(format!("{}: {problem}", folder.display())));
    if arguments.out.is_some() || arguments.seed.is_some() || arguments.games.is_some() {
        return usage(
            "is a result folder and rated as it is: expected no --out, --seed or --games",
        );
    }
    let manifest = Manifest::read(folder)?;
    if let Some(shard) = manifest.shard {
        return usage(&format!(
            "is shard {shard}: join the shards with `brandub merge` first"
        ));
    }
    check(&manifest.experiment, folder)?;
    if manifest.status == Status::Incomplete {
        return usage("is not finished: `brandub run` with its experiment goes on");
    }
    Ok(manifest)
}

/// Reads and checks every game of a folder and plays none.
fn played_before(arguments: &Arguments) -> Result<Outcome, Failure> {
    let folder = &arguments.what;
    let grid = Grid::new(finished(arguments)?.experiment);
    let options = RunOptions {
        shard: None,
        stop: &AtomicBool::new(true),
    };
    let outcome = run(&grid, folder, options, &())?;
    if outcome.manifest.status == Status::Incomplete {
        return Err(Failure::Failed(format!(
            "{}: {} of {} games are there; `brandub run` with its experiment plays the others",
            folder.display(),
            outcome.manifest.games,
            grid.games()
        )));
    }
    Ok(outcome)
}

fn check(experiment: &Experiment, place: &Path) -> Result<(), Failure> {
    RoundRobin::new(experiment)
        .map(|_| ())
        .map_err(|error| Failure::Usage(format!("{}: {error}", place.display())))
}

/// Fits the ratings; on a terminal, a bar counts the resamples.
fn fitted(
    experiment: &Experiment,
    outcomes: &Outcomes,
    quiet: bool,
    stop: &AtomicBool,
) -> Result<Ratings, RateError> {
    let counter = Counter::new("rating", "resamples", quiet);
    counter.expect(RESAMPLES as u64);
    Ratings::new(experiment, outcomes, &|| {
        counter.one();
        !stop.load(Ordering::Relaxed)
    })
}

/// Writes tables, ratings and the manifest, and prints the ratings.
fn rate(outcome: Outcome, arguments: &Arguments, stop: &AtomicBool) -> Result<(), Failure> {
    let (folder, mut manifest, tables) = keep_tables(outcome)?;
    let outcomes = Outcomes::read(folder.path(), &manifest)?;
    let ratings = fitted(&manifest.experiment, &outcomes, arguments.quiet, stop)?;
    keep(&folder, &mut manifest, ratings.files())?;
    folder.write_manifest(&manifest)?;
    let printed = if arguments.json {
        print_json(&ratings)
    } else {
        let note = forfeits_note(&tables.cells);
        rating_tables::print(&ratings, manifest.experiment.games, note)
            .and_then(|()| rating_tables::print_place(&manifest, folder.path()))
    };
    after_printing(printed, Ok(()))
}

/// Prints the ratings of a folder and leaves it as it is.
fn show(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.what;
    if !folder.is_dir() {
        return Err(Failure::Usage(format!(
            "--terminal: {} is no result folder: without it, the games of an experiment are played and kept",
            folder.display()
        )));
    }
    let experiment = finished(arguments)?.experiment;
    let run = Run::read(folder)?;
    let outcomes = Outcomes::read(folder, &run.manifest)?;
    let stop = AtomicBool::new(false);
    let ratings = fitted(&experiment, &outcomes, arguments.quiet, &stop)?;
    if arguments.json {
        return print_json(&ratings).map_err(Failure::from);
    }
    let note = forfeits_note(run.cells.iter().map(|cell| &cell.row));
    rating_tables::print(&ratings, experiment.games, note).map_err(Failure::from)
}

fn print_json(ratings: &Ratings) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, ratings)?;
    writeln!(out)
}
