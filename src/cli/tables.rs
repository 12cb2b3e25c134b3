//! `brandub tables`: builds, asks and checks endgame tables.

mod builds;
mod checked;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use brandub::experiment::Program;
use brandub::game::{Move, Position, Rules, Ruleset, Side};
use brandub::solver::tables::{
    Error, Event, Layer, MOST_SOLDIERS, Means, Plan, Tables, Value, build_tables, draws_hold, mebi,
    open_tables, table_label, table_rules, verify_tables,
};
use serde_json::json;

use super::clock::processor_time;
use super::failure::{Failure, say, warn_unlocked};
use super::free_memory::free_memory;
use super::ruleset_argument::ruleset;
use super::run::on_signal;
use builds::{Built, record};
use checked::Told;

/// Exact values of positions with few soldiers
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub tables build --rules disputed --defenders 1 --attackers 5 --out tables\n  \
    brandub tables probe --dir tables --rules disputed --position /7/7/2t4/4K2/7/5t1/3T3/ --side attackers\n  \
    brandub tables verify tables --sample 100000 --csv > endgame.csv")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Build(Build),
    Probe(Probe),
    Verify(Verify),
}

/// Compute all tables up to so many soldiers on each side
///
/// What is there already is kept: run it again after an interruption.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    brandub tables build --rules disputed --defenders 1 --attackers 5 --out tables")]
struct Build {
    /// A preset's name, a file, an inline TOML table, or axes as key=value
    #[arg(long, default_value = "disputed")]
    rules: String,
    /// Most defenders beside the king
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(..=i64::from(MOST_SOLDIERS)))]
    defenders: u8,
    /// Most attackers
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(..=i64::from(MOST_SOLDIERS)))]
    attackers: u8,
    /// Folder of tables; each ruleset has its own in it
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    /// Threads; they change no byte [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Memory that it may take, such as 4GiB or 800MiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = bytes)]
    memory: u64,
}

/// The value of a position, and every move with its own
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    brandub tables probe --dir tables --rules disputed --position /7/7/2t4/4K2/7/5t1/3T3/ --side attackers")]
struct Probe {
    /// Folder of tables
    #[arg(long, value_name = "DIR", default_value = "tables")]
    dir: PathBuf,
    /// A preset's name, a file, an inline TOML table, or axes as key=value
    #[arg(long, default_value = "disputed")]
    rules: String,
    /// `OpenTafl` position string
    #[arg(long, value_name = "OTN")]
    position: String,
    /// Who moves
    #[arg(long)]
    side: Side,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

/// Check every byte, and values against what their moves say
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    brandub tables verify tables --sample 100000 --csv > endgame.csv")]
struct Verify {
    /// Folder of tables
    dir: PathBuf,
    /// Values of each layer to compare with their moves; smaller layers whole
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
    /// Which ones
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A row a layer as CSV, with shares, sizes, checksums and build times
    #[arg(long)]
    csv: bool,
}

/// Reads `4GiB`, `800MiB`, `64KiB` or a plain number of bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("", 0)];
    units
        .iter()
        .find_map(|&(unit, bits)| {
            let number: u64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            number.checked_mul(1 << bits)
        })
        .ok_or_else(|| "expected a size such as 4GiB, 800MiB or 64KiB".to_owned())
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Io { .. }
            | Error::TooLong { .. }
            | Error::Locked { .. }
            | Error::Threads { .. } => Failure::Failed(error.to_string()),
            _ => Failure::Usage(error.to_string()),
        }
    }
}

/// Does what the arguments say.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Build(arguments) => build(arguments),
        Command::Probe(arguments) => probe(arguments),
        Command::Verify(arguments) => verify(arguments),
    }
}

fn build(arguments: &Build) -> Result<(), Failure> {
    let ruleset = ruleset(&arguments.rules)?;
    let most = Layer {
        defenders: arguments.defenders,
        attackers: arguments.attackers,
    };
    let plan = Plan::new(&Rules::new(ruleset), most)?;
    let threads = arguments.threads.map_or_else(
        || thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    let means = Means {
        threads,
        memory: arguments.memory,
    };
    let entries: u64 = plan.layers.iter().map(|planned| planned.entries).sum();
    let disk: u64 = plan.layers.iter().map(|planned| planned.disk).sum();
    let peak = plan.peak(threads);
    let memory = peak.map_or(0, |peak| peak.memory(threads));
    say(&format!(
        "{}: {} layers, {entries} values; at most {} MiB of memory, {} MiB of disk (a tenth of that is usual)",
        table_label(&ruleset),
        plan.layers.len(),
        mebi(memory),
        mebi(disk),
    ));
    if memory <= arguments.memory {
        free_memory("the tables", memory)?;
    }
    let folder = arguments.out.join(table_rules(&ruleset).id());
    on_signal(1, || {
        say("error: interrupted: layers that are written stay; the same command goes on");
    })?;
    let mut begun = (Instant::now(), processor_time());
    let mut kept = Ok(());
    build_tables(
        &arguments.out,
        &ruleset,
        &plan,
        means,
        |event| match event {
            Event::Unlocked => warn_unlocked(),
            Event::Kept(planned) => say(&format!("{}  is there", planned.layer)),
            Event::Begun(_) => begun = (Instant::now(), processor_time()),
            Event::Written(planned, bytes) => {
                let seconds = begun.0.elapsed().as_secs_f64();
                let built = Built {
                    layer: planned.layer.to_string(),
                    threads,
                    seconds,
                    processor_seconds: processor_time()
                        .zip(begun.1)
                        .map(|(now, then)| now.saturating_sub(then).as_secs_f64()),
                    program: Program::current(),
                };
                if kept.is_ok() {
                    kept = record(&folder, &built);
                }
                say(&format!(
                    "{}  {} values, {} KiB, {seconds:.1} s",
                    planned.layer,
                    planned.entries,
                    bytes.div_ceil(1024),
                ));
            }
        },
    )?;
    kept.map_err(|error| {
        Failure::Failed(format!(
            "the tables are whole, but the times of their building could not be kept in {}: {error}",
            folder.display()
        ))
    })
}

fn probe(arguments: &Probe) -> Result<(), Failure> {
    let ruleset = ruleset(&arguments.rules)?;
    let position = Position::from_otn(&arguments.position, arguments.side)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let rules = Rules::new(ruleset);
    rules
        .admit(&position)
        .map_err(|problem| Failure::Usage(format!("position {}: {problem}", position.to_otn())))?;
    let tables = open_tables(&arguments.dir, &ruleset)?;
    let Some((value, moves)) = tables.moves(&position) else {
        return Err(Failure::Usage(unknown(
            arguments, &ruleset, &tables, &position,
        )));
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        let moves: Vec<_> = moves
            .iter()
            .map(|&(ply, value)| of_move(ply, value))
            .collect();
        let mut line = of_value(value);
        line["position"] = json!(position.to_otn());
        line["side"] = json!(position.side.name());
        line["draws_hold"] = json!(draws_hold(&ruleset));
        line["moves"] = json!(moves);
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(out, "{position}\n")?;
    writeln!(out, "{} to move: {}", position.side, words(value))?;
    if value == Value::Draw && !draws_hold(&ruleset) {
        writeln!(
            out,
            "(nobody forces a win before a position repeats, which is no draw under these rules)"
        )?;
    }
    for (ply, value) in moves {
        writeln!(out, "{ply}  {}", words(value))?;
    }
    Ok(())
}

/// Why tables do not know all moves of a position.
fn unknown(arguments: &Probe, ruleset: &Ruleset, tables: &Tables, position: &Position) -> String {
    let layer = Layer::of(position);
    match tables.missing(position) {
        Some(missing) if missing != layer => {
            let path = arguments.dir.join(table_rules(ruleset).id());
            let gap = Error::Gap {
                path,
                layer,
                missing,
            };
            gap.to_string()
        }
        _ => {
            let layers: Vec<String> = tables.layers().map(|layer| layer.to_string()).collect();
            format!(
                "the position is of layer {layer}, and the folder has {}",
                layers.join(", ")
            )
        }
    }
}

fn words(value: Value) -> String {
    match value.plies() {
        None => value.name().to_owned(),
        Some(0) => format!("{}, the game is over", value.name()),
        Some(1) => format!("{} in 1 ply", value.name()),
        Some(plies) => format!("{} in {plies} plies", value.name()),
    }
}

fn of_value(value: Value) -> serde_json::Value {
    json!({"value": value.name(), "plies": value.plies()})
}

fn of_move(ply: Move, value: Value) -> serde_json::Value {
    let mut line = of_value(value);
    line["move"] = json!(ply.to_string());
    line
}

fn verify(arguments: &Verify) -> Result<(), Failure> {
    fs::read_dir(&arguments.dir).map_err(|error| Failure::unreadable(&arguments.dir, &error))?;
    let out = io::stdout().lock();
    let mut told = match arguments.csv {
        true => Told::csv(out)?,
        false => Told::lines(out),
    };
    let mut written = Ok(());
    verify_tables(
        &arguments.dir,
        arguments.sample,
        arguments.seed,
        |checked| {
            if written.is_ok() {
                written = told.layer(&checked);
            }
        },
    )
    .map_err(|error| match error {
        // Whether files are what they are to be is what is asked: no wrong input.
        Error::Damaged { .. } | Error::Gap { .. } | Error::OtherRules { .. } => {
            Failure::Failed(error.to_string())
        }
        _ => Failure::from(error),
    })?;
    written?;
    told.finish()?;
    Ok(())
}
