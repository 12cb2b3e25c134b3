//! Estimates from a file, for searches to begin with instead of the program's own.

use std::path::{Path, PathBuf};

use brandub::game::{Rules, Side};
use brandub::solver::First;
use brandub::solver::estimates::Estimates;

use crate::cli::failure::Failure;
use crate::cli::input_file;

/// A file's sets.
pub struct OwnEstimates {
    file: PathBuf,
    sets: Vec<Estimates>,
}

impl OwnEstimates {
    /// Reads what `brandub tune --proofs` wrote.
    pub fn read(path: &Path) -> Result<OwnEstimates, Failure> {
        let text = input_file::text(path)?;
        let sets = Estimates::read_all(&text)
            .map_err(|error| Failure::Usage(format!("--estimates {}: {error}", path.display())))?;
        Ok(OwnEstimates {
            file: path.to_owned(),
            sets,
        })
    }

    /// The set for a question, whose search has to begin with estimates.
    pub fn of(&self, rules: &Rules, winner: Side, first: First) -> Result<&Estimates, Failure> {
        let wrong = |problem: String| {
            Failure::Usage(format!("--estimates {}: {problem}", self.file.display()))
        };
        if first == First::Counted {
            return Err(wrong("the search begins with counts of moves".into()));
        }
        Estimates::among(&self.sets, rules.ruleset(), winner).ok_or_else(|| {
            let label = rules.ruleset().label();
            wrong(format!("no set is for the {winner} under {label}"))
        })
    }
}
