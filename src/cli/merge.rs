//! `brandub merge`: joins shards.

use std::io::{self, Write};
use std::path::PathBuf;

use brandub::experiment::{Error, expect_shards_of, merge, missing_shards};

use super::endgames::endgames;
use super::failure::{Failure, say};
use super::run::{Changes, finish, source, use_threads};

/// Join the shards of a run into the folder one machine would have made
///
/// Every file is checked on the way. The shards stay as they are. Shards that
/// are missing are named, so that `brandub run --shard` with their list plays
/// just those.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub merge part-1 part-2 part-3 --out results/disputed-rules\n  \
    brandub merge parts/* --missing          such as 2,7-9\n  \
    brandub merge parts/* --experiment run.toml --out results/run")]
pub struct Arguments {
    /// The shards' folders, in any order
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Result folder
    #[arg(long, value_name = "DIR", required_unless_present = "missing")]
    out: Option<PathBuf>,
    /// The experiment that the shards must be of; without it, they must be of one
    #[arg(long, value_name = "FILE")]
    experiment: Option<PathBuf>,
    /// Merge nothing; print the numbers of the shards that are still to be
    /// played, as `sbatch --array` takes them (and `--shard`, with /N behind them). Their
    /// manifests say so, games are not read
    #[arg(long, conflicts_with = "out")]
    missing: bool,
    /// Threads to read on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

/// Joins the shards named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    if let Some(file) = &arguments.experiment {
        let changes = Changes {
            seed: None,
            games: None,
        };
        let mut experiment = source(Some(file), changes)?.experiment;
        endgames().settle_all(&mut experiment)?;
        expect_shards_of(&experiment, &arguments.shards).map_err(|error| match error {
            Error::Different { path, difference } => Failure::Usage(format!(
                "{} is no shard of {}: {difference}",
                path.display(),
                file.display()
            )),
            other => other.into(),
        })?;
    }
    let Some(out) = &arguments.out else {
        let missing = missing_shards(&arguments.shards)?;
        writeln!(io::stdout(), "{}", missing.numbers())?;
        return Ok(());
    };
    let merged = merge(&arguments.shards, out).inspect_err(|error| {
        if is_of_games(error, &arguments.shards) {
            say(&format!(
                "{} has what was merged before that; the same command goes on with it",
                out.display()
            ));
        }
    });
    finish(merged?)
}

/// Whether it is about a file of a shard's games, which are read once the result
/// folder has been found to be this run's.
fn is_of_games(error: &Error, shards: &[PathBuf]) -> bool {
    let (Error::Damaged { path, .. } | Error::Io { path, .. }) = error else {
        return false;
    };
    shards
        .iter()
        .any(|shard| path.starts_with(shard.join("games")))
}
