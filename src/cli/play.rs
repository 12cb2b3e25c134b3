//! `brandub play`: one game on the terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::str::FromStr;

use brandub::agents::{Agent, AgentSpec, SpecError};
use brandub::game::{Game, Move, MoveList, NotationError, Rules, Side, annotate};

use super::endgames::endgames;
use super::failure::Failure;
use super::ruleset_argument::ruleset;
use super::streams::{new_seed, streams};

/// Play one game on the terminal, against an agent or between agents
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub play --rules wtf --attackers human --defenders alphabeta:depth=5\n  \
    brandub play --rules masters --attackers greedy --defenders mcts:playouts=500 --seed 3\n  \
    brandub play --attackers human --defenders 'external:./my-engine --fast'\n\n\
    Moves are written d2-e2; `moves` lists them, `help` says more, `quit` ends the game.")]
pub struct Arguments {
    /// A preset's name, a file, an inline TOML table, or axes as key=value
    #[arg(long, default_value = "disputed")]
    rules: String,
    /// An agent, or `human`
    #[arg(long, default_value = "human")]
    attackers: Player,
    /// An agent, or `human`
    #[arg(long, default_value = "alphabeta:depth=4")]
    defenders: Player,
    /// Seed of the agents' choices [default: another one each time]
    #[arg(long)]
    seed: Option<u64>,
    /// Plies after which the game is stopped
    #[arg(long, default_value_t = 300)]
    ply_limit: u32,
}

/// What `help` says.
const HELP: &str = "\
t is an attacker, T a defender, K the king, x an empty corner, + the empty square d4.
The attackers win by capturing the king, the defenders by bringing him to a corner.
A move is the square where a piece stands and the one where it goes, such as d2-e2.
  moves   lists what can be played now
  help    says this
  quit    ends the game
docs/rules.md says how Brandub is played; `brandub rules show` has every axis of a ruleset.";

#[derive(Clone)]
enum Player {
    Human,
    Agent(AgentSpec),
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        match text {
            "human" => Ok(Player::Human),
            spec => spec
                .parse()
                .map(Player::Agent)
                .map_err(|SpecError { problem, .. }| {
                    // Other problems are those of one agent.
                    let known = problem.starts_with("no such agent");
                    problem + if known { ", or human" } else { "" }
                }),
        }
    }
}

/// Plays the game that the arguments describe.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let rules = Rules::new(ruleset(&arguments.rules)?);
    for player in [&arguments.attackers, &arguments.defenders] {
        if let Player::Agent(spec) = player {
            spec.find_program()?;
        }
    }
    let seed = arguments.seed.unwrap_or_else(new_seed);
    let mut streams = streams(seed);
    let endgames = endgames();
    let mut agent = |player: &Player| -> Result<Option<Box<dyn Agent>>, SpecError> {
        let (Some(stream), Player::Agent(spec)) = (streams.next(), player) else {
            return Ok(None);
        };
        let tables = endgames.of(spec, rules.ruleset())?;
        Ok(Some(spec.build(stream, tables)))
    };
    let mut attackers = agent(&arguments.attackers)?;
    let mut defenders = agent(&arguments.defenders)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}, seed {seed}", rules.ruleset().label())?;
    let mut game = Game::new(&rules);
    if attackers.is_none() || defenders.is_none() {
        writeln!(
            out,
            "type a move such as d2-e2; `moves` lists what can be played, `help` says more, `quit` ends the game"
        )?;
    }
    writeln!(out, "\n{}\n", game.position())?;
    while game.outcome().is_none() && game.plies() < arguments.ply_limit {
        let side = game.position().side;
        let player = match side {
            Side::Attackers => &mut attackers,
            Side::Defenders => &mut defenders,
        };
        let ply = match player {
            Some(agent) => match agent.choose(&game) {
                Ok(ply) => Some(ply),
                Err(forfeit) => {
                    let (winner, kind) = (side.other(), forfeit.kind());
                    writeln!(out, "{winner} ({kind}) after {} plies", game.plies())?;
                    return Err(Failure::Failed(format!(
                        "the {side} forfeit the game, the {winner} win: {forfeit}"
                    )));
                }
            },
            None => ask(&mut out, &game)?,
        };
        let Some(ply) = ply else {
            writeln!(out, "left unfinished after {} plies", game.plies())?;
            return Ok(());
        };
        let captured = game.play_legal(ply);
        writeln!(out, "{}. {side} {}", game.plies(), annotate(ply, captured))?;
        writeln!(out, "\n{}\n", game.position())?;
    }
    match game.outcome() {
        Some(outcome) => writeln!(out, "{outcome} after {} plies", game.plies())?,
        None => writeln!(out, "stopped at {} plies", game.plies())?,
    }
    Ok(())
}

/// A legal move from standard input, in letters of either case; `None` when
/// there is no more of it.
fn ask(out: &mut impl Write, game: &Game<'_>) -> Result<Option<Move>, Failure> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let mut line = Vec::new();
    loop {
        write!(out, "{}> ", game.position().side)?;
        out.flush()?;
        line.clear();
        let read = io::stdin()
            .lock()
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
        // What is no text is no move, either.
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let command = text.to_ascii_lowercase();
        if read == 0 || command == "quit" {
            return Ok(None);
        }
        if !io::stdin().is_terminal() {
            writeln!(out)?;
        }
        match command.as_str() {
            "" => {}
            "help" => writeln!(out, "{HELP}")?,
            "moves" => {
                let names: Vec<String> = list.iter().map(Move::to_string).collect();
                writeln!(out, "{}", names.join(" "))?;
            }
            _ => match command.parse::<Move>() {
                Ok(ply) if list.contains(&ply) => return Ok(Some(ply)),
                Ok(ply) => {
                    let why = game.clone().play(ply).err();
                    let why = why.map_or_else(String::new, |error| error.to_string());
                    writeln!(out, "{why}; `moves` lists what can be played")?;
                }
                Err(NotationError { expected, .. }) => writeln!(
                    out,
                    "`{text}` is not {expected}; `moves` lists what can be played"
                )?,
            },
        }
    }
}
