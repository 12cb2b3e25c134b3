//! `brandub merge`: joins shards.

use std::path::PathBuf;

use brandub::experiment::merge;

use super::failure::Failure;
use super::run::finish;

/// Join the shards of a run into the folder one machine would have made
///
/// Every file is checked on the way. The shards stay as they are.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    brandub merge part-1 part-2 part-3 --out results/disputed-rules")]
pub struct Arguments {
    /// The shards' folders, in any order
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Result folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Joins the shards named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    finish(merge(&arguments.shards, &arguments.out)?)
}
