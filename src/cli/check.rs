//! `brandub check`: plays recorded games by the rules and says where the
//! record is wrong.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use brandub::game::{Bitboard, Game, Move, Outcome, Position, Rules, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure::Failure;
use super::ruleset_argument::ruleset_of_json;

/// A longer line is no record of a game.
const MAX_LINE: u64 = 16 << 20;

/// Check recorded games against the rules
///
/// Reads JSON lines such as {"rules": "wtf", "moves": ["d2-e2", …],
/// "captures": [[], …], "result": …, "reason": …} and writes one JSON object
/// for each. Exit status 1 if any line is illegal or disagrees.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub check games.jsonl\n  \
    brandub replay results/default --cell 3f09a1c2b7de --game 7 --json | brandub check -\n\n\
    Keys: rules (a preset's name or a table of axes with `base` if wanted), moves;\n\
    optional: position and side to start from, captures for every move, result, reason.\n\
    A captured king may stand among the captures or not.")]
pub struct Arguments {
    /// File of JSON lines; - for standard input
    file: PathBuf,
}

/// A line as it was recorded. Keys it does not know are left alone.
#[derive(Deserialize)]
struct Recorded {
    rules: Value,
    moves: Vec<String>,
    captures: Option<Vec<Vec<String>>>,
    position: Option<String>,
    side: Option<Side>,
    result: Option<String>,
    reason: Option<String>,
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
    let input: Box<dyn Read> = if arguments.file.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        let file = File::open(&arguments.file)
            .map_err(|error| Failure::unreadable(&arguments.file, &error))?;
        Box::new(file)
    };
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut out = BufWriter::new(io::stdout().lock());
    let mut checker = Checker { last: None };
    let (mut lines, mut bad) = (0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input
            .by_ref()
            .take(MAX_LINE)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Failure::unreadable(&arguments.file, &error))?;
        if read == 0 {
            break;
        }
        lines += 1;
        if read as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
            out.flush()?;
            return Err(Failure::Usage(format!(
                "{}: line {lines} is longer than {MAX_LINE} bytes",
                arguments.file.display()
            )));
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let checked = checker.line(lines, &bytes);
        bad += u64::from(!checked.legal || checked.agrees == Some(false));
        serde_json::to_writer(&mut out, &checked).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    if bad == 0 {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{bad} of {lines} lines are illegal or disagree"
    )))
}

struct Checker {
    /// The rules of the last line: neighbouring lines mostly share theirs.
    last: Option<(Value, Rules)>,
}

impl Checker {
    fn line(&mut self, line: u64, bytes: &[u8]) -> Checked {
        let checked = match serde_json::from_slice::<Recorded>(bytes) {
            Ok(recorded) => self.game(&recorded),
            Err(error) => Err(format!("no record of a game: {error}")),
        };
        match checked {
            Ok(checked) => Checked { line, ..checked },
            Err(error) => Checked {
                line,
                error: Some(error),
                ..Checked::default()
            },
        }
    }

    fn rules(&mut self, value: &Value) -> Result<&Rules, String> {
        let known = self.last.as_ref().is_some_and(|(last, _)| last == value);
        if !known {
            let ruleset = ruleset_of_json(value)?;
            self.last = None;
            return Ok(&self.last.insert((value.clone(), Rules::new(ruleset))).1);
        }
        match &self.last {
            Some((_, rules)) => Ok(rules),
            None => Err("rules: none".to_owned()),
        }
    }

    fn game(&mut self, recorded: &Recorded) -> Result<Checked, String> {
        let rules = self.rules(&recorded.rules)?;
        let side = recorded.side.unwrap_or(Side::Attackers);
        let position = match &recorded.position {
            Some(otn) => Position::from_otn(otn, side).map_err(|error| error.to_string())?,
            None => Position {
                side,
                ..rules.start()
            },
        };
        rules.admit(&position)?;
        Ok(replay(recorded, Game::from_position(rules, position)))
    }
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
    if let Some((ply, error)) = disagreement(recorded, &checked, &kings) {
        checked.agrees = Some(false);
        checked.ply = ply;
        checked.error = Some(error);
    } else if recorded.captures.is_some() || recorded.result.is_some() || recorded.reason.is_some()
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
