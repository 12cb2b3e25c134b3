//! A player who plays what a certificate says.

use std::path::{Path, PathBuf};

use brandub::game::{Position, Rules, Side};
use brandub::solver::check::{CheckError, Steps, plies_from};
use brandub::solver::follow::{Winning, winning_move};
use brandub::solver::in_parts::InParts;
use brandub::solver::{CertificateFile, Claim};

use super::failure::Failure;
use super::verify_proof::{answers, open, other_rules};

/// A certificate at the board. Whether it holds is for `verify-proof` to say.
pub struct ByProof {
    path: PathBuf,
    steps: CertificateFile<InParts>,
    /// Within how many plies it wins from where the game begins.
    plies: u16,
}

impl ByProof {
    /// Opens a certificate, or the one in a study's folder, that shows a win of this
    /// side from this position.
    ///
    /// # Errors
    /// What cannot be read, is for other rules or another side, or says nothing of
    /// the position.
    pub fn open(
        path: &Path,
        rules: &Rules,
        begin: &Position,
        side: Side,
    ) -> Result<ByProof, Failure> {
        if path.is_dir() {
            return ByProof::of_study(path, rules, begin, side);
        }
        let (steps, _) = open(path)?;
        let Claim {
            ruleset, winner, ..
        } = steps.claim();
        if let Some(problem) = other_rules(path, rules.ruleset(), &ruleset) {
            return Err(Failure::Usage(problem));
        }
        if winner != side {
            return Err(Failure::Usage(format!(
                "{}: the {winner} win by it, not the {side}",
                path.display()
            )));
        }
        ByProof::begun(path, steps, rules, begin).map_err(|error| {
            Failure::Usage(format!(
                "{}: it does not show a win from here: {error}",
                path.display()
            ))
        })
    }

    fn of_study(
        folder: &Path,
        rules: &Rules,
        begin: &Position,
        side: Side,
    ) -> Result<ByProof, Failure> {
        let (table, id) = (answers(folder)?, rules.ruleset().id());
        for row in table.proved(&id, begin, side) {
            if row.ruleset == id
                && let Some(path) = table.certificate(row)?
                && let Ok(found) = ByProof::begun(&path, open(&path)?.0, rules, begin)
            {
                return Ok(found);
            }
        }
        Err(Failure::Usage(format!(
            "{}: no certificate there shows that the {side} win from {} ({} to move) under {}",
            folder.display(),
            begin.to_otn(),
            begin.side,
            rules.ruleset().label()
        )))
    }

    fn begun(
        path: &Path,
        mut steps: CertificateFile<InParts>,
        rules: &Rules,
        begin: &Position,
    ) -> Result<ByProof, CheckError> {
        let plies = plies_from(&mut steps, *rules.ruleset(), *begin)?;
        Ok(ByProof {
            path: path.to_owned(),
            steps,
            plies,
        })
    }

    /// The certificate.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Within how many plies at most it wins from where the game begins.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// What it plays.
    ///
    /// # Errors
    /// A certificate that does not hold, or cannot be read any more.
    pub fn choose(&mut self, rules: &Rules, position: &Position) -> Result<Winning, Failure> {
        let path = self.path.display();
        winning_move(&mut self.steps, rules, position)
            .map_err(|error| Failure::Failed(format!("{path}: {error}")))?
            .ok_or_else(|| {
                let position = position.to_otn();
                Failure::Failed(format!("{path}: it has no move in {position}"))
            })
    }
}
