//! `brandub verify`: checks a result folder.

use std::io::{self, Write};
use std::path::PathBuf;

use brandub::analysis::{TableError, Tables};
use brandub::experiment::{Error, Manifest, verify};

use super::failure::Failure;

/// Check a result folder: checksums, counts, tables, and some games again
///
/// Exit status 1 if anything is not as it should be.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub verify results/default\n  \
    brandub verify results/default --sample 1000 --json")]
pub struct Arguments {
    /// The result folder
    results: PathBuf,
    /// How many games to play again
    #[arg(long, default_value_t = 50)]
    sample: u64,
    /// One JSON object instead of lines
    #[arg(long)]
    json: bool,
}

/// Checks the folder named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let tables = |manifest: &Manifest| match Tables::read(&arguments.results, manifest) {
        Ok(tables) => Ok(tables.files()),
        Err(TableError::Read { path, source }) => Err(Error::Io {
            action: "read",
            path,
            source,
        }),
        Err(error @ TableError::Rows { .. }) => Err(Error::Damaged {
            path: arguments.results.clone(),
            problem: error.to_string(),
        }),
    };
    let verified = verify(&arguments.results, arguments.sample, &tables)?;
    let mut out = io::stdout().lock();
    if arguments.json {
        let findings: Vec<serde_json::Value> = verified
            .findings
            .iter()
            .map(
                |finding| serde_json::json!({ "place": finding.place, "problem": finding.problem }),
            )
            .collect();
        let report = serde_json::json!({
            "files": verified.files,
            "games": verified.games,
            "replayed": verified.replayed,
            "complete": verified.complete,
            "findings": findings,
        });
        writeln!(out, "{report}")?;
    } else {
        for finding in &verified.findings {
            writeln!(out, "{}: {}", finding.place, finding.problem)?;
        }
        writeln!(
            out,
            "{} files, {} games, {} played again{}: {}",
            verified.files,
            verified.games,
            verified.replayed,
            if verified.complete {
                ""
            } else {
                ", run not finished"
            },
            match verified.findings.len() {
                0 => "all as the manifest says".to_owned(),
                1 => "1 finding".to_owned(),
                some => format!("{some} findings"),
            }
        )?;
    }
    if verified.findings.is_empty() {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{} does not verify",
        arguments.results.display()
    )))
}
