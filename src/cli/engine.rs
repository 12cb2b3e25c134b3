//! `brandub engine`: an agent that other programs play against, over the
//! protocol of `docs/protocol.md`.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use brandub::agents::{Agent, AgentSpec, SpecError, Stream};
use brandub::experiment::Endgames;
use brandub::game::{Game, Move, MoveList, Position, Rules, Ruleset, Side};
use brandub::solver::exact::Probe;

use super::endgames::endgames;
use super::failure::Failure;
use super::ruleset_argument::{JsonRules, ruleset};
use super::run::end_with_engines;
use super::streams::{new_seed, streams};

/// The version of the protocol.
const PROTOCOL_VERSION: &str = "1";
/// Longest line, in bytes.
const MAX_LINE: u64 = 1 << 16;
const COMMANDS: [&str; 15] = [
    "board",
    "genmove",
    "known_command",
    "legal_moves",
    "list_commands",
    "name",
    "outcome",
    "play",
    "position",
    "protocol_version",
    "quit",
    "rules",
    "seed",
    "undo",
    "version",
];

/// Play for another program: commands on standard input, answers on standard
/// output
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub engine alphabeta:depth=4 --rules wtf\n  \
    brandub play --attackers human --defenders 'external:brandub engine mcts:playouts=500'\n\n\
    Commands: rules JSON, position OTN [SIDE], seed N, play d2-e2, genmove SIDE, quit;\n\
    for programs that leave the rules to it, board, legal_moves, outcome, undo;\n\
    name, version, protocol_version, known_command NAME, list_commands.\n\
    Answers are `= …`, or `? …` for a command that was not done, then an empty line.\n\
    docs/protocol.md describes them.\n\n\
    Agents: random, greedy, alphabeta:depth=N, alphabeta:nodes=N, mcts:playouts=N;\n\
    docs/agents.md and the README have their options.")]
pub struct Arguments {
    /// The agent
    #[arg(value_parser = agent)]
    agent: AgentSpec,
    /// A preset's name, a file, an inline TOML table, or axes as key=value; `rules` changes them
    #[arg(long, default_value = "disputed")]
    rules: String,
    /// Seed of the agent's choices [default: another one each time]; `seed`
    /// changes it
    #[arg(long)]
    seed: Option<u64>,
}

fn agent(text: &str) -> Result<AgentSpec, String> {
    text.parse().map_err(|error: SpecError| error.problem)
}

/// Answers commands until `quit` or the end of standard input.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    arguments.agent.find_program()?;
    end_with_engines([&arguments.agent])?;
    let mut rules = Rules::new(ruleset(&arguments.rules)?);
    let endgames = endgames();
    let mut dialogue = Dialogue {
        spec: &arguments.agent,
        tables: endgames.of(&arguments.agent, rules.ruleset())?,
        endgames: &endgames,
        streams: Box::new(streams(arguments.seed.unwrap_or_else(new_seed))),
        input: io::stdin().lock(),
        line: Vec::new(),
    };
    while let Some(next) = dialogue.games(&rules)? {
        rules = Rules::new(next);
    }
    Ok(())
}

/// What lasts from one ruleset to the next.
struct Dialogue<'a> {
    spec: &'a AgentSpec,
    /// What it knows under the present rules.
    tables: Option<Arc<dyn Probe>>,
    endgames: &'a Endgames,
    streams: Box<dyn Iterator<Item = Stream>>,
    input: io::StdinLock<'static>,
    line: Vec<u8>,
}

/// What is left to do once a command is answered.
enum Next {
    Command,
    Rules(Ruleset),
    Quit,
}

/// One game and the agent that plays it.
struct Table<'r> {
    rules: &'r Rules,
    game: Game<'r>,
    agent: Option<Box<dyn Agent>>,
}

impl Dialogue<'_> {
    /// Answers commands until other rules are asked for; `None` at the end.
    fn games(&mut self, rules: &Rules) -> Result<Option<Ruleset>, Failure> {
        let mut table = Table {
            rules,
            game: Game::new(rules),
            agent: self.new_agent(),
        };
        let mut out = io::stdout().lock();
        while let Some(line) = self.read_line()? {
            let line = match &line {
                Ok(line) => line.trim(),
                Err(problem) => {
                    write!(out, "? {problem}\n\n")?;
                    out.flush()?;
                    continue;
                }
            };
            let (id, command) = split_id(line);
            if command.is_empty() || command.starts_with('#') {
                continue;
            }
            let next = match self.answer(&mut table, command) {
                Ok((text, next)) => {
                    let space = if text.is_empty() { "" } else { " " };
                    write!(out, "={id}{space}{text}\n\n")?;
                    next
                }
                Err(message) => {
                    write!(out, "?{id} {}\n\n", one_line(&message))?;
                    Next::Command
                }
            };
            out.flush()?;
            match next {
                Next::Command => {}
                Next::Rules(ruleset) => return Ok(Some(ruleset)),
                Next::Quit => return Ok(None),
            }
        }
        Ok(None)
    }

    fn new_agent(&mut self) -> Option<Box<dyn Agent>> {
        let stream = self.streams.next()?;
        Some(self.spec.build(stream, self.tables.clone()))
    }

    /// The next line; the inner error for one that is none, `None` at the end.
    fn read_line(&mut self) -> Result<Option<Result<String, String>>, Failure> {
        self.line.clear();
        let mut dropped = 0;
        loop {
            let read = self
                .input
                .by_ref()
                .take(MAX_LINE)
                .read_until(b'\n', &mut self.line)
                .map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
            let whole = self.line.last() == Some(&b'\n') || (read as u64) < MAX_LINE;
            if whole && read == 0 && dropped == 0 {
                return Ok(None);
            }
            if whole && dropped > 0 {
                return Ok(Some(Err(format!("a line is longer than {MAX_LINE} bytes"))));
            }
            if whole {
                let line = std::str::from_utf8(&self.line);
                return Ok(Some(
                    line.map(str::to_owned)
                        .map_err(|_| "a line is not UTF-8".to_owned()),
                ));
            }
            dropped += read;
            self.line.clear();
        }
    }

    /// Does a command: the answer, or why it was not done.
    fn answer(&mut self, table: &mut Table<'_>, command: &str) -> Result<(String, Next), String> {
        let (name, rest) = command
            .split_once(char::is_whitespace)
            .unwrap_or((command, ""));
        let rest = rest.trim();
        let expect_none = || match rest {
            "" => Ok(()),
            _ => Err(format!("`{name}` is given alone, found `{rest}`")),
        };
        let text = match name {
            "rules" => {
                let ruleset = json_rules(rest)?.ruleset()?;
                // Without them the agent could not play by these rules.
                self.tables = self
                    .endgames
                    .of(self.spec, &ruleset)
                    .map_err(|error| error.to_string())?;
                return Ok((String::new(), Next::Rules(ruleset)));
            }
            "position" => {
                table.game = Game::from_position(table.rules, position(table.rules, rest)?);
                table.agent = self.new_agent();
                String::new()
            }
            "seed" => {
                let seed = rest
                    .parse()
                    .map_err(|_| format!("`{rest}` is no seed from 0 to {}", u64::MAX))?;
                self.streams = Box::new(streams(seed));
                table.agent = self.new_agent();
                String::new()
            }
            "play" => {
                let ply: Move = rest.parse().map_err(|error| format!("{error}"))?;
                table.game.play(ply).map_err(|error| error.to_string())?;
                String::new()
            }
            "genmove" => table.genmove(rest)?,
            "board" => expect_none().map(|()| table.board())?,
            "legal_moves" => expect_none().map(|()| table.legal_moves())?,
            "outcome" => expect_none().map(|()| table.outcome())?,
            "undo" => expect_none().and_then(|()| table.undo())?,
            "name" => expect_none().map(|()| format!("brandub {}", self.spec))?,
            "version" => expect_none().map(|()| env!("CARGO_PKG_VERSION").to_owned())?,
            "protocol_version" => expect_none().map(|()| PROTOCOL_VERSION.to_owned())?,
            "known_command" => COMMANDS.contains(&rest).to_string(),
            "list_commands" => expect_none().map(|()| COMMANDS.join("\n"))?,
            "quit" => return expect_none().map(|()| (String::new(), Next::Quit)),
            _ => return Err(format!("no command `{name}`: `list_commands` lists them")),
        };
        Ok((text, Next::Command))
    }
}

impl Table<'_> {
    /// The agent's move for the side to move, which is played too.
    fn genmove(&mut self, side: &str) -> Result<String, String> {
        let side: Side = side.parse()?;
        if let Some(outcome) = self.game.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        let to_move = self.game.position().side;
        if side != to_move {
            return Err(format!("it is the turn of the {to_move}"));
        }
        let agent = self.agent.as_mut().ok_or("no agent")?;
        let ply = agent
            .choose(&self.game)
            .map_err(|forfeit| forfeit.to_string())?;
        self.game.play(ply).map_err(|error| error.to_string())?;
        Ok(ply.to_string())
    }
}

impl Table<'_> {
    /// The position, and who is to move.
    fn board(&self) -> String {
        let position = self.game.position();
        format!("{} {}", position.to_otn(), position.side)
    }

    /// The moves of the side to move; none once the game is over.
    fn legal_moves(&self) -> String {
        let mut list = MoveList::new();
        if self.game.outcome().is_none() {
            self.game.moves(&mut list);
        }
        let names: Vec<String> = list.iter().map(Move::to_string).collect();
        names.join(" ")
    }

    /// Who has won, and by what.
    fn outcome(&self) -> String {
        match self.game.outcome() {
            Some(outcome) => format!("{} {}", outcome.result(), outcome.reason.name()),
            None => "ongoing".to_owned(),
        }
    }

    /// Takes the last move back.
    fn undo(&mut self) -> Result<String, String> {
        let Some((_, kept)) = self.game.played().split_last() else {
            return Err("no move has been played".to_owned());
        };
        let mut game = Game::from_position(self.rules, *self.game.start());
        for &ply in kept {
            game.play_legal(ply);
        }
        self.game = game;
        Ok(String::new())
    }
}

/// Reads what stands behind `rules`.
fn json_rules(text: &str) -> Result<JsonRules, String> {
    serde_json::from_str(text).map_err(|error| match error.is_data() {
        true => format!("rules: {error}"),
        false => format!("rules: expected a JSON table of axes or preset's name: {error}"),
    })
}

/// Reads `OTN [SIDE]`; without a side the attackers move.
fn position(rules: &Rules, text: &str) -> Result<Position, String> {
    let mut words = text.split_whitespace();
    let otn = words.next().unwrap_or_default();
    let side = words.next().map_or(Ok(Side::Attackers), str::parse)?;
    if let Some(word) = words.next() {
        return Err(format!("position: expected OTN [SIDE], found `{word}`"));
    }
    let position = Position::from_otn(otn, side).map_err(|error| error.to_string())?;
    rules.admit(&position)?;
    Ok(position)
}

/// The number in front of a command, which its answer repeats.
fn split_id(line: &str) -> (&str, &str) {
    let digits = line
        .find(|symbol: char| !symbol.is_ascii_digit())
        .unwrap_or(line.len());
    let (id, command) = line.split_at(digits);
    (id, command.trim_start())
}

/// An answer must not hold an empty line, nor a message more than one.
fn one_line(message: &str) -> String {
    let mut line = String::new();
    for part in message
        .lines()
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let space = if line.is_empty() { "" } else { " " };
        let _ = write!(line, "{space}{part}");
    }
    line
}
