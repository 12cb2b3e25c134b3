//! `brandub check`: plays recorded games by the rules and says where the
//! record is wrong.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;

use brandub::game::{Bitboard, Game, Move, Outcome};
use serde::Serialize;

use super::failure::{Failure, after_printing};
use super::records::{LastRules, Lines, Recorded};

/// Check recorded games against the rules
///
/// Reads JSON lines such as {"rules": "wtf", "moves": ["d2-e2", …],
/// "captures": [[], …], "result": …, "reason": …} and writes one JSON object
/// for each. Exit status 1 if any line is illegal or disagrees.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub check games.jsonl\n  \
    brandub replay results/default --cell 3f09a1c2b7de --game 7 --json | brandub check -\n\n\
    Keys: rules (a preset's name, a table of axes with `base` if wanted, or axes as\n\
    key=value), moves;\n\
    optional: position and side to start from, captures for every move, result, reason,\n\
    winner, which is compared where the board decided the game.\n\
    A captured king may stand among the captures or not.")]
pub struct Arguments {
    /// File of JSON lines; - for standard input
    file: PathBuf,
}

/// What the rules say of it.
#[derive(Default, Serialize)]
struct Checked {
    line: u64,
    legal: bool,
    plies: usize,
    captures: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
    /// The first ply that is illegal or disagrees, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Checks the file named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let mut input = Lines::open(&arguments.file)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut rules = LastRules::default();
    let (mut games, mut bad) = (0_u64, 0_u64);
    let mut printed = Ok(());
    let ended = loop {
        let checked = match input.next() {
            Ok(Some(bytes)) => line(&mut rules, bytes),
            // Whoever should have written them may have failed.
            Ok(None) if games == 0 => {
                break Err(Failure::Usage(format!(
                    "{}: expected a game a line, found none",
                    arguments.file.display()
                )));
            }
            Ok(None) => break Ok(()),
            Err(failure) => break Err(failure),
        };
        let checked = Checked {
            line: input.number,
            ..checked
        };
        games += 1;
        bad += u64::from(!checked.legal || checked.agrees == Some(false));
        // Where nobody reads any more, what is wrong further on still counts.
        if printed.is_ok() {
            printed = print(&mut out, &checked);
            let closed = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
            if printed.as_ref().is_err_and(|error| !closed(error)) {
                break Ok(());
            }
        }
    };
    let printed = printed.and_then(|()| out.flush());
    let verdict = ended.and(match bad {
        0 => Ok(()),
        bad => Err(Failure::Failed(format!(
            "{bad} of {} lines are illegal or disagree",
            input.number
        ))),
    });
    after_printing(printed, verdict)
}

fn print(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    serde_json::to_writer(&mut *out, checked)?;
    out.write_all(b"\n")
}

/// Checks one line; leaves its number to the caller.
fn line(rules: &mut LastRules, bytes: &[u8]) -> Checked {
    let checked = Recorded::read(bytes).and_then(|recorded| {
        let rules = rules.of(&recorded)?;
        Ok(replay(&recorded, recorded.start(rules)?))
    });
    checked.unwrap_or_else(|error| Checked {
        error: Some(error),
        ..Checked::default()
    })
}

fn replay(recorded: &Recorded, mut game: Game<'_>) -> Checked {
    let mut checked = Checked {
        legal: true,
        ..Checked::default()
    };
    let mut kings = Vec::new();
    for (index, text) in recorded.moves.iter().enumerate() {
        let king = game.position().king;
        let played = text
            .parse::<Move>()
            .map_err(|error| error.to_string())
            .and_then(|ply| game.play(ply).map_err(|error| error.to_string()));
        match played {
            Ok(captured) => {
                checked.captures.push(names(captured));
                kings.push(king & captured);
            }
            Err(error) => {
                checked.legal = false;
                checked.ply = Some(index + 1);
                checked.error = Some(error);
                break;
            }
        }
    }
    checked.plies = checked.captures.len();
    if !checked.legal {
        return checked;
    }
    checked.result = Some(game.outcome().map_or("ongoing", Outcome::result));
    checked.reason = Some(
        game.outcome()
            .map_or("ongoing", |outcome| outcome.reason.name()),
    );
    let others = recorded
        .winner()
        .err()
        .or_else(|| recorded.other_winner(&game))
        .or_else(|| recorded.surplus_opening());
    let others = others.map(|error| (None, error));
    if let Some((ply, error)) = disagreement(recorded, &checked, &kings).or(others) {
        checked.agrees = Some(false);
        checked.ply = ply;
        checked.error = Some(error);
    } else if recorded.captures.is_some()
        || recorded.result.is_some()
        || recorded.reason.is_some()
        || recorded.winner.is_some() && game.outcome().is_some()
    {
        checked.agrees = Some(true);
    }
    checked
}

fn names(squares: Bitboard) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

/// The first thing in which the record is not what the rules say.
fn disagreement(
    recorded: &Recorded,
    checked: &Checked,
    kings: &[Bitboard],
) -> Option<(Option<usize>, String)> {
    if let Some(captures) = &recorded.captures {
        for (index, (found, king)) in checked.captures.iter().zip(kings).enumerate() {
            let mut given = captures.get(index).cloned().unwrap_or_default();
            given.sort();
            let mut with_king = found.clone();
            with_king.sort();
            let king = names(*king);
            let without: Vec<&String> = with_king
                .iter()
                .filter(|name| !king.contains(name))
                .collect();
            if given != with_king && given.iter().collect::<Vec<_>>() != without {
                return Some((
                    Some(index + 1),
                    format!(
                        "{}: the record has captures [{}], the rules [{}]",
                        recorded.moves[index],
                        given.join(" "),
                        found.join(" ")
                    ),
                ));
            }
        }
        if captures.len() != checked.captures.len() {
            return Some((
                None,
                format!(
                    "the record has captures for {} of its {} moves",
                    captures.len(),
                    checked.captures.len()
                ),
            ));
        }
    }
    for (key, given, found) in [
        ("result", &recorded.result, checked.result),
        ("reason", &recorded.reason, checked.reason),
    ] {
        if let (Some(given), Some(found)) = (given, found)
            && given != found
        {
            return Some((
                None,
                format!("{key}: the record says {given}, the rules {found}"),
            ));
        }
    }
    None
}
