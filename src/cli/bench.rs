//! `brandub bench`: how fast this machine does what a run is made of.

mod figure;
mod folder;
mod loops;
mod machine;
#[cfg(feature = "peers")]
mod peers;
mod random_games;
mod turns;
mod whole_run;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;

use super::clock;
use super::failure::Failure;
use figure::Report;
use loops::{LOOPS, Loop};

/// What is measured beside the loops.
const RUN: &str = "run";
const TURNS: &str = "turns";
/// What is taken if nothing else is said.
const SECONDS: f64 = 2.0;
const GAMES: u64 = 50_000;

/// Measure speed: playouts, perft, search, records, tables, whole runs, proofs
///
/// Loops on one core are measured by the processor time they took, so that
/// other programs disturb them less; `run` and `turns` by the clock on the wall. Every
/// figure is taken in this process on this machine; compare figures of one
/// invocation only.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub bench\n  \
    brandub bench run --games 1000000      16 million games, the peak memory with them\n  \
    brandub bench search --json\n  \
    brandub bench --peers                  beside another program (built with --features peers)\n  \
    perf record brandub bench perft --times 100\n\n\
    What there is to measure, and the form of --json: docs/performance.md")]
pub struct Arguments {
    /// What to measure [default: everything]
    #[arg(value_parser = PossibleValuesParser::new(LOOPS.iter().map(|row| row.name).chain([RUN, TURNS])))]
    what: Vec<String>,
    /// Seconds for each figure that can be taken for any time [default: 2]
    #[arg(long, value_parser = seconds)]
    seconds: Option<f64>,
    /// Games a cell for `run`; there are 16 cells [default: 50000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: Option<u64>,
    /// Where `run` and `tables` write games [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Play random games with the crate hnefatafl too, and print the ratio
    #[arg(long)]
    peers: bool,
    /// Do each loop so often and say how much that was, for a profiler; 0 only prepares it
    #[arg(long, value_name = "N",
        conflicts_with_all = ["json", "seconds", "games", "peers"])]
    times: Option<u64>,
    /// One JSON object: program, machine, figures
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.01 to 3600".to_owned()),
    }
}

impl Arguments {
    /// Whether this was named, or nothing at all was.
    fn wants(&self, what: &str) -> bool {
        let everything = self.what.is_empty() && !self.peers;
        everything || self.what.iter().any(|named| named == what)
    }

    fn loops(&self) -> impl Iterator<Item = &'static Loop> {
        let wanted = LOOPS.iter().filter(|row| self.wants(row.name));
        wanted.filter(|row| row.can_be_done())
    }

    /// Whether everything that is named can be measured here.
    fn can_be_done(&self) -> Result<(), Failure> {
        let is_named = |what: &str| self.what.iter().any(|named| named == what);
        let wrong = LOOPS
            .iter()
            .find(|row| is_named(row.name) && !row.can_be_done());
        if let Some(row) = wrong {
            return Err(Failure::Usage(format!(
                "{}: this processor has no instructions for it",
                row.name
            )));
        }
        match [RUN, TURNS].iter().find(|what| is_named(what)) {
            Some(what) if self.times.is_some() => Err(Failure::Usage(format!(
                "--times repeats loops, and {what} is none: leave it out, or --times"
            ))),
            _ => Ok(()),
        }
    }

    /// Expects that what is measured takes the options.
    fn expect_used(&self) -> Result<(), Failure> {
        let runs = self.wants(RUN);
        let writes = runs || self.wants("tables");
        let timed = self.peers || self.wants(TURNS) || self.loops().next().is_some();
        let options = [
            (
                "games",
                self.games.is_some(),
                runs,
                "only `run` plays so many",
            ),
            (
                "seconds",
                self.seconds.is_some(),
                timed,
                "`run` takes as long as its games",
            ),
            (
                "folder",
                self.folder.is_some(),
                writes,
                "only `run` and `tables` write games",
            ),
        ];
        match options.iter().find(|(_, given, used, _)| *given && !used) {
            Some((name, .., why)) => Err(Failure::Usage(format!("--{name}: {why}"))),
            None => Ok(()),
        }
    }

    fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(std::env::temp_dir)
    }
}

/// Takes and prints the figures that the arguments name.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    arguments.can_be_done()?;
    arguments.expect_used()?;
    folder::remove_on_signal()?;
    if let Some(times) = arguments.times {
        return repeat(arguments, times);
    }
    #[cfg(not(feature = "peers"))]
    if arguments.peers {
        return Err(Failure::Usage(
            "--peers needs a program that was built with them: \
             cargo run --release --features peers -- bench --peers"
                .to_owned(),
        ));
    }
    let time = Duration::from_secs_f64(arguments.seconds.unwrap_or(SECONDS));
    let mut report = Report::new(arguments.json);
    report.begin()?;
    for row in arguments.loops() {
        let mut work = (row.prepare)(&arguments.folder())?;
        let speed = clock::rate(time, &mut work);
        report.add(row.figure(speed))?;
    }
    if arguments.wants(RUN) {
        for figure in whole_run::figures(arguments.games.unwrap_or(GAMES), &arguments.folder())? {
            report.add(figure)?;
        }
    }
    if arguments.wants(TURNS) {
        for figure in turns::figures(time)? {
            report.add(figure)?;
        }
    }
    #[cfg(feature = "peers")]
    if arguments.peers {
        for figure in peers::figures(time)? {
            report.add(figure)?;
        }
    }
    report.end()
}

/// Does each loop so often and says how much of it that was.
fn repeat(arguments: &Arguments, times: u64) -> Result<(), Failure> {
    for row in arguments.loops() {
        let mut work = (row.prepare)(&arguments.folder())?;
        let done = (0..times).map(|_| work()).sum::<u64>();
        writeln!(io::stdout(), "{} {done} {}", row.name, row.counts)?;
    }
    Ok(())
}
