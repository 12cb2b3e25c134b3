/*!
The command line: arguments, progress, one file per command. The only place
that prints, reads the clock or exits.

Results go to standard output, progress and messages to standard error. Exit
status: 0 done, 1 something failed or did not verify, 2 wrong usage or input, 130 ended by an
interrupt at once.
*/

mod agreement;
mod asked;
mod bench;
mod by_proof;
mod check;
mod clock;
mod counter;
mod endgames;
mod engine;
mod failure;
mod fortress_file;
mod free_memory;
mod hold;
mod input_file;
mod judge;
mod merge;
mod output_file;
mod perft;
mod plan;
mod play;
mod progress;
mod proof_file;
mod rate;
mod rating_tables;
mod records;
mod replay;
mod report;
mod report_tables;
mod rules;
mod ruleset_argument;
mod run;
mod selfcheck;
mod shorten_proof;
mod solve;
mod streams;
mod study_table;
mod table;
mod tables;
mod tune;
mod tune_estimates;
mod verify;
mod verify_proof;

use std::error::Error;
use std::io::{self, Write};
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::Failure;

/// What tells two programs apart whose games might differ.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BRANDUB_COMMIT"), ")");

#[derive(Parser)]
#[command(
    name = "brandub",
    version = VERSION,
    about = "Measures how fair Brandub is under each reconstruction of its lost rules",
    after_help = "Examples:\n  \
        brandub run                                  the small built-in experiment\n  \
        brandub run experiments/presets.toml         every named ruleset\n  \
        brandub plan experiments/presets.toml        how long that takes, in how many shards\n  \
        brandub rate experiments/ladder.toml         how strong each agent is\n  \
        brandub report results/presets               what the games say, with intervals\n  \
        brandub rules diff wtf irish-1               what two rulesets disagree on\n  \
        brandub replay results/default --cell ID --game 7"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Plan(plan::Arguments),
    Rate(rate::Arguments),
    Report(report::Arguments),
    Judge(judge::Arguments),
    Tune(tune::Arguments),
    Merge(merge::Arguments),
    Verify(verify::Arguments),
    Replay(replay::Arguments),
    Rules(rules::Arguments),
    Perft(perft::Arguments),
    Check(check::Arguments),
    Agreement(agreement::Arguments),
    Play(play::Arguments),
    Solve(Box<solve::Arguments>),
    Hold(hold::Arguments),
    VerifyProof(verify_proof::Arguments),
    ShortenProof(shorten_proof::Arguments),
    Engine(engine::Arguments),
    Tables(tables::Arguments),
    Bench(bench::Arguments),
    Selfcheck(selfcheck::Arguments),
}

/// What was expected where no number could be read.
fn number_tip(error: &clap::Error) -> &'static str {
    let source = error.source();
    let kind = source.and_then(|source| source.downcast_ref::<ParseIntError>());
    match kind {
        Some(kind) => whole_number(kind),
        None => "expected a whole number, 0 or more",
    }
}

/// What is expected in the place of what is no whole number.
fn whole_number(error: &ParseIntError) -> &'static str {
    match error.kind() {
        IntErrorKind::Zero => "expected a whole number, 1 or more",
        IntErrorKind::PosOverflow => "expected a smaller whole number",
        _ => "expected a whole number, 0 or more",
    }
}

/// Reads the arguments; where they are wrong, that is said and ends the program.
fn arguments() -> Arguments {
    let mut command = with_negatives(Arguments::command());
    let read = command.try_get_matches_from_mut(std::env::args_os());
    let read = read.and_then(|matches| Arguments::from_arg_matches(&matches));
    read.unwrap_or_else(|mut error| {
        let number = |source: &(dyn Error + 'static)| source.is::<ParseIntError>();
        if error.kind() == ErrorKind::ValueValidation && error.source().is_some_and(number) {
            let tip = number_tip(&error).to_owned().into();
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        }
        std::process::exit(said(&error))
    })
}

/// Prints what the reader of arguments says, be it help, and gives the exit
/// status.
fn said(error: &clap::Error) -> i32 {
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed.map_err(Failure::from) {
        Ok(()) => error.exit_code(),
        Err(Failure::ClosedPipe) => 0,
        Err(failure) => {
            failure.report();
            1
        }
    }
}

/// A number below 0 is taken for an option's value, which says what it expects.
fn with_negatives(command: clap::Command) -> clap::Command {
    command
        .allow_negative_numbers(true)
        .mut_subcommands(with_negatives)
}

/// Keeps ignoring what the caller had the program ignore: who starts it by `nohup` means it
/// to go on when the terminal is closed, and whatever watches for interrupts later would
/// take that for one. (Blocked, as the system has no safe way to leave it ignored.)
#[cfg(target_os = "linux")]
fn go_on_without_terminal() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if ignored.unwrap_or_default() >> (Signal::SIGHUP as u32 - 1) & 1 == 1 {
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
}

#[cfg(not(target_os = "linux"))]
fn go_on_without_terminal() {}

/// Has a file that would be larger than the system lets files be refused as other
/// writes are, where its signal would end the program in the middle of it.
#[cfg(unix)]
fn refuse_large_files() {
    use nix::sys::signal::{SigSet, Signal};
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

#[cfg(not(unix))]
fn refuse_large_files() {}

/// Reads the arguments and does what they say.
pub fn main() -> ExitCode {
    // Before there are threads, which do as this one does.
    refuse_large_files();
    go_on_without_terminal();
    let done = match arguments().command {
        Command::Run(arguments) => run::execute(&arguments),
        Command::Plan(arguments) => plan::execute(&arguments),
        Command::Rate(arguments) => rate::execute(&arguments),
        Command::Report(arguments) => report::execute(&arguments),
        Command::Judge(arguments) => judge::execute(&arguments),
        Command::Tune(arguments) => tune::execute(&arguments),
        Command::Merge(arguments) => merge::execute(&arguments),
        Command::Verify(arguments) => verify::execute(&arguments),
        Command::Replay(arguments) => replay::execute(&arguments),
        Command::Rules(arguments) => rules::execute(&arguments),
        Command::Perft(arguments) => perft::execute(&arguments),
        Command::Check(arguments) => check::execute(&arguments),
        Command::Agreement(arguments) => agreement::execute(&arguments),
        Command::Play(arguments) => play::execute(&arguments),
        Command::Solve(arguments) => solve::execute(&arguments),
        Command::Hold(arguments) => hold::execute(&arguments),
        Command::VerifyProof(arguments) => verify_proof::execute(&arguments),
        Command::ShortenProof(arguments) => shorten_proof::execute(&arguments),
        Command::Engine(arguments) => engine::execute(&arguments),
        Command::Tables(arguments) => tables::execute(&arguments),
        Command::Bench(arguments) => bench::execute(&arguments),
        Command::Selfcheck(arguments) => selfcheck::execute(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
