//! `brandub verify-proof`: checks a certificate by the rules alone.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use brandub::solver::check::{self, Steps};
use brandub::solver::{Certificate, CertificateFile, Seal};
use serde::Serialize;

use super::failure::Failure;
use super::ruleset_argument::ruleset;

/// Check certificates of forced wins by the rules alone
///
/// Exit status 1 at the first that does not hold.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub verify-proof d2-g2.proof\n  \
    brandub verify-proof results/solved/orbits/proofs/*.proof\n  \
    brandub verify-proof d2-g2.proof --rules '{ king_capture = \"four\" }' --json")]
pub struct Arguments {
    /// The certificates
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The rules that they must be for
    #[arg(long)]
    rules: Option<String>,
    /// One JSON object for each instead of text
    #[arg(long)]
    json: bool,
}

/// What a certificate has shown.
#[derive(Serialize)]
struct Shown {
    rules: String,
    ruleset: String,
    position: String,
    side: brandub::game::Side,
    winner: brandub::game::Side,
    plies: u16,
    steps: u64,
    replies: u64,
    left_out: u64,
    sha256: String,
}

/// Reads a certificate.
pub fn read(path: &Path) -> Result<(Certificate, Seal), Failure> {
    let file = File::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    Certificate::read(&mut BufReader::with_capacity(1 << 20, file))
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// Reads a certificate that stays in its file.
pub fn open(path: &Path) -> Result<(CertificateFile<File>, Seal), Failure> {
    let file = File::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    CertificateFile::open(file)
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// Checks the files named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = arguments.files.iter();
    files.try_for_each(|path| check_file(arguments, path))
}

fn check_file(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let (mut steps, seal) = open(path)?;
    let claim = steps.claim();
    if let Some(text) = &arguments.rules {
        let wanted = ruleset(text)?;
        if wanted.canonical() != claim.ruleset.canonical() {
            return Err(Failure::Failed(format!(
                "{}: it is for the rules {}, not {wanted}",
                path.display(),
                claim.ruleset
            )));
        }
    }
    let checked = check::check_steps(&mut steps, &mut |_| ())
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    let shown = Shown {
        rules: claim.ruleset.label(),
        ruleset: claim.ruleset.id(),
        position: claim.root.to_otn(),
        side: claim.root.side,
        winner: claim.winner,
        plies: claim.plies,
        steps: checked.steps,
        replies: checked.replies,
        left_out: checked.left_out,
        sha256: hex::encode(seal),
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &shown).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    let Shown {
        rules,
        position,
        side,
        winner,
        plies,
        steps,
        replies,
        left_out,
        sha256,
        ..
    } = shown;
    writeln!(
        out,
        "{winner} win under {rules} from {position}, {side} to move, within {plies} plies"
    )?;
    writeln!(
        out,
        "{steps} steps, {replies} replies and {left_out} short wins checked, SHA-256 {sha256}"
    )?;
    Ok(())
}
