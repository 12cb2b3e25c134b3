//! `brandub verify-proof`: checks a certificate by the rules alone.

mod answers;

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use brandub::game::{Position, Rules, Ruleset, Side};
use brandub::solver::check::{self, CheckError, Checked, Steps};
use brandub::solver::hold::HoldClaim;
use brandub::solver::in_parts::{InParts, parts, whole_name};
use brandub::solver::{Certificate, CertificateFile, Claim, Seal};
use serde::Serialize;

use super::asked::after;
use super::failure::{Failure, say, unless_closed};
use super::fortress_file;
use super::ruleset_argument::ruleset;
use super::run::use_threads;
use super::study_table::FILE as TABLE;

pub use answers::{answers, each};

/// So many steps are checked at a time; fewer are on one core.
const MANY: u64 = 10_000;

/// Check certificates of forced wins, and of held positions, by the rules alone
///
/// A folder stands for its table of answers, solved.csv: every certificate that
/// it names, and what it says of each; without a table, for its files *.proof. A
/// certificate that is not there itself may be in parts, NAME.1, NAME.2 and so on.
/// Exit status 1 at the first that does not hold.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub verify-proof d2-g2.proof\n  \
    brandub verify-proof results/solved/openings\n  \
    brandub verify-proof d2-g2.proof --rules 'king_capture=four' --json\n  \
    brandub verify-proof start.proof --under irish-1\n  \
    brandub verify-proof start.proof --after d2-e2")]
pub struct Arguments {
    /// The certificates, or folders of studies
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The rules that they must be for
    #[arg(long)]
    rules: Option<String>,
    /// Check certificates of other rules as certificates under these, move by
    /// move
    #[arg(long, value_name = "RULES")]
    under: Option<String>,
    /// Check what they show from this position (`OpenTafl` notation) instead of the one
    /// they are for
    #[arg(long, value_name = "OTN")]
    position: Option<String>,
    /// Who moves first there
    #[arg(long, requires = "position", default_value = "attackers")]
    side: Side,
    /// Check what they show from the position after these moves, such as
    /// "d2-e2 c4-c2", instead of the one they are for
    #[arg(long, value_name = "MOVES")]
    after: Option<String>,
    /// Threads to check on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// One JSON object for each instead of text
    #[arg(long)]
    json: bool,
}

/// What a certificate has shown.
#[derive(Serialize)]
pub struct Shown {
    rules: String,
    ruleset: String,
    position: String,
    side: Side,
    winner: Side,
    plies: u16,
    steps: u64,
    replies: u64,
    left_out: u64,
    sha256: String,
}

/// Reads a certificate.
pub fn read(path: &Path) -> Result<(Certificate, Seal), Failure> {
    expect_win(path)?;
    let file = InParts::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    Certificate::read(&mut BufReader::with_capacity(1 << 20, file))
        .map_err(|error| unread(path, &error))
}

/// What is wrong with a certificate that cannot be read; a part of one is told as that.
fn unread(path: &Path, error: &dyn Display) -> Failure {
    let whole = whole_name(path);
    let hint = if whole != path && parts(&whole).len() > 1 {
        format!(" (it is a part of {}: name that)", whole.display())
    } else {
        String::new()
    };
    Failure::Failed(format!("{}: {error}{hint}", path.display()))
}

/// Refuses the other kind of file.
fn expect_win(path: &Path) -> Result<(), Failure> {
    if !fortress_file::is_one(path)? {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{}: shows what a side need not lose; expected the certificate of a win",
        path.display()
    )))
}

/// Reads a certificate that stays in its file.
pub fn open(path: &Path) -> Result<(CertificateFile<InParts>, Seal), Failure> {
    expect_win(path)?;
    let file = InParts::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    CertificateFile::open(file).map_err(|error| unread(path, &error))
}

/// Checks the files named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let rules = arguments.rules.as_deref().map(ruleset).transpose()?;
    let under = arguments.under.as_deref().map(ruleset).transpose()?;
    let mut verifier = Verifier::default();
    for path in &named(&arguments.files)? {
        if !path.is_dir() {
            let asked = |own: &Ruleset, root: Position| {
                agree(path, rules.as_ref(), own)?;
                let ruleset = under.unwrap_or(*own);
                Ok((ruleset, asked_root(arguments, ruleset, root)?))
            };
            if fortress_file::is_one(path)? {
                let read = fortress_file::read(path)?;
                let own = read.0.claim;
                let (ruleset, root) = asked(&own.ruleset, own.root)?;
                let claim = HoldClaim {
                    ruleset,
                    root,
                    ..own
                };
                let shown = fortress_file::checked(path, &read, claim)?;
                unless_closed(fortress_file::print(&shown, arguments.json))?;
                continue;
            }
            let (_, shown) = verifier.file(path, &|own| asked(&own.ruleset, own.root))?;
            unless_closed(print(arguments, &shown))?;
            continue;
        }
        let given = [
            ("under", under.is_some()),
            ("position", arguments.position.is_some()),
            ("after", arguments.after.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::Usage(format!(
                "--{name}: expected certificates, not the folder {}",
                path.display()
            )));
        }
        let mut proved = 0;
        let answers = each(path, &mut |claim, shown| {
            agree(path, rules.as_ref(), &claim.ruleset)?;
            proved += 1;
            unless_closed(print(arguments, shown))
        })?;
        let folder = path.display();
        say(&format!(
            "{folder}: {proved} of {answers} answers are proofs, and hold"
        ));
    }
    Ok(())
}

/// The files and folders named, in the place of a folder without a table the
/// certificates in it, in the order of their names.
fn named(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() || path.join(TABLE).exists() {
            all.push(path.clone());
            continue;
        }
        let unreadable = |error: io::Error| Failure::unreadable(path, &error);
        let mut proofs = BTreeSet::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let whole = whole_name(&file);
            if whole.extension() == Some(OsStr::new("proof")) {
                proofs.insert(whole);
            }
        }
        if proofs.is_empty() {
            return Err(Failure::Usage(format!(
                "{}: expected a folder with {TABLE} or files *.proof",
                path.display()
            )));
        }
        all.extend(proofs);
    }
    Ok(all)
}

/// The position that is asked about, for the one that a certificate is for.
fn asked_root(arguments: &Arguments, ruleset: Ruleset, own: Position) -> Result<Position, Failure> {
    let from = match &arguments.position {
        None => own,
        Some(otn) => Position::from_otn(otn, arguments.side)
            .map_err(|error| Failure::Usage(format!("--position: {error}")))?,
    };
    match &arguments.after {
        None => Ok(from),
        Some(moves) => after(&Rules::new(ruleset), from, moves)
            .map_err(|problem| Failure::Usage(format!("--after: {problem}"))),
    }
}

/// Why a certificate has not passed.
enum Refused {
    /// It does not show what was claimed.
    Wrong(Failure),
    /// It could not be read, which says nothing of what it shows.
    Unread(Failure),
}

impl Refused {
    fn new(path: &Path, error: &CheckError) -> Refused {
        let failure = Failure::Failed(format!("{}: {error}", path.display()));
        match error {
            CheckError::Unreadable(_) => Refused::Unread(failure),
            _ => Refused::Wrong(failure),
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        let (Refused::Wrong(failure) | Refused::Unread(failure)) = refused;
        failure
    }
}

/// Checks a certificate in its file, a part of its steps on each core. What does
/// not hold is told of `named`, the name that the file has or is to have.
///
/// # Errors
/// What cannot be read or does not hold; of several, the first in the file.
pub fn check_whole(path: &Path, named: &Path) -> Result<(Claim, Checked, Seal), Failure> {
    let (steps, seal) = open(path)?;
    let claim = steps.claim();
    let checked = check_opened(path, named, claim, steps, seal)?;
    Ok((claim, checked, seal))
}

/// Checks that an opened certificate shows this claim.
fn check_opened(
    path: &Path,
    named: &Path,
    claim: Claim,
    mut steps: CertificateFile<InParts>,
    seal: Seal,
) -> Result<Checked, Refused> {
    let count = steps.count();
    let refused = |error| Refused::new(named, &error);
    if count < MANY || rayon::current_num_threads() == 1 {
        return check::check_part_of(&mut steps, claim, 0..count, &mut |_| ()).map_err(refused);
    }
    drop(steps);
    // Parts in their order, to whoever is free: none after one that fails.
    let (parts, next) = (count.div_ceil(MANY), AtomicU64::new(0));
    let fails = AtomicU64::new(parts);
    let checked = rayon::broadcast(|_| {
        let unread = |failure| (0, Refused::Unread(failure));
        let (mut steps, same) = open(path).map_err(unread)?;
        if same != seal {
            let changed = format!("{}: it was changed while it was checked", path.display());
            return Err(unread(Failure::Failed(changed)));
        }
        let mut all = Checked::default();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= fails.load(Ordering::Relaxed) {
                return Ok(all);
            }
            let places = part * MANY..count.min((part + 1) * MANY);
            let checked =
                check::check_part_of(&mut steps, claim, places, &mut |_| ()).map_err(|error| {
                    fails.fetch_min(part, Ordering::Relaxed);
                    (part, refused(error))
                })?;
            all = all + checked;
        }
    });
    let mut all = Checked::default();
    let mut first: Option<(u64, Refused)> = None;
    for checked in checked {
        match checked {
            Ok(checked) => all = all + checked,
            Err(refused) if first.as_ref().is_none_or(|first| refused.0 < first.0) => {
                first = Some(refused);
            }
            Err(_) => {}
        }
    }
    first.map_or(Ok(all), |(_, refused)| Err(refused))
}

/// What a certificate claims of another question than its own, the plies those that
/// its steps take from there if they hold; an error if they do not begin there.
fn claim_of(
    steps: &mut CertificateFile<InParts>,
    ruleset: Ruleset,
    root: Position,
) -> Result<Claim, CheckError> {
    let own = steps.claim();
    let plies = if root == own.root {
        own.plies
    } else {
        check::plies_from(steps, ruleset, root)?
    };
    Ok(Claim {
        ruleset,
        root,
        plies,
        ..own
    })
}

/// Which rules and position a certificate is to be held against, by its own.
type Asked<'a> = &'a dyn Fn(&Claim) -> Result<(Ruleset, Position), Failure>;

/// Checks what certificates show, and keeps under which rules the steps of each
/// were found to hold: whatever else they show under those takes a look at its root.
#[derive(Default)]
pub struct Verifier {
    held: HashMap<(Seal, Ruleset), Checked>,
}

impl Verifier {
    fn check(
        &mut self,
        path: &Path,
        claim: Claim,
        mut steps: CertificateFile<InParts>,
        seal: Seal,
    ) -> Result<Checked, Refused> {
        // No step asks what a repetition means.
        let repetition = Ruleset::default().repetition;
        let rules = Ruleset {
            repetition,
            ..claim.ruleset.canonical()
        };
        let steps_under = (seal, rules);
        if let Some(&checked) = self.held.get(&steps_under) {
            check::check_part_of(&mut steps, claim, 0..0, &mut |_| ())
                .map_err(|error| Refused::new(path, &error))?;
            return Ok(checked);
        }
        let checked = check_opened(path, path, claim, steps, seal)?;
        self.held.insert(steps_under, checked);
        Ok(checked)
    }

    /// Within how many plies a certificate, whatever rules and position it is for,
    /// shows its winner's win from this one under these, if it does.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn shows(
        &mut self,
        path: &Path,
        ruleset: Ruleset,
        root: Position,
    ) -> Result<Option<u16>, Failure> {
        let (mut steps, seal) = open(path)?;
        let shown = claim_of(&mut steps, ruleset, root)
            .map_err(|error| Refused::new(path, &error))
            .and_then(|claim| {
                self.check(path, claim, steps, seal)?;
                Ok(claim.plies)
            });
        match shown {
            Ok(plies) => Ok(Some(plies)),
            Err(Refused::Wrong(_)) => Ok(None),
            Err(Refused::Unread(failure)) => Err(failure),
        }
    }

    /// Checks what a certificate shows of the question that is asked of it; what
    /// that is, and by which steps.
    fn file(&mut self, path: &Path, asked: Asked<'_>) -> Result<(Claim, Shown), Failure> {
        let (mut steps, seal) = open(path)?;
        let (ruleset, root) = asked(&steps.claim())?;
        let claim =
            claim_of(&mut steps, ruleset, root).map_err(|error| Refused::new(path, &error))?;
        let checked = self.check(path, claim, steps, seal)?;
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
        Ok((claim, shown))
    }
}

fn agree(path: &Path, rules: Option<&Ruleset>, own: &Ruleset) -> Result<(), Failure> {
    let other = rules.and_then(|wanted| other_rules(path, wanted, own));
    other.map_or(Ok(()), |problem| Err(Failure::Failed(problem)))
}

/// What to say of a certificate that is for other rules than are wanted.
pub fn other_rules(path: &Path, wanted: &Ruleset, own: &Ruleset) -> Option<String> {
    let path = path.display();
    let is_other = wanted.canonical() != own.canonical();
    is_other.then(|| format!("{path}: it is for the rules {own}, not {wanted}"))
}

fn print(arguments: &Arguments, shown: &Shown) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, shown).map_err(io::Error::from)?;
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
