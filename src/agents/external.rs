/*!
External engines: another program plays, over the protocol of
`docs/protocol.md`. Imports `game`.

An engine is a process that lives for one game, so that no game depends on the
ones before it. It starts when it is first asked for a move; the clock is read
only to give up on one that says nothing.
*/

mod engine_command;
mod process;

use std::time::Instant;

use rand_core::Rng;

use super::{Agent, Forfeit, Stream};
use crate::game::{Game, Move};

pub use engine_command::EngineCommand;
pub use process::end_engines;
use process::{MAX_LINE, NoLine, Process};

/// Characters of a command or an answer that a message quotes.
const QUOTED: usize = 80;

/// The agent: the engine's process and what it has been told.
pub(super) struct External {
    command: EngineCommand,
    seed: u64,
    process: Option<Process>,
    /// How many of the game's moves the engine knows.
    told: usize,
}

impl External {
    pub(super) fn new(command: EngineCommand, mut stream: Stream) -> External {
        External {
            command,
            seed: stream.next_u64(),
            process: None,
            told: 0,
        }
    }

    fn ask_for_move(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        if self.process.is_none() {
            self.begin(game)?;
        }
        for ply in &game.played()[self.told..] {
            self.tell(&format!("play {ply}"))?;
        }
        let command = format!("genmove {}", game.position().side);
        let answer = self.ask(&command)?;
        let ply = answer.parse().map_err(|_| Forfeit::Malformed {
            command: shortened(&command),
            answer: shortened(&answer),
            expected: "`= ` and a move such as d2-e2",
        })?;
        game.clone().play(ply)?;
        self.told = game.plies() as usize + 1;
        Ok(ply)
    }

    /// Starts the engine and tells it what is played. It is not told the
    /// opening as a position, so that it can see repetitions of it.
    fn begin(&mut self, game: &Game<'_>) -> Result<(), Forfeit> {
        let unstarted = |problem: String| Forfeit::Start { problem };
        let process = Process::start(self.command.program(), self.command.arguments())
            .map_err(|error| unstarted(error.to_string()))?;
        self.process = Some(process);
        self.told = 0;
        let rules = serde_json::to_string(game.rules().ruleset())
            .map_err(|error| unstarted(error.to_string()))?;
        self.tell(&format!("rules {rules}"))?;
        let start = game.start();
        if *start != game.rules().start() {
            self.tell(&format!("position {} {}", start.to_otn(), start.side))?;
        }
        // An engine may know no seeds.
        match self.tell(&format!("seed {}", self.seed)) {
            Err(Forfeit::Refused { .. }) | Ok(()) => Ok(()),
            Err(forfeit) => Err(forfeit),
        }
    }

    /// Gives a command that is answered with `=` alone.
    fn tell(&mut self, command: &str) -> Result<(), Forfeit> {
        let answer = self.ask(command)?;
        if answer.is_empty() {
            return Ok(());
        }
        Err(Forfeit::Malformed {
            command: shortened(command),
            answer: shortened(&format!("= {answer}")),
            expected: "`=` alone",
        })
    }

    /// Gives a command; the answer without its `=`.
    fn ask(&mut self, command: &str) -> Result<String, Forfeit> {
        let deadline = Instant::now() + self.command.limit();
        let seconds = self.command.seconds();
        let silence = || Forfeit::Silence {
            command: shortened(command),
            seconds: seconds.clone(),
        };
        let process = self.process.as_mut().ok_or_else(silence)?;
        if !process.send(command) {
            return Err(silence());
        }
        let mut answer = String::new();
        read_answer(process, deadline, &mut answer).map_err(|problem| match problem {
            NoLine::Late if answer.is_empty() => silence(),
            NoLine::Late => Forfeit::Unended {
                command: shortened(command),
                answer: shortened(&answer),
                seconds: seconds.clone(),
            },
            NoLine::Closed => {
                let (how, last_words) = process.last_words();
                Forfeit::Crash {
                    command: shortened(command),
                    how,
                    last_words,
                }
            }
            NoLine::TooLong(answer) => Forfeit::Malformed {
                command: shortened(command),
                answer: shortened(&answer),
                expected: "at most 65536 bytes",
            },
        })?;
        if let Some(rest) = answer.strip_prefix('=') {
            return Ok(rest.trim().to_owned());
        }
        Err(match answer.strip_prefix('?') {
            Some(message) => Forfeit::Refused {
                command: shortened(command),
                message: shortened(message.trim()),
            },
            None => Forfeit::Malformed {
                command: shortened(command),
                answer: shortened(&answer),
                expected: "`= …` or `? …`",
            },
        })
    }
}

impl Agent for External {
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        let chosen = self.ask_for_move(game);
        if chosen.is_err()
            && let Some(mut process) = self.process.take()
        {
            // Whatever it is doing, no `quit` need be waited for.
            let _ = process.end();
        }
        chosen
    }
}

/// Adds to `answer` the lines of one up to the empty line behind it; empty ones
/// before it are passed over, and a line that begins no answer is added as it is.
/// On an error `answer` holds what there was of it.
fn read_answer(process: &Process, deadline: Instant, answer: &mut String) -> Result<(), NoLine> {
    loop {
        let line = process.line(deadline)?;
        let line = line.trim_end();
        if answer.is_empty() && !line.starts_with(['=', '?']) {
            if line.is_empty() {
                continue;
            }
            answer.push_str(line);
            return Ok(());
        }
        if line.is_empty() {
            return Ok(());
        }
        if !answer.is_empty() {
            answer.push('\n');
        }
        answer.push_str(line);
        if answer.len() > MAX_LINE {
            return Err(NoLine::TooLong(std::mem::take(answer)));
        }
    }
}

/// The beginning of what was said, on one line.
fn shortened(text: &str) -> String {
    let plain = |symbol: char| if symbol.is_control() { ' ' } else { symbol };
    let mut short: String = text.chars().take(QUOTED).map(plain).collect();
    if text.chars().nth(QUOTED).is_some() {
        short.push('…');
    }
    short
}
