//! `brandub shorten-proof`: a certificate's quicker wins, by the rules alone.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use brandub::solver::shorten;

use super::failure::{Failure, after_printing, say};
use super::proof_file::{expect_place, publish};
use super::run::{stop_on_signal, use_threads};
use super::verify_proof;

const STOPPING: &str = "writing what was found by now; once more to stop at once";
/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(10);

/// Write a certificate anew with quicker wins and fewer steps
///
/// Each of its positions is looked at again: whatever move leads only to
/// positions it has steps for wins as well, and the quickest is kept. No search
/// is asked. An interrupt ends it with what was found by then, and status 1. What is
/// written was checked as `verify-proof` does.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    brandub shorten-proof d2-e2.proof --out shorter.proof")]
pub struct Arguments {
    /// The certificate
    file: PathBuf,
    /// Where the shorter one goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Threads to check on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

/// Shortens the certificate named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { file, out, threads } = arguments;
    use_threads(*threads)?;
    expect_place("--out", out)?;
    verify_proof::check_whole(file, file)?;
    let (long, _) = verify_proof::read(file)?;
    let stop = stop_on_signal(STOPPING)?;
    let mut last = Instant::now();
    let mut interrupted = false;
    let short = shorten(&long, &mut |looked_at, steps| {
        if last.elapsed() >= INTERVAL {
            last = Instant::now();
            say(&format!("looked at {looked_at} positions; {steps} steps"));
        }
        interrupted = stop.load(Ordering::Relaxed);
        !interrupted
    })
    .map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))?;
    let written = publish(out, &short)?;
    let printed = writeln!(
        io::stdout(),
        "{}: within {} plies by {} steps, for {} by {}; SHA-256 {}",
        out.display(),
        short.claim.plies,
        written.steps,
        long.claim.plies,
        long.steps.len(),
        written.sha256
    );
    let verdict = match interrupted {
        true => Err(Failure::Failed(format!(
            "interrupted: {} has what was found by then; shorten that to go on",
            out.display()
        ))),
        false => Ok(()),
    };
    after_printing(printed, verdict)
}
