//! What can go wrong with table files. Imports layers and the format.

use std::io;
use std::path::{Path, PathBuf};

use super::build::LONGEST;
use super::format::ENDING;
use super::index::Layer;

/// Why tables could not be built, read or checked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is not what it has to be.
    #[error("{}: {problem}; remove it and build it again", .path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// A table of other rules.
    #[error("{} is a table of other rules: it has {found} where {wanted} is needed", .path.display())]
    OtherRules {
        /// Which file.
        path: PathBuf,
        /// The first axes that differ, as the file has them.
        found: String,
        /// The same axes as they are asked for.
        wanted: String,
    },
    /// A folder without tables of these rules.
    #[error("{} holds no tables of {label} (in {id}); {found}; `brandub tables build --rules '{label}' {} --out {}` builds them", .path.display(), soldiers(*.most), .path.display())]
    NoTables {
        /// Which folder.
        path: PathBuf,
        /// The rules.
        label: String,
        /// The folder in it that would hold them.
        id: String,
        /// What is there instead.
        found: String,
        /// The layer up to which they are asked for, if one was named.
        most: Option<Layer>,
    },
    /// What is no folder, where tables are to be.
    #[error("{} is no folder: expected one for tables, or a name that is free", .path.display())]
    NoFolder {
        /// What is there.
        path: PathBuf,
    },
    /// What is named as a table is, and is none that would be read.
    #[error("{} is in no place of a table, which is DIR/ID/dNaM{}: move it there or away", .path.display(), ENDING)]
    Unread {
        /// Which file.
        path: PathBuf,
    },
    /// A folder without any tables.
    #[error("{} holds no tables; `brandub tables build` builds some", .path.display())]
    None {
        /// Which folder.
        path: PathBuf,
    },
    /// A captured soldier leads to a layer that is missing.
    #[error("{} holds {layer} without {missing}, which captures lead to: build it first", .path.display())]
    Gap {
        /// Which folder.
        path: PathBuf,
        /// The layer that is there.
        layer: Layer,
        /// The one that is not.
        missing: Layer,
    },
    /// Fewer layers than asked for.
    #[error("{} has no layer {missing}, and all up to {most} are asked for: build them first", .path.display())]
    Short {
        /// Which folder.
        path: PathBuf,
        /// The layer up to which they are asked for.
        most: Layer,
        /// The first one that is not there.
        missing: Layer,
    },
    /// Layers that are not all up to one.
    #[error("{} has layers up to {most} without {missing}: `brandub tables build {} --out {}` with its --rules builds that, or say up to which they are to be asked, such as tables=d1a4", .path.display(), soldiers(Some(*.most)), .path.parent().unwrap_or(.path).display())]
    Ragged {
        /// Which folder.
        path: PathBuf,
        /// The most soldiers of each side.
        most: Layer,
        /// The first layer up to there that is not there.
        missing: Layer,
    },
    /// A folder that is named by the id of other rules.
    #[error("{} is named by the id of other rules: it holds tables of {label}, whose folder has to be named {id}", .path.display())]
    Misnamed {
        /// Which folder.
        path: PathBuf,
        /// The rules of its tables.
        label: String,
        /// The id of these.
        id: String,
    },
    /// More memory than allowed.
    #[error("layer {layer} needs {} MiB of memory, {} MiB are allowed: give more with --memory, or fewer --threads, or build fewer soldiers", mebi(*.needed), mebi(*.allowed))]
    Memory {
        /// The largest layer.
        layer: Layer,
        /// Bytes at its peak.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// More disk than there is.
    #[error("{} has {} MiB free, and the tables may take {} MiB", .path.display(), .free >> 20, mebi(*.needed))]
    Disk {
        /// On which disk.
        path: PathBuf,
        /// Bytes at most.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// A layer that no table can number.
    #[error("layer {layer} is larger than tables can be: {entries} values")]
    TooLarge {
        /// Which layer.
        layer: Layer,
        /// Values of both sides.
        entries: u64,
    },
    /// A win that takes more plies than tables can hold.
    #[error(
        "layer {layer} has wins of more than {} plies, which tables cannot hold",
        LONGEST
    )]
    TooLong {
        /// Which layer.
        layer: Layer,
    },
    /// Another process builds in the folder.
    #[error("{} is in use by another build; wait for it", .path.display())]
    Locked {
        /// Which folder.
        path: PathBuf,
    },
    /// No threads could be started.
    #[error("cannot start {threads} threads: {problem}")]
    Threads {
        /// How many.
        threads: usize,
        /// Why not.
        problem: String,
    },
}

/// Up to which layer tables are to be built, as arguments.
fn soldiers(most: Option<Layer>) -> String {
    match most {
        Some(Layer {
            defenders,
            attackers,
        }) => format!("--defenders {defenders} --attackers {attackers}"),
        None => "--defenders N --attackers M".to_owned(),
    }
}

/// Bytes in MiB, rounded up.
#[must_use]
pub const fn mebi(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
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
}
