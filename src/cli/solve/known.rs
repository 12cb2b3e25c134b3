//! Certificates that questions build on, and what of them holds under the rules
//! that are asked about.

use brandub::game::{Rules, Ruleset, Side};
use brandub::solver::{Certificate, carry};

use crate::cli::failure::{Failure, say};

/// Certificates that have passed their check.
pub struct Known {
    certificates: Vec<Certificate>,
    /// What of them holds under the rules that each side's win was asked about
    /// last.
    carried: [Option<Carried>; 2],
}

struct Carried {
    form: Ruleset,
    certificates: Vec<Certificate>,
}

impl Known {
    /// These.
    pub fn new(certificates: Vec<Certificate>) -> Known {
        Known {
            certificates,
            carried: [None, None],
        }
    }

    /// One more.
    pub fn add(&mut self, certificate: Certificate) {
        let form = certificate.claim.ruleset.canonical();
        for carried in &mut self.carried {
            carried.take_if(|carried| carried.form != form);
        }
        self.certificates.push(certificate);
    }

    /// All, and for each under other rules that is for this side a certificate
    /// of its steps that hold under these.
    pub fn under(
        &mut self,
        rules: &Rules,
        winner: Side,
        name: &str,
        quiet: bool,
    ) -> Result<Vec<&Certificate>, Failure> {
        let form = rules.ruleset().canonical();
        let carried = &mut self.carried[winner as usize];
        carried.take_if(|carried| carried.form != form);
        let carried = match carried {
            Some(carried) => carried,
            None => carried.insert(Carried {
                form,
                certificates: carry_all(&self.certificates, rules, winner, name, quiet)?,
            }),
        };
        Ok(self
            .certificates
            .iter()
            .chain(&carried.certificates)
            .collect())
    }
}

/// What of certificates under other rules holds under these.
fn carry_all(
    certificates: &[Certificate],
    rules: &Rules,
    winner: Side,
    name: &str,
    quiet: bool,
) -> Result<Vec<Certificate>, Failure> {
    let form = rules.ruleset().canonical();
    let others: Vec<&Certificate> = certificates
        .iter()
        .filter(|other| other.claim.winner == winner && other.claim.ruleset.canonical() != form)
        .collect();
    let mut carried: Vec<Certificate> = Vec::new();
    for other in &others {
        let holds = carry(other, rules).map_err(|error| Failure::Usage(error.to_string()))?;
        carried.extend(holds);
    }
    if !quiet && !others.is_empty() {
        let steps = |count: usize, more: &Certificate| count + more.steps.len();
        say(&format!(
            "{name}of {} steps under other rules {} hold under these",
            others.into_iter().fold(0, steps),
            carried.iter().fold(0, steps),
        ));
    }
    Ok(carried)
}
