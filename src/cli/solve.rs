//! `brandub solve`: looks for a forced win and writes a certificate of it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use brandub::game::{Game, Move, Position, Rules, Side};
use brandub::solver::{Certificate, Options, Progress, Search, Verdict, check};
use serde::Serialize;

use super::failure::{Failure, say};
use super::ruleset_argument::ruleset;
use super::verify_proof;

/// Expansions between two checkpoints.
const CHUNK: u64 = 10_000_000;
/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(10);

/// Look for a forced win, and write a certificate of it
///
/// Asks whether attackers, defenders or either can force a win. What neither
/// can be shown to win is `unknown`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub solve --rules masters-armed --for defenders --memory 4GiB --proof masters-armed.proof\n  \
    brandub solve --rules '{ king_capture = \"four\" }' --after d2-g2 --for defenders --proof d2-g2.proof\n  \
    brandub solve --rules '{ king_capture = \"four\" }' --for defenders --with d2-g2.proof --checkpoint four.checkpoint\n  \
    brandub verify-proof d2-g2.proof")]
pub struct Arguments {
    /// A preset's name, a file, or an inline TOML table
    #[arg(long, default_value = "disputed")]
    rules: String,
    /// `OpenTafl` position string instead of the start position
    #[arg(long, value_name = "OTN")]
    position: Option<String>,
    /// Who moves first
    #[arg(long, default_value = "attackers")]
    side: Side,
    /// Moves to be played first, such as "d2-e2 c4-c2"
    #[arg(long, value_name = "MOVES", default_value = "")]
    after: String,
    /// Whose win to look for: attackers, defenders or both
    #[arg(long = "for", value_name = "SIDE", default_value = "both", value_parser = sides)]
    sides: Sides,
    /// The table's size, such as 512MiB or 8GiB
    #[arg(long, default_value = "1GiB", value_parser = bytes)]
    memory: u64,
    /// Positions expanded for each side at most
    #[arg(long, default_value_t = 10_000_000)]
    nodes: u64,
    /// Where to write the certificate
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Certificates to build on; those of other rules say where to look first
    #[arg(long = "with", value_name = "FILE", num_args = 1..)]
    known: Vec<PathBuf>,
    /// Where to keep the table, every ten million positions and at the end; an
    /// earlier one is taken up
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Look at so many of the winner's moves in each position only
    #[arg(long, value_name = "N")]
    candidates: Option<usize>,
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
fn bytes(text: &str) -> Result<u64, String> {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("", 0)];
    let read = units.iter().find_map(|&(unit, shift)| {
        let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        number.checked_mul(1 << shift)
    });
    read.ok_or_else(|| format!("`{text}` is no size such as 512MiB or 8GiB"))
}

/// What came of one question.
#[derive(Serialize)]
struct Answer {
    rules: String,
    ruleset: String,
    position: String,
    side: Side,
    #[serde(rename = "for")]
    winner: Side,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u16>,
    /// Nothing is left to look at, but that is no proof of anything.
    exhausted: bool,
    nodes: u64,
    proof_number: u32,
    disproof_number: u32,
    table_used: u64,
    table_entries: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Written>,
}

/// A certificate that was written and checked.
#[derive(Serialize)]
struct Written {
    file: PathBuf,
    steps: usize,
    bytes: u64,
    sha256: String,
}

/// Looks for what the arguments ask.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.sides.0.len() > 1 && arguments.checkpoint.is_some() {
        return Err(Failure::Usage(
            "--checkpoint keeps one side's search: add --for attackers or --for defenders".into(),
        ));
    }
    let rules = Rules::new(ruleset(&arguments.rules)?);
    let root = root(arguments, &rules)?;
    let known = arguments.known.iter().map(|path| verified(path));
    let known: Vec<Certificate> = known.collect::<Result<_, _>>()?;
    let mut out = io::stdout().lock();
    for &winner in &arguments.sides.0 {
        let answer = ask(arguments, &rules, &root, winner, &known)?;
        let proved = answer.plies.is_some();
        if arguments.json {
            serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            write_answer(&mut out, &answer)?;
        }
        if proved {
            break;
        }
    }
    Ok(())
}

fn root(arguments: &Arguments, rules: &Rules) -> Result<Position, Failure> {
    let side = arguments.side;
    let start = match &arguments.position {
        Some(otn) => {
            Position::from_otn(otn, side).map_err(|error| Failure::Usage(error.to_string()))?
        }
        None => Position {
            side,
            ..rules.start()
        },
    };
    rules
        .admit(&start)
        .map_err(|problem| Failure::Usage(format!("position {}: {problem}", start.to_otn())))?;
    let mut game = Game::from_position(rules, start);
    for text in arguments.after.split([' ', ',']).filter(|t| !t.is_empty()) {
        let wrong = |problem: String| Failure::Usage(format!("--after: {problem}"));
        let ply: Move = text.parse().map_err(|error| wrong(format!("{error}")))?;
        game.play(ply).map_err(|error| wrong(error.to_string()))?;
    }
    match game.outcome() {
        None => Ok(*game.position()),
        Some(outcome) => Err(Failure::Usage(format!("the game is over there: {outcome}"))),
    }
}

/// A certificate that has passed its check.
fn verified(path: &Path) -> Result<Certificate, Failure> {
    let (certificate, _) = verify_proof::read(path)?;
    check::check(&certificate, &mut |_| ())
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    Ok(certificate)
}

fn ask(
    arguments: &Arguments,
    rules: &Rules,
    root: &Position,
    winner: Side,
    known: &[Certificate],
) -> Result<Answer, Failure> {
    let begun = Instant::now();
    let options = Options {
        candidates: arguments.candidates,
        ..Options::new(arguments.memory)
    };
    let mut search = Search::new(rules, winner, options)
        .map_err(|error| Failure::Usage(format!("--memory: {error}")))?;
    take_up(arguments, &mut search, root)?;
    for certificate in known {
        search
            .learn(certificate)
            .map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let mut teller = Teller::new(arguments.quiet);
    let verdict = run(arguments, &mut search, root, &mut teller)?;
    let certificate = match (verdict, &arguments.proof) {
        (Verdict::Proved { .. }, Some(path)) => {
            let (nodes, tell) = (arguments.nodes, &mut |progress: &Progress, steps: u64| {
                teller.tell(progress, Some(steps))
            });
            let certificate = search
                .strategy(root, nodes, tell)
                .map_err(|error| Failure::Failed(format!("no certificate: {error}")))?;
            Some((publish(path, &certificate)?, certificate.claim.plies))
        }
        _ => None,
    };
    let progress = search.progress();
    let plies = match verdict {
        Verdict::Proved { plies } => Some(certificate.as_ref().map_or(plies, |(_, plies)| *plies)),
        Verdict::Exhausted | Verdict::Open => None,
    };
    Ok(Answer {
        rules: rules.ruleset().label(),
        ruleset: rules.ruleset().id(),
        position: root.to_otn(),
        side: root.side,
        winner,
        verdict: if plies.is_some() { "proved" } else { "unknown" },
        plies,
        exhausted: verdict == Verdict::Exhausted,
        nodes: progress.nodes,
        proof_number: progress.proof,
        disproof_number: progress.disproof,
        table_used: progress.used,
        table_entries: progress.entries,
        seconds: begun.elapsed().as_secs_f64(),
        certificate: certificate.map(|(written, _)| written),
    })
}

/// Goes on from an earlier checkpoint, if there is one.
fn take_up(arguments: &Arguments, search: &mut Search, root: &Position) -> Result<(), Failure> {
    let Some(path) = arguments.checkpoint.as_ref().filter(|path| path.exists()) else {
        return Ok(());
    };
    let file = File::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    let mut input = BufReader::with_capacity(1 << 20, file);
    search
        .restore(root, &mut input)
        .map_err(|error| Failure::Usage(format!("checkpoint {}: {error}", path.display())))
}

/// Searches chunk by chunk, a checkpoint after each.
fn run(
    arguments: &Arguments,
    search: &mut Search,
    root: &Position,
    teller: &mut Teller,
) -> Result<Verdict, Failure> {
    let mut left = arguments.nodes;
    loop {
        let chunk = left.min(CHUNK);
        let verdict = search.solve(root, chunk, &mut |progress| teller.tell(progress, None));
        left -= chunk;
        if let Some(path) = &arguments.checkpoint {
            write_whole(path, |out| search.save(root, out).map(|_| ()))?;
        }
        if verdict != Verdict::Open || left == 0 {
            return Ok(verdict);
        }
    }
}

/// Writes a certificate, reads it again, checks it, and only then gives it its
/// name.
fn publish(path: &Path, certificate: &Certificate) -> Result<Written, Failure> {
    let temporary = temporary_name(path);
    write_whole(&temporary, |out| certificate.write(out).map(|_| ()))?;
    let checked = verify_proof::read(&temporary).and_then(|(read, seal)| {
        check::check(&read, &mut |_| ())
            .map_err(|error| Failure::Failed(format!("the certificate is wrong: {error}")))?;
        let bytes = fs::metadata(&temporary).map_or(0, |data| data.len());
        fs::rename(&temporary, path).map_err(|error| unwritable(path, &error))?;
        Ok(Written {
            file: path.to_owned(),
            steps: read.steps.len(),
            bytes,
            sha256: hex::encode(seal),
        })
    });
    if checked.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    checked
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot write {}: {error}", path.display()))
}

fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// A file that is there whole or not at all.
fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let temporary = temporary_name(path);
    let written = (|| {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&temporary)?);
        write(&mut out)?;
        out.into_inner().map_err(io::Error::from)?.sync_all()?;
        fs::rename(&temporary, path)
    })();
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        unwritable(path, &error)
    })
}

/// Says now and then how the search goes on.
struct Teller {
    quiet: bool,
    begun: Instant,
    last: Instant,
}

impl Teller {
    fn new(quiet: bool) -> Teller {
        Teller {
            quiet,
            begun: Instant::now(),
            last: Instant::now(),
        }
    }

    fn tell(&mut self, progress: &Progress, steps: Option<u64>) -> bool {
        if !self.quiet && self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            let strategy = steps.map_or(String::new(), |n| format!(", {n} steps written down"));
            say(&format!(
                "{} positions in {} s, proof number {}, disproof number {}, table {:.1} % full{strategy}",
                progress.nodes,
                self.begun.elapsed().as_secs(),
                progress.proof,
                progress.disproof,
                100.0 * progress.used as f64 / progress.entries as f64,
            ));
        }
        true
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
        Some(plies) => writeln!(out, "{question}: proved, within {plies} plies")?,
        None => writeln!(
            out,
            "{question}: unknown (proof number {}, disproof number {}{})",
            answer.proof_number,
            answer.disproof_number,
            if answer.exhausted {
                "; nothing is left to look at"
            } else {
                ""
            }
        )?,
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
