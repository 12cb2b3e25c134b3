//! Random games through the whole of `run`, and the tables of them.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use brandub::analysis::Tables;
use brandub::experiment::{Grid, Manifest, RunOptions, Source, run};

use super::super::failure::Failure;
use super::figure::Figure;
use super::folder::Folder;

/// Random against random under the 16 disputed rulesets.
pub fn experiment(games: u64) -> Result<Grid, Failure> {
    let text = format!(
        "name = 'bench'\nseed = 1\ngames = {games}\n[rules]\nvary = {{ king_armed = [true, false], \
         throne_hostile = ['everyone', 'none'], king_capture = ['two', 'four'], king_return = [true, false] }}\n\
         [[match]]\nagents = ['random']\n",
    );
    Ok(Grid::new(Source::parse("bench", &text)?.experiment))
}

/// Plays the experiment on so many threads, records written.
pub fn played(grid: &Grid, folder: &Path, threads: usize) -> Result<Manifest, Failure> {
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        shard: None,
        stop: &stop,
    };
    let outcome = pool(threads)?.install(|| run(grid, folder, options, &()))?;
    Ok(outcome.manifest)
}

/// So many threads.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start {threads} threads: {error}")))
}

/// The run on one thread and on two, and the tables.
pub fn figures(games: u64, parent: &Path) -> Result<Vec<Figure>, Failure> {
    let grid = experiment(games)?;
    // A machine's speed drifts: one and two threads take turns.
    let mut turns = [Turn::default(), Turn::default()];
    for threads in [1, 2, 2, 1] {
        let measured = timed_run(&grid, &Folder::below(parent), threads)?;
        turns[threads - 1].add(&measured);
    }
    let [one, two] = &turns;
    let million_games = grid.games() as f64 / 1e6;
    let figure = |name, what: &str, value, unit| Figure {
        name,
        what: what.to_owned(),
        value,
        unit,
    };
    let mut figures = vec![
        figure(
            "run_1",
            "random against random through `run`, records written, 1 thread",
            one.speed(),
            "M plies/s",
        ),
        figure("run_2", "the same, 2 threads", two.speed(), "M plies/s"),
        figure(
            "run_threads",
            "2 threads against 1",
            two.speed() / one.speed(),
            "times the work",
        ),
        figure(
            "run_tables",
            "its tables, 1 thread",
            2.0 * million_games / one.table_seconds,
            "M games/s",
        ),
        figure(
            "run_games",
            "how many games each run had",
            million_games,
            "M games",
        ),
    ];
    let memory = peak_memory()
        .map(|megabytes| figure("peak_memory", "of this process so far", megabytes, "MB"));
    figures.extend(memory);
    Ok(figures)
}

#[derive(Default)]
struct Turn {
    run_seconds: f64,
    table_seconds: f64,
    plies: u64,
}

impl Turn {
    fn add(&mut self, other: &Turn) {
        self.run_seconds += other.run_seconds;
        self.table_seconds += other.table_seconds;
        self.plies += other.plies;
    }

    /// Million plies a second.
    fn speed(&self) -> f64 {
        self.plies as f64 / self.run_seconds / 1e6
    }
}

fn timed_run(grid: &Grid, folder: &Folder, threads: usize) -> Result<Turn, Failure> {
    let begun = Instant::now();
    let manifest = played(grid, folder.path(), threads)?;
    let run_seconds = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let tables = pool(threads)?.install(|| Tables::read(folder.path(), &manifest))?;
    let table_seconds = begun.elapsed().as_secs_f64();
    let plies = tables
        .cells
        .iter()
        .flat_map(|row| &row.lengths)
        .map(|(&plies, &games)| u64::from(plies) * games)
        .sum();
    Ok(Turn {
        run_seconds,
        table_seconds,
        plies,
    })
}

/// The largest resident set so far in megabytes, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}
