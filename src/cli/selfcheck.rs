//! `brandub selfcheck`: does this machine play what others play?

use std::io::{self, Write};
use std::path::PathBuf;

use brandub::experiment::{CheckedCell, Extent, Program, selfcheck, selfcheck_hashes, write_whole};

use super::failure::{Failure, after_printing, say};
use super::input_file;
use super::output_file::replaceable;
use super::run::use_threads;

/// Play fixed games and compare them with those of other machines
///
/// Every kind of agent plays under three rulesets, random games in every kind
/// of word that the processor offers; the hashes of the games' rows are part of
/// the program. About a minute of one core. Shards make a short check of the
/// same games before their own. Exit status 1 if a game is another.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub selfcheck\n  \
    brandub selfcheck --quick --json\n  \
    brandub selfcheck --write src/experiment/selfcheck/hashes.toml    after games were changed on purpose")]
pub struct Arguments {
    /// Only the games that a shard's check has, a second's worth
    #[arg(long)]
    quick: bool,
    /// Compare with the hashes in this file instead of the program's
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Compare nothing; write the hashes of this machine's games
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "against", "json"])]
    write: Option<PathBuf>,
    /// One JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// Threads to play on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

/// Plays the games and says which are others.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    if let Some(path) = &arguments.write {
        replaceable("--write", path, &[b"# Made by `brandub selfcheck --write`"])?;
        return Ok(write_whole(path, selfcheck_hashes().as_bytes())?);
    }
    let text = arguments
        .against
        .as_deref()
        .map(input_file::text)
        .transpose()?;
    let extent = if arguments.quick {
        Extent::Quick
    } else {
        Extent::Full
    };
    let seen = |cell: &CheckedCell| {
        if !arguments.json {
            say(&line(cell));
        }
    };
    let cells = selfcheck(extent, text.as_deref(), &seen).map_err(|problem| {
        let place = arguments.against.as_ref();
        let place = place.map_or("the program".to_owned(), |path| path.display().to_string());
        Failure::Usage(format!("{place} {problem}"))
    })?;
    let failed = cells.iter().filter(|cell| !cell.agrees()).count();
    let verdict = match failed {
        0 => Ok(()),
        _ => Err(Failure::Failed(
            "this machine does not play the games that others play: no shard should be played here"
                .to_owned(),
        )),
    };
    after_printing(print(&cells, failed, arguments.json), verdict)
}

fn print(cells: &[CheckedCell], failed: usize, json: bool) -> io::Result<()> {
    let games: u64 = cells.iter().map(|cell| cell.games).sum();
    let mut out = io::stdout().lock();
    if json {
        let cells = cells.iter().map(|cell| {
            serde_json::json!({
                "name": cell.name,
                "games": cell.games,
                "expected": cell.expected,
                "found": cell.found,
                "agrees": cell.agrees(),
            })
        });
        let report = serde_json::json!({
            "program": Program::current(),
            "passed": failed == 0,
            "cells": cells.collect::<Vec<_>>(),
        });
        writeln!(out, "{report}")
    } else {
        writeln!(
            out,
            "{games} games of {} cells: {}",
            cells.len(),
            match failed {
                0 => "all as committed".to_owned(),
                some => format!("{some} cells are not as committed"),
            }
        )
    }
}

fn line(cell: &CheckedCell) -> String {
    let CheckedCell {
        name,
        games,
        expected,
        found,
    } = cell;
    if cell.agrees() {
        format!("same   {name}, {games} games")
    } else {
        format!("OTHER  {name}, {games} games: {found} instead of {expected}")
    }
}
