//! `brandub play`: one game on the terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::str::FromStr;

use brandub::agents::{Agent, AgentSpec, SpecError};
use brandub::game::{Game, Move, MoveList, Rules, Side, annotate};

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
    Moves are written d2-e2; `moves` lists them, `quit` ends the game.")]
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
                .map_err(|error: SpecError| format!("{}, or human", error.problem)),
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
    writeln!(out, "\n{}\n", game.position())?;
    while game.outcome().is_none() && game.plies() < arguments.ply_limit {
        let side = game.position().side;
        let player = match side {
            Side::Attackers => &mut attackers,
            Side::Defenders => &mut defenders,
        };
        let ply = match player {
            Some(agent) => Some(agent.choose(&game).map_err(|forfeit| {
                Failure::Failed(format!("the {side} forfeit the game: {forfeit}"))
            })?),
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

/// A legal move from standard input; `None` when there is no more of it.
fn ask(out: &mut impl Write, game: &Game<'_>) -> Result<Option<Move>, Failure> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let mut line = String::new();
    loop {
        write!(out, "{}> ", game.position().side)?;
        out.flush()?;
        line.clear();
        let read = io::stdin()
            .lock()
            .read_line(&mut line)
            .map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
        if read == 0 || line.trim() == "quit" {
            return Ok(None);
        }
        if !io::stdin().is_terminal() {
            writeln!(out)?;
        }
        match line.trim() {
            "" => {}
            "moves" => {
                let names: Vec<String> = list.iter().map(Move::to_string).collect();
                writeln!(out, "{}", names.join(" "))?;
            }
            text => match text.parse::<Move>() {
                Ok(ply) if list.contains(&ply) => return Ok(Some(ply)),
                Ok(ply) => {
                    let why = game.clone().play(ply).err();
                    let why = why.map_or_else(String::new, |error| error.to_string());
                    writeln!(out, "{why}; `moves` lists what can be played")?;
                }
                Err(error) => writeln!(out, "{error}; `moves` lists what can be played")?,
            },
        }
    }
}
