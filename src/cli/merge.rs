//! `brandub merge`: joins shards.

use std::io::{self, Write};
use std::path::PathBuf;

use brandub::experiment::{merge, missing_shards};

use super::failure::Failure;
use super::run::finish;

/// Join the shards of a run into the folder one machine would have made
///
/// Every file is checked on the way. The shards stay as they are. Shards that
/// are missing are named, so that `brandub run --shard` with their list plays
/// just those.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub merge part-1 part-2 part-3 --out results/disputed-rules\n  \
    brandub merge parts/* --missing          such as 2,7-9")]
pub struct Arguments {
    /// The shards' folders, in any order
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Result folder
    #[arg(long, value_name = "DIR", required_unless_present = "missing")]
    out: Option<PathBuf>,
    /// Merge nothing; print the numbers of the shards that are still to be
    /// played, as `--shard` and `sbatch --array` take them
    #[arg(long, conflicts_with = "out")]
    missing: bool,
}

/// Joins the shards named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let Some(out) = &arguments.out else {
        let missing = missing_shards(&arguments.shards)?;
        writeln!(io::stdout(), "{}", missing.numbers())?;
        return Ok(());
    };
    finish(merge(&arguments.shards, out)?)
}
