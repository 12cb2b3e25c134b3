//! What can go wrong with result folders. Imports lists of
//! shards and what can go wrong with agents.

use std::io;
use std::path::{Path, PathBuf};

use super::shards::Shards;
use crate::agents::SpecError;

/// Why an experiment could not be played, stored, read or joined.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried: `write`, `read`, `create`, …
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A folder is no result folder.
    #[error("{}: {problem}", .path.display())]
    NoResult {
        /// Which folder.
        path: PathBuf,
        /// What shows it, and what was expected.
        problem: String,
    },
    /// An experiment that no disk would hold.
    #[error(
        "{chunks} chunk files are more than a run may have, in one folder or in shards ({most}): play fewer games, or cheaper ones"
    )]
    TooLarge {
        /// How many the run would make.
        chunks: u64,
        /// How many are allowed.
        most: u64,
    },
    /// A part of a run whose parts depend on each other.
    #[error(
        "--shard cuts a run into parts that know nothing of each other, but with games = \"adaptive\" every cell's results decide who plays on: run it whole"
    )]
    SharedBudget,
    /// The program of an external engine is missing.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// A file is not what it has to be.
    #[error("{}: {problem}", .path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong and what was expected.
        problem: String,
    },
    /// A folder holds something else than what is to go there.
    #[error("{} holds a different run: {difference}; choose another folder with --out, or remove this one", .path.display())]
    Different {
        /// Which folder.
        path: PathBuf,
        /// The first thing that differs, with both values.
        difference: String,
    },
    /// Another process works in the folder.
    #[error("{} is in use by another run; wait for it, or choose another folder with --out", .path.display())]
    Locked {
        /// Which folder.
        path: PathBuf,
    },
    /// Shards that do not make one run.
    #[error("these shards cannot be merged: {problem}")]
    Merge {
        /// Which shard is double or foreign.
        problem: String,
    },
    /// Shards of which some are still to be played.
    #[error(
        "these shards cannot be merged: missing: {} {missing}{why}\n`brandub run EXPERIMENT --shard {missing}` plays just {}",
        if missing.len() == 1 { "shard" } else { "shards" },
        if missing.len() == 1 { "this one" } else { "these" }
    )]
    Missing {
        /// Which.
        missing: Shards,
        /// Of those that are there, why they do not count; empty or lines.
        why: String,
    },
    /// This machine does not play the games that others play.
    #[error(
        "this machine fails the self-check, so that no game of {} is played here: {}; `brandub selfcheck` says more",
        .path.display(),
        .failed.join(", ")
    )]
    Selfcheck {
        /// The shard's folder.
        path: PathBuf,
        /// What came out otherwise than committed.
        failed: Vec<String>,
    },
}

impl Error {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io {
            action,
            path,
            source,
        }
    }

    pub(super) fn no_result(path: &Path, problem: impl Into<String>) -> Error {
        Error::NoResult {
            path: path.to_owned(),
            problem: problem.into(),
        }
    }

    pub(super) fn damaged(path: &Path, problem: impl Into<String>) -> Error {
        Error::Damaged {
            path: path.to_owned(),
            problem: problem.into(),
        }
    }
}
