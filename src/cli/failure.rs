//! What ends a command early, and its exit status.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use brandub::agents::SpecError;
use brandub::analysis::{RateError, ReportError, RunError, TableError};
use brandub::experiment::{ConfigError, Error};

/// Writes a message to standard error. Whether anybody still reads it must not
/// decide what becomes of a run.
pub fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Says that nothing keeps other processes out of the folder that is worked in.
pub fn warn_unlocked() {
    say("warning: the folder's file system has no locks: let no other process work in it");
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong: exit status 2.
    Usage(String),
    /// Something failed or did not verify: exit status 1.
    Failed(String),
    /// Another process works in the folder: exit status 1.
    Busy(String),
    /// Whoever reads standard output has seen enough.
    ClosedPipe,
}

impl Failure {
    /// Says what happened and gives the exit status.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::Usage(message) => {
                say(&format!("error: {message}"));
                ExitCode::from(2)
            }
            Failure::Failed(message) | Failure::Busy(message) => {
                say(&format!("error: {message}"));
                ExitCode::from(1)
            }
            Failure::ClosedPipe => ExitCode::SUCCESS,
        }
    }

    /// An input file that cannot be opened.
    pub fn unreadable(path: &Path, error: &io::Error) -> Failure {
        Failure::Usage(format!("cannot read {}: {error}", path.display()))
    }

    /// The same where it is a file that says what is wrong.
    pub fn in_file(self, path: &Path) -> Failure {
        match self {
            Failure::Usage(problem) => Failure::Usage(format!("{}: {problem}", path.display())),
            other => other,
        }
    }
}

/// Goes on where nobody reads what is printed any more: they have seen enough of it, and it
/// must not decide what is found.
pub fn unless_closed(printed: Result<(), Failure>) -> Result<(), Failure> {
    match printed {
        Err(Failure::ClosedPipe) => Ok(()),
        printed => printed,
    }
}

/// What becomes of a command that has printed what it found.
pub fn after_printing(
    printed: io::Result<()>,
    verdict: Result<(), Failure>,
) -> Result<(), Failure> {
    unless_closed(printed.map_err(Failure::from)).and(verdict)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Different { .. }
            | Error::Merge { .. }
            | Error::Missing { .. }
            | Error::NoResult { .. }
            | Error::Agent(_)
            | Error::SharedBudget
            | Error::TooLarge { .. } => Failure::Usage(error.to_string()),
            Error::Io { .. }
            | Error::Damaged { .. }
            | Error::Locked { .. }
            | Error::Selfcheck { .. } => Failure::Failed(error.to_string()),
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

impl From<RateError> for Failure {
    fn from(error: RateError) -> Failure {
        match error {
            RateError::NotRated(_) => Failure::Usage(error.to_string()),
            RateError::Table(_) | RateError::Undetermined { .. } | RateError::Interrupted => {
                Failure::Failed(error.to_string())
            }
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Folder(error) => Failure::from(error),
            RunError::Games { .. } | RunError::Count { .. } | RunError::Cells { .. } => {
                Failure::Failed(error.to_string())
            }
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Failure {
        Failure::Usage(error.to_string())
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
