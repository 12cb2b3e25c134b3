//! `brandub solve`: looks for forced wins and writes certificates of them.

mod engine;
mod known;
mod own_estimates;
mod question;
mod study;
mod study_file;

use std::io::{self, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use brandub::game::{Ruleset, Side};
use brandub::solver::tables::{Tables, open_tables};
use brandub::solver::{Certificate, Options, check};
use rayon::prelude::*;

use super::asked::Asked;
use super::failure::{Failure, say, unless_closed};
use super::output_file::{is_same_file, writable};
use super::proof_file::{Written, expect_place};
use super::run::{stop_on_signal, use_threads};
use super::verify_proof;
use engine::{Begin, Engine, Jobs, Together, expect_used};
use known::Known;
use own_estimates::OwnEstimates;
use question::{Answer, Means, ask};
use study::Beside;

/// A search that is kept sooner than after so many positions would seldom get
/// beyond where it began.
const LEAST_KEPT: u64 = 10_000;

/// Look for a forced win, and write a certificate of it
///
/// Asks whether attackers, defenders or either can force a win. What neither
/// can be shown to win is `unknown`. With --study, asks many such questions and
/// keeps a table of the answers.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub solve --rules masters-armed --for defenders --memory 4GiB --proof masters-armed.proof\n  \
    brandub solve --rules '{ king_capture = \"four\" }' --after d2-g2 --for defenders --proof d2-g2.proof\n  \
    brandub solve --rules '{ king_capture = \"four\" }' --for defenders --with d2-g2.proof --checkpoint four.checkpoint\n  \
    brandub solve --study experiments/solve/orbits.toml --out results/orbits\n  \
    brandub verify-proof d2-g2.proof")]
pub struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Whose win to look for: attackers, defenders or both
    #[arg(long = "for", value_name = "SIDE", default_value = "both", value_parser = sides)]
    sides: Sides,
    /// How to search
    #[arg(long, default_value = "both", value_enum)]
    engine: Engine,
    /// Positions expanded in one job of `--engine jobs` [default: 4000000], in a first turn of
    /// `--engine turns` [default: 200000], or in a first search of `--engine mend` [default: 16]
    #[arg(long, value_name = "N")]
    job: Option<NonZeroU64>,
    /// Agent whose moves `--engine jobs` and `turns` try first; without it, those that seem easiest.
    /// With turns, one that counts positions (`alphabeta:nodes=N`) thinks again, and longer, about
    /// what resists
    #[arg(long, value_name = "AGENT")]
    player: Option<String>,
    /// Threads of `--engine turns`, all in one table; with several, what is expanded differs from
    /// run to run
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: u16,
    /// The table's size, such as 512MiB or 8GiB
    #[arg(long, default_value = "1GiB", value_parser = bytes)]
    memory: u64,
    /// Positions expanded for each side at most, in this run; the certificate of a win may take as
    /// many again
    #[arg(long, default_value_t = 10_000_000)]
    nodes: u64,
    /// Folder of endgame tables to ask about positions with few men
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Where to write the certificate
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Certificates to build on; those of other rules say where to look first
    #[arg(long = "with", value_name = "FILE", num_args = 1..)]
    known: Vec<PathBuf>,
    /// Where to keep the search's table; an earlier one is taken up
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Keep it after every so many positions, 10000 at least: each time the search begins again at
    /// the root
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20_000_000,
        requires = "checkpoint"
    )]
    every: u64,
    /// Checkpoints of other questions (same rules, side, candidates): what they have decided is known. --memory is theirs, or a whole number of times as much
    #[arg(long, value_name = "FILE", num_args = 1..)]
    facts: Vec<PathBuf>,
    /// Look at so many of the winner's moves in each position only
    #[arg(long, value_name = "N")]
    candidates: Option<NonZeroUsize>,
    /// What positions begin with that nobody has searched
    #[arg(long, default_value = "estimates", value_enum)]
    begin: Begin,
    /// Estimates instead of those that come with the program, as `brandub tune --proofs` writes them
    #[arg(long, value_name = "FILE")]
    estimates: Option<PathBuf>,
    /// What the replies to a move come to together, with `--begin estimates` [default: shared]
    #[arg(long, value_enum)]
    replies: Option<Together>,
    /// A file of questions instead of one
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with_all = [
        "rules", "position", "side", "after", "sides", "engine", "job", "player", "memory", "nodes",
        "proof", "checkpoint", "every", "facts", "candidates", "begin", "replies", "json",
    ])]
    study: Option<PathBuf>,
    /// The study's folder: its table and its certificates; what is there is kept
    #[arg(long, value_name = "DIR", requires = "study")]
    out: Option<PathBuf>,
    /// One JSON object for each side
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone)]
struct Sides(Vec<Side>);

fn sides(text: &str) -> Result<Sides, String> {
    match text {
        "both" => Ok(Sides(Side::BOTH.to_vec())),
        side => side
            .parse()
            .map(|side| Sides(vec![side]))
            .map_err(|error| format!("{error}, or both")),
    }
}

/// Reads `4096`, `512MiB`, `8GiB`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("", 0)];
    let read = units.iter().find_map(|&(unit, shift)| {
        let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        number.checked_mul(1 << shift)
    });
    read.ok_or_else(|| format!("`{text}` is no size such as 512MiB or 8GiB"))
}

/// Looks for what the arguments ask.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(None)?;
    let estimates = arguments
        .estimates
        .as_deref()
        .map(OwnEstimates::read)
        .transpose()?;
    if arguments.out.is_some() && arguments.study.is_none() {
        return Err(Failure::Usage(
            "--out is a study's folder: expected --study FILE with it; --proof FILE keeps one question's certificate".into(),
        ));
    }
    let mut known = Known::new(all_verified(&arguments.known, arguments.quiet)?);
    if let (Some(file), Some(out)) = (&arguments.study, &arguments.out) {
        let beside = Beside {
            tables: arguments.tables.as_deref(),
            estimates: estimates.as_ref(),
            threads: arguments.threads,
            quiet: arguments.quiet,
        };
        return study::execute(file, out, known, &beside);
    }
    expect_sound(arguments)?;
    let (rules, root) = arguments.asked.read()?;
    let tables = tables(arguments.tables.as_deref(), rules.ruleset())?;
    let stop = stop_on_signal("stopping after this position; once more to stop at once")?;
    let checkpoint = arguments.checkpoint.as_deref();
    let player = arguments.player.as_deref();
    let jobs = Jobs::new(arguments.engine, arguments.job, player, arguments.threads)
        .map_err(Failure::Usage)?;
    let mut out = io::stdout().lock();
    for &winner in &arguments.sides.0 {
        let certificates = known.under(&rules, winner, "", arguments.quiet)?;
        let means = Means {
            options: Options {
                first: arguments.begin.into(),
                replies: arguments.replies.unwrap_or_default().into(),
                candidates: arguments.candidates.map(NonZeroUsize::get),
                threads: arguments.threads,
                ..Options::new(arguments.memory)
            },
            memory: "--memory",
            engine: arguments.engine,
            jobs: &jobs,
            estimates: estimates.as_ref(),
            nodes: arguments.nodes,
            tables: tables.as_ref(),
            known: &certificates,
            facts: &arguments.facts,
            proof: arguments.proof.as_deref(),
            checkpoint: checkpoint.map(|path| (path, arguments.every)),
            in_all: false,
            name: "",
            quiet: arguments.quiet,
            stop: &stop,
        };
        let answer = ask(&rules, &root, winner, &means)?;
        let printed = match arguments.json {
            true => serde_json::to_writer(&mut out, &answer)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out))
                .map_err(Failure::from),
            false => write_answer(&mut out, &answer),
        };
        unless_closed(printed)?;
        if let Some(why) = &answer.not_certified {
            return Err(Failure::Failed(uncertified(why)));
        }
        if answer.plies.is_some() {
            break;
        }
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(interrupted(checkpoint));
        }
    }
    Ok(())
}

/// What is wrong with the arguments of one question.
fn expect_sound(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.sides.0.len() > 1 && arguments.checkpoint.is_some() {
        return Err(Failure::Usage(
            "--checkpoint keeps one side's search: add --for attackers or --for defenders".into(),
        ));
    }
    if arguments.sides.0.len() > 1 && !arguments.facts.is_empty() {
        return Err(Failure::Usage(
            "--facts are of one side's search: add --for attackers or --for defenders".into(),
        ));
    }
    let others = [
        ("candidates", arguments.candidates.is_some()),
        ("estimates", arguments.estimates.is_some()),
    ];
    let replies = arguments.replies.is_some();
    expect_used(arguments.engine, arguments.begin, replies, &others)
        .map_err(|problem| Failure::Usage(format!("--{problem}")))?;
    if arguments.checkpoint.is_some() {
        let both = arguments
            .checkpoint
            .as_deref()
            .zip(arguments.proof.as_deref());
        if both.is_some_and(|(one, other)| is_same_file(one, other)) {
            return Err(Failure::Usage(
                "--checkpoint and --proof name the same file: expected one for each".into(),
            ));
        }
        may_be_kept(arguments.engine, arguments.every)
            .map_err(|problem| Failure::Usage(format!("--checkpoint: {problem}")))?;
    }
    if let Some(file) = &arguments.proof {
        expect_place("--proof", file)?;
    }
    if let Some(file) = &arguments.checkpoint {
        writable("--checkpoint", file)?;
    }
    Ok(())
}

/// Whether a search can be kept after every so many positions.
fn may_be_kept(engine: Engine, every: u64) -> Result<(), String> {
    if engine == Engine::Mate {
        return Err("the engine `mate` keeps no table that it could go on from".to_owned());
    }
    if every < LEAST_KEPT {
        return Err(format!(
            "kept after every {every} positions, a search comes to little: expected {LEAST_KEPT} at least"
        ));
    }
    Ok(())
}

fn interrupted(checkpoint: Option<&Path>) -> Failure {
    Failure::Failed(match checkpoint {
        Some(path) if path.exists() => format!(
            "interrupted: the same command goes on from {}",
            path.display()
        ),
        Some(_) => "interrupted before there was anything to keep".to_owned(),
        None => "interrupted: without --checkpoint nothing is kept".to_owned(),
    })
}

/// Opens the tables of a ruleset.
fn tables(folder: Option<&Path>, ruleset: &Ruleset) -> Result<Option<Tables>, Failure> {
    let opened = folder.map(|folder| open_tables(folder, ruleset));
    opened.transpose().map_err(Failure::from)
}

/// What is said of a win that cannot be written down.
fn uncertified(why: &str) -> String {
    format!("found a win but made no certificate of it: {why}")
}

/// Certificates that have passed their check, several checked at once.
fn all_verified(paths: &[PathBuf], quiet: bool) -> Result<Vec<Certificate>, Failure> {
    if !quiet && !paths.is_empty() {
        say(&format!("certificates to check first: {}", paths.len()));
    }
    paths.par_iter().map(|path| verified(path)).collect()
}

/// A certificate that has passed its check.
fn verified(path: &Path) -> Result<Certificate, Failure> {
    let (certificate, _) = verify_proof::read(path)?;
    check::check(&certificate, &mut |_| ())
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    Ok(certificate)
}

/// How far the search came.
fn why_unknown(answer: &Answer) -> String {
    match (answer.proof_number, answer.disproof_number) {
        _ if answer.exhausted => "nothing is left to look at".to_owned(),
        (Some(proof), Some(disproof)) => {
            format!("proof number {proof}, disproof number {disproof}")
        }
        _ => "by depth alone".to_owned(),
    }
}

fn write_answer(out: &mut impl Write, answer: &Answer) -> Result<(), Failure> {
    let Answer {
        winner,
        rules,
        position,
        side,
        nodes,
        seconds,
        ..
    } = answer;
    let question = format!("{winner} win under {rules} from {position}, {side} to move");
    match answer.plies {
        Some(plies) if answer.certificate.is_some() => {
            writeln!(out, "{question}: proved, within {plies} plies")?;
        }
        Some(plies) => {
            let hint = match answer.not_certified {
                None => "; --proof FILE writes a certificate of it, which anyone can check",
                Some(_) => "",
            };
            writeln!(out, "{question}: found, within {plies} plies{hint}")?;
        }
        None => writeln!(out, "{question}: unknown ({})", why_unknown(answer))?,
    }
    writeln!(
        out,
        "{nodes} positions expanded in {seconds:.1} s, {} of {} table entries used",
        answer.table_used, answer.table_entries
    )?;
    if let Some(Written {
        file,
        steps,
        bytes,
        sha256,
        ..
    }) = &answer.certificate
    {
        let file = file.display();
        writeln!(
            out,
            "{file}: {steps} steps, {bytes} bytes, SHA-256 {sha256}, checked"
        )?;
    }
    Ok(())
}
