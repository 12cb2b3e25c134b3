//! `brandub verify`: checks a result folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use brandub::analysis::{Outcomes, RATING_FILES, RateError, Ratings, TableError, Tables};
use brandub::experiment::{Error, Manifest, Sample, Verified, verify};

use super::endgames::endgames;
use super::failure::{Failure, after_printing};
use super::run::use_threads;
use super::streams::new_seed;

/// Check a result folder: checksums, counts, tables, and some games again
///
/// Exit status 1 if anything is not as it should be. Games against external
/// engines are not played again: their moves need not be the same ones.
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
    /// What the games to play again are drawn by; without it, others each time
    #[arg(long, value_name = "SEED")]
    sample_seed: Option<u64>,
    /// Threads to read and play on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// One JSON object instead of lines
    #[arg(long)]
    json: bool,
}

/// Checks the folder named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let tables = |manifest: &Manifest| {
        made_again(&arguments.results, manifest)
            .map_err(|error| in_folder(error, &arguments.results))
    };
    let sample = Sample {
        games: arguments.sample,
        seed: arguments.sample_seed.unwrap_or_else(new_seed),
    };
    let verified = verify(&arguments.results, sample, &endgames(), &tables)?;
    let verdict = if verified.findings.is_empty() {
        Ok(())
    } else {
        Err(Failure::Failed(format!(
            "{} does not verify",
            arguments.results.display()
        )))
    };
    after_printing(print(&verified, sample, arguments.json), verdict)
}

fn print(verified: &Verified, sample: Sample, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
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
            "sample_seed": sample.seed,
            "external": verified.external,
            "complete": verified.complete,
            "findings": findings,
        });
        writeln!(out, "{report}")
    } else {
        for finding in &verified.findings {
            writeln!(out, "{}: {}", finding.place, finding.problem)?;
        }
        writeln!(
            out,
            "{} files, {} games, {} played again{}{}{}: {}",
            verified.files,
            verified.games,
            verified.replayed,
            match verified.replayed {
                some if (1..verified.games).contains(&some) =>
                    format!(" (--sample-seed {})", sample.seed),
                _ => String::new(),
            },
            match verified.external {
                0 => String::new(),
                some => format!(", {some} not to be played again (against external engines)"),
            },
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
        )
    }
}

/// The files beside the games, made anew: the tables, and ratings if there
/// are any.
fn made_again(folder: &Path, manifest: &Manifest) -> Result<Vec<(String, Vec<u8>)>, RateError> {
    let mut files = Tables::read(folder, manifest)?.files();
    if RATING_FILES
        .iter()
        .any(|name| manifest.files.contains_key(*name))
    {
        let outcomes = Outcomes::read(folder, manifest)?;
        files.extend(Ratings::new(&manifest.experiment, &outcomes, &|| true)?.files());
    }
    Ok(files)
}

fn in_folder(error: RateError, folder: &Path) -> Error {
    match error {
        RateError::Table(TableError::File(error)) => error,
        error => Error::Damaged {
            path: folder.to_owned(),
            problem: error.to_string(),
        },
    }
}
