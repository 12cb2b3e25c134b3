//! `brandub hold`: looks for positions that the other side cannot leave.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use brandub::game::{Bitboard, Position, Rules, Side, Square};
use brandub::solver::hold::wall::{self, Approach, Held, Plan, Wall};
use brandub::solver::hold::{Fortress, Found, HoldError, Progress, Search};
use brandub::solver::{self, Verdict};
use serde::Serialize;

use super::asked::Asked;
use super::failure::{Failure, say};
use super::fortress_file::publish;
use super::free_memory::free_memory;
use super::proof_file::{as_text, expect_place};
use super::run::{stop_on_signal, use_threads};
use super::solve::bytes;

/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(10);
/// What a search for the way to a wall has at least, in bytes.
const SMALLEST_TABLE: u64 = 1 << 20;
/// Of what a wall leaves, one part in so many is for the certificate of a way to it.
const CERTIFICATE_SHARE: u64 = 4;

/// Look for a way never to lose, and write a certificate of it
///
/// Finds every position that can come up, takes away those that the other side
/// wins, then those that lead only there, and so on; if the position asked about is
/// left, the side can hold it for ever. `verify-proof` checks the certificate, a set
/// of positions that the other side cannot leave, by the rules alone.
///
/// With --keep, attackers are to hold behind a wall: all positions with so many of their
/// men on these squares are worked out, wherever the king and the soldiers stand, and
/// then the way there is searched for. Attackers who hold so hold; if they do not, they
/// may in another way, and the answer is `unknown`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub hold --rules branan --position /7/7/7/3K3/7/7/2t1t2/ --for defenders\n  \
    brandub hold --rules branan-step --position /1t3t1/t5t/3T3/2TK3/3T3/t5t/1t3t1/ --for attackers \\\n      \
    --keep 'a2 a6 b1 b7 f1 f7 g2 g6' --least 6 --proof wall-3.proof\n  \
    brandub verify-proof wall-3.proof")]
pub struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Who is to hold: attackers or defenders
    #[arg(long = "for", value_name = "SIDE")]
    holder: Side,
    /// Squares on which the attackers keep men
    #[arg(long, value_name = "SQUARES", value_parser = squares)]
    keep: Option<Squares>,
    /// So many men stay there; until then, others come there one by one [default: one on
    /// each]
    #[arg(long, value_name = "N", requires = "keep")]
    least: Option<u32>,
    /// Squares on which the others may be then [default: all]
    #[arg(long, value_name = "SQUARES", value_parser = squares, requires = "keep")]
    beside: Option<Squares>,
    /// Positions to search for a way to what is held
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20_000_000,
        requires = "keep"
    )]
    nodes: u64,
    /// Write all positions found that are held, not only those that one way of holding
    /// comes to; with --keep, the file answers for all with as many men, and as many of
    /// them kept
    #[arg(long)]
    all: bool,
    /// What the positions may take, such as 512MiB or 8GiB; with --keep, the search and
    /// the certificate have what the wall leaves
    #[arg(long, default_value = "1GiB", value_parser = bytes)]
    memory: u64,
    /// Threads to compute on [default: every core]; the answer is the same with any
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
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

/// Bytes below which nothing can be found.
const LEAST_MEMORY: u64 = 1 << 16;

#[derive(Clone, Copy)]
struct Squares(Bitboard);

fn squares(text: &str) -> Result<Squares, String> {
    let names = text.split([' ', ',']).filter(|name| !name.is_empty());
    let squares: Vec<Square> = names
        .map(|name| name.parse().map_err(|error| format!("{error}")))
        .collect::<Result<_, _>>()?;
    let twice = (1..squares.len()).find(|&place| squares[..place].contains(&squares[place]));
    match (twice, &squares[..]) {
        (_, []) => Err("expected squares such as \"a2 b1\"".to_owned()),
        (Some(place), _) => Err(format!("{} is there twice", squares[place])),
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
    #[serde(flatten)]
    looked: Looked,
    seconds: f64,
    /// Of those that the other side cannot leave.
    held: Option<usize>,
    certificate: Option<Written>,
}

/// The file of what is held.
#[derive(Serialize)]
struct Written {
    #[serde(serialize_with = "as_text")]
    file: PathBuf,
    bytes: u64,
    sha256: String,
}

/// What was looked at.
#[derive(Serialize)]
#[serde(untagged)]
enum Looked {
    /// Positions that come up.
    Found {
        /// All that may come up.
        exhausted: bool,
        positions: u64,
        moves: u64,
    },
    /// A wall and the way to it.
    Walled {
        /// All ways.
        exhausted: bool,
        /// Expanded by the search.
        nodes: u64,
        wall: Vec<Held>,
    },
}

/// Looks for what the arguments ask.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    if let Some(file) = &arguments.proof {
        expect_place("--proof", file)?;
    }
    if arguments.memory < LEAST_MEMORY {
        return Err(Failure::Usage(format!(
            "--memory: {} bytes are too few: expected {LEAST_MEMORY} at least",
            arguments.memory
        )));
    }
    free_memory("--memory", arguments.memory)?;
    let (rules, root) = arguments.asked.read()?;
    let stop = stop_on_signal("stopping; once more to stop at once")?;
    let go_on = || !stop.load(Ordering::Relaxed);
    let begun = Instant::now();
    let (fortress, looked) = match arguments.keep {
        None => all_that_comes_up(arguments, &rules, &root, &go_on)?,
        Some(keep) => behind_a_wall(arguments, keep, &rules, &root, &go_on)?,
    };
    let certificate = match (&fortress, &arguments.proof) {
        (Some(fortress), Some(path)) => {
            let written = publish(path, fortress)?;
            Some(Written {
                file: written.file,
                bytes: written.bytes,
                sha256: written.sha256,
            })
        }
        _ => None,
    };
    let answer = Answer {
        rules: rules.ruleset().label(),
        ruleset: rules.ruleset().id(),
        position: root.to_otn(),
        side: root.side,
        holder: arguments.holder,
        verdict: if fortress.is_some() {
            "held"
        } else {
            "unknown"
        },
        looked,
        seconds: begun.elapsed().as_secs_f64(),
        held: fortress.map(|fortress| fortress.positions.len()),
        certificate,
    };
    write_answer(&answer, arguments)
}

fn wrong(error: &HoldError) -> Failure {
    match error {
        HoldError::Memory { .. } | HoldError::Gathering { .. } => {
            Failure::Usage(format!("--memory: {error}"))
        }
        _ => Failure::Usage(error.to_string()),
    }
}

fn interrupted() -> Failure {
    Failure::Failed("interrupted".to_owned())
}

fn all_that_comes_up(
    arguments: &Arguments,
    rules: &Rules,
    root: &Position,
    go_on: &dyn Fn() -> bool,
) -> Result<(Option<Fortress>, Looked), Failure> {
    let mut search = Search::new(rules, root, arguments.holder, arguments.memory)
        .map_err(|error| wrong(&error))?;
    if arguments.all {
        search.want_all();
    }
    let mut teller = Teller::new(arguments.quiet);
    let found = search.run(&mut |progress| {
        teller.tell(|| {
            let Progress {
                positions,
                looked_at,
                moves,
            } = progress;
            let doing = match looked_at == positions {
                true => "what is lost is taken away".to_owned(),
                false => format!("{looked_at} of them looked at"),
            };
            format!("{positions} positions and {moves} moves, {doing}")
        });
        go_on()
    });
    let Progress {
        positions, moves, ..
    } = search.progress();
    let looked = Looked::Found {
        exhausted: found != Found::Full,
        positions,
        moves,
    };
    match found {
        Found::Held(fortress) => Ok((Some(fortress), looked)),
        Found::Left | Found::Full => Ok((None, looked)),
        Found::Stopped => Err(interrupted()),
    }
}

fn behind_a_wall(
    arguments: &Arguments,
    Squares(keep): Squares,
    rules: &Rules,
    root: &Position,
    go_on: &dyn Fn() -> bool,
) -> Result<(Option<Fortress>, Looked), Failure> {
    if arguments.holder == Side::Defenders {
        let problem = "--keep: walls are the attackers', expected --for attackers";
        return Err(Failure::Usage(problem.to_owned()));
    }
    let plan = Plan {
        keep,
        least: arguments.least.unwrap_or(keep.len()),
        beside: arguments.beside.map_or(Bitboard::FULL, |Squares(at)| at),
    };
    let mut wall = Wall::new(rules, plan, root, arguments.memory).map_err(|error| wrong(&error))?;
    let mut teller = Teller::new(arguments.quiet);
    let whole = wall.work_out(&mut |progress| {
        teller.tell(|| {
            let wall::Progress {
                soldiers,
                men,
                passes,
                taken,
            } = progress;
            format!(
                "{men} men against {soldiers} soldiers, pass {passes}: {taken} positions taken away"
            )
        });
        go_on()
    });
    if !whole {
        return Err(interrupted());
    }
    let left = arguments.memory.saturating_sub(wall.memory());
    // What is held already needs no search.
    let table = match wall.holds(root) {
        Some(true) => 0,
        _ => left - left / CERTIFICATE_SHARE,
    };
    let table = table.max(SMALLEST_TABLE);
    let mut approach =
        Approach::new(&wall, table).map_err(|error| Failure::Usage(error.to_string()))?;
    let verdict = approach.look(root, arguments.nodes, &mut |progress| {
        teller.tell(|| {
            let solver::Progress {
                nodes,
                proof,
                disproof,
                ..
            } = progress;
            format!("{nodes} positions expanded on the way, proof number {proof}, disproof number {disproof}")
        });
        go_on()
    });
    let looked = Looked::Walled {
        exhausted: verdict != Verdict::Open,
        nodes: approach.nodes(),
        wall: wall.held(),
    };
    if !go_on() {
        return Err(interrupted());
    }
    let Verdict::Proved { .. } = verdict else {
        return Ok((None, looked));
    };
    let room = left.saturating_sub(table);
    let fortress = approach.fortress(
        root,
        arguments.all,
        arguments.nodes,
        room,
        &mut |gathered| {
            teller.tell(|| {
                let wall::Gathered {
                    positions,
                    looked_at,
                } = gathered;
                format!("{positions} positions gathered, {looked_at} of them looked at")
            });
            go_on()
        },
    );
    match fortress.map_err(|error| wrong(&error))? {
        None if !go_on() => Err(interrupted()),
        None => Err(Failure::Failed(format!(
            "a way was found, but not again after {} positions: expected a larger --memory or --nodes",
            arguments.nodes
        ))),
        fortress => Ok((fortress, looked)),
    }
}

/// Tells how far it has come, now and then.
struct Teller {
    quiet: bool,
    begun: Instant,
    last: Instant,
}

impl Teller {
    fn new(quiet: bool) -> Teller {
        let now = Instant::now();
        Teller {
            quiet,
            begun: now,
            last: now,
        }
    }

    fn tell(&mut self, what: impl FnOnce() -> String) {
        if !self.quiet && self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            say(&format!(
                "{} ({} s)",
                what(),
                self.begun.elapsed().as_secs()
            ));
        }
    }
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
        seconds,
        ..
    } = answer;
    let other = holder.other();
    let shown = match (answer.held, &answer.looked) {
        (Some(held), _) => format!("proved, by {held} positions"),
        (
            None,
            Looked::Found {
                exhausted: true, ..
            },
        ) => format!(
            "unknown, but with all moves looked at {other} are the ones to win (`brandub solve --for {other}`)"
        ),
        (None, Looked::Found { .. }) => {
            format!("unknown, the memory of {} bytes is full", arguments.memory)
        }
        (None, Looked::Walled { wall, .. }) if wall.iter().all(|held| held.held == 0) => {
            "unknown, this wall holds nothing".to_owned()
        }
        (
            None,
            Looked::Walled {
                exhausted: true, ..
            },
        ) => "unknown, but not by a way to this wall".to_owned(),
        (None, Looked::Walled { .. }) => "unknown, no way to this wall was found".to_owned(),
    };
    writeln!(
        out,
        "{holder} hold under {rules} from {position}, {side} to move: {shown}"
    )?;
    match &answer.looked {
        Looked::Found {
            positions, moves, ..
        } => writeln!(
            out,
            "{positions} positions and {moves} moves found in {seconds:.1} s"
        )?,
        Looked::Walled { nodes, wall, .. } => {
            write_wall(&mut out, wall)?;
            writeln!(
                out,
                "{nodes} positions expanded on the way, {seconds:.1} s in all"
            )?;
        }
    }
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

/// What is held behind the wall with all men.
fn write_wall(out: &mut impl Write, wall: &[Held]) -> io::Result<()> {
    let most = wall.iter().map(|held| held.men).max().unwrap_or(0);
    writeln!(
        out,
        "{most} men behind the wall, defenders to move:\n{:>8}  {:>4}  {:>13}  {:>13}  {:>6}",
        "soldiers", "kept", "positions", "held", "%"
    )?;
    for held in wall.iter().filter(|held| held.men == most) {
        let Held {
            soldiers,
            kept,
            positions,
            held,
            ..
        } = held;
        let share = *held as f64 * 100.0 / *positions as f64;
        writeln!(
            out,
            "{soldiers:>8}  {kept:>4}  {positions:>13}  {held:>13}  {share:>6.2}"
        )?;
    }
    Ok(())
}
