//! Recorded games as commands read them: JSON lines, one game each.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use brandub::experiment::plain_words;
use brandub::game::{Game, Position, Rules, Side};
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::failure::Failure;
use super::ruleset_argument::JsonRules;

/// What is recorded where nobody won, or nobody yet.
const WITHOUT_WINNER: [&str; 3] = ["draw", "none", "ongoing"];
/// A longer line is no record of a game.
const MAX_LINE: u64 = 16 << 20;

/// A line as it was recorded. Keys it does not know are left alone.
#[derive(Deserialize)]
pub struct Recorded {
    #[serde(deserialize_with = "rules")]
    rules: JsonRules,
    pub moves: Vec<String>,
    pub captures: Option<Vec<Vec<String>>>,
    position: Option<String>,
    side: Option<Side>,
    pub result: Option<String>,
    pub reason: Option<String>,
    /// Who won in the end, on the board or not.
    pub winner: Option<Value>,
    /// How many of the moves a random opening made.
    pub opening_plies: Option<usize>,
}

/// Reads the rules; the error begins with `rules: `.
fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JsonRules, D::Error> {
    JsonRules::deserialize(deserializer)
        .map_err(|error| de::Error::custom(format_args!("rules: {error}")))
}

impl Recorded {
    /// Reads a line.
    pub fn read(bytes: &[u8]) -> Result<Recorded, String> {
        // Some editors begin a file with the mark of its byte order.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err("no record of a game: expected a JSON object".to_owned());
        }
        serde_json::from_slice(bytes).map_err(|error: serde_json::Error| {
            let (text, column) = (error.to_string(), error.column());
            // A record is one line, and which one it is says who reads them.
            let place = format!(" at line {} column {column}", error.line());
            let what = plain_words(text.strip_suffix(&place).unwrap_or(&text), "object");
            match column {
                0 => format!("no record of a game: {what}"),
                _ => format!("no record of a game: column {column}: {what}"),
            }
        })
    }

    /// The game before the first recorded move.
    pub fn start<'r>(&self, rules: &'r Rules) -> Result<Game<'r>, String> {
        let side = self.side.unwrap_or(Side::Attackers);
        let position = match &self.position {
            Some(otn) => Position::from_otn(otn, side).map_err(|error| error.to_string())?,
            None => Position {
                side,
                ..rules.start()
            },
        };
        rules.admit(&position)?;
        Ok(Game::from_position(rules, position))
    }

    /// What is wrong with how many of its moves it says a random opening made.
    pub fn surplus_opening(&self) -> Option<String> {
        let most = self.moves.len();
        (self.opening_plies > Some(most))
            .then(|| format!("opening_plies: expected at most {most}, as there are no more moves"))
    }

    /// Who won by what was recorded: by `winner`, or by `result` where that is left
    /// out or null; `None` where nobody did or nothing says so.
    ///
    /// # Errors
    /// A value that names neither a side nor an end without a winner.
    pub fn winner(&self) -> Result<Option<Side>, String> {
        let (key, said) = match (&self.winner, &self.result) {
            (Some(winner), _) => ("winner", winner.clone()),
            (None, Some(result)) => ("result", Value::from(result.as_str())),
            (None, None) => return Ok(None),
        };
        let name = said.as_str().unwrap_or_default();
        match name.parse() {
            Ok(side) => Ok(Some(side)),
            Err(_) if WITHOUT_WINNER.contains(&name) => Ok(None),
            Err(_) => Err(format!(
                "{key}: {said}: expected attackers, defenders, {}, or null",
                WITHOUT_WINNER.join(", ")
            )),
        }
    }

    /// What is wrong with who it says won in a game that was decided on the board.
    pub fn other_winner(&self, game: &Game<'_>) -> Option<String> {
        let said = self.winner.as_ref()?;
        let found = game.outcome()?.result();
        (said != found).then(|| format!("winner: the record says {said}, the rules {found}"))
    }
}

/// The lines of a file, blank ones left out, in constant memory.
pub struct Lines {
    file: PathBuf,
    input: BufReader<Box<dyn Read>>,
    bytes: Vec<u8>,
    /// Lines read so far, blank ones among them.
    pub number: u64,
}

impl Lines {
    /// Opens a file; `-` is standard input.
    pub fn open(file: &Path) -> Result<Lines, Failure> {
        let input: Box<dyn Read> = if file.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(file).map_err(|error| Failure::unreadable(file, &error))?)
        };
        Ok(Lines {
            file: file.to_owned(),
            input: BufReader::with_capacity(1 << 16, input),
            bytes: Vec::new(),
            number: 0,
        })
    }

    /// The next line that is not blank, if there is one.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Failure> {
        loop {
            self.bytes.clear();
            let mut limited = self.input.by_ref().take(MAX_LINE);
            let read = limited
                .read_until(b'\n', &mut self.bytes)
                .map_err(|error| Failure::unreadable(&self.file, &error))?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if read as u64 == MAX_LINE && self.bytes.last() != Some(&b'\n') {
                return Err(Failure::Usage(format!(
                    "{}: line {} is longer than {MAX_LINE} bytes",
                    self.file.display(),
                    self.number
                )));
            }
            if !self.bytes.trim_ascii().is_empty() {
                return Ok(Some(&self.bytes));
            }
        }
    }
}

/// The rules of the last line: neighbouring lines mostly share theirs.
#[derive(Default)]
pub struct LastRules(Option<(JsonRules, Rules)>);

impl LastRules {
    /// The rules a record names.
    pub fn of(&mut self, recorded: &Recorded) -> Result<&Rules, String> {
        let named = &recorded.rules;
        let last = match self.0.take() {
            Some(last) if last.0 == *named => last,
            _ => (named.clone(), Rules::new(named.ruleset()?)),
        };
        Ok(&self.0.insert(last).1)
    }
}
