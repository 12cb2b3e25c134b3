//! `brandub run`: plays an experiment.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use brandub::agents::{AgentSpec, ForfeitKind, end_engines};
use brandub::analysis::Tables;
use brandub::experiment::{
    Error, Experiment, Folder, Grid, Manifest, Outcome, RunOptions, Shard, Shards, Source, Status,
    run,
};

use super::endgames::endgames;
use super::failure::{Failure, after_printing, say};
use super::input_file;
use super::progress::Progress;
use super::table;

/// The experiment that is played when none is named.
const DEFAULT: (&str, &str) = (
    "experiments/default.toml",
    include_str!("../../experiments/default.toml"),
);

/// Where result folders are made.
const RESULTS: &str = "results";
const STOPPING: &str = "stopping after the games in flight; once more to stop at once";
/// Signals of so short a time are one: a terminal that is closed, and programs that end
/// others when their time is over, send theirs twice.
const TOGETHER: Duration = Duration::from_millis(500);
/// While another process works in the folder.
const BETWEEN_TRIES: Duration = Duration::from_millis(500);

/// Play an experiment: table on the terminal, CSV on disk
///
/// Games that are in the result folder already are kept: after an
/// interruption of any kind the same command goes on where it was, and the
/// finished folder has the same bytes as an undisturbed one.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub run                                        the built-in small experiment\n  \
    brandub run experiments/presets.toml --games 1000\n  \
    brandub run experiments/disputed-rules.toml --shard 2/8 --out part-2\n  \
    brandub run experiments/disputed-rules.toml --shard 2,5-7/8 --results parts\n\n\
    docs/experiments.md has every key of an experiment, with ranges and defaults.")]
pub struct Arguments {
    /// Experiment file; without one, the built-in default experiment
    experiment: Option<PathBuf>,
    /// Result folder [default: results/NAME, for a shard results/NAME-shard-I-of-N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder of result folders, in the place of `results`
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    results: Option<PathBuf>,
    /// Master seed instead of the experiment's
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Games a cell instead of the experiment's, its stop rule included
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// Threads to play on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Play part I of N only, or several, such as 2,5-7/8, to be joined by
    /// `brandub merge`
    #[arg(long, value_name = "I/N")]
    shard: Option<Shards>,
    /// If another process works in the result folder, wait for it to end
    #[arg(long)]
    wait: bool,
    /// No progress, only the table and errors
    #[arg(long, short)]
    quiet: bool,
}

/// Plays the experiment named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let changes = Changes {
        seed: arguments.seed,
        games: arguments.games,
    };
    let source = source(arguments.experiment.as_deref(), changes)?;
    notes(&source, arguments.quiet);
    let grid = to_be_played(source)?;
    let stop = stop_on_signal(STOPPING)?;
    let work = |shard: Option<Shard>| {
        let folder = arguments.out.clone().unwrap_or_else(|| {
            let parent = arguments.results.as_deref().unwrap_or(RESULTS.as_ref());
            parent.join(folder_name(&grid.experiment, shard))
        });
        loop {
            match play_until(&grid, &folder, shard, arguments.quiet, &stop) {
                Err(Failure::Busy(_)) if arguments.wait => {
                    if stop.load(Ordering::Relaxed) {
                        return Err(Failure::Failed(format!(
                            "interrupted while waiting for {}: the same command goes on",
                            folder.display()
                        )));
                    }
                    sleep(BETWEEN_TRIES);
                }
                played => return played,
            }
        }
    };
    match &arguments.shard {
        None => finish(work(None)?),
        Some(shards) if shards.len() == 1 => finish(work(shards.iter().next())?),
        Some(shards) if arguments.out.is_some() => Err(Failure::Usage(format!(
            "--out names one folder, but --shard {shards} are {} shards: name the folder for theirs with --results",
            shards.len()
        ))),
        Some(shards) => {
            for shard in shards.iter() {
                if stop.load(Ordering::Relaxed) {
                    return Err(Failure::Failed(format!(
                        "interrupted before shard {shard}: the same command goes on"
                    )));
                }
                let (folder, manifest, tables) = keep_tables(work(Some(shard))?)?;
                warn_of_forfeits(&tables);
                expect_complete(&manifest)?;
                if !arguments.quiet {
                    say(&format!(
                        "shard {shard}: {} games in {}",
                        manifest.games,
                        folder.path().display()
                    ));
                }
            }
            Ok(())
        }
    }
}

/// Values instead of the experiment file's.
#[derive(Clone, Copy)]
pub struct Changes {
    /// The master seed.
    pub seed: Option<u64>,
    /// Games a cell.
    pub games: Option<u64>,
}

/// Reads an experiment file; without one, the built-in experiment.
pub fn source(path: Option<&Path>, changes: Changes) -> Result<Source, Failure> {
    let (name, text) = match path {
        None => (DEFAULT.0.to_owned(), DEFAULT.1.to_owned()),
        Some(path) => {
            let text = input_file::text(path)?;
            (path.display().to_string(), text)
        }
    };
    let mut source = Source::parse(&name, &text)?;
    if let Some(seed) = changes.seed {
        source.experiment.seed = seed;
    }
    if let Some(games) = changes.games {
        source.experiment.games = games;
        if source.experiment.stop.take().is_some() {
            source.notes.push(format!(
                "--games {games} takes the place of the experiment's stop rule"
            ));
        }
    }
    Ok(source)
}

/// The grid of an experiment, its agents' endgame tables open. A folder of
/// tables that a spec names is put as the layers that it has, so that what is
/// recorded is the same wherever they are.
pub fn to_be_played(source: Source) -> Result<Grid, Failure> {
    let mut experiment = source.experiment;
    let endgames = endgames();
    endgames.settle_all(&mut experiment)?;
    Ok(Grid::opened(experiment, &endgames)?)
}

/// Says what the author of an experiment should know about it.
pub fn notes(source: &Source, quiet: bool) {
    if !quiet {
        for note in &source.notes {
            say(&format!("note: {note}"));
        }
    }
}

/// Plays and computes on so many threads from here on.
///
/// Before anything else: what is first computed on several threads, be it the
/// reading of an endgame table, decides how many there are.
pub fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    // 0 is as many as there are cores.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads.unwrap_or(0)));
    pool.build_global().map_err(|error| {
        let wanted = threads.map_or("a thread for every core".to_owned(), |threads| {
            format!("{threads} threads")
        });
        Failure::Failed(format!("cannot start {wanted}: {error}"))
    })
}

/// Plays what is not in the folder yet, until it is done or interrupted.
pub fn play_until(
    grid: &Grid,
    folder: &Path,
    shard: Option<Shard>,
    quiet: bool,
    stop: &AtomicBool,
) -> Result<Outcome, Failure> {
    let progress = Progress::new(grid, quiet);
    let outcome = run(grid, folder, RunOptions { shard, stop }, &progress).map_err(|error| {
        let text = error.to_string();
        match error {
            Error::Locked { .. } => Failure::Busy(text),
            error => Failure::from(error),
        }
    })?;
    progress.finish();
    Ok(outcome)
}

/// Where a run goes that is not told where to go.
pub fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new(RESULTS).join(folder_name(experiment, None))
}

/// The name of a run's or a shard's folder.
pub fn folder_name(experiment: &Experiment, shard: Option<Shard>) -> String {
    let name = &experiment.name;
    match shard {
        None => name.clone(),
        Some(Shard { index, count }) => format!("{name}-shard-{index}-of-{count}"),
    }
}

/// Which interrupt one is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Interrupt {
    First,
    /// One that comes with the first.
    Same,
    Second,
}

impl Interrupt {
    /// Of one that comes now, by when the first came.
    fn of(first: Option<Instant>, now: Instant) -> Interrupt {
        match first {
            None => Interrupt::First,
            Some(first) if now.duration_since(first) < TOGETHER => Interrupt::Same,
            Some(_) => Interrupt::Second,
        }
    }
}

/// A flag that the first interrupt sets, saying this; one half a second later or more
/// ends the program.
pub fn stop_on_signal(message: &'static str) -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || match Interrupt::of(first, Instant::now()) {
        Interrupt::First => {
            flag.store(true, Ordering::Relaxed);
            say(message);
            // What comes while this is said comes with it.
            first = Some(Instant::now());
        }
        Interrupt::Same => {}
        Interrupt::Second => end_now(),
    })
    .map_err(|error| unwatched(&error))?;
    Ok(stop)
}

/// Has the first interrupt do this work and end the program with this status.
pub fn on_signal(status: i32, work: impl Fn() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        work();
        std::process::exit(status);
    })
    .map_err(|error| unwatched(&error))
}

/// Where one of these agents is another program: has the first interrupt end this one
/// and the engines that it started, which do not hear of the terminal's.
pub fn end_with_engines<'a>(
    agents: impl IntoIterator<Item = &'a AgentSpec>,
) -> Result<(), Failure> {
    if agents.into_iter().any(AgentSpec::is_external) {
        on_signal(130, end_engines)?;
    }
    Ok(())
}

fn end_now() {
    end_engines();
    std::process::exit(130);
}

/// Reads a master seed.
pub fn seed(text: &str) -> Result<u64, String> {
    let read = text
        .parse()
        .ok()
        .filter(|&seed: &u64| i64::try_from(seed).is_ok());
    read.ok_or_else(|| format!("expected a whole number from 0 to {}", i64::MAX))
}

fn unwatched(error: &ctrlc::Error) -> Failure {
    Failure::Failed(format!("cannot watch for interrupts: {error}"))
}

/// Writes files beside the games and lists them in the manifest.
pub fn keep(
    folder: &Folder,
    manifest: &mut Manifest,
    files: Vec<(String, Vec<u8>)>,
) -> Result<(), Failure> {
    for (name, bytes) in files {
        let checksum = folder.write(&name, &bytes)?;
        manifest.files.insert(name, checksum);
    }
    Ok(())
}

/// Writes the tables and the manifest of what is in the folder: from here on
/// the games are safe, whatever is made of them.
pub fn keep_tables(outcome: Outcome) -> Result<(Folder, Manifest, Tables), Failure> {
    let Outcome {
        folder,
        mut manifest,
        counted,
    } = outcome;
    let tables = Tables::of(folder.path(), &manifest, &counted)?;
    keep(&folder, &mut manifest, tables.files())?;
    folder.write_manifest(&manifest)?;
    folder.remove_unlisted(&manifest)?;
    Ok((folder, manifest, tables))
}

/// Keeps the tables of what is in the folder and prints the main one.
pub fn finish(outcome: Outcome) -> Result<(), Failure> {
    let (folder, manifest, tables) = keep_tables(outcome)?;
    let printed = print(&tables, folder.path(), &manifest);
    warn_of_forfeits(&tables);
    after_printing(printed, expect_complete(&manifest))
}

/// Keeps the tables of what is in the folder of a run that was interrupted, and prints
/// none.
pub fn leave(outcome: Outcome) -> Result<(), Failure> {
    let (_, manifest, tables) = keep_tables(outcome)?;
    warn_of_forfeits(&tables);
    expect_complete(&manifest)
}

/// Says how much is missing of a run that was interrupted.
fn expect_complete(manifest: &Manifest) -> Result<(), Failure> {
    if manifest.status == Status::Complete {
        return Ok(());
    }
    let grid = Grid::new(manifest.experiment.clone());
    let expected: u64 = grid.chunks(manifest.shard).map(|chunk| chunk.games).sum();
    Err(Failure::Failed(format!(
        "interrupted: {} of {}{} games are there; the same command goes on",
        manifest.games,
        at_most(&grid.experiment),
        expected.min(grid.games())
    )))
}

/// The words before a number of games that a stop rule need not come to.
pub fn at_most(experiment: &Experiment) -> &'static str {
    match experiment.stop {
        Some(_) => "at most ",
        None => "",
    }
}

/// Says how often each agent gave no legal move.
fn warn_of_forfeits(tables: &Tables) {
    let mut counts: BTreeMap<(String, ForfeitKind), u64> = BTreeMap::new();
    for row in &tables.cells {
        for (&(side, kind), games) in &row.forfeits {
            let agent = row.cell.pair.of(side).to_string();
            *counts.entry((agent, kind)).or_default() += games;
        }
    }
    for ((agent, kind), games) in counts {
        say(&format!(
            "warning: {agent} lost {games} {} by {kind}, counted as the other side's wins",
            if games == 1 { "game" } else { "games" }
        ));
    }
}

fn print(tables: &Tables, folder: &Path, manifest: &Manifest) -> io::Result<()> {
    table::print(tables)?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} games in {folder}: {folder}/winrates.csv (this table in full), {folder}/rules.csv, {folder}/games/ (one row a game)",
        manifest.games,
        folder = folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupts_that_come_together_are_one() {
        let first = Instant::now();
        assert_eq!(Interrupt::of(None, first), Interrupt::First);
        for (milliseconds, expected) in [
            (0, Interrupt::Same),
            (499, Interrupt::Same),
            (500, Interrupt::Second),
            (60_000, Interrupt::Second),
        ] {
            let now = first + Duration::from_millis(milliseconds);
            assert_eq!(Interrupt::of(Some(first), now), expected);
        }
    }
}
