//! `brandub bench`: how fast this machine does what a run is made of.

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use brandub::agents::{Budget, search, stream};
use brandub::analysis::Tables;
use brandub::experiment::{Grid, RunOptions, Source, run};
use brandub::game::{Game, Rules, perft, preset, sample};
use clap::ValueEnum;
use serde::Serialize;

use super::failure::Failure;

/// Measure speed: playouts, perft, search, whole runs and tables
///
/// Every figure is taken in this process on this machine; compare figures of
/// one invocation only.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub bench\n  \
    brandub bench run --games 1000000      16 million games, the peak memory with them\n  \
    brandub bench search --json")]
pub struct Arguments {
    /// What to measure [default: everything]
    #[arg(value_enum)]
    what: Vec<What>,
    /// Seconds for each figure that can be taken for any time
    #[arg(long, default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
    /// Games a cell for `run`; there are 16 cells
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// Where `run` writes its games [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// One JSON object a figure
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.01 to 3600".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Random moves without records, one core
    Playouts,
    /// Leaf positions counted from the start, one core
    Perft,
    /// Positions searched from the start, one core
    Search,
    /// Random games through the whole of `run`, on 1 and 2 threads, and tables
    Run,
}

#[derive(Serialize)]
struct Figure {
    name: &'static str,
    value: f64,
    unit: &'static str,
}

/// Takes and prints the figures that the arguments name.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let wanted = |what| arguments.what.is_empty() || arguments.what.contains(&what);
    let time = Duration::from_secs_f64(arguments.seconds);
    let mut figures = Vec::new();
    if wanted(What::Playouts) {
        figures.push(playouts(time));
    }
    if wanted(What::Perft) {
        figures.push(perft_leaves(time));
    }
    if wanted(What::Search) {
        figures.push(searched_nodes(time));
    }
    if wanted(What::Run) {
        figures.extend(whole_run(arguments)?);
    }
    let mut out = io::stdout().lock();
    for figure in figures {
        if arguments.json {
            let line = serde_json::to_string(&figure).map_err(io::Error::from)?;
            writeln!(out, "{line}")?;
        } else {
            writeln!(
                out,
                "{:34} {:>10.2} {}",
                figure.name, figure.value, figure.unit
            )?;
        }
    }
    Ok(())
}

/// Does `work`, which tells how much it did, again and again; per second.
fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let begun = Instant::now();
    let mut done = 0;
    while begun.elapsed() < time {
        done += work();
    }
    done as f64 / begun.elapsed().as_secs_f64()
}

fn playouts(time: Duration) -> Figure {
    let rules: Vec<Rules> = preset::disputed_factorial()
        .into_iter()
        .map(Rules::new)
        .collect();
    let mut numbers = stream([1; 32]);
    let plies = rate(time, || {
        let mut plies = 0;
        for rules in &rules {
            let mut game = Game::new(rules);
            while game.outcome().is_none() && game.plies() < 300 {
                let Some(ply) = sample::random_move(rules, game.position(), &mut numbers) else {
                    break;
                };
                game.play_legal(ply);
            }
            plies += u64::from(black_box(&game).plies());
        }
        plies
    });
    Figure {
        name: "random playouts, 16 rulesets",
        value: plies / 1e6,
        unit: "M plies/s a core",
    }
}

fn perft_leaves(time: Duration) -> Figure {
    let rules = Rules::new(preset::disputed_factorial()[0]);
    let start = rules.start();
    Figure {
        name: "perft 4",
        value: rate(time, || perft::perft(&rules, black_box(&start), 4)) / 1e6,
        unit: "M leaves/s a core",
    }
}

fn searched_nodes(time: Duration) -> Figure {
    let rules = Rules::new(preset::disputed_factorial()[0]);
    let game = Game::new(&rules);
    let nodes = rate(time, || {
        search(black_box(&game), Budget::Nodes(200_000), stream([1; 32])).nodes
    });
    Figure {
        name: "alphabeta, 200000 nodes",
        value: nodes / 1e6,
        unit: "M nodes/s a core",
    }
}

/// Random against random under the 16 disputed rulesets, records written.
fn whole_run(arguments: &Arguments) -> Result<Vec<Figure>, Failure> {
    let text = format!(
        "name = 'bench'\nseed = 1\ngames = {}\n[rules]\nvary = {{ king_armed = [true, false], \
         throne_hostile = ['everyone', 'none'], king_capture = ['two', 'four'], king_return = [true, false] }}\n\
         [[match]]\nagents = ['random']\n",
        arguments.games
    );
    let grid = Grid::new(Source::parse("bench", &text)?.experiment);
    let parent = arguments.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = parent.join(format!("brandub-bench-{}", std::process::id()));
    // A machine's speed drifts: one and two threads take turns.
    let mut turns = [Turn::default(), Turn::default()];
    for threads in [1, 2, 2, 1] {
        let measured = timed_run(&grid, &folder, threads);
        let _ = fs::remove_dir_all(&folder);
        let turn = &mut turns[threads - 1];
        let measured = measured?;
        turn.run_seconds += measured.run_seconds;
        turn.table_seconds += measured.table_seconds;
        turn.plies += measured.plies;
    }
    let [one, two] = &turns;
    let millions = |turn: &Turn| turn.plies as f64 / turn.run_seconds / 1e6;
    let mut figures = vec![
        Figure {
            name: "run, random games, 1 thread",
            value: millions(one),
            unit: "M plies/s",
        },
        Figure {
            name: "run, random games, 2 threads",
            value: millions(two),
            unit: "M plies/s",
        },
        Figure {
            name: "run, 2 threads against 1",
            value: millions(two) / millions(one),
            unit: "times the work",
        },
        Figure {
            name: "tables, 1 thread",
            value: 2.0 * grid.games() as f64 / one.table_seconds / 1e6,
            unit: "M games/s",
        },
    ];
    figures.push(Figure {
        name: "games of each run",
        value: grid.games() as f64 / 1e6,
        unit: "M games",
    });
    figures.extend(peak_memory().map(|megabytes| Figure {
        name: "peak memory of this process",
        value: megabytes,
        unit: "MB",
    }));
    Ok(figures)
}

#[derive(Default)]
struct Turn {
    run_seconds: f64,
    table_seconds: f64,
    plies: u64,
}

fn timed_run(grid: &Grid, folder: &Path, threads: usize) -> Result<Turn, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start {threads} threads: {error}")))?;
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        shard: None,
        stop: &stop,
    };
    let begun = Instant::now();
    let outcome = pool.install(|| run(grid, folder, options, &()))?;
    let run_seconds = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let tables = pool.install(|| Tables::read(folder, &outcome.manifest))?;
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
