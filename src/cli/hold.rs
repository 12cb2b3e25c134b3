//! `brandub hold`: looks for positions that the other side cannot leave.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use brandub::game::{Bitboard, Side, Square};
use brandub::solver::hold::{Found, Progress, Search};
use serde::Serialize;

use super::asked::Asked;
use super::failure::{Failure, say};
use super::fortress_file::publish;
use super::free_memory::free_memory;
use super::output_file::writable;
use super::proof_file::Written;
use super::run::stop_on_signal;
use super::solve::bytes;

/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(10);

/// Look for a way never to lose, and write a certificate of it
///
/// Finds every position that can come up, takes away those that the other side
/// wins, then those that lead only there, and so on; if the position asked about is
/// left, the side can hold it for ever. `verify-proof` checks the certificate, a set
/// of positions that the other side cannot leave, by the rules alone. With --keep
/// there are fewer positions, and a side that holds so holds; one that does not may
/// hold in another way, and the answer is `unknown`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub hold --rules branan --position /1t3t1/t5t/7/3K3/7/t5t/1t3t1/ --for attackers --proof wall.proof\n  \
    brandub hold --rules branan-step --position /1t3t1/t5t/3T3/3K3/3T3/t5t/1t3t1/ --for attackers \\\n      \
    --keep 'a2 a6 b1 b7 f1 f7 g2 g6' --least 7 --proof wall-2.proof\n  \
    brandub verify-proof wall-2.proof")]
pub struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Who is to hold: attackers or defenders
    #[arg(long = "for", value_name = "SIDE")]
    holder: Side,
    /// Squares on which he keeps soldiers: of his moves, only those are looked at after
    /// which at least --least stand there, or one more than before
    #[arg(long, value_name = "SQUARES", value_parser = squares)]
    keep: Option<Squares>,
    /// Soldiers on those squares [default: one on each]
    #[arg(long, value_name = "N", requires = "keep")]
    least: Option<u32>,
    /// Write all positions found that he holds, not only those that one way of holding comes to
    #[arg(long)]
    all: bool,
    /// What the positions may take, such as 512MiB or 8GiB
    #[arg(long, default_value = "1GiB", value_parser = bytes)]
    memory: u64,
    /// Where to write the certificate
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy)]
struct Squares(Bitboard);

fn squares(text: &str) -> Result<Squares, String> {
    let names = text.split([' ', ',']).filter(|name| !name.is_empty());
    let squares: Vec<Square> = names
        .map(|name| name.parse().map_err(|error| format!("{error}")))
        .collect::<Result<_, _>>()?;
    match squares[..] {
        [] => Err("expected squares such as \"a2 b1\"".to_owned()),
        _ => Ok(Squares(squares.into_iter().collect())),
    }
}

/// The answer, as it is printed and written in JSON.
#[derive(Serialize)]
struct Answer {
    rules: String,
    ruleset: String,
    position: String,
    side: Side,
    holder: Side,
    verdict: &'static str,
    /// Everything that may come up was looked at.
    exhausted: bool,
    positions: u64,
    moves: u64,
    seconds: f64,
    /// Of those that the other side cannot leave.
    held: Option<usize>,
    certificate: Option<Written>,
}

/// Looks for what the arguments ask.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(file) = &arguments.proof {
        writable("--proof", file)?;
    }
    free_memory(arguments.memory)?;
    let (rules, root) = arguments.asked.read()?;
    let holder = arguments.holder;
    let mut search = Search::new(&rules, &root, holder, arguments.memory)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(Squares(squares)) = arguments.keep {
        let least = arguments.least.unwrap_or(squares.len());
        if least > squares.len() {
            return Err(Failure::Usage(format!(
                "--least {least}: expected at most {}, as many as --keep names",
                squares.len()
            )));
        }
        search.keep(squares, least);
    }
    if arguments.all {
        search.want_all();
    }
    let stop = stop_on_signal("stopping; once more to stop at once")?;
    let (begun, mut last) = (Instant::now(), Instant::now());
    let found = search.run(&mut |progress| {
        if !arguments.quiet && last.elapsed() >= INTERVAL {
            last = Instant::now();
            tell(progress, begun);
        }
        !stop.load(std::sync::atomic::Ordering::Relaxed)
    });
    let (held, certificate) = match (&found, &arguments.proof) {
        (Found::Held(fortress), Some(path)) => {
            let written = publish(path, fortress)?;
            (Some(fortress.positions.len()), Some(written))
        }
        (Found::Held(fortress), None) => (Some(fortress.positions.len()), None),
        (Found::Stopped, _) => return Err(Failure::Failed("interrupted".to_owned())),
        (Found::Left | Found::Full, _) => (None, None),
    };
    let progress = search.progress();
    let answer = Answer {
        rules: rules.ruleset().label(),
        ruleset: rules.ruleset().id(),
        position: root.to_otn(),
        side: root.side,
        holder,
        verdict: if held.is_some() { "held" } else { "unknown" },
        exhausted: found != Found::Full,
        positions: progress.positions,
        moves: progress.moves,
        seconds: begun.elapsed().as_secs_f64(),
        held,
        certificate,
    };
    write_answer(&answer, arguments)
}

fn tell(progress: &Progress, begun: Instant) {
    let Progress {
        positions,
        looked_at,
        moves,
    } = progress;
    let seconds = begun.elapsed().as_secs();
    let doing = if looked_at == positions {
        "what is lost is taken away".to_owned()
    } else {
        format!("{looked_at} of them looked at")
    };
    say(&format!(
        "{positions} positions and {moves} moves in {seconds} s, {doing}"
    ));
}

fn write_answer(answer: &Answer, arguments: &Arguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, answer).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    let Answer {
        rules,
        position,
        side,
        holder,
        positions,
        moves,
        seconds,
        ..
    } = answer;
    let question = format!("{holder} hold under {rules} from {position}, {side} to move");
    match answer.held {
        Some(held) => writeln!(out, "{question}: proved, by {held} positions")?,
        None if answer.exhausted && arguments.keep.is_some() => {
            writeln!(out, "{question}: unknown, but not with the moves allowed")?;
        }
        None if answer.exhausted => {
            let other = holder.other();
            writeln!(
                out,
                "{question}: unknown, but with all moves looked at {other} are the ones to win (`brandub solve --for {other}`)"
            )?;
        }
        None => writeln!(
            out,
            "{question}: unknown, the memory of {} bytes is full",
            arguments.memory
        )?,
    }
    writeln!(
        out,
        "{positions} positions and {moves} moves found in {seconds:.1} s"
    )?;
    if let Some(Written {
        file,
        bytes,
        sha256,
        ..
    }) = &answer.certificate
    {
        let file = file.display();
        writeln!(out, "{file}: {bytes} bytes, SHA-256 {sha256}, checked")?;
    }
    Ok(())
}
