//! What ends a command early, and its exit status.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use brandub::agents::SpecError;
use brandub::analysis::TableError;
use brandub::experiment::{ConfigError, Error};

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong: exit status 2.
    Usage(String),
    /// Something failed or did not verify: exit status 1.
    Failed(String),
    /// Whoever reads standard output has seen enough.
    ClosedPipe,
}

impl Failure {
    /// Says what happened and gives the exit status.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::Usage(message) => {
                eprintln!("error: {message}");
                ExitCode::from(2)
            }
            Failure::Failed(message) => {
                eprintln!("error: {message}");
                ExitCode::from(1)
            }
            Failure::ClosedPipe => ExitCode::SUCCESS,
        }
    }

    /// An input file that cannot be opened.
    pub fn unreadable(path: &Path, error: &io::Error) -> Failure {
        Failure::Usage(format!("cannot read {}: {error}", path.display()))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Different { .. } | Error::Merge { .. } => Failure::Usage(error.to_string()),
            Error::Io { .. } | Error::Damaged { .. } | Error::Locked { .. } => {
                Failure::Failed(error.to_string())
            }
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<io::Error> for Failure {
    /// Standard output cannot be written.
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Failed(format!("cannot write to standard output: {error}")),
        }
    }
}
